import Glibc
internal import Sound

/// AIFF and AIFF-C headers.
///
/// (Apple, "Audio Interchange File Format", 1989, and AIFF-C draft, 1991.)
enum AIFFHeader {
  /// The layout of the samples of up to two channels, unless they are coded.
  ///
  /// More channels are left to the library, which knows Apple's channel chunk.
  static func layout(of source: ByteSource) -> PlainLayout? {
    var walk = ChunkWalk(source: source, isBigEndian: true)
    var layout: PlainLayout?
    var data: (offset: Int64, count: Int64)?
    while let chunk = walk.next(sizeOf: { chunk, _ in chunk.size }) {
      switch chunk.name {
      case "COMM" where layout == nil:
        let bytes = source.bytes(at: chunk.start, count: Int(min(chunk.size, 64)))
        layout = format(HeaderBytes(bytes: bytes, isBigEndian: true))
        guard layout != nil else { return nil }
      case "SSND" where data == nil:
        let header = HeaderBytes(bytes: source.bytes(at: chunk.start, count: 8), isBigEndian: true)
        guard let skipped = header.uint32(0) else { return nil }
        let start = chunk.start + 8 + skipped
        data = (start, max(min(chunk.size - 8 - skipped, source.size - start), 0))
      default: break
      }
    }
    guard var layout, let data else { return nil }
    layout.offset = data.offset
    layout.byteCount = data.count
    layout.isOrderly = walk.isOrderly
    return layout
  }

  private static func format(_ header: HeaderBytes) -> PlainLayout? {
    guard let channels = header.uint16(0), 1...2 ~= channels, let bits = header.uint16(6), 1...64 ~= bits,
      let exponent = header.uint16(8), let mantissa = header.number(at: 10, width: 8)
    else { return nil }
    let rate = rate(exponent: exponent, mantissa: mantissa)
    guard rate >= 1, rate < 1e9 else { return nil }
    var layout = PlainLayout(
      container: "AIFF", encoding: .signed, isBigEndian: true, width: (bits + 7) / 8, validBits: bits,
      rate: Int(rate.rounded()), speakers: channels == 1 ? [.mono] : [.left, .right], offset: 0, byteCount: 0,
      isOrderly: false)
    guard header.bytes.count >= 22 else { return layout }
    switch FourCC(header.bytes[18..<22]) {
    case "NONE", "twos", "in24", "in32": break
    case "sowt": layout.isBigEndian = false
    case "raw ": layout.encoding = .unsigned
    case "fl32", "FL32": (layout.encoding, layout.width, layout.validBits) = (.float, 4, 32)
    case "fl64", "FL64": (layout.encoding, layout.width, layout.validBits) = (.float, 8, 64)
    default: return nil
    }
    return layout
  }

  /// An 80-bit float of IEEE 754: exponent and 64 bits of mantissa with its leading one.
  private static func rate(exponent: Int, mantissa: UInt64) -> Double {
    guard exponent < 0x8000 else { return 0 }
    return scalbn(Double(mantissa), Int32(exponent - 16383 - 63))
  }
}
