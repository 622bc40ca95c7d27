package import Sound

/// A file's channels at its rate on their way to interleaved stereo at the loudspeaker's rate.
///
/// One thread at a time. Mono goes to both sides at full level; more channels are mixed down so that full scale in all of
/// them stays within full scale. Output frame k since the start or `reset` sounds at input frame k · `input` / `output`
/// exactly: the filter's delay is made up for, so there is no latency to subtract.
package final class StereoStream {
  package let input: SampleRate
  package let output: SampleRate

  package init(format: StreamFormat, to output: SampleRate) throws(MediaError) {
    input = format.rate
    self.output = output
  }

  /// Takes a block and gives out the frames that are ready, in one or several calls of `body` (stereo frames, their
  /// count), or none.
  package func process(_ block: SampleBlock, into body: (UnsafePointer<Float>, Int) -> Void) {}

  /// Gives out what is still in the filter at the end of the sound; `reset` comes before the next block.
  package func flush(into body: (UnsafePointer<Float>, Int) -> Void) {}

  /// Forgets all that was put in, for a new beginning after a seek.
  package func reset() {}
}
