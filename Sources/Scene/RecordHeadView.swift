internal import Control
internal import Sound

// The head of the window while the record view is open.
extension Turn {
  /// The two buttons at the right: their words, and whether they answer.
  private struct Buttons {
    var left: (word: String, isEnabled: Bool)
    var right: (word: String, isEnabled: Bool)
  }

  private func buttons(_ recording: RecordingSnapshot) -> Buttons {
    switch recording.state {
    case .idle, .armed: Buttons(left: ("Close", true), right: ("Record", true))
    case .countdown: Buttons(left: ("Close", true), right: ("Stop", true))
    case .waiting, .recording: Buttons(left: ("Pause", true), right: ("Stop", true))
    case .paused: Buttons(left: ("Resume", true), right: ("Stop", true))
    case .saving: Buttons(left: ("Pause", false), right: ("Stop", false))
    }
  }

  /// What the left button of the head does.
  mutating func pressRecordLeft() {
    guard let recording = recordView else { return }
    if recording.hasTake { record() } else { leaveRecordView() }
  }

  /// What the right one does.
  mutating func pressRecordRight() {
    switch recordView?.state {
    case .idle, .armed: record()
    default: stopRecording()
    }
  }

  /// The line that tells of the settings and opens them; in a compact head only the sign after the title.
  private func settingsLine(_ recording: RecordingSnapshot) -> Rect {
    let text = RecordText(recording)
    if layout.isCompact {
      let left = layout.margin + 18 + measure(compactTitle(text), .compactTitle)
      return layout.snap(Rect(left + 4, 8, 26, 26))
    }
    let width = measure(line(text), .subtitle) + measure(warning(text), .subtitle)
    return layout.snap(Rect(layout.margin - 6, 44, width + 38, 24))
  }

  var recordHeadControls: [Control] {
    guard let recording = recordView else { return [] }
    var controls = [Control(id: .recordSettings, rect: settingsLine(recording))]
    if let left = layout.open, let right = layout.record {
      let buttons = buttons(recording)
      controls.append(Control(id: .recordLeft, rect: left, isEnabled: buttons.left.isEnabled))
      controls.append(Control(id: .recordRight, rect: right, isEnabled: buttons.right.isEnabled))
    }
    return controls
  }

  /// What the title's line may be wide, up to the level.
  private var room: Float {
    let right = (layout.open?.x ?? layout.size.width) - 20 - 190
    return max(right - layout.margin, 0)
  }

  private func warning(_ text: RecordText) -> String {
    guard view.recorder.hint == nil else { return "" }
    let troubles = text.troubles.joined(separator: " · ")
    return fit(troubles.isEmpty ? "" : troubles + " · ", .subtitle, room - 30)
  }

  private func line(_ text: RecordText) -> String {
    let left = room - 30 - measure(warning(text), .subtitle)
    return left < 40 ? "" : fit(view.recorder.hint ?? text.detail, .subtitle, left)
  }

  private func compactTitle(_ text: RecordText) -> String {
    let right = (timeRect?.x ?? layout.size.width) - 40
    return fit(
      view.recorder.hint ?? text.troubles.first ?? text.state, .compactTitle, max(right - layout.margin - 18, 0))
  }

  func recordHead(_ recording: RecordingSnapshot, _ rect: Rect) -> [Order] {
    layout.isCompact ? compactRecordHead(recording) : wideRecordHead(recording, rect)
  }

  /// Red while sound goes to the disk, a ring while it could.
  private func lamp(_ recording: RecordingSnapshot, _ rect: Rect) -> Order {
    let rect = layout.snap(rect)
    let isOn = recording.state == .recording && !recording.isInterrupted
    return isOn
      ? .fill(rect, .record, radius: rect.height / 2) : .stroke(rect, .record, radius: rect.height / 2, width: 2)
  }

  private func wideRecordHead(_ recording: RecordingSnapshot, _ rect: Rect) -> [Order] {
    let text = RecordText(recording)
    let left = layout.margin
    var orders = [lamp(recording, Rect(left, 25, 14, 14))]
    orders.append(self.text(text.state, .title, .text, x: left + 24, middle: 31, width: room - 24))

    let line = settingsLine(recording)
    let heat = heat(.recordSettings)
    if heat > 0 { orders.append(.fill(line, .button, radius: 6, opacity: heat)) }
    orders += focusRing(.recordSettings, line.inset(3, 3), radius: 4)
    let warning = warning(text)
    if !warning.isEmpty { orders.append(self.text(warning, .subtitle, .record, x: left, middle: 55)) }
    let detail = self.line(text)
    if !detail.isEmpty {
      let ink: Ink = view.recorder.hint == nil ? .dim : .text
      orders.append(self.text(detail, .subtitle, ink, x: left + measure(warning, .subtitle), middle: 55))
    }
    let gear = layout.snap(Rect(line.right - 24, line.center.y - 8, 16, 16))
    orders.append(.icon(.settings, gear, heat > 0 ? .text : .dim))

    guard let leftButton = layout.open, let rightButton = layout.record else { return orders }
    let right = leftButton.x - 20
    if !recording.meters.isEmpty {
      orders.append(self.text(text.level, .levelLarge, .text, x: right, middle: 33, .trailing))
    }
    if let room = text.room {
      let ink: Ink = text.isRoomShort ? .record : .dim
      orders.append(self.text(room, .subtitle, ink, x: right, middle: 53, .trailing, width: 184))
    }
    let words = buttons(recording)
    orders += wordButton(.recordLeft, words.left.word, leftButton, isEnabled: words.left.isEnabled)
    orders += wordButton(.recordRight, words.right.word, rightButton, isEnabled: words.right.isEnabled, ink: .record)
    return orders
  }

  private func compactRecordHead(_ recording: RecordingSnapshot) -> [Order] {
    let text = RecordText(recording)
    let line = settingsLine(recording)
    let isTrouble = view.recorder.hint == nil && !text.troubles.isEmpty
    var orders = [lamp(recording, Rect(layout.margin, 15, 11, 11))]
    orders.append(
      self.text(
        compactTitle(text), .compactTitle, isTrouble ? .record : .text, x: layout.margin + 18, middle: 21))
    orders += iconButton(.recordSettings, .settings, line, radius: 6, side: 16, ground: .background, ink: .dim)
    return orders
  }
}
