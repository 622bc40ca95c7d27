/// The bins of a stretch of a track, cut apart from the stretches around it, to be joined in order by a `PyramidBuilder`.
///
/// One thread at a time. 12 bytes a bin and channel.
package struct StretchBins: Sendable {
  private var cutter: BinCutter
  package private(set) var length = FrameCount.zero
  let channelCount: Int

  /// An empty stretch with bins of `width` frames: a power of two, at least `PyramidBuilder.finestFrames`.
  ///
  /// The stretch must begin at a multiple of it.
  package init(channelCount: Int, width: Int) {
    precondition(width >= PyramidBuilder.finestFrames && width & (width - 1) == 0)
    self.channelCount = channelCount
    let depth = width.trailingZeroBitCount - PyramidBuilder.finestFrames.trailingZeroBitCount
    cutter = BinCutter(channelCount: channelCount, depth: depth)
  }

  var depth: Int { cutter.depth }
  var bins: [[PeakBin]] { cutter.ready }

  package mutating func append(_ block: SampleBlock) {
    cutter.append(block)
    length = length + FrameCount(block.frameCount)
  }

  /// Ends the stretch; where its length is no multiple of the width it must be the track's last.
  package mutating func finish() { cutter.finish() }
}
