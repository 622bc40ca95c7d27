import Control
import Foundation
import Scene
import Sound
import Testing

/// The pictures of the main states as text, exact; a run with RECORD_GOLDEN set records them anew, and fails.
struct GoldenTests {
  private func check(_ desk: Desk, _ name: String, location: SourceLocation = #_sourceLocation) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")
    let url = folder.appendingPathComponent(name + ".txt")
    let actual = desk.result.list.text
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
      try actual.write(to: url, atomically: true, encoding: .utf8)
      Issue.record("recorded \(name).txt; run again without RECORD_GOLDEN", sourceLocation: location)
      return
    }
    let expected = try String(contentsOf: url, encoding: .utf8)
    guard actual != expected else { return }
    let difference = zip(actual.split(separator: "\n"), expected.split(separator: "\n")).first { $0 != $1 }
    Issue.record(
      "\(name): drawn “\(difference?.0 ?? "")”, recorded “\(difference?.1 ?? "")”", sourceLocation: location)
  }

  @Test func `playing`() throws {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.frame([.moved(Point(608.5, 200))])
    try check(desk, "playing")
  }

  @Test func `playing on a display of twice the pixels`() throws {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.scale = 2
    desk.frame()
    try check(desk, "playing-2x")
  }

  @Test func `paused in a free view with a ring around stop and a toast`() throws {
    let desk = Desk()
    desk.snapshot = playingSnapshot(isPlaying: false)
    desk.snapshot.notices = [
      Notice(id: 1, kind: .error, text: "Can’t play “holiday notes.mp3”: it holds text, not audio.")
    ]
    desk.frame([.wheel(x: 0, y: 2, at: Point(300, 440), [])])
    for _ in 0..<3 { desk.press(.tab) }
    desk.frame(after: 1)
    try check(desk, "free")
  }

  @Test func `empty`() throws {
    let desk = Desk()
    desk.snapshot.hasDemo = true
    desk.snapshot.recents = [
      RecentItem(path: PathBytes("/a"), title: "Low Tide, Morning", detail: "3:57 · FLAC"),
      RecentItem(path: PathBytes("/b"), title: "Interview with the keeper", detail: "1:12:40 · MP3"),
    ]
    desk.frame([.moved(Point(500, 481))])
    desk.frame(after: 1)
    try check(desk, "empty")
  }

  @Test func `narrow`() throws {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.size = Size(480, 320)
    desk.frame()
    try check(desk, "narrow")
  }

  @Test func `help`() throws {
    let desk = Desk()
    desk.press("?")
    try check(desk, "help")
  }

  @Test func `settings`() throws {
    let desk = Desk()
    desk.snapshot.output.names = ["Built-in", "HDMI"]
    desk.press(",", .control)
    try check(desk, "settings")
  }

  @Test func `browser`() throws {
    let desk = Desk()
    desk.press("o")
    desk.snapshot.browser = listing(count: 30, complete: false)
    desk.frame()
    desk.press(.down)
    try check(desk, "browser")
  }

  @Test func `recording`() throws {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    var recording = recordingSnapshot()
    recording.marks = [RecordingMark(frame: FrameIndex(42 * 48_000), kind: .dropout(FrameCount(4800)))]
    recording.options.trigger = SoundTrigger()
    desk.openRecordView(recording)
    try check(desk, "recording")
  }

  @Test func `ready to record at the narrowest`() throws {
    let desk = Desk()
    desk.size = Size(480, 320)
    desk.openRecordView(recordingSnapshot(.armed))
    try check(desk, "armed-narrow")
  }

  @Test func `settings of recording`() throws {
    let desk = Desk()
    desk.openRecordView(recordingSnapshot(.armed))
    desk.press(",", .control)
    try check(desk, "record-settings")
  }

  @Test func `a finished take`() throws {
    let desk = Desk()
    desk.snapshot = playingSnapshot(isPlaying: false)
    desk.finishTake()
    try check(desk, "take")
  }

  @Test func `one pixel makes another text`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.frame()
    let list = desk.result.list
    for panel in list.panels.indices {
      var changed = list
      changed.panels[panel].orders.removeLast()
      #expect(changed.text != list.text)
    }
    var moved = list
    moved.panels[1].rect.x += 1
    #expect(moved.text != list.text)
  }
}
