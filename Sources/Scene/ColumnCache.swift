package import Sound

/// Of what columns are made: bins on absolute frame numbers, of a whole track or of a stretch.
package protocol PeakSource {
  /// The frames of the finest bins.
  var baseFrames: Int { get }
  /// The frames that are known.
  var start: FrameIndex { get }
  var end: FrameIndex { get }
  /// Grows when more is known.
  var version: Int { get }
  func peak(channel: Int, from start: FrameIndex, to end: FrameIndex) -> Peak?
}

extension PeakPyramid: PeakSource {
  package var start: FrameIndex { .zero }
  package var end: FrameIndex { .zero + length }
}

extension SampleWindow: PeakSource {
  package var version: Int { 0 }
}

/// The columns that were drawn last, so that a picture that moved on computes only what is new.
package struct ColumnCache: Sendable {
  /// What the columns were made of; any change makes them worthless.
  private struct Key: Hashable {
    var track: TrackID
    var framesPerColumn: Double
    var baseFrames: Int
    /// Where what is known begins.
    var start: FrameIndex
    /// The channels joined into each lane.
    var lanes: [Range<Int>]
  }
  private var key: Key?
  private var version = 0
  /// The frames that were known when the columns were made.
  private var known: Int64 = 0
  private var first: Int64 = 0
  /// A row a lane.
  package private(set) var lanes: [[WaveColumn]] = []
  /// How many columns the last update computed, over all lanes.
  package private(set) var computed = 0

  package init() {}

  static let blank = WaveColumn(low: .infinity, high: -.infinity, rms: 0)

  /// Makes `lanes` show the lens's columns of the pyramid; a lane joins a range of channels.
  ///
  /// About 0.3 µs for each column and channel that was not there before.
  package mutating func update(
    _ pyramid: some PeakSource, of track: TrackID, lanes ranges: [Range<Int>], through lens: Lens
  ) {
    computed = 0
    let wanted = Key(
      track: track, framesPerColumn: lens.framesPerColumn, baseFrames: pyramid.baseFrames, start: pyramid.start,
      lanes: ranges)
    let length = pyramid.end.rawValue
    let isFresh = wanted != key || lanes.first?.count != lens.count || length < known || pyramid.version < version
    let shift = isFresh ? Int64.max : lens.first - first
    if isFresh || abs(shift) >= Int64(lens.count) {
      lanes = ranges.map { _ in Array(repeating: Self.blank, count: lens.count) }
      fill(0..<lens.count, pyramid, ranges, lens)
    } else {
      move(by: Int(shift))
      let kept = shift >= 0 ? 0..<(lens.count - Int(shift)) : -Int(shift)..<lens.count
      fill(shift >= 0 ? kept.upperBound..<lens.count : 0..<kept.lowerBound, pyramid, ranges, lens)
      if pyramid.version != version || length != known {
        fill(grown(pyramid, lens).clamped(to: kept), pyramid, ranges, lens)
      }
    }
    (key, version, known, first) = (wanted, pyramid.version, length, lens.first)
  }

  /// The columns in which frames have become known since the last time.
  private func grown(_ pyramid: some PeakSource, _ lens: Lens) -> Range<Int> {
    // The last bin that was known may have been cut short, or not yet whole.
    let from = lens.offset(of: FrameIndex(max(known - Int64(pyramid.baseFrames), 0)))
    let to = lens.offset(of: pyramid.end) + 1
    return min(from, to)..<to
  }

  private mutating func move(by shift: Int) {
    guard shift != 0 else { return }
    let blank = repeatElement(Self.blank, count: abs(shift))
    for lane in lanes.indices {
      if shift > 0 {
        lanes[lane].removeFirst(shift)
        lanes[lane].append(contentsOf: blank)
      } else {
        lanes[lane].removeLast(-shift)
        lanes[lane].insert(contentsOf: blank, at: 0)
      }
    }
  }

  private mutating func fill(_ range: Range<Int>, _ pyramid: some PeakSource, _ ranges: [Range<Int>], _ lens: Lens) {
    for (lane, channels) in ranges.enumerated() {
      for index in range {
        lanes[lane][index] = Self.column(lens.first + Int64(index), of: channels, pyramid, lens)
      }
    }
    computed += range.count * ranges.count
  }

  /// One column: the bins that begin in it, of all these channels.
  ///
  /// A bin belongs to one column (but where columns are narrower), so a lone click is one column, at full height.
  private static func column(_ column: Int64, of channels: Range<Int>, _ pyramid: some PeakSource, _ lens: Lens)
    -> WaveColumn
  {
    let base = Int64(pyramid.baseFrames)
    let end = lens.start(of: column + 1)
    // At less than a frame a column some hold no frame's start: they are a part of the frame before.
    let start = min(lens.start(of: column), end - 1)
    guard end > pyramid.start.rawValue, start < pyramid.end.rawValue else { return blank }
    let to = (end + base - 1) / base
    // Where columns are narrower than bins none may begin in it: then it is a part of the bin before.
    let from = min((max(start, pyramid.start.rawValue) + base - 1) / base, to - 1)
    var joined = blank
    var energy: Float = 0
    for channel in channels {
      guard let peak = pyramid.peak(channel: channel, from: FrameIndex(from * base), to: FrameIndex(to * base)) else {
        return blank
      }
      joined.low = min(joined.low, peak.low)
      joined.high = max(joined.high, peak.high)
      energy += peak.rms * peak.rms
    }
    joined.rms = (energy / Float(max(channels.count, 1))).squareRoot()
    return joined
  }
}
