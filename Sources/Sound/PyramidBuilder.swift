/// Grows a peak pyramid from blocks of samples, however they are cut.
///
/// One thread at a time; `snapshot()` gives a value for the others.
package struct PyramidBuilder {
  /// 32 frames: 0.7 ms at 44.1 kHz, closer than a pixel at any zoom that is not drawn from samples.
  package static let finestFrames = 32
  /// 2²⁰ bins of level 0 over all channels: stereo keeps 32 frames a bin for 6 minutes at 44.1 kHz, 2048 for 6 hours.
  package static let levelZeroBins = 1 << 20

  private var pyramid: PeakPyramid
  /// The bin of level 0 that is still growing, a channel each, and the frames already in it.
  private var open: [PeakBin]
  private var openFrames = 0
  private let mostBins: Int

  /// A pyramid of no frames; `mostBins` bounds level 0 over all channels, for tests.
  package init(channelCount: Int, mostBins: Int = levelZeroBins) {
    pyramid = PeakPyramid(channelCount: channelCount)
    open = Array(repeating: .empty, count: channelCount)
    // Even, so that a full level 0 has a whole level above it to take its place.
    self.mostBins = max(mostBins / channelCount / 2 * 2, 2)
  }

  package var length: FrameCount { pyramid.length }

  /// Takes in the frames of a block; its channel count must be the pyramid's.
  package mutating func append(_ block: SampleBlock) {
    precondition(block.channelCount == pyramid.channelCount && !pyramid.isComplete)
    var done = 0
    while done < block.frameCount {
      let take = min(pyramid.baseFrames - openFrames, block.frameCount - done)
      for channel in 0..<pyramid.channelCount {
        let part = PeakBin(of: block.plane(channel) + done, count: take)
        open[channel] = open[channel].joined(with: part)
      }
      done += take
      openFrames += take
      if openFrames == pyramid.baseFrames { closeBin() }
    }
    pyramid.length = pyramid.length + FrameCount(block.frameCount)
  }

  /// Ends the track: the last, short bin goes in.
  package mutating func finish() {
    guard !pyramid.isComplete else { return }
    if openFrames > 0 { closeBin() }
    pyramid.isComplete = true
  }

  /// The pyramid as it is now, as a value of its own.
  package mutating func snapshot() -> PeakPyramid {
    pyramid.version += 1
    return pyramid
  }

  private mutating func closeBin() {
    for channel in pyramid.channels.indices {
      push(open[channel], channel: channel)
      open[channel] = .empty
    }
    openFrames = 0
    if pyramid.channels[0][0].count >= mostBins { dropFinestLevel() }
  }

  /// Appends a bin to level 0 and, wherever that makes a pair, their join to the level above.
  private mutating func push(_ bin: PeakBin, channel: Int) {
    var joined = bin
    var level = 0
    while true {
      if level == pyramid.channels[channel].count { pyramid.channels[channel].append(.init()) }
      pyramid.channels[channel][level].append(joined)
      let count = pyramid.channels[channel][level].count
      guard count % 2 == 0 else { return }
      joined = pyramid.channels[channel][level][count - 2].joined(with: joined)
      level += 1
    }
  }

  private mutating func dropFinestLevel() {
    for channel in pyramid.channels.indices { pyramid.channels[channel].removeFirst() }
    pyramid.baseFrames *= 2
  }
}
