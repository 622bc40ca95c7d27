import Control
import Scene
import Sound
import Testing

private func flags(_ a: Int?, _ b: Int?) -> RegionFlags {
  RegionFlags(a: a.map { FrameIndex($0) }, b: b.map { FrameIndex($0) })
}

struct RegionFlagsTests {
  @Test func `flags in the wrong order change places, and no region is empty`() {
    #expect(flags(5, 9).region == FrameIndex(5)..<FrameIndex(9))
    #expect(flags(9, 5).region == FrameIndex(5)..<FrameIndex(9))
    #expect(flags(7, 7).region == FrameIndex(7)..<FrameIndex(8))
    #expect(flags(-3, nil) == flags(0, nil))
    #expect(flags(5, nil).region == nil && flags(nil, 5).region == nil)
  }

  @Test func `a flag that is set anew beyond the other takes its place`() {
    var both = flags(100, 200)
    both.setA(FrameIndex(300))
    #expect(both == flags(200, 300))
    both.setB(FrameIndex(50))
    #expect(both == flags(50, 200))
  }

  @Test func `on a shorter track what lies beyond its end is gone`() {
    #expect(flags(5, 9).clamped(to: FrameCount(7)) == flags(5, 7))
    #expect(flags(5, 9).clamped(to: FrameCount(5)).isEmpty)
    #expect(flags(nil, 9).clamped(to: FrameCount(5)) == flags(nil, 5))
    #expect(flags(5, 9).clamped(to: FrameCount(9)) == flags(5, 9))
  }
}

struct RegionViewTests {
  private let desk = Desk()

  init() {
    desk.snapshot = playingSnapshot(isPlaying: false)
    desk.frame()
  }

  /// What is tinted in a panel.
  private func tint(_ panel: PanelID) -> Rect? {
    desk.orders(panel).compactMap {
      if case .fill(let rect, .accent, radius: 0, opacity: let opacity) = $0, opacity < 0.5 { rect } else { nil }
    }.first
  }

  private func frame(at x: Float) -> FrameIndex {
    let columns = Double(x - desk.playhead!)
    return desk.snapshot.position + FrameCount(Int64((columns * desk.framesPerColumn).rounded()))
  }

  private func drag(_ from: Point, _ to: Point, _ modifiers: Modifiers = []) -> [Command] {
    desk.frame([.moved(from), .pressed(.left, at: from, clicks: 1, modifiers)])
    desk.frame([.moved(Point((from.x + to.x) / 2, from.y))])
    desk.frame([.moved(to)])
    return desk.frame([.released(.left, at: to, modifiers)])
  }

  private func set(_ commands: [Command]) -> Range<FrameIndex>? {
    if case .player(.setFlags(let flags)) = commands.first, commands.count == 1 { flags.region } else { nil }
  }

  @Test func `Shift and a drag make a region, shown while the hand draws it, from either end`() throws {
    for (from, to) in [(Float(800), Float(1_000)), (1_000, 800)] {
      let region = try #require(set(drag(Point(from, 440), Point(to, 440), .shift)))
      #expect(abs((region.lowerBound - frame(at: 800)).rawValue) <= Int64(desk.framesPerColumn) + 1)
      #expect(abs((region.upperBound - frame(at: 1_000)).rawValue) <= Int64(desk.framesPerColumn) + 1)
    }
    desk.frame([.pressed(.left, at: Point(800, 440), clicks: 1, .shift)])
    desk.frame([.moved(Point(900, 440))])
    #expect(tint(.waveform).map { abs($0.x - 800) <= 1 && abs($0.right - 900) <= 1 } == true)
    #expect(tint(.overview) != nil)
    // Esc takes the hand's region away and leaves what was there.
    #expect(desk.press(.escape).isEmpty)
    #expect(desk.frame([.released(.left, at: Point(900, 440), [])]).isEmpty)
    #expect(tint(.waveform) == nil)
  }

  @Test func `without Shift the waveform scrolls, and a Shift click changes nothing`() {
    #expect(drag(Point(800, 440), Point(1_000, 440)).isEmpty)
    #expect(desk.view.scroll != .following)
    #expect(desk.frame([.pressed(.left, at: Point(800, 440), clicks: 1, .shift)]).isEmpty)
    #expect(desk.frame([.released(.left, at: Point(800, 440), .shift)]).isEmpty)
  }

  @Test func `a region is tinted in both views between lines with their letters`() throws {
    let position = desk.snapshot.position
    desk.snapshot.flags = RegionFlags(position + FrameCount(44_100)..<position + FrameCount(2 * 44_100))
    desk.frame()
    let tinted = try #require(tint(.waveform))
    let second = Float(44_100 / desk.framesPerColumn)
    #expect(abs(tinted.x - desk.playhead! - second) <= 1.5 && abs(tinted.width - second) <= 1.5)
    let (a, b) = (try #require(desk.place(of: "A")), try #require(desk.place(of: "B")))
    #expect(abs(a.x - tinted.x - 8) < 2 && abs(b.x - tinted.right + 8) < 2)
    let small = try #require(tint(.overview))
    #expect(abs(small.width - 1212 / 237) <= 1.5)
  }

  @Test func `the flags of a narrow region stand outside of it and do not cover each other`() throws {
    let position = desk.snapshot.position
    desk.snapshot.flags = RegionFlags(position..<position + FrameCount(1))
    desk.frame()
    let (a, b) = (try #require(desk.place(of: "A")), try #require(desk.place(of: "B")))
    #expect(b.x - a.x >= 15)
  }

  @Test func `in the whole song the flags at both its ends are in sight`() throws {
    desk.press("z")
    // The last ends on a column's edge.
    let whole = desk.lanes(in: .waveform)[0].columns.count * 8_192
    for frames in stride(from: 8_000_000, to: 8_100_000, by: 5_101) + [whole] {
      desk.snapshot.track!.length = FrameCount(frames)
      desk.snapshot.flags = RegionFlags(FrameIndex(0)..<FrameIndex(frames))
      desk.frame(after: 5)
      let (a, b) = (try #require(desk.place(of: "A")), try #require(desk.place(of: "B")))
      let tinted = try #require(tint(.waveform))
      #expect(abs(a.x - tinted.x - 8) < 2 && abs(b.x - tinted.right + 8) < 2)
    }
  }

  @Test func `where a take is recorded the flags of the song are not shown`() {
    desk.snapshot.flags = RegionFlags(FrameIndex(0)..<FrameIndex(400_000))
    desk.openRecordView(recordingSnapshot(.armed))
    desk.frame(after: 1)
    #expect(tint(.waveform) == nil && tint(.overview) == nil)
    #expect(desk.place(of: "A") == nil && desk.place(of: "B") == nil)
  }

  @Test func `a dragged flag moves its end, and beyond the other end it becomes the other`() throws {
    let position = desk.snapshot.position
    desk.snapshot.flags = RegionFlags(position + FrameCount(44_100)..<position + FrameCount(2 * 44_100))
    desk.frame()
    let b = try #require(desk.place(of: "B"))
    let old = try #require(tint(.waveform))
    let region = try #require(set(drag(b, Point(b.x + 100, b.y))))
    #expect(region.lowerBound == desk.snapshot.flags.a)
    #expect(abs((region.upperBound - frame(at: old.right + 100)).rawValue) <= 2 * Int64(desk.framesPerColumn))
    let turned = try #require(set(drag(b, Point(old.x - 50, b.y))))
    #expect(turned.upperBound == desk.snapshot.flags.a)
    // Taken and let go where it is, it stays.
    #expect(drag(b, b).isEmpty)
  }

  @Test func `the brackets and the backslash set and clear, and Esc clears last of all`() {
    #expect(desk.press("[") == [.player(.setFlagA)])
    #expect(desk.press("]") == [.player(.setFlagB)])
    #expect(desk.press("]", isRepeat: true).isEmpty)
    #expect(desk.press("\\") == [.player(.setFlags(RegionFlags()))])
    #expect(desk.press(.escape).isEmpty)
    desk.snapshot.flags = flags(1, 2)
    desk.snapshot.isFullScreen = true
    desk.press("?")
    #expect(desk.press(.escape).isEmpty)
    #expect(desk.press(.escape) == [.window(.leaveFullScreen)])
    desk.snapshot.isFullScreen = false
    #expect(desk.press(.escape) == [.player(.setFlags(RegionFlags()))])
  }
}
