internal import Control
internal import Sound

// The take that was just finished: kept as it is, renamed, or deleted.
extension Turn {
  private struct Places {
    var rect: Rect
    var buttons: [(id: WidgetID, word: String, ink: Ink, rect: Rect)]
  }

  private var takePlaces: Places? {
    guard view.recorder.offersTake, recordView == nil, snapshot.recording?.lastTake != nil else { return nil }
    let width = min(600, input.size.width - 24)
    let bottom = layout.transport.y - (layout.isCompact ? 8 : 28)
    let rect = layout.snap(Rect((input.size.width - width) / 2, bottom - 44, width, 44))
    let words: [(WidgetID, String, Ink)] = [
      (.dismissTake, "Keep", .accent), (.deleteTake, "Delete", .record), (.renameTake, "Rename", .accent),
    ]
    var right = rect.right - 12
    var buttons: [(WidgetID, String, Ink, Rect)] = []
    for (id, word, ink) in words {
      let wide = measure(word, .rowTitle) + 16
      buttons.append((id, word, ink, layout.snap(Rect(right - wide, rect.center.y - 16, wide, 32))))
      right -= wide + 4
    }
    return Places(rect: rect, buttons: buttons.reversed())
  }

  /// Above this line toasts stand: at the window's very edge while something lies over it, so as to cover the least of that.
  var toastBottom: Float {
    if view.overlay != .none { return input.size.height - 8 }
    return takePlaces.map { $0.rect.y - 8 } ?? layout.transport.y - (layout.isCompact ? 8 : 28)
  }

  var takeControls: [Control] {
    guard view.overlay == .none, let places = takePlaces else { return [] }
    return [Control(id: .overlay, rect: places.rect, takesFocus: false)]
      + places.buttons.map { Control(id: $0.id, rect: $0.rect) }
  }

  mutating func drawTake() {
    guard view.overlay == .none, let places = takePlaces, let take = snapshot.recording?.lastTake else { return }
    var panel = Panel(.take, places.rect)
    let rect = places.rect
    panel.orders = [
      .fill(rect, .buttonHot, radius: 8), .fill(Rect(rect.x, rect.y, 4, rect.height), .meterGreen, radius: 2),
    ]
    let length = TimeText.clock(tenths: TimeText.tenths(frames: take.length.rawValue, rate: take.rate))
    let room = (places.buttons.first?.rect.x ?? rect.right) - 12 - rect.x - 20
    let name = take.path.lastComponent.shown
    let whole = "Saved \(name) · \(length)"
    let words = measure(whole, .rowTitle) <= room ? whole : name
    panel.orders.append(text(words, .rowTitle, .text, x: rect.x + 20, middle: rect.center.y, width: room))
    for button in places.buttons {
      let heat = heat(button.id)
      if heat > 0 { panel.orders.append(.fill(button.rect, .button, radius: 6, opacity: heat)) }
      if isHeld(button.id), view.hovered == button.id {
        panel.orders.append(.fill(button.rect, .black, radius: 6, opacity: 0.25))
      }
      panel.orders += focusRing(button.id, button.rect.inset(3, 3), radius: 5)
      panel.orders.append(
        text(
          button.word, .rowTitle, button.ink, x: button.rect.center.x, middle: button.rect.center.y, .center))
    }
    list.panels.append(panel)
  }

  mutating func deleteTake() {
    guard let take = snapshot.recording?.lastTake else { return }
    view.recorder.offersTake = false
    ask(.recorder(.deleteTake(take.path)))
  }

  // MARK: another name

  private var renameBox: Rect { overlayBox(460, 124) }
  private var nameFieldRect: Rect {
    Rect(renameBox.x + 20, renameBox.y + 44, renameBox.width - 40 - 96, 38)
  }
  private var confirmRect: Rect { Rect(renameBox.right - 20 - 84, renameBox.y + 46, 84, 34) }

  var renameControls: [Control] {
    [
      Control(id: .overlay, rect: renameBox, takesFocus: false),
      Control(id: .nameField, rect: nameFieldRect, takesFocus: false),
      Control(id: .confirmName, rect: layout.snap(confirmRect), isEnabled: hasName),
    ]
  }

  private var hasName: Bool { view.recorder.name.text.contains { $0 != " " } }

  /// Opens the field with the take's name without its ending.
  mutating func openRename() {
    guard let take = snapshot.recording?.lastTake else { return }
    open(.rename)
    view.recorder.name = TextField(chosen: take.path.shownStem)
    view.recorder.askedName = nil
  }

  mutating func rename() {
    guard let take = snapshot.recording?.lastTake, hasName else { return }
    let asked = AskedName(take: take.path, name: view.recorder.name.text)
    // Enter pressed twice must not rename what has its new name by then.
    guard asked != view.recorder.askedName else { return }
    view.recorder.askedName = asked
    ask(.recorder(.renameTake(asked.take, to: asked.name)))
  }

  /// Closes the field once the take has its new name; one that is refused stays to be mended, beside the notice that says why.
  mutating func noticeRename(_ recording: RecordingSnapshot) {
    guard view.overlay == .rename, let asked = view.recorder.askedName else { return }
    guard let take = recording.lastTake, take.path == asked.take, take.path.lastComponent.shown != asked.name,
      take.path.shownStem != asked.name
    else { return closeOverlay() }
  }

  mutating func nameKey(_ key: Key, _ modifiers: Modifiers) -> Bool {
    if key == .enter {
      rename()
      return true
    }
    return view.recorder.name.edit(key, modifiers)
  }

  mutating func drawRename() {
    var panel = Panel(.overlay, renameBox)
    let field = nameFieldRect
    panel.orders = overlayGround(renameBox)
    panel.orders.append(text("Name of the recording", .button, .text, x: renameBox.x + 20, middle: renameBox.y + 24))
    panel.orders.append(.fill(field, .button, radius: 8))
    panel.orders += fieldOrders(view.recorder.name, hint: "A name", field, width: field.width - 36)
    panel.orders += wordButton(.confirmName, "Rename", layout.snap(confirmRect), isEnabled: hasName)
    panel.orders.append(
      text(
        "↵ renames   Esc leaves it as it is", .level, .faint, x: renameBox.x + 20, middle: renameBox.bottom - 22,
        width: renameBox.width - 40))
    list.panels.append(panel)
  }
}
