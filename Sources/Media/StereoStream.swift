package import Sound

/// A file's channels at its rate on their way to interleaved stereo at the loudspeaker's rate.
///
/// One thread at a time. Mono goes to both sides at full level; more channels are mixed down so that full scale in all of
/// them stays within full scale. Output frame k since the start or `reset` sounds at input frame k · `input` / `output`
/// exactly, so there is no latency to subtract. What the resampler's filter waits for comes out with the next block or with
/// `flush`.
package final class StereoStream {
  package let input: SampleRate
  package let output: SampleRate
  private let downmix: Downmix
  /// Nil where both rates are the same.
  private let resampler: StereoResampler?
  private var mixed = StereoBuffer()

  package init(format: StreamFormat, to output: SampleRate) throws(MediaError) {
    input = format.rate
    self.output = output
    downmix = Downmix(speakers: format.speakers)
    resampler = input == output ? nil : StereoResampler(from: input, to: output)
    guard resampler != nil || input == output else {
      throw .rateOutOfRange(PathBytes(bytes: []), hertz: output.hertz)
    }
  }

  /// Takes a block and gives out the stereo frames that are ready, in one call of `body` (frames, their count) or none.
  package func process(_ block: SampleBlock, into body: (UnsafePointer<Float>, Int) -> Void) {
    guard block.frameCount > 0 else { return }
    let frames = mixed.room(for: block.frameCount)
    downmix.mix(block, into: frames)
    if let resampler {
      resampler.process(frames, count: block.frameCount, into: body)
    } else {
      body(frames, block.frameCount)
    }
  }

  /// Gives out what is still in the filter at the end of the sound; `reset` comes before the next block.
  package func flush(into body: (UnsafePointer<Float>, Int) -> Void) { resampler?.flush(into: body) }

  /// Forgets all that was put in, for a new beginning after a seek.
  package func reset() { resampler?.reset() }
}
