/// Bytes put together in the order of a file format.
struct ByteBuilder {
  var bytes: [UInt8] = []

  mutating func text(_ letters: String) { bytes += Array(letters.utf8) }

  /// The least significant byte first.
  mutating func little(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// The most significant byte first.
  mutating func big(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Each number as 32 bits, the most significant byte first; millions of them in no time.
  mutating func big32(_ values: [UInt16]) {
    bytes += [UInt8](unsafeUninitializedCapacity: 4 * values.count) { buffer, filled in
      var at = 0
      for value in values {
        buffer[at] = 0
        buffer[at + 1] = 0
        buffer[at + 2] = UInt8(truncatingIfNeeded: value >> 8)
        buffer[at + 3] = UInt8(truncatingIfNeeded: value)
        at += 4
      }
      filled = at
    }
  }

  mutating func zeros(_ count: Int) { bytes += [UInt8](repeating: 0, count: count) }
}

extension [UInt8] {
  /// The number at `offset`, the least significant byte first; nil beyond the end.
  func little<Value: FixedWidthInteger>(_ offset: Int, as: Value.Type) -> Value? {
    guard offset >= 0, offset + MemoryLayout<Value>.size <= count else { return nil }
    return withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self)) }
  }

  /// The number at `offset`, the most significant byte first; nil beyond the end.
  func big<Value: FixedWidthInteger>(_ offset: Int, as: Value.Type) -> Value? {
    guard offset >= 0, offset + MemoryLayout<Value>.size <= count else { return nil }
    return withUnsafeBytes { Value(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self)) }
  }

  func isText(_ letters: String, at offset: Int) -> Bool {
    offset >= 0 && offset + letters.utf8.count <= count
      && self[offset..<offset + letters.utf8.count].elementsEqual(letters.utf8)
  }
}
