internal import Control
internal import Sound

extension Turn {
  /// What lies over the window: the browser, the keys, the settings, the settings of recording, or a field for a time or a name.
  mutating func drawOverlay() {
    guard view.overlay != .none else { return }
    var shade = Panel(.shade, Rect(0, 0, input.size.width, input.size.height))
    shade.orders = [.fill(shade.rect, .black, opacity: view.overlay == .goTo || view.overlay == .rename ? 0.35 : 0.55)]
    list.panels.append(shade)
    switch view.overlay {
    case .none: break
    case .browser: drawBrowser()
    case .help: drawHelp()
    case .settings: drawSettings()
    case .goTo: drawGoTo()
    case .recordSettings: drawRecordSettings()
    case .rename: drawRename()
    }
  }

  func overlayGround(_ rect: Rect) -> [Order] {
    [.fill(rect, .panel, radius: 12), .stroke(rect, .line, radius: 12, width: 1)]
  }

  /// A box of this size in the middle of the window, or as much of it as there is room for.
  func overlayBox(_ width: Float, _ height: Float) -> Rect {
    let size = input.size
    let fitting = Size(min(width, size.width - 24), min(height, size.height - 24))
    return layout.snap(
      Rect((size.width - fitting.width) / 2, (size.height - fitting.height) / 2, fitting.width, fitting.height))
  }

  /// The line at the top of an overlay.
  func overlayTitle(_ title: String, _ box: Rect, middle: Float = 38) -> [Order] {
    [
      text(title, .title, .text, x: box.x + 28, middle: box.y + middle),
      text("Esc closes", .body, .dim, x: box.right - 28, middle: box.y + middle + 1, .trailing),
    ]
  }

  // MARK: Go to a time

  private var goToBox: Rect { overlayBox(360, 124) }
  private var goToFieldRect: Rect { Rect(goToBox.x + 20, goToBox.y + 44, goToBox.width - 40, 38) }

  var goToControls: [Control] {
    [
      Control(id: .overlay, rect: goToBox, takesFocus: false),
      Control(id: .goToField, rect: goToFieldRect, takesFocus: false),
    ]
  }

  mutating func goToKey(_ key: Key, _ modifiers: Modifiers) -> Bool {
    if key == .enter {
      guard let seconds = TimeText.seconds(typed: view.goTo.text), let track = snapshot.track else {
        view.goToIsWrong = true
        return true
      }
      let wanted = FrameIndex.zero + track.rate.frames(inSeconds: seconds)
      closeOverlay()
      seek(to: min(wanted, length.map { .zero + $0 } ?? wanted))
      return true
    }
    guard view.goTo.edit(key, modifiers) else { return false }
    view.goToIsWrong = false
    return true
  }

  private mutating func drawGoTo() {
    var panel = Panel(.overlay, goToBox)
    let field = goToFieldRect
    panel.orders = overlayGround(goToBox)
    panel.orders.append(text("Go to a time", .button, .text, x: goToBox.x + 20, middle: goToBox.y + 24))
    panel.orders.append(.fill(field, .button, radius: 8))
    panel.orders += fieldOrders(
      view.goTo, hint: "1:23.4", field, ink: view.goToIsWrong ? .record : .text, width: field.width - 36)
    let hint = view.goToIsWrong ? "Type a time such as 1:23.4, 83 or 1:02:03." : "↵ goes there   Esc closes"
    let ink: Ink = view.goToIsWrong ? .record : .faint
    panel.orders.append(
      text(hint, .level, ink, x: goToBox.x + 20, middle: goToBox.bottom - 22, width: goToBox.width - 40))
    list.panels.append(panel)
  }
}
