internal import Control

extension Turn {
  /// How long the pointer rests before a tooltip comes, in seconds.
  private static let delay = 0.6

  /// What a control does, and its key.
  mutating func drawTooltip() {
    guard view.grip == nil, !view.isTooltipSpent, let id = view.hovered, let words = tip(id),
      let control = controls.last(where: { $0.id == id })
    else { return }
    guard time >= view.hoveredSince + Self.delay else { return wake(at: view.hoveredSince + Self.delay) }
    let width = measure(words, .readout) + 20
    let left = min(max(control.rect.center.x - width / 2, 4), input.size.width - width - 4)
    let above = control.rect.y - 34
    let rect = layout.snap(Rect(left, above >= 4 ? above : control.rect.bottom + 8, width, 26))
    var panel = Panel(.tooltip, rect)
    panel.orders = [
      .fill(rect, .buttonHot, radius: 6), text(words, .readout, .text, x: rect.x + 10, middle: rect.center.y),
    ]
    list.panels.append(panel)
  }

  private func tip(_ id: WidgetID) -> String? {
    switch id {
    case .open: hint("Open a file or folder", .browse)
    case .previous: hint("Previous", .send(.previous))
    case .stop: hint("Stop", .send(.stop))
    case .playPause: hint(snapshot.transport == .playing ? "Pause" : "Play", .send(.playPause))
    case .next: hint("Next", .send(.next))
    case .loop:
      switch snapshot.loop {
      case .off: hint("Loop: off", .send(.cycleLoop))
      case .track: hint("Loop: this track", .send(.cycleLoop))
      case .queue: hint("Loop: the queue", .send(.cycleLoop))
      }
    case .mute: hint(snapshot.isMuted ? "Sound on" : "Mute", .send(.toggleMute))
    case .speed: hint("Normal speed; the wheel changes it", .send(.setSpeed(.normal)))
    case .flag(isB: false): hint("Start of the loop", .send(.setFlagA))
    case .flag(isB: true): hint("End of the loop", .send(.setFlagB))
    case .time: hint("Remaining time or position", .toggleTime)
    case .spectrumAxis: hint("Logarithmic or linear", .spectrumScale)
    case .parent: "Parent folder"
    case .home: "Home folder"
    case .music: "Music folder"
    case .recordings: "Recordings"
    case .record: hint(recordWords, .record)
    case .openRecordView: hint("Record", .record)
    case .recordSettings: hint("Settings of recording", .settings)
    default: nil
    }
  }

  private var recordWords: String {
    switch recordView?.state {
    case nil: "Record"
    case .waiting, .recording: "Pause"
    case .paused: "Resume"
    default: "Start recording"
    }
  }

  private func hint(_ words: String, _ action: KeyAction) -> String {
    KeyTable.name(of: action).map { "\(words) (\($0))" } ?? words
  }
}
