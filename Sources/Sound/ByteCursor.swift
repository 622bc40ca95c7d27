/// Puts numbers behind each other, little-endian.
struct ByteWriter {
  var bytes: [UInt8] = []

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func put(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }

  mutating func put(bins: [PeakBin]) {
    for bin in bins {
      put(bin.low.bitPattern)
      put(bin.high.bitPattern)
      put(bin.energy.bitPattern)
    }
  }

  mutating func overwrite(_ value: UInt64, at place: Int) {
    withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(place..<(place + 8), with: $0) }
  }

  /// A section's head, its content and the zeros behind it.
  mutating func section(_ name: PyramidBytes.Section, _ content: (inout ByteWriter) -> Void) {
    bytes += Array(name.rawValue.utf8)
    put(UInt32(0))
    let place = bytes.count
    put(UInt64(0))
    content(&self)
    let length = bytes.count - place - 8
    overwrite(UInt64(length), at: place)
    bytes += repeatElement(0, count: -length & 7)
  }
}

/// Takes numbers off the front of some bytes, little-endian; nil where there are not enough.
struct ByteReader {
  private var bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// How many bytes are left.
  var rest: Int { bytes.count }

  mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, count <= bytes.count else { return nil }
    defer { bytes = UnsafeRawBufferPointer(rebasing: bytes[count...]) }
    return UnsafeRawBufferPointer(rebasing: bytes[..<count])
  }

  mutating func uint32() -> UInt32? { take(4).map { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) } }
  mutating func uint64() -> UInt64? { take(8).map { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) } }
  mutating func int64() -> Int64? { uint64().map(Int64.init(bitPattern:)) }
}
