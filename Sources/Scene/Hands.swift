internal import Control
internal import Sound

// What the mouse does.
extension Turn {
  /// A press must move this far, in logical pixels, before it counts as a drag.
  private static let slack: Float = 4

  mutating func handle(_ event: InputEvent) {
    switch event {
    case .moved(let point): moved(to: point)
    case .pressed(let button, let point, let clicks, let modifiers):
      view.pointer = point
      if button == .left { pressed(at: point, clicks: clicks, modifiers) }
    case .released(let button, let point, _):
      view.pointer = point
      if button == .left { released(at: point) }
    case .wheel(let x, let y, let point, let modifiers): wheel(x, y, at: point, modifiers)
    case .key(let key, let modifiers, let isRepeat): pressed(key, modifiers, isRepeat: isRepeat)
    case .text(let text): typed(text)
    case .dropped(let paths):
      closeOverlay()
      // A link to somewhere else is no file; the player says so.
      if paths.isEmpty { ask(.open([])) } else { open(.open(paths)) }
    case .pointerLeft: view.pointer = nil
    case .focusLost: view.grip = nil
    }
  }

  private mutating func pressed(at point: Point, clicks: Int, _ modifiers: Modifiers) {
    view.focus = nil
    view.isTooltipSpent = true
    view.grip = nil
    guard let control = control(at: point), control.isEnabled else { return }
    switch control.id {
    case .volume where clicks == 2: ask(.setVolume(.full))
    case .volume:
      view.grip = .volume
      setVolume(at: point)
    case .threshold:
      view.grip = .threshold
      dragThreshold(to: point)
    case .spectrum where clicks == 2: ask(.window(.toggleFullScreen))
    case .overview:
      view.grip = .overview
      scrubOverview(to: point)
    case .flag(let isB): takeFlag(isB: isB, at: point)
    case .waveform where modifiers.contains(.shift) && recordView == nil:
      guard let lens, let field = waveformField else { return }
      view.grip = .region(from: frame(at: point, in: field, lens), pressed: point, isDragging: false)
    case .waveform:
      view.grip = .waveform(from: point, origin: leftEdge, isDragging: false)
    case .scrollbar: gripScrollbar(at: point)
    default: view.grip = .button(control.id)
    }
  }

  private mutating func moved(to point: Point) {
    view.pointer = point
    switch view.grip {
    case .volume: setVolume(at: point)
    case .threshold: dragThreshold(to: point)
    case .overview: scrubOverview(to: point)
    case .waveform(let from, let origin, let wasDragging):
      guard wasDragging || abs(point.x - from.x) >= Self.slack, let lens else { return }
      // A followed waveform has moved on since the press; it is taken where it is now.
      let left = wasDragging ? origin : leftEdge
      view.grip = .waveform(from: from, origin: left, isDragging: true)
      let columns = Double(point.x - from.x) * Double(layout.scale)
      scroll(to: left - columns * lens.framesPerColumn)
    case .region(let frame, let from, _):
      if abs(point.x - from.x) >= Self.slack { view.grip = .region(from: frame, pressed: from, isDragging: true) }
    case .scrollbar(let offset): dragScrollbar(to: point, offset: offset)
    case .button, .flag: break
    case nil: hoverRow(at: point)
    }
  }

  private mutating func released(at point: Point) {
    let grip = view.grip
    switch grip {
    case .flag, .region(_, _, isDragging: true): dropFlags()
    default: view.grip = nil
    }
    switch grip {
    case .button(let id) where control(at: point)?.id == id: activate(id)
    case .waveform(_, _, isDragging: false):
      guard recordView == nil, let lens, let field = waveformField else { return }
      seek(to: frame(at: point, in: field, lens))
    default: break
    }
  }

  private mutating func scrubOverview(to point: Point) {
    guard let lens = overviewLens, let field = overviewField else { return }
    scrub = .player(.seek(to: frame(at: point, in: field, lens)))
    view.seekExpires = time + 1
  }

  private mutating func setVolume(at point: Point) {
    ask(.setVolume(VolumeScale.volume(at: (point.x - layout.slider.x) / layout.slider.width)))
  }

  mutating func seek(to frame: FrameIndex) { seek(.seek(to: frame)) }

  /// A seek that may lead out of sight.
  mutating func seek(_ command: PlayerCommand) {
    guard snapshot.track != nil else { return }
    ask(command)
    view.seekExpires = time + 1
  }

  private mutating func wheel(_ x: Float, _ y: Float, at point: Point, _ modifiers: Modifiers) {
    view.pointer = point
    switch view.overlay {
    case .browser: return scrollBrowser(notches: y)
    case .help: return scrollHelp(by: -y * 56)
    case .recordSettings: return scrollRecordSettings(by: -y * 56)
    case .settings, .goTo, .rename: return
    case .none: break
    }
    if layout.volume.contains(point) { return step(notches: y) { .stepVolume($0) } }
    if control(at: point)?.id == .speed { return step(notches: y) { .stepSpeed($0) } }
    if control(at: point)?.id == .threshold { return stepThreshold(notches: y) }
    guard let id = control(at: point)?.id, id == .waveform || id == .follow else { return }
    if modifiers.contains(.shift) {
      scroll(notches: y + x)
    } else {
      if y != 0 { zoom(notches: y, at: point) }
      // A touchpad's sideways stroke: to the right shows what lies to the right.
      if x != 0 { scroll(notches: -x) }
    }
  }

  private mutating func step(notches: Float, _ command: (Int) -> PlayerCommand) {
    view.wheelRest += notches
    let steps = Int(view.wheelRest)
    guard steps != 0 else { return }
    view.wheelRest -= Float(steps)
    obey(.send(command(steps)))
  }

  /// What a click on a control, or Enter on a focused one, does.
  mutating func activate(_ id: WidgetID) {
    switch id {
    case .open, .welcome: obey(.browse)
    case .recent(let index):
      if snapshot.recents.indices.contains(index) { open(.open([snapshot.recents[index].path])) }
    case .spectrumAxis: obey(.spectrumScale)
    case .follow: obey(.follow)
    case .time: obey(.toggleTime)
    case .previous: obey(.send(.previous))
    case .stop: obey(.send(.stop))
    case .playPause: obey(.send(.playPause))
    case .next: obey(.send(.next))
    case .loop: obey(.send(.cycleLoop))
    case .speed: obey(.send(.setSpeed(.normal)))
    case .mute: obey(.send(.toggleMute))
    case .volume: ask(.setVolume(.full))
    case .shade: obey(.close)
    case .filter, .goToField, .nameField, .overlay, .scrollbar, .spectrum, .waveform, .flag, .overview, .threshold:
      break
    case .parent: browseParent()
    case .home: browse(.listHome)
    case .music: browse(.listMusic)
    case .row(let index): openRow(index, [])
    case .device(let index): ask(.setDevice(index.flatMap { deviceNames.indices.contains($0) ? deviceNames[$0] : nil }))
    case .scaleDown: ask(.window(.stepScale(-1)))
    case .scaleUp: ask(.window(.stepScale(1)))
    case .scaleReset: ask(.window(.stepScale(0)))
    case .scale(let isLinear): ask(.setSpectrumScale(isLinear ? .linear : .logarithmic))
    case .dismiss(let notice): dismissToast(notice)
    default: activateRecording(id)
    }
  }

  private mutating func activateRecording(_ id: WidgetID) {
    switch id {
    case .record, .openRecordView: record()
    case .recordLeft: pressRecordLeft()
    case .recordRight: pressRecordRight()
    case .recordSettings: open(.recordSettings)
    case .choice(let line, let index): choose(index, ofLine: line)
    case .recordings: showRecordings()
    case .chooseFolder: pickFolder()
    case .standardFolder: ask(.recorder(.setFolder(nil)))
    case .useFolder: useFolder()
    case .renameTake: openRename()
    case .deleteTake: deleteTake()
    case .dismissTake: view.recorder.offersTake = false
    case .confirmName: rename()
    default: break
    }
  }
}
