import Control
import Scene
import Sound
import Testing

struct MotionTests {
  private let desk = Desk()

  init() {
    desk.snapshot = playingSnapshot(isPlaying: false)
    desk.frame()
  }

  @Test func `at rest nothing asks for another frame and the picture stays the same`() {
    #expect(desk.result.nextFrame == nil)
    let list = desk.result.list
    desk.frame(after: 3600)
    #expect(desk.result.nextFrame == nil)
    #expect(desk.result.list == list)
  }

  @Test func `a hover eases in for a tenth of a second, even after a long rest`() {
    func heat() -> Float {
      desk.orders(.transport).compactMap { order -> Float? in
        if case .fill(_, .buttonHot, _, let opacity) = order { opacity } else { nil }
      }.first ?? 0
    }
    desk.frame([.moved(Point(580, 670))], after: 100)
    #expect(heat() == 0 && desk.result.nextFrame == desk.time)
    desk.frame(after: 0.06)
    #expect(abs(heat() - 0.5) < 0.01)
    desk.frame(after: 0.061)
    #expect(heat() == 1)
    #expect(desk.result.nextFrame.map { $0 > desk.time + 0.4 } == true, "only the tooltip is still to come")
    desk.frame([.moved(Point(580, 200))], after: 0.01)
    desk.frame(after: 0.06)
    #expect(abs(heat() - 0.5) < 0.01)
    desk.frame(after: 0.061)
    #expect(heat() == 0 && desk.result.nextFrame == nil)
  }

  @Test func `a tooltip comes when the pointer has rested, names the key, and goes with a press`() throws {
    desk.frame([.moved(Point(752, 670))])
    desk.frame(after: 0.3)
    #expect(desk.panel(.tooltip) == nil)
    let due = try #require(desk.result.nextFrame)
    desk.frame(after: due - desk.time)
    #expect(desk.texts(.tooltip) == ["Next (N)"])
    desk.click(Point(752, 670))
    #expect(desk.panel(.tooltip) == nil)
    #expect(desk.result.nextFrame == nil)
  }

  @Test func `a button is pressed where it is let go, and a disabled one never`() {
    #expect(desk.frame([.pressed(.left, at: Point(752, 670), clicks: 1, [])]) == [])
    #expect(desk.frame([.moved(Point(700, 500)), .released(.left, at: Point(700, 500), [])]) == [])
    #expect(desk.click(Point(752, 670)) == [.player(.next)])
    desk.snapshot.queue.hasNext = false
    #expect(desk.click(Point(752, 670)) == [])
    #expect(
      desk.frame([.pressed(.right, at: Point(580, 670), clicks: 1, []), .released(.right, at: Point(580, 670), [])])
        == [])
  }

  @Test func `a press and its release in one batch are a click`() {
    #expect(desk.click(Point(580, 670)) == [.player(.stop)])
  }

  @Test func `every button of the transport asks for its own`() throws {
    let asked: [(Icon, PlayerCommand)] = [
      (.previous, .previous), (.stop, .stop), (.play, .playPause), (.next, .next), (.loopOff, .cycleLoop),
      (.speaker, .toggleMute),
    ]
    for (icon, command) in asked {
      #expect(desk.click(try #require(desk.place(of: icon))) == [.player(command)], "\(icon)")
    }
  }

  @Test func `a click on the time turns it`() throws {
    #expect(desk.texts(.time) == ["1:38.4", "of 3:57.0 · \u{2212}2:18.6"])
    desk.click(try #require(desk.place(of: "1:38.4")))
    #expect(desk.texts(.time) == ["\u{2212}2:18.6", "1:38.4 of 3:57.0"])
  }

  @Test func `a lost device says so`() {
    desk.snapshot.transport = .interrupted
    desk.snapshot.output.problem = "The USB DAC went away."
    desk.frame()
    #expect(desk.texts(.head).contains("The USB DAC went away."))
    #expect(desk.place(of: .pause) != nil, "it would go on by itself")
  }

  @Test func `a recent is opened by a click, and the drop and the demo are told of`() throws {
    desk.snapshot = Snapshot()
    desk.snapshot.hasDemo = true
    desk.snapshot.recents = [RecentItem(path: PathBytes("/a"), title: "Low Tide", detail: "3:57")]
    desk.frame()
    #expect(desk.texts(.empty).contains("Drop audio files or a folder here"))
    #expect(desk.texts(.empty).contains("or press O to open, R to record, D to play the demo"))
    #expect(desk.click(try #require(desk.place(of: "Low Tide"))) == [.player(.open([PathBytes("/a")]))])
    desk.snapshot.isOpening = true
    desk.frame()
    #expect(desk.texts(.empty) == ["Opening…"])
  }

  @Test func `meters turn gold near the top and light a lamp beyond it`() {
    desk.snapshot.meters = [
      MeterReading(peak: -30, hold: -20, isOver: false), MeterReading(peak: -1, hold: 0.5, isOver: true),
    ]
    desk.frame()
    let inks = desk.orders(.meters).compactMap { order -> Ink? in
      if case .fill(_, let ink, _, _) = order { ink } else { nil }
    }
    #expect(inks == [.button, .meterGreen, .text, .button, .button, .meterGreen, .middle, .text, .record])
    #expect(desk.texts(.meters) == ["L R peak 0.5 dB"])
  }
}
