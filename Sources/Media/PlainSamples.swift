/// Plain samples as they lie in files, into floats of full scale ±1, one plane a channel.
enum PlainSamples {
  /// Behind the last sample there must be so many readable bytes, since some kinds are read in wider steps.
  static let slack = 8

  /// Converts `count` samples of one channel that lie `stride` bytes apart.
  static func convert(
    _ from: UnsafeRawPointer, stride: Int, count: Int, layout: PlainLayout, into plane: UnsafeMutablePointer<Float>
  ) {
    let swaps = layout.isBigEndian
    switch (layout.encoding, layout.width) {
    case (.unsigned, _):
      each(from, stride, count, plane) { Float(Int32($0.load(as: UInt8.self)) &- 128) * 0x1p-7 }
    case (.signed, 1):
      each(from, stride, count, plane) { Float($0.load(as: Int8.self)) * 0x1p-7 }
    case (.signed, 2):
      if swaps {
        each(from, stride, count, plane) { Float($0.loadUnaligned(as: Int16.self).byteSwapped) * 0x1p-15 }
      } else {
        each(from, stride, count, plane) { Float($0.loadUnaligned(as: Int16.self)) * 0x1p-15 }
      }
    case (.signed, 3):
      if swaps {
        each(from, stride, count, plane) {
          Float($0.loadUnaligned(as: Int32.self).byteSwapped & ~0xFF) * 0x1p-31
        }
      } else {
        each(from, stride, count, plane) { Float($0.loadUnaligned(as: Int32.self) &<< 8) * 0x1p-31 }
      }
    case (.signed, 4):
      if swaps {
        each(from, stride, count, plane) { Float($0.loadUnaligned(as: Int32.self).byteSwapped) * 0x1p-31 }
      } else {
        each(from, stride, count, plane) { Float($0.loadUnaligned(as: Int32.self)) * 0x1p-31 }
      }
    case (.signed, let width):
      // Five to eight bytes: the top of a number of 64 bits.
      let spare = Int64(8 - width) * 8
      each(from, stride, count, plane) {
        let raw = $0.loadUnaligned(as: Int64.self)
        return Float(swaps ? (raw.byteSwapped &>> spare) &<< spare : raw &<< spare) * 0x1p-63
      }
    case (.float, 4):
      each(from, stride, count, plane) {
        let pattern = $0.loadUnaligned(as: UInt32.self)
        return Float(bitPattern: swaps ? pattern.byteSwapped : pattern)
      }
      SampleConversion.silenceNonFinite(plane, count)
    case (.float, _):
      each(from, stride, count, plane) {
        let pattern = $0.loadUnaligned(as: UInt64.self)
        return Float(Double(bitPattern: swaps ? pattern.byteSwapped : pattern))
      }
      SampleConversion.silenceNonFinite(plane, count)
    }
  }

  @inline(__always)
  private static func each(
    _ from: UnsafeRawPointer, _ stride: Int, _ count: Int, _ plane: UnsafeMutablePointer<Float>,
    _ value: (UnsafeRawPointer) -> Float
  ) {
    switch stride {
    // Written out, since a stride that is known lets the compiler take many samples at a time.
    case 2: for i in 0..<count { plane[i] = value(from + i &* 2) }
    case 4: for i in 0..<count { plane[i] = value(from + i &* 4) }
    case 8: for i in 0..<count { plane[i] = value(from + i &* 8) }
    default: for i in 0..<count { plane[i] = value(from + i &* stride) }
    }
  }
}
