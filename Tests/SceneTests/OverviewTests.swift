import Control
import Scene
import Sound
import Testing

struct OverviewTests {
  private let desk = Desk()
  private static let length = 237 * 44_100

  init() {
    desk.snapshot = playingSnapshot()
    desk.frame()
  }

  /// The frame at a place of the overview, which lies between 34 and 1246.
  private func frame(at x: Float) -> Double { Double(x - 34) / 1212 * Double(Self.length) }

  private func sought(_ commands: [Command]) -> Double? {
    guard commands.count == 1, case .player(.seek(let frame)) = commands[0] else { return nil }
    return Double(frame.rawValue)
  }

  @Test func `a press seeks at once and a drag scrubs with one seek a frame`() throws {
    let column = Double(Self.length) / 1212
    let press = try #require(sought(desk.frame([.pressed(.left, at: Point(300, 590), clicks: 1, [])])))
    #expect(abs(press - frame(at: 300)) <= column)
    let moves = (1...50).map { InputEvent.moved(Point(300 + Float($0) * 10, 400)) }
    let drag = try #require(sought(desk.frame(moves)))
    #expect(abs(drag - frame(at: 800)) <= column)
    #expect(desk.frame([.released(.left, at: Point(800, 590), [])]) == [])
    #expect(desk.frame([.moved(Point(900, 590))]) == [])
  }

  @Test func `scrubbing beyond the ends stays on the track`() throws {
    desk.frame([.pressed(.left, at: Point(300, 590), clicks: 1, [])])
    #expect(sought(desk.frame([.moved(Point(-500, 590))])) == 0)
    #expect(sought(desk.frame([.moved(Point(5000, 590))])) == Double(Self.length))
  }

  @Test func `stop while dragging ends the drag, and no hover seeks after it`() {
    desk.frame([.pressed(.left, at: Point(300, 590), clicks: 1, [])])
    #expect(desk.frame([.moved(Point(400, 590)), .key("s", [], isRepeat: false)]) == [.player(.stop)])
    #expect(desk.frame([.moved(Point(500, 590))]) == [])
    #expect(desk.frame([.released(.left, at: Point(500, 590), []), .moved(Point(510, 590))]) == [])
  }

  @Test func `a lost focus ends the drag`() {
    desk.frame([.pressed(.left, at: Point(300, 590), clicks: 1, []), .focusLost])
    #expect(desk.frame([.moved(Point(500, 590))]) == [])
  }

  @Test func `the frame shows what the waveform shows`() throws {
    func stretch() -> Rect? {
      desk.orders(.overview).compactMap {
        if case .fill(let rect, .text, radius: 4, _) = $0 { rect } else { nil }
      }.first
    }
    let rect = try #require(stretch())
    #expect(abs(rect.width - 1212 * 10 / 237) <= 2)
    #expect(abs(rect.center.x - (34 + 1212 * 98.4 / 237)) <= 2)
    desk.press("z")
    #expect(stretch()?.x == 34 && stretch()?.right == 1246)
  }

  @Test func `all channels are joined in it`() {
    var builder = PyramidBuilder(channelCount: 2)
    let block = SampleBlock(channelCount: 2, capacity: 44_100)
    block.frameCount = 44_100
    for i in 0..<44_100 { (block.plane(0)[i], block.plane(1)[i]) = (0.6, -0.2) }
    builder.append(block)
    builder.finish()
    desk.snapshot.pyramid = builder.snapshot()
    desk.frame()
    let columns = desk.lanes(in: .overview)[0].columns
    #expect(columns.allSatisfy { $0.high == 0.6 && $0.low == -0.2 })
    // The mean of the squares of 0.6 and 0.2.
    #expect(columns.allSatisfy { abs(Double($0.rms) - 0.2.squareRoot()) < 1e-3 })
  }

  @Test(arguments: [1, 31, 1000, 38_783, 38_785])
  func `a song of few frames fills the overview without gaps`(frames: Int) {
    desk.snapshot.pyramid = Songs.pyramid(frames: frames) { _ in 0.5 }
    desk.snapshot.track!.length = FrameCount(frames)
    desk.frame()
    #expect(desk.lanes(in: .overview)[0].columns.allSatisfy { $0.high == 0.5 })
  }

  @Test func `while the length is unknown it grows, in steps, and never past its edge`() {
    desk.snapshot.track!.length = nil
    desk.snapshot.track!.lengthIsEstimate = true
    desk.snapshot.position = .zero
    desk.snapshot.track!.rate = SampleRate(hertz: 1000)
    var shares: [Double] = []
    for seconds in stride(from: 1, through: 200, by: 3) {
      desk.snapshot.pyramid = Songs.pyramid(frames: seconds * 1000, complete: false) { _ in 0.5 }
      desk.frame()
      let known = desk.lanes(in: .overview)[0].columns.count { $0.low <= $0.high }
      shares.append(Double(known) / 1212)
      // Ten seconds at least, then never less than four fifths full.
      #expect(known > 0 && shares.last! >= min(Double(seconds) / 10, 1) * 0.79)
    }
    // 10 s grows by quarters to 200 s in 14 steps; between them the picture only fills up.
    #expect(zip(shares, shares.dropFirst()).count { $1 < $0 } <= 14)
    #expect(desk.texts(.time).contains { $0.hasPrefix("of …") })
  }

  @Test func `an estimate that proves too short gives way to what was heard`() {
    desk.snapshot.track!.length = FrameCount(60 * 44_100)
    desk.snapshot.track!.lengthIsEstimate = true
    desk.snapshot.pyramid = nil
    desk.frame()
    #expect(desk.texts(.time) == ["1:38.4", "of about 1:38.4 · \u{2212}0:00.0"])
    let playhead = desk.orders(.overview).compactMap { order -> Float? in
      if case .fill(let rect, .text, radius: 0, opacity: 1) = order { rect.x } else { nil }
    }
    #expect(playhead.count == 1 && playhead[0] <= 1245)
  }
}
