import Glibc
internal import Sound

/// Floats of full scale ±1 into the integers of a file: times full scale, to the nearest, held at the ends.
///
/// What was read from integers of the same width comes back bit for bit.
enum SampleWriting {
  /// Interleaved 16-bit samples, the least significant byte first.
  static func int16(_ block: SampleBlock, _ output: UnsafeMutablePointer<Int16>) {
    each(block) { index, sample in output[index] = Int16(truncatingIfNeeded: nearest(sample, scale: 32_768)) }
  }

  /// Interleaved 24-bit samples in the upper three bytes of four.
  static func int24In32(_ block: SampleBlock, _ output: UnsafeMutablePointer<Int32>) {
    each(block) { index, sample in output[index] = nearest(sample, scale: 8_388_608) << 8 }
  }

  /// Interleaved 24-bit samples in three bytes, the least significant first.
  static func int24(_ block: SampleBlock, _ output: UnsafeMutablePointer<UInt8>) {
    each(block) { index, sample in
      let value = nearest(sample, scale: 8_388_608)
      output[index * 3] = UInt8(truncatingIfNeeded: value)
      output[index * 3 + 1] = UInt8(truncatingIfNeeded: value >> 8)
      output[index * 3 + 2] = UInt8(truncatingIfNeeded: value >> 16)
    }
  }

  static func float32(_ block: SampleBlock, _ output: UnsafeMutablePointer<Float>) {
    each(block) { index, sample in output[index] = sample }
  }

  @inline(__always)
  private static func each(_ block: SampleBlock, _ body: (Int, Float) -> Void) {
    let channels = block.channelCount
    for channel in 0..<channels {
      let plane = UnsafePointer(block.plane(channel))
      for i in 0..<block.frameCount { body(i &* channels &+ channel, plane[i]) }
    }
  }

  @inline(__always)
  private static func nearest(_ sample: Float, scale: Float) -> Int32 {
    let scaled = (sample * scale).rounded(.toNearestOrEven)
    return Int32(max(min(scaled, scale - 1), -scale))
  }
}
