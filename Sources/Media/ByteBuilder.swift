/// Bytes put together in the order of a file format.
struct ByteBuilder {
  var bytes: [UInt8] = []

  mutating func text(_ letters: String) { bytes += Array(letters.utf8) }

  /// The least significant byte first.
  mutating func little(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes += Array($0) }
  }

  /// The most significant byte first.
  mutating func big(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.bigEndian) { bytes += Array($0) }
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
