/// Turns sound into bins of one width, however it is cut into blocks.
///
/// The samples are first taken in bins of `finestFrames` on absolute frame numbers; wider bins are joined pairwise from
/// those, always in the same order. So a bin depends on its samples alone, to the last bit: not on the blocks they came in,
/// nor on when the width was doubled, nor on who cut which stretch.
struct BinCutter: Sendable {
  /// The width of the bins that come out is `finestFrames << depth` frames.
  private(set) var depth: Int
  /// The bins that are ready, a row a channel, until the owner takes them.
  var ready: [[PeakBin]]
  /// How many finest bins have gone in; bit k below `depth` tells whether half a bin of level k + 1 waits in `halves`.
  private var finestCount: Int64 = 0
  /// `halves[channel * mostDepth + k]`: the left half of a bin of level k + 1.
  private var halves: [PeakBin]
  /// The frames that do not fill a finest bin yet, `finestFrames` places a channel.
  private var rest: [Float]
  private var restCount = 0
  private let channelCount: Int

  private static let finest = PyramidBuilder.finestFrames
  /// 32 frames doubled 48 times: longer than anything that is counted in 64 bits of samples.
  static let mostDepth = 48

  init(channelCount: Int, depth: Int = 0) {
    self.channelCount = channelCount
    self.depth = depth
    ready = Array(repeating: [], count: channelCount)
    halves = Array(repeating: .empty, count: channelCount * Self.mostDepth)
    rest = Array(repeating: 0, count: channelCount * Self.finest)
  }

  var width: Int { Self.finest << depth }

  /// Takes in the frames of a block.
  ///
  /// About 0.25 ns a sample.
  mutating func append(_ block: SampleBlock) {
    var done = 0
    if restCount > 0 {
      done = min(Self.finest - restCount, block.frameCount)
      keep(block, from: 0, count: done)
      if restCount == Self.finest { closeRest() }
    }
    let bins = (block.frameCount - done) / Self.finest
    for channel in 0..<channelCount { cut(block.plane(channel) + done, bins: bins, channel: channel) }
    finestCount += Int64(bins)
    done += bins * Self.finest
    keep(block, from: done, count: block.frameCount - done)
  }

  /// Takes in bins that were cut elsewhere, as wide as these or narrower, of the frames that come next.
  ///
  /// Nothing but `finish` may follow bins of which the last is short.
  mutating func append(_ bins: [[PeakBin]], depth from: Int) {
    precondition(restCount == 0 && from <= depth && finestCount & ((1 << from) - 1) == 0)
    for channel in 0..<channelCount {
      var number = finestCount >> from
      for bin in bins[channel] {
        join(bin, number: number, from: from, channel: channel)
        number += 1
      }
    }
    finestCount += Int64(bins[0].count) << from
  }

  /// Ends the track: what waits becomes a last, short bin.
  mutating func finish() {
    let waits = finestCount & ((1 << depth) - 1)
    for channel in 0..<channelCount {
      var last = PeakBin.empty
      if restCount > 0 {
        last = rest.withUnsafeBufferPointer {
          PeakBin(of: $0.baseAddress! + channel * Self.finest, count: restCount)
        }
      }
      for level in 0..<depth where waits >> level & 1 == 1 {
        last = halves[channel * Self.mostDepth + level].joined(with: last)
      }
      if restCount > 0 || waits > 0 { ready[channel].append(last) }
    }
    restCount = 0
  }

  /// Doubles the width; `odd` is the last bin of the old width of each channel that has no partner yet.
  mutating func widen(odd: [PeakBin]?) {
    if let odd {
      for channel in 0..<channelCount { halves[channel * Self.mostDepth + depth] = odd[channel] }
    }
    depth += 1
  }

  private mutating func keep(_ block: SampleBlock, from start: Int, count: Int) {
    guard count > 0 else { return }
    for channel in 0..<channelCount {
      let plane = block.plane(channel) + start
      for i in 0..<count { rest[channel * Self.finest + restCount + i] = plane[i] }
    }
    restCount += count
  }

  private mutating func closeRest() {
    for channel in 0..<channelCount {
      let bin = rest.withUnsafeBufferPointer {
        PeakBin(of: $0.baseAddress! + channel * Self.finest, count: Self.finest)
      }
      join(bin, number: finestCount, from: 0, channel: channel)
    }
    finestCount += 1
    restCount = 0
  }

  private mutating func cut(_ samples: UnsafePointer<Float>, bins: Int, channel: Int) {
    let depth = depth
    let first = finestCount
    var closed: [PeakBin] = []
    closed.reserveCapacity(bins >> depth + 1)
    halves.withUnsafeMutableBufferPointer { halves in
      let halves = halves.baseAddress! + channel * Self.mostDepth
      for i in 0..<bins {
        var bin = PeakBin(of: samples + i * Self.finest, count: Self.finest)
        let number = first + Int64(i)
        var level = 0
        while level < depth, number >> level & 1 == 1 {
          bin = halves[level].joined(with: bin)
          level += 1
        }
        if level == depth { closed.append(bin) } else { halves[level] = bin }
      }
    }
    ready[channel] += closed
  }

  /// Puts in one bin of level `from`, the `number`th of its width.
  private mutating func join(_ bin: PeakBin, number: Int64, from: Int, channel: Int) {
    var bin = bin
    var level = from
    while level < depth, number >> (level - from) & 1 == 1 {
      bin = halves[channel * Self.mostDepth + level].joined(with: bin)
      level += 1
    }
    if level == depth { ready[channel].append(bin) } else { halves[channel * Self.mostDepth + level] = bin }
  }
}
