import Control
import Foundation
import Scene
import Sound
import TestSupport
import Testing

extension Desk {
  /// The columns of the lanes of the waveform, as drawn.
  var lanes: [(rect: Rect, columns: [WaveColumn], split: Int)] { lanes(in: .waveform) }

  func lanes(in panel: PanelID) -> [(rect: Rect, columns: [WaveColumn], split: Int)] {
    orders(panel).compactMap {
      if case .waveform(let rect, let columns, let split, _) = $0 { (rect, columns, split) } else { nil }
    }
  }

  /// The left edge of the playhead's line, plus one: the frame's own column.
  var playhead: Float? {
    orders(.waveform).compactMap {
      if case .fill(let rect, .text, radius: 0, opacity: 1) = $0, rect.width == 2 { rect.x + 1 } else { nil }
    }.first
  }

  var framesPerColumn: Double { view.secondsPerPoint * Double(snapshot.track!.rate.hertz) / Double(scale) }
}

struct WaveformTests {
  private let desk = Desk()

  init() {
    desk.snapshot = playingSnapshot()
    desk.frame()
  }

  private func wheel(_ notches: Float, at x: Float, _ modifiers: Modifiers = []) {
    desk.frame([.wheel(x: 0, y: notches, at: Point(x, 440), modifiers)])
  }

  private func drag(from start: Float, to end: Float) {
    desk.frame([.pressed(.left, at: Point(start, 440), clicks: 1, [])])
    desk.frame([.moved(Point((start + end) / 2, 440))])
    desk.frame([.moved(Point(end, 440))])
    desk.frame([.released(.left, at: Point(end, 440), [])])
  }

  // MARK: Columns

  @Test func `each column shows the extremes and the energy of its own frames`() {
    let samples = Signal.noise(seed: 3, frames: 40_000)
    let pyramid = Songs.pyramid(frames: samples.count) { samples[$0] }
    var cache = ColumnCache()
    let lens = Lens(framesPerColumn: 97.3, first: -3, count: 420)
    cache.update(pyramid, of: TrackID(1), lanes: [0..<1], through: lens)
    for index in 0..<lens.count {
      // The bins of 32 frames that begin in the column, straight from the samples.
      let start = Double(lens.first + Int64(index)) * lens.framesPerColumn
      let bins = (0...(samples.count / 32)).filter {
        let begin = Double($0 * 32)
        return begin >= start && begin < start + lens.framesPerColumn && $0 * 32 < samples.count
      }
      let column = cache.lanes[0][index]
      guard let first = bins.first, let last = bins.last else {
        #expect(column.low > column.high)
        continue
      }
      let part = samples[(first * 32)..<min((last + 1) * 32, samples.count)]
      #expect(column.low == part.min() && column.high == part.max())
      let rms = (part.reduce(0) { $0 + Double($1 * $1) } / Double(part.count)).squareRoot()
      #expect(abs(Double(column.rms) - rms) < 1e-4)
    }
  }

  @Test(arguments: [1.0, 31.9, 32, 100, 8191.7])
  func `a lone click is seen in one column at full height`(framesPerColumn: Double) {
    let click = 77_777
    let pyramid = Songs.pyramid(frames: 200_000) { $0 == click ? -1 : 0 }
    var cache = ColumnCache()
    let zoom = max(framesPerColumn, Double(pyramid.baseFrames))
    let lens = Lens(framesPerColumn: zoom, first: Int64(Double(click) / zoom) - 20, count: 40)
    cache.update(pyramid, of: TrackID(1), lanes: [0..<1], through: lens)
    #expect(cache.lanes[0].count { $0.low == -1 } == 1)
    #expect(cache.lanes[0][18...21].contains { $0.low == -1 })
  }

  @Test func `the same stretch looks the same at every position of the playhead`() {
    var seen: [Int64: WaveColumn] = [:]
    var positions: [FrameIndex] = [desk.snapshot.position]
    var noise = Noise(seed: 11)
    for _ in 0..<60 {
      positions.append(positions.last! + FrameCount(Int64.random(in: -9000...9000, using: &noise)))
    }
    for position in positions {
      desk.snapshot.position = position
      desk.frame(after: 1.0 / 60)
      let lane = desk.lanes[0]
      // The playhead's own column is known by its frame; all others lie a whole number of columns from it.
      let middle = Int64((Double(position.rawValue) / desk.framesPerColumn).rounded(.down))
      for (index, column) in lane.columns.enumerated() {
        let absolute = middle + Int64(index - lane.columns.count / 2)
        if let before = seen[absolute] { #expect(before == column) }
        seen[absolute] = column
      }
    }
    #expect(seen.count > 1182 + 60)
    #expect(Set(seen.values).count > 100, "the song is not the same everywhere")
  }

  @Test func `a scrolled picture equals one that is made afresh, and computes only what is new`() {
    let pyramid = desk.snapshot.pyramid!
    var kept = ColumnCache()
    var first: Int64 = 5000
    let ranges = [0..<1, 1..<2]
    kept.update(
      pyramid, of: TrackID(1), lanes: ranges, through: Lens(framesPerColumn: 373.1, first: first, count: 1182))
    #expect(kept.computed == 2 * 1182)
    for step: Int64 in [2, 0, -3, 400, -1181, 1182, 5000] {
      first += step
      let lens = Lens(framesPerColumn: 373.1, first: first, count: 1182)
      kept.update(pyramid, of: TrackID(1), lanes: ranges, through: lens)
      #expect(kept.computed == 2 * min(Int(step.magnitude), 1182))
      var fresh = ColumnCache()
      fresh.update(pyramid, of: TrackID(1), lanes: ranges, through: lens)
      #expect(kept.lanes == fresh.lanes)
    }
  }

  @Test func `a growing waveform is the whole one at its end, at every step of the scan`() {
    let samples = Signal.noise(seed: 5, frames: 30_000)
    var builder = PyramidBuilder(channelCount: 1, mostBins: 512)
    var cache = ColumnCache()
    let lens = Lens(framesPerColumn: 210.7, first: -10, count: 200)
    var done = 0
    var noise = Noise(seed: 1)
    while done < samples.count {
      let count = min(Int.random(in: 1...900, using: &noise), samples.count - done)
      builder.append(SampleBlock([Array(samples[done..<(done + count)])]))
      done += count
      if done == samples.count { builder.finish() }
      let pyramid = builder.snapshot()
      cache.update(pyramid, of: TrackID(1), lanes: [0..<1], through: lens)
      var fresh = ColumnCache()
      fresh.update(pyramid, of: TrackID(1), lanes: [0..<1], through: lens)
      #expect(cache.lanes == fresh.lanes, "after \(done) frames")
    }
  }

  @Test func `what is not yet scanned is not drawn`() {
    desk.snapshot.pyramid = Songs.pyramid(frames: 98 * 44_100, complete: false) { _ in 0.5 }
    desk.snapshot.track!.channelCount = 1
    desk.frame()
    let columns = desk.lanes[0].columns
    let edge = 591 + Int((-0.4 * 44_100 / desk.framesPerColumn).rounded())
    #expect(columns[..<(edge - 2)].allSatisfy { $0.high == 0.5 })
    #expect(columns[(edge + 2)...].allSatisfy { $0.low > $0.high })
  }

  // MARK: Following

  @Test func `the playhead stands in the middle while the waveform passes under it`() {
    for seconds in [0.0, 0.3, 98.4, 236.9, 237] {
      desk.snapshot.position = .zero + SampleRate(hertz: 44_100).frames(inSeconds: seconds)
      desk.frame()
      #expect(desk.playhead == 655)
      #expect(desk.lanes.map(\.split) == [591, 591])
    }
  }

  @Test func `the ruler moves with the waveform by the very same columns`() throws {
    func mark(_ text: String) -> Float? {
      var last: Float?
      for order in desk.orders(.waveform) {
        if case .fill(let rect, .faint, _, _) = order, rect.height == 6 { last = rect.x }
        if case .text(text, _, _, _, _) = order { return last }
      }
      return nil
    }
    for step in 0..<50 {
      desk.snapshot.position = FrameIndex(98 * 44_100 + step * 735)
      desk.frame()
      let frame = Double(99 * 44_100) / desk.framesPerColumn
      let playhead = Double(desk.snapshot.position.rawValue) / desk.framesPerColumn
      #expect(try #require(mark("1:39")) == 655 + Float(frame.rounded(.down) - playhead.rounded(.down)))
    }
  }

  @Test func `scrolling or dragging sets the view free, and C or the chip follow again`() throws {
    #expect(desk.place(of: "Follow C") == nil)
    wheel(-2, at: 700, .shift)
    #expect(desk.view.scroll != .following)
    let chip = try #require(desk.place(of: "Follow C"))
    #expect(desk.click(chip) == [])
    #expect(desk.view.scroll == .following)
    drag(from: 900, to: 700)
    #expect(desk.view.scroll != .following)
    desk.press("c")
    #expect(desk.view.scroll == .following)
    desk.frame([.wheel(x: 1, y: 0, at: Point(700, 440), [])])
    #expect(desk.view.scroll != .following)
  }

  @Test func `dragging carries the waveform with the pointer and seeks nowhere`() {
    let before = desk.lanes[0].columns
    let commands = desk.frame([
      .pressed(.left, at: Point(900, 440), clicks: 1, []), .moved(Point(890, 440)), .moved(Point(800, 440)),
      .released(.left, at: Point(800, 440), []),
    ])
    #expect(commands == [])
    #expect(Array(desk.lanes[0].columns[..<1082]) == Array(before[100...]))
    #expect(desk.playhead == 555)
  }

  @Test func `a drag takes the waveform where it is when it begins, not where it was pressed`() {
    desk.frame([.pressed(.left, at: Point(900, 440), clicks: 1, [])])
    desk.snapshot.position = desk.snapshot.position + FrameCount(44_100)
    desk.frame(after: 1)
    let before = desk.lanes[0].columns
    desk.frame([.moved(Point(890, 440))])
    #expect(Array(desk.lanes[0].columns[..<1172]) == Array(before[10...]))
  }

  @Test func `a free view stands while the playhead passes through it and out of it`() {
    wheel(-1, at: 700, .shift)
    let columns = desk.lanes[0].columns
    let start = desk.playhead!
    for step in 1...10 {
      desk.snapshot.position = desk.snapshot.position + FrameCount(44_100)
      desk.frame(after: 1)
      #expect(desk.lanes[0].columns == columns)
      if let playhead = desk.playhead { #expect(abs(playhead - start - Float(step) * 118.2) <= 1) }
    }
    #expect(desk.playhead == nil, "it left the view and the view stayed")
    #expect(desk.view.scroll != .following)
  }

  @Test func `a seek out of sight brings following back, one within sight does not`() {
    wheel(-1, at: 700, .shift)
    desk.press(.right)
    desk.frame(after: 0.02)
    desk.snapshot.position = desk.snapshot.position + FrameCount(5 * 44_100)
    desk.frame(after: 0.02)
    #expect(desk.view.scroll != .following)
    desk.press("9")
    desk.frame(after: 0.02)
    #expect(desk.view.scroll != .following, "not before the player has moved")
    desk.snapshot.position = FrameIndex(213 * 44_100)
    desk.frame(after: 0.05)
    #expect(desk.view.scroll == .following)
  }

  @Test func `a loop that begins again leaves a free view alone`() {
    wheel(-1, at: 700, .shift)
    desk.snapshot.position = .zero
    desk.frame(after: 0.02)
    #expect(desk.view.scroll != .following)
  }

  @Test func `a new track is followed`() {
    wheel(-1, at: 700, .shift)
    desk.snapshot.track!.id = TrackID(2)
    desk.frame()
    #expect(desk.view.scroll == .following)
  }

  @Test func `lanes are named, share the height up to eight, and one alone has no name`() {
    for channels in [1, 2, 3, 6, 8, 12] {
      desk.snapshot = playingSnapshot(seconds: 3, at: 1, channels: channels)
      desk.frame()
      let rects = desk.lanes.map(\.rect)
      #expect(rects.count == min(channels, 8))
      for (upper, lower) in zip(rects, rects.dropFirst()) { #expect(upper.bottom <= lower.y) }
      #expect(Set(rects.map { $0.height.rounded() }).count <= 2)
      let names = desk.texts(.waveform).filter { $0.count == 1 }
      #expect(names == (channels == 1 ? [] : channels == 2 ? ["L", "R"] : (1...min(channels, 8)).map(String.init)))
    }
  }
}
