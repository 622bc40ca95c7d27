import Control
import Scene
import Sound
import Testing

struct ThresholdTests {
  private let desk = Desk()
  /// The first bar of the meters, at the design's size: 120 points for 60 dB.
  private let bar: Rect

  init() throws {
    desk.snapshot = playingSnapshot()
    var recording = recordingSnapshot(.armed)
    recording.options.trigger = SoundTrigger(threshold: -30, holdSeconds: 7)
    desk.openRecordView(recording)
    bar = try #require(
      desk.orders(.meters).compactMap { order -> Rect? in
        if case .fill(let rect, .button, _, _) = order, rect.width == 120 { rect } else { nil }
      }.first)
  }

  /// The command that sets a level; the hold stays as it was.
  private func sets(_ level: Float) -> [Command] {
    [.recorder(.setTrigger(SoundTrigger(threshold: level, holdSeconds: 7)))]
  }

  /// Does what the recorder would.
  private func follow(_ commands: [Command]) {
    for case .recorder(.setTrigger(let trigger)) in commands { desk.snapshot.recording!.options.trigger = trigger }
    desk.frame()
  }

  private func place(_ level: Float) -> Point { Point(bar.x + (1 + level / 60) * 120, bar.center.y) }

  @Test func `a drag along the meters moves the threshold by whole decibels, and the meters say it`() {
    let commands = desk.frame([.moved(place(-30)), .pressed(.left, at: place(-30), clicks: 1, [])])
    #expect(commands == [], "the line is taken where it is")
    #expect(desk.texts(.meters) == ["starts at \u{2212}30 dB"])
    for level: Float in [-31, -45, -17] {
      let commands = desk.frame([.moved(place(level))])
      #expect(commands == sets(level))
      follow(commands)
      #expect(desk.texts(.meters) == ["starts at \u{2212}\(Int(-level)) dB"])
    }
    for (x, level) in [(bar.x - 500, -60), (bar.x + 5000, 0)] as [(Float, Float)] {
      #expect(desk.frame([.moved(Point(x, 0))]) == sets(level), "the ends of the meters are its own")
    }
    #expect(desk.frame([.released(.left, at: place(-17), [])]) == [])
    desk.frame([.moved(Point(640, 300))], after: 0)
    #expect(desk.frame([.moved(Point(641, 300))], after: 2) == [])
    #expect(desk.texts(.meters) == ["L R peak \u{2212}4.2 dB"])
  }

  @Test func `wheel, arrows on the focus and Ctrl with an arrow move it by one decibel`() {
    #expect(desk.frame([.wheel(x: 0, y: 1, at: place(-10), [])]) == sets(-29))
    #expect(desk.frame([.wheel(x: 0, y: -2, at: place(-10), [])]) == sets(-32))
    #expect(desk.press(.up, .control) == sets(-29))
    #expect(desk.press(.down, .control) == sets(-31))
    #expect(desk.press(.down, .control, isRepeat: true) == sets(-31), "held down it goes on")
    #expect(desk.press(.up) == [.player(.stepVolume(1))])
    desk.frame([.moved(Point(640, 300))], after: 2)
    for _ in 0..<40 where desk.texts(.meters) != ["starts at \u{2212}30 dB"] { desk.press(.tab) }
    for (key, level) in [(Key.up, -29), (.right, -29), (.down, -31), (.left, -31)] as [(Key, Float)] {
      #expect(desk.press(key) == sets(level))
    }
    follow(sets(-60))
    #expect(desk.press(.down) == [])
    follow(sets(0))
    #expect(desk.press(.up) == [])
  }

  @Test func `where nothing starts by sound there is no line, and the keys say where to turn it on`() {
    desk.snapshot.recording!.options.trigger = nil
    desk.frame()
    #expect(desk.press(.up, .control) == [])
    #expect(desk.texts(.head).contains { $0.hasPrefix("Nothing starts by sound") })
    #expect(desk.frame([.wheel(x: 0, y: 1, at: place(-10), [])]) == [])
    #expect(desk.click(place(-10)) == [])
  }
}
