import CFFmpeg
package import Sound

/// A file's channels at its rate on their way to interleaved stereo at the loudspeaker's rate.
///
/// One thread at a time. Mono goes to both sides at full level; more channels are mixed down so that full scale in all of
/// them stays within full scale. Output frame k since the start or `reset` sounds at input frame k · `input` / `output`
/// exactly: the filter's delay is made up for, so there is no latency to subtract.
package final class StereoStream {
  package let input: SampleRate
  package let output: SampleRate
  private let downmix: Downmix
  /// The filter; none where the rates are the same.
  private var resampler: OpaquePointer?
  private var left: [Float] = []
  private var right: [Float] = []
  private var interleaved: [Float] = []
  /// Frames taken in and given out since the start or `reset`.
  private var taken: Int64 = 0
  private var given: Int64 = 0

  package init(format: StreamFormat, to output: SampleRate) throws(MediaError) {
    input = format.rate
    self.output = output
    downmix = Downmix(format.speakers)
    guard input != output else { return }
    var stereo = AVChannelLayout()
    var same = AVChannelLayout()
    av_channel_layout_default(&stereo, 2)
    av_channel_layout_default(&same, 2)
    var context: OpaquePointer?
    let made = swr_alloc_set_opts2(
      &context, &stereo, AV_SAMPLE_FMT_FLT, Int32(output.hertz), &same, AV_SAMPLE_FMT_FLTP, Int32(input.hertz), 0, nil)
    // Twice the usual taps: the pass band reaches 20 kHz of 44.1, and images stay below what 16 bits hold.
    if made >= 0 { av_opt_set_int(UnsafeMutableRawPointer(context), "filter_size", 64, 0) }
    guard made >= 0, swr_init(context) >= 0 else {
      swr_free(&context)
      throw .rateOutOfRange(PathBytes(""), hertz: input.hertz)
    }
    resampler = context
  }

  deinit { swr_free(&resampler) }

  /// Takes a block and gives out the frames that are ready, in one or several calls of `body` (stereo frames, their
  /// count), or none.
  package func process(_ block: SampleBlock, into body: (UnsafePointer<Float>, Int) -> Void) {
    let count = block.frameCount
    guard count > 0 else { return }
    if left.count < count {
      left = [Float](repeating: 0, count: count)
      right = left
    }
    taken += Int64(count)
    left.withUnsafeMutableBufferPointer { left in
      right.withUnsafeMutableBufferPointer { right in
        downmix.mix(block, left: left.baseAddress!, right: right.baseAddress!)
        if resampler == nil {
          interleave(left.baseAddress!, right.baseAddress!, count, body)
        } else {
          resample(left.baseAddress!, right.baseAddress!, count, body)
        }
      }
    }
  }

  /// Gives out what is still in the filter at the end of the sound; `reset` comes before the next block.
  package func flush(into body: (UnsafePointer<Float>, Int) -> Void) {
    guard resampler != nil else { return }
    // The filter pads the end; what lies beyond the sound's own length is not given out.
    let whole = Int64((Double(taken) * Double(output.hertz) / Double(input.hertz)).rounded(.up))
    let room = prepare(for: 0)
    let count = interleaved.withUnsafeMutableBufferPointer { buffer -> Int in
      var target: UnsafeMutablePointer<UInt8>? = bytes(buffer.baseAddress!)
      return Int(swr_convert(resampler, &target, Int32(room), nil, 0))
    }
    let wanted = min(max(count, 0), Int(max(whole - given, 0)))
    given += Int64(wanted)
    if wanted > 0 { interleaved.withUnsafeBufferPointer { body($0.baseAddress!, wanted) } }
  }

  /// Forgets all that was put in, for a new beginning after a seek.
  package func reset() {
    taken = 0
    given = 0
    guard resampler != nil else { return }
    swr_close(resampler)
    swr_init(resampler)
  }

  private func interleave(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ count: Int,
    _ body: (UnsafePointer<Float>, Int) -> Void
  ) {
    if interleaved.count < count * 2 { interleaved = [Float](repeating: 0, count: count * 2) }
    interleaved.withUnsafeMutableBufferPointer { buffer in
      let target = buffer.baseAddress!
      for i in 0..<count {
        target[i * 2] = left[i]
        target[i * 2 + 1] = right[i]
      }
      body(target, count)
    }
    given += Int64(count)
  }

  private func resample(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int,
    _ body: (UnsafePointer<Float>, Int) -> Void
  ) {
    let room = prepare(for: count)
    let ready = interleaved.withUnsafeMutableBufferPointer { buffer -> Int in
      var target: UnsafeMutablePointer<UInt8>? = bytes(buffer.baseAddress!)
      var planes: [UnsafePointer<UInt8>?] = [UnsafePointer(bytes(left)), UnsafePointer(bytes(right))]
      return Int(swr_convert(resampler, &target, Int32(room), &planes, Int32(count)))
    }
    guard ready > 0 else { return }
    given += Int64(ready)
    interleaved.withUnsafeBufferPointer { body($0.baseAddress!, ready) }
  }

  /// Makes room for what `count` more input frames can become, and says how much it is, in frames.
  private func prepare(for count: Int) -> Int {
    let room = max(Int(swr_get_out_samples(resampler, Int32(count))), 1) + 16
    if interleaved.count < room * 2 { interleaved = [Float](repeating: 0, count: room * 2) }
    return room
  }

  private func bytes(_ samples: UnsafeMutablePointer<Float>) -> UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(samples).assumingMemoryBound(to: UInt8.self)
  }
}
