/// Samples of every numeric kind into floats of full scale ±1, one plane a channel.
///
/// Integers are divided by their own full scale, so that the lowest is exactly −1 (AES17 counts alike). Floats stay as they
/// are, over full scale too; what is not a number, or infinite, becomes silence.
enum SampleConversion {
  /// Reads `count` integers, `stride` apart, into a plane.
  @inline(__always)
  static func integers<Value: FixedWidthInteger>(
    _ from: UnsafePointer<Value>, stride: Int, count: Int, into plane: UnsafeMutablePointer<Float>, scale: Float,
    _ value: (Value) -> Float
  ) {
    switch stride {
    // Written out, since a stride that is known lets the compiler take many samples at a time.
    case 1: for i in 0..<count { plane[i] = value(from[i]) * scale }
    case 2: for i in 0..<count { plane[i] = value(from[i &* 2]) * scale }
    default: for i in 0..<count { plane[i] = value(from[i &* stride]) * scale }
    }
  }

  static func unsigned8(_ from: UnsafePointer<UInt8>, stride: Int, count: Int, into plane: UnsafeMutablePointer<Float>)
  {
    integers(from, stride: stride, count: count, into: plane, scale: 1 / 128) { Float(Int32($0) &- 128) }
  }

  static func signed16(_ from: UnsafePointer<Int16>, stride: Int, count: Int, into plane: UnsafeMutablePointer<Float>) {
    integers(from, stride: stride, count: count, into: plane, scale: 0x1p-15) { Float($0) }
  }

  static func signed32(_ from: UnsafePointer<Int32>, stride: Int, count: Int, into plane: UnsafeMutablePointer<Float>) {
    integers(from, stride: stride, count: count, into: plane, scale: 0x1p-31) { Float($0) }
  }

  static func signed64(_ from: UnsafePointer<Int64>, stride: Int, count: Int, into plane: UnsafeMutablePointer<Float>) {
    integers(from, stride: stride, count: count, into: plane, scale: 0x1p-63) { Float($0) }
  }

  static func floats(_ from: UnsafePointer<Float>, stride: Int, count: Int, into plane: UnsafeMutablePointer<Float>) {
    switch stride {
    case 1: plane.update(from: from, count: count)
    case 2: for i in 0..<count { plane[i] = from[i &* 2] }
    default: for i in 0..<count { plane[i] = from[i &* stride] }
    }
    silenceNonFinite(plane, count)
  }

  static func doubles(_ from: UnsafePointer<Double>, stride: Int, count: Int, into plane: UnsafeMutablePointer<Float>) {
    for i in 0..<count { plane[i] = Float(from[i &* stride]) }
    silenceNonFinite(plane, count)
  }

  /// Makes NaN and infinities zero; costs one quick look where there are none.
  static func silenceNonFinite(_ plane: UnsafeMutablePointer<Float>, _ count: Int) {
    // The largest pattern without its sign: above that of infinity only for NaN. Whole numbers, unlike floats, may be
    // compared in any order, so this takes many samples at a time.
    var largest: Int32 = 0
    plane.withMemoryRebound(to: Int32.self, capacity: count) { patterns in
      for i in 0..<count {
        let pattern = patterns[i] & 0x7FFF_FFFF
        largest = pattern > largest ? pattern : largest
      }
    }
    guard largest >= 0x7F80_0000 else { return }
    for i in 0..<count where !plane[i].isFinite { plane[i] = 0 }
  }
}
