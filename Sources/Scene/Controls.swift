internal import Control
internal import Sound

// Where the hands find something, and how it feels: hover, press, focus.
extension Turn {
  /// What answers now, from back to front; while an overlay is open, what lies under it does not.
  var controls: [Control] {
    let ground = view.overlay == .none ? windowControls : overlayControls
    return ground + takeControls + toastControls
  }

  func control(at point: Point) -> Control? { controls.last { $0.rect.contains(point) } }

  func isHeld(_ id: WidgetID) -> Bool {
    switch view.grip {
    case .button(let held): held == id
    case .volume: id == .volume
    case .threshold: id == .threshold
    case .overview: id == .overview
    case .waveform, .region: id == .waveform
    case .flag(let isB, _): id == .flag(isB: isB)
    case .scrollbar: id == .scrollbar
    case nil: false
    }
  }

  func heat(_ id: WidgetID) -> Float { view.heats[id]?.value(at: time) ?? 0 }

  /// Settles what the pointer is over, once the batch is through.
  mutating func point() {
    view.pointer = input.pointer
    var over: WidgetID?
    if view.grip == nil, let pointer = view.pointer, let control = control(at: pointer), control.isEnabled {
      over = control.id
    } else if case .button(let held) = view.grip, let pointer = view.pointer, control(at: pointer)?.id == held {
      over = held
    }
    if over != view.hovered {
      if let old = view.hovered, old.warms { view.heats[old, default: Ease()].move(to: 0, at: time) }
      if let over, over.warms { view.heats[over, default: Ease()].move(to: 1, at: time) }
      view.hovered = over
      view.hoveredSince = time
      view.isTooltipSpent = false
    }
    view.heats = view.heats.filter { $0.value.to > 0 || $0.value.isMoving(at: time) }
    if view.heats.values.contains(where: { $0.isMoving(at: time) }) { wake(at: time) }
    if let focus = view.focus, !controls.contains(where: { $0.id == focus && $0.isEnabled }) { view.focus = nil }
  }

  /// Moves the focus to the next control that takes it, or the one before.
  mutating func moveFocus(_ step: Int) {
    let stops = controls.filter { $0.takesFocus && $0.isEnabled }.map(\.id)
    guard !stops.isEmpty else { return }
    guard let focus = view.focus, let index = stops.firstIndex(of: focus) else {
      view.focus = step > 0 ? stops.first : stops.last
      return revealFocusedChoice()
    }
    view.focus = stops[(index + step + stops.count) % stops.count]
    revealFocusedChoice()
  }

  private var windowControls: [Control] {
    let isLoaded = subject != nil
    let isLive = recordView != nil
    var controls: [Control] = []
    if isLive {
      controls += recordHeadControls
    } else {
      if let open = layout.open { controls.append(Control(id: .open, rect: open)) }
      if let record = layout.record { controls.append(Control(id: .openRecordView, rect: record)) }
    }
    if let rect = layout.welcome {
      controls.append(Control(id: .welcome, rect: rect, takesFocus: false))
      for (index, rect) in welcomeRows.enumerated() { controls.append(Control(id: .recent(index), rect: rect)) }
    }
    if isLoaded, let rect = layout.spectrum {
      controls.append(Control(id: .spectrum, rect: rect, takesFocus: false))
      controls.append(Control(id: .spectrumAxis, rect: spectrumAxis(rect), takesFocus: false))
    }
    if isLoaded, let rect = layout.waveform {
      controls.append(Control(id: .waveform, rect: rect, takesFocus: false))
      if !isLive { controls += flagControls }
      if let chip = followChip { controls.append(Control(id: .follow, rect: chip)) }
    }
    if isLoaded, !isLive, let rect = layout.overview {
      controls.append(Control(id: .overview, rect: rect, takesFocus: false))
    }
    if isLoaded, !isLive, let rect = timeRect { controls.append(Control(id: .time, rect: rect, takesFocus: false)) }
    for (button, (center, radius)) in zip(transportButtons, layout.buttons) {
      let rect = Rect(center.x - radius, center.y - radius, 2 * radius, 2 * radius)
      controls.append(Control(id: button.id, rect: rect, isEnabled: button.isEnabled))
    }
    if let threshold { controls.append(Control(id: .threshold, rect: threshold.handle)) }
    if let rect = layout.speed {
      controls.append(Control(id: .speed, rect: rect, isEnabled: snapshot.track != nil && !isLive))
    }
    controls.append(Control(id: .mute, rect: layout.speaker.inset(-4, -4)))
    controls.append(Control(id: .volume, rect: layout.slider.inset(-8, -16)))
    return controls
  }

  private var overlayControls: [Control] {
    let ground = Control(id: .shade, rect: Rect(0, 0, input.size.width, input.size.height), takesFocus: false)
    let inner: [Control] =
      switch view.overlay {
      case .none: []
      case .browser: browserControls
      case .help: helpControls
      case .settings: settingsControls
      case .goTo: goToControls
      case .recordSettings: recordSettingsControls
      case .rename: renameControls
      }
    return [ground] + inner
  }
}
