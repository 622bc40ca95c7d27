import CFFmpeg
package import Sound

/// A file's channels at its rate on their way to interleaved stereo at the loudspeaker's rate.
///
/// One thread at a time. Mono goes to both sides at full level; more channels are mixed down so that full scale in all of
/// them stays within full scale. Output frame k since the start or `reset` sounds at input frame k · `input` / `output`
/// exactly: the filter's delay is made up for, so there is no latency to subtract. What the filter waits for comes out with
/// the next block or with `flush`.
package final class StereoStream {
  package let input: SampleRate
  package let output: SampleRate
  private let downmix: Downmix
  private var resampler: OpaquePointer?
  private var mixed = StereoBuffer()
  private var resampled = StereoBuffer()

  /// Taps of the resampler's filter at equal rates: twice the library's usual, for a clean top octave.
  private static let filterTaps: Int64 = 64

  package init(format: StreamFormat, to output: SampleRate) throws(MediaError) {
    input = format.rate
    self.output = output
    downmix = Downmix(speakers: format.speakers)
    guard input != output else { return }
    var stereo = AVChannelLayout()
    av_channel_layout_default(&stereo, 2)
    var same = stereo
    let status = swr_alloc_set_opts2(
      &resampler, &stereo, AV_SAMPLE_FMT_FLT, Int32(output.hertz), &same, AV_SAMPLE_FMT_FLT, Int32(input.hertz), 0, nil)
    if status >= 0 { av_opt_set_int(UnsafeMutableRawPointer(resampler), "filter_size", Self.filterTaps, 0) }
    guard status >= 0, swr_init(resampler) >= 0 else {
      swr_free(&resampler)
      throw .rateOutOfRange(PathBytes(bytes: []), hertz: output.hertz)
    }
  }

  deinit { swr_free(&resampler) }

  /// Takes a block and gives out the stereo frames that are ready, in one call of `body` (frames, their count) or none.
  package func process(_ block: SampleBlock, into body: (UnsafePointer<Float>, Int) -> Void) {
    guard block.frameCount > 0 else { return }
    let frames = mixed.room(for: block.frameCount)
    downmix.mix(block, into: frames)
    if resampler == nil {
      body(frames, block.frameCount)
    } else {
      resample(frames, block.frameCount, into: body)
    }
  }

  /// Gives out what is still in the filter at the end of the sound; `reset` comes before the next block.
  package func flush(into body: (UnsafePointer<Float>, Int) -> Void) {
    if resampler != nil { resample(nil, 0, into: body) }
  }

  /// Forgets all that was put in, for a new beginning after a seek.
  package func reset() {
    guard resampler != nil else { return }
    swr_close(resampler)
    swr_init(resampler)
  }

  private func resample(
    _ frames: UnsafeMutablePointer<Float>?, _ count: Int, into body: (UnsafePointer<Float>, Int) -> Void
  ) {
    let expected = Int(max(swr_get_out_samples(resampler, Int32(count)), 0)) + 32
    let out = resampled.room(for: expected)
    var output: UnsafeMutablePointer<UInt8>? = UnsafeMutableRawPointer(out).assumingMemoryBound(to: UInt8.self)
    var input = frames.map { UnsafePointer(UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt8.self)) }
    let got =
      frames == nil
      ? swr_convert(resampler, &output, Int32(expected), nil, 0)
      : swr_convert(resampler, &output, Int32(expected), &input, Int32(count))
    if got > 0 { body(out, Int(got)) }
  }
}

/// Interleaved stereo frames in memory that grows with what is asked for.
private struct StereoBuffer: ~Copyable {
  private var storage: UnsafeMutablePointer<Float>
  private var capacity = 0

  init() { storage = .allocate(capacity: 1) }

  deinit { storage.deallocate() }

  /// Room for so many frames; what was there before is gone when it has to grow.
  mutating func room(for frames: Int) -> UnsafeMutablePointer<Float> {
    if frames > capacity {
      storage.deallocate()
      storage = .allocate(capacity: frames * 2)
      capacity = frames
    }
    return storage
  }
}
