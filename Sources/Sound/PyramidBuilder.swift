/// Grows a peak pyramid from blocks of samples or from stretches of bins, however they are cut.
///
/// One thread at a time; `snapshot()` gives a value for the others. What comes out depends on the samples alone, to the last
/// bit.
package struct PyramidBuilder: Sendable {
  /// 32 frames: 0.7 ms at 44.1 kHz, closer than a pixel at any zoom that is not drawn from samples.
  package static let finestFrames = 32
  /// 2²⁰ bins of level 0 over all channels: stereo keeps 32 frames a bin for 6 minutes at 44.1 kHz, 2048 for 6 hours.
  package static let levelZeroBins = 1 << 20

  private var pyramid: PeakPyramid
  private var cutter: BinCutter
  private let mostBins: Int

  /// A pyramid of no frames; `mostBins` bounds level 0 over all channels, for tests.
  package init(channelCount: Int, mostBins: Int = levelZeroBins) {
    pyramid = PeakPyramid(channelCount: channelCount)
    cutter = BinCutter(channelCount: channelCount)
    // Even, so that a full level 0 has a whole level above it to take its place.
    self.mostBins = Self.most(mostBins, channelCount: channelCount)
  }

  static func most(_ bins: Int, channelCount: Int) -> Int { max(bins / channelCount / 2 * 2, 2) }

  package var length: FrameCount { pyramid.length }
  /// The frames of one bin of level 0 as it is now; it only grows.
  package var baseFrames: Int { pyramid.baseFrames }

  /// Takes in the frames of a block; its channel count must be the pyramid's.
  package mutating func append(_ block: SampleBlock) {
    precondition(block.channelCount == pyramid.channelCount && !pyramid.isComplete)
    cutter.append(block)
    takeReady()
    pyramid.length = pyramid.length + FrameCount(block.frameCount)
  }

  /// Takes in a stretch that begins where the pyramid ends, and whose bins are no wider than the pyramid's.
  package mutating func append(_ stretch: StretchBins) {
    precondition(stretch.channelCount == pyramid.channelCount && !pyramid.isComplete)
    cutter.append(stretch.bins, depth: stretch.depth)
    takeReady()
    pyramid.length = pyramid.length + stretch.length
  }

  /// Ends the track: the last, short bin goes in.
  package mutating func finish() {
    guard !pyramid.isComplete else { return }
    cutter.finish()
    takeReady()
    pyramid.isComplete = true
  }

  /// The pyramid as it is now, as a value of its own.
  package mutating func snapshot() -> PeakPyramid {
    pyramid.version += 1
    return pyramid
  }

  private mutating func takeReady() {
    guard !cutter.ready[0].isEmpty else { return }
    for channel in cutter.ready.indices {
      pyramid.channels[channel].append(cutter.ready[channel])
      cutter.ready[channel].removeAll(keepingCapacity: true)
    }
    while pyramid.channels[0].levels[0].count >= mostBins { dropFinestLevel() }
  }

  private mutating func dropFinestLevel() {
    let hasOdd = pyramid.channels[0].levels[0].count % 2 == 1
    let odd = pyramid.channels.indices.compactMap { pyramid.channels[$0].dropFinest() }
    cutter.widen(odd: hasOdd ? odd : nil)
    pyramid.baseFrames *= 2
  }
}
