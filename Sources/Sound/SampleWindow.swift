/// A stretch of a track that was decoded to be looked at closely: finer than the track's pyramid, down to each sample.
package struct SampleWindow: Sendable {
  package var track: TrackID
  /// A multiple of `alignment`.
  package var start: FrameIndex
  /// Of the stretch alone: its frame 0 is `start`.
  private let pyramid: PeakPyramid
  /// The samples of each channel; empty where the stretch is too long for its samples to be told apart.
  package let channels: [[Float]]

  /// Stretches begin at multiples of this, so that their bins lie where those of the track would.
  package static let alignment: Int64 = 1 << 15

  /// A stretch that begins at `start`; `pyramid` is complete.
  package init(track: TrackID, start: FrameIndex, pyramid: PeakPyramid, channels: [[Float]]) {
    self.track = track
    self.start = start
    self.pyramid = pyramid
    self.channels = channels
  }

  package var end: FrameIndex { start + pyramid.length }
  package var channelCount: Int { pyramid.channelCount }
  package var hasSamples: Bool { !channels.isEmpty }
  /// The frames of the finest bins: one where there are samples.
  package var baseFrames: Int { hasSamples ? 1 : pyramid.baseFrames }

  /// The extremes and energy of one channel over a range of frames; nil outside the stretch.
  package func peak(channel: Int, from: FrameIndex, to: FrameIndex) -> Peak? {
    let offset: FrameCount = start - FrameIndex.zero
    guard hasSamples else { return pyramid.peak(channel: channel, from: from - offset, to: to - offset) }
    let low = Int(max((from - start).rawValue, 0))
    let high = Int(min((to - start).rawValue, pyramid.length.rawValue))
    guard low < high else { return nil }
    return channels[channel].withUnsafeBufferPointer { samples in
      Peak(PeakBin(of: samples.baseAddress! + low, count: high - low), frames: Int64(high - low))
    }
  }

  /// One sample; nil where it is not known.
  package func sample(channel: Int, at frame: FrameIndex) -> Float? {
    guard hasSamples, frame >= start, frame < end else { return nil }
    return channels[channel][Int((frame - start).rawValue)]
  }
}
