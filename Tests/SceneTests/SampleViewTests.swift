import Control
import Foundation
import Scene
import Sound
import TestSupport
import Testing

extension Desk {
  /// The lines of the waveform, from lane to lane, what is to come before what was heard.
  var lines: [(points: [Point], opacity: Float)] {
    orders(.waveform).compactMap {
      if case .polyline(let points, _, .middle, let opacity) = $0 { (points, opacity) } else { nil }
    }
  }

  /// The middles of the dots.
  var dots: [Point] {
    orders(.waveform).compactMap {
      if case .fill(let rect, .middle, let radius, _) = $0, radius > 0 { rect.center } else { nil }
    }
  }

  var askedSamples: [Range<FrameIndex>?] {
    result.commands.compactMap { if case .player(.showSamples(let range)) = $0 { .some(range) } else { nil } }
  }
}

/// Closer than a bin a column: what is asked for, and what is drawn of it.
@Suite struct SampleViewTests {
  private let desk = Desk()
  /// 64 to 1246, as the layout has it.
  private let field: ClosedRange<Float> = 64...1246

  init() {
    desk.snapshot = playingSnapshot(isPlaying: false)
    desk.frame()
  }

  /// Each sample tells its frame.
  private static func sample(_ frame: Int64, channel: Int) -> Float {
    Float((frame &* 7_919 + Int64(channel) * 31) % 2_001 - 1_000) / 1_000
  }

  /// What the player would decode for a range.
  private func window(_ range: Range<FrameIndex>, channels: Int = 2, keepsSamples: Bool = true) -> SampleWindow {
    let start = range.lowerBound.rawValue
    let frames = range.upperBound.rawValue - start
    let sound = (0..<channels).map { channel in (0..<frames).map { Self.sample(start + $0, channel: channel) } }
    var builder = PyramidBuilder(channelCount: channels)
    builder.append(SampleBlock(sound))
    builder.finish()
    return SampleWindow(
      track: TrackID(1), start: range.lowerBound, pyramid: builder.snapshot(), channels: keepsSamples ? sound : [])
  }

  /// Zooms to so many logical pixels a frame, and hands in what is asked for.
  private func show(pixelsPerFrame: Double, keepsSamples: Bool = true) throws {
    desk.view.secondsPerPoint = 1 / pixelsPerFrame / Double(desk.snapshot.track!.rate.hertz)
    desk.frame()
    if let range = desk.askedSamples.last ?? nil {
      desk.snapshot.samples = window(range, channels: desk.snapshot.track!.channelCount, keepsSamples: keepsSamples)
      desk.frame()
    }
    try #require(desk.snapshot.samples != nil)
  }

  private func expectNear(_ a: Float, _ b: Float, _ tolerance: Float = 0.01) { #expect(abs(a - b) <= tolerance) }

  @Test(arguments: [1, 3, 4, 8, 24] as [Double])
  func `every sample in view is a point of the curve, at its place and height`(pixels: Double) throws {
    try show(pixelsPerFrame: pixels)
    #expect(desk.lanes.isEmpty)
    let lines = desk.lines
    #expect(lines.count == 4)
    let position = desk.snapshot.position.rawValue
    for lane in 0..<2 {
      // Two lanes of half the field's height, which is 350 to 542, with a gap of 2 around each.
      let (coming, heard) = (lines[lane * 2], lines[lane * 2 + 1])
      #expect(heard.opacity == 1 && coming.opacity < 1)
      let points = heard.points + coming.points.dropFirst()
      #expect(zip(points, points.dropFirst()).allSatisfy { $0.x < $1.x })
      expectNear(points.first!.x, field.lowerBound)
      expectNear(points.last!.x, field.upperBound)
      let count = Int(1182 / pixels)
      #expect((count...(count + 3)).contains(points.count))
      // The playhead's own sample stands under it.
      let split = coming.points[0]
      #expect(abs(split.x - 655) <= 1 && heard.points.last == split)
      let rows = Set(points.map(\.y))
      let (top, bottom) = (rows.min()!, rows.max()!)
      #expect(bottom - top < 96 && bottom - top > 60)
      // A height is a linear function of the sample: two points tell it, the others must agree.
      let first = Int64((Double(points[1].x - split.x) / pixels).rounded()) + position
      let values = (0..<(points.count - 2)).map { Self.sample(first + Int64($0), channel: lane) }
      let low = values.indices.min { values[$0] < values[$1] }!
      let high = values.indices.max { values[$0] < values[$1] }!
      let slope = (points[high + 1].y - points[low + 1].y) / (values[high] - values[low])
      #expect(slope < -40)
      for (index, value) in values.enumerated() {
        expectNear(points[index + 1].x, split.x + Float(Double(first + Int64(index) - position) * pixels), 0.02)
        expectNear(points[index + 1].y, points[low + 1].y + slope * (value - values[low]), 0.02)
      }
    }
  }

  @Test func `samples have dots from four pixels apart, and never beyond the field`() throws {
    try show(pixelsPerFrame: 3.9)
    #expect(desk.dots.isEmpty && !desk.lines.isEmpty)
    try show(pixelsPerFrame: 4)
    #expect((590...600).contains(desk.dots.count) && desk.dots.allSatisfy { field.contains($0.x) })
    let points = Set(desk.lines.flatMap(\.points))
    #expect(desk.dots.allSatisfy { dot in points.contains { abs($0.x - dot.x) < 0.01 && abs($0.y - dot.y) < 0.01 } })
  }

  @Test(arguments: [1.5, 7, 31])
  func `between samples and bins a column shows just its own frames`(framesPerColumn: Double) throws {
    try show(pixelsPerFrame: 1 / framesPerColumn)
    #expect(desk.lines.isEmpty)
    let lane = try #require(desk.lanes.first)
    let first = Int64((Double(desk.snapshot.position.rawValue) / desk.framesPerColumn).rounded(.down)) - 591
    for index in stride(from: 0, to: lane.columns.count, by: 7) {
      let from = Int64((Double(first + Int64(index)) * desk.framesPerColumn).rounded(.up))
      let to = Int64((Double(first + Int64(index) + 1) * desk.framesPerColumn).rounded(.up))
      let values = (from..<to).map { Self.sample($0, channel: 0) }
      #expect(lane.columns[index].low == values.min() && lane.columns[index].high == values.max())
    }
  }

  @Test func `a long track's bins are made finer for the view`() throws {
    // Ten hours: bins of thousands of frames, each of which would be a block of many columns.
    desk.snapshot = playingSnapshot(isPlaying: false)
    desk.snapshot.pyramid = Songs.pyramid(frames: 237 * 44_100, mostBins: 4_000) { Float($0 % 3) - 1 }
    desk.snapshot.track!.channelCount = 1
    #expect(desk.snapshot.pyramid!.baseFrames >= 4_096)
    try show(pixelsPerFrame: 1 / 373.0, keepsSamples: false)
    #expect(desk.snapshot.samples!.baseFrames == 32)
    let columns = desk.lanes[0].columns
    #expect(columns.allSatisfy { $0.low <= $0.high })
    #expect(zip(columns, columns.dropFirst()).filter { $0.0.rms == $0.1.rms }.count < 100)
  }

  @Test func `zooming in step by step leads from bins to samples`() throws {
    desk.snapshot.pyramid = Songs.pyramid(frames: 237 * 44_100, mostBins: 10_000) { Float($0 % 3) - 1 }
    desk.snapshot.track!.channelCount = 1
    desk.view.secondsPerPoint = 1 / 43.0
    for step in 0..<45 {
      if step == 0 { desk.frame() } else { desk.press("+") }
      // As the player does, with samples only of what is not too long.
      if let range = desk.askedSamples.last ?? nil {
        let frames = (range.upperBound - range.lowerBound).rawValue
        desk.snapshot.samples = window(range, channels: 1, keepsSamples: frames <= 400_000)
      }
    }
    desk.frame()
    #expect(desk.lanes.isEmpty && desk.lines.count == 2)
    #expect(desk.askedSamples.isEmpty)
  }

  @Test func `until the samples are there the bins are shown`() {
    desk.view.secondsPerPoint = 1 / 44_100 / 4
    desk.frame()
    #expect(desk.lines.isEmpty && desk.lanes.count == 2)
    #expect(desk.lanes[0].columns.allSatisfy { $0.low <= $0.high })
  }

  @Test func `samples are asked for once, again before the view leaves them, and let go`() throws {
    try show(pixelsPerFrame: 4)
    let first = try #require(desk.snapshot.samples)
    #expect(first.start.rawValue % SampleWindow.alignment == 0)
    desk.frame()
    #expect(desk.askedSamples.isEmpty)
    desk.snapshot.transport = .playing
    var asked: Range<FrameIndex>?
    for _ in 0..<500 where asked == nil {
      desk.snapshot.position = desk.snapshot.position + FrameCount(735)
      desk.frame(after: 1.0 / 60)
      // What is in view was always there.
      #expect(!desk.lines.isEmpty)
      asked = desk.askedSamples.last ?? nil
    }
    let range = try #require(asked)
    #expect(range.contains(desk.snapshot.position) && first.end > desk.snapshot.position + FrameCount(8_192))
    for _ in 0..<30 { desk.press("-") }
    desk.frame()
    #expect(desk.view.secondsPerPoint * 44_100 > 32)
    #expect(desk.lines.isEmpty && desk.lanes.count == 2)
  }

  @Test func `out of the close zoom the samples are let go, once`() throws {
    try show(pixelsPerFrame: 4)
    desk.view.secondsPerPoint = 1.0 / 441
    desk.frame()
    #expect(desk.askedSamples == [nil])
    desk.frame()
    #expect(desk.askedSamples.isEmpty)
  }

  @Test func `the samples of another track are not drawn`() throws {
    try show(pixelsPerFrame: 4)
    desk.snapshot.samples!.track = TrackID(2)
    desk.frame()
    #expect(desk.lines.isEmpty)
  }

  @Test func `at both ends of a track the curve ends with it`() throws {
    let ends: [Int64] = [0, 237 * 44_100]
    for end in ends {
      desk.snapshot.position = FrameIndex(end)
      desk.view = ViewState()
      desk.snapshot.samples = nil
      desk.view.secondsPerPoint = 1 / 44_100.0 / 10
      desk.frame()
      let range = try #require(desk.askedSamples.last ?? nil)
      let last = min(range.upperBound, FrameIndex(237 * 44_100))
      #expect(range.lowerBound >= .zero)
      desk.snapshot.samples = window(range.lowerBound..<last)
      desk.frame()
      let points = desk.lines.flatMap(\.points)
      #expect(points.count >= 2 * 59)
      #expect(points.allSatisfy { end == 0 ? $0.x >= 654 : $0.x <= 656 })
    }
  }

  @Test func `the readout tells the sample under the pointer`() throws {
    desk.snapshot.position = FrameIndex(4_339_441)
    try show(pixelsPerFrame: 13.3)
    desk.frame([.moved(Point(655 + 2 * 13.3, 380))])
    let value = Double(Self.sample(4_339_443, channel: 0))
    let words = try #require(desk.texts(.waveform).first { $0.hasPrefix("frame") })
    #expect(words.hasPrefix("frame 4\u{A0}339\u{A0}443 · L \(NumberText.fixed(value, decimals: 4)) · "))
    #expect(words.hasSuffix("\(NumberText.fixed(20 * log10(abs(value)), decimals: 1)) dBFS"))
    desk.frame([.moved(Point(655 + 2 * 13.3, 500))])
    #expect(desk.texts(.waveform).contains { $0.hasPrefix("frame 4\u{A0}339\u{A0}443 · R ") })
    desk.frame([.pointerLeft])
    #expect(!desk.texts(.waveform).contains { $0.hasPrefix("frame") })
  }

  @Test func `hours into a track each sample keeps its place`() throws {
    let rate = SampleRate(hertz: 192_000)
    desk.snapshot.track!.rate = rate
    desk.snapshot.track!.length = rate.frames(inSeconds: 26 * 3600)
    desk.snapshot.pyramid = nil
    let position = FrameIndex(rate.frames(inSeconds: 25 * 3600 + 1234.5).rawValue + 7)
    desk.snapshot.position = position
    try show(pixelsPerFrame: 24)
    let dots = desk.dots.filter { $0.y < 446 }.map(\.x).sorted()
    #expect(dots.count >= 48)
    #expect(dots.contains { abs($0 - 655) < 0.6 })
    for (a, b) in zip(dots, dots.dropFirst()) { #expect(abs(b - a - 24) < 0.01) }
    let before = dots
    desk.frame([.wheel(x: 0, y: 0.0001, at: Point(700, 440), .shift)])
    desk.snapshot.position = position + FrameCount(1)
    desk.frame()
    // Nothing moves but the playhead.
    let after = desk.dots.filter { $0.y < 446 }.map(\.x).sorted()
    #expect(abs(after[5] - before[5]).truncatingRemainder(dividingBy: 24) < 1.1)
  }
}
