/// Noise on the steps of 16 bits that is the same every time, for a microphone to hear and a file to be compared with.
package enum HeardNoise {
  /// So many samples of it, from its first one on.
  package static func samples(count: Int) -> [Float] {
    var state: UInt32 = 1
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int16(truncatingIfNeeded: Int32(bitPattern: state) >> 17)) / 32_768
    }
  }
}

/// True when `samples` are a stretch of `heard` without a gap, sample by sample; both interleaved in frames of `channels`.
///
/// The stretch must begin within the first `frames` of what was heard: where depends on when a take was asked for.
package func isHeard(_ samples: [Float], in heard: [Float], channels: Int = 2, beginningWithin frames: Int) -> Bool {
  guard !samples.isEmpty else { return false }
  return (0..<frames).contains { frame in
    let rest = heard[min(frame * channels, heard.count)...]
    return rest.starts(with: samples.prefix(200)) && rest.starts(with: samples)
  }
}
