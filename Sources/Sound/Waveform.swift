/// What a scan has found out about a file, complete: what is worth keeping.
package struct Waveform: Sendable {
  /// Complete; its length is the true one.
  package var pyramid: PeakPyramid
  /// How many stretches could not be decoded and were left out.
  package var skippedStretches: Int

  package init(pyramid: PeakPyramid, skippedStretches: Int) {
    self.pyramid = pyramid
    self.skippedStretches = skippedStretches
  }
}

/// Which sound a waveform is of: a stream of a file in one state, as decoded by one version of the decoders.
package struct WaveformKey: Hashable, Sendable {
  package var path: PathBytes
  /// In bytes.
  package var size: Int64
  /// The time of the file's last change, in nanoseconds since 1970.
  package var modified: Int64
  /// The number of the stream in its container.
  package var stream: Int
  /// Differs between decoders that may decode differently.
  package var decoder: UInt64

  package init(path: PathBytes, size: Int64, modified: Int64, stream: Int, decoder: UInt64) {
    self.path = path
    self.size = size
    self.modified = modified
    self.stream = stream
    self.decoder = decoder
  }
}
