internal import Sound

/// WAV, RF64, BW64 and RIFX headers.
///
/// (Microsoft, "Multiple Channel Audio Data and WAVE Files", 2007; EBU Tech 3306 for RF64.)
enum WaveHeader {
  private static let plain = 1
  private static let float = 3
  private static let extensible = 0xFFFE
  /// The end of the identifiers that stand for an old format tag: xxxx0000-0000-1000-8000-00AA00389B71.
  private static let suffix: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

  /// The layout of the samples, unless they are coded or the header is too odd.
  static func layout(of source: ByteSource, isBigEndian: Bool) -> PlainLayout? {
    var walk = ChunkWalk(source: source, isBigEndian: isBigEndian)
    var largeData: Int64?
    var layout: PlainLayout?
    var hasData = false
    while let chunk = walk.next(sizeOf: { size(of: $0, largeData: largeData, in: $1) }) {
      switch chunk.name {
      case "ds64":
        let bytes = source.bytes(at: chunk.start, count: 24)
        largeData = HeaderBytes(bytes: bytes, isBigEndian: false).number(at: 8, width: 8).map { Int64(clamping: $0) }
      case "fmt " where layout == nil:
        let bytes = source.bytes(at: chunk.start, count: Int(min(chunk.size, 64)))
        layout = format(HeaderBytes(bytes: bytes, isBigEndian: isBigEndian))
        guard layout != nil else { return nil }
      case "data" where !hasData:
        guard layout != nil else { return nil }
        hasData = true
        layout!.offset = chunk.start
        layout!.byteCount = min(chunk.size, source.size - chunk.start)
      default: break
      }
    }
    guard hasData else { return nil }
    layout!.isOrderly = walk.isOrderly
    return layout
  }

  /// The true size of a part: the data of RF64, of a recorder that never came back to its header, and beyond 4 GiB.
  private static func size(of chunk: ChunkWalk.Chunk, largeData: Int64?, in walk: ChunkWalk) -> Int64 {
    guard chunk.name == "data" else { return chunk.size }
    let rest = walk.source.size - chunk.start
    if let largeData, chunk.size == 0xFFFF_FFFF { return min(largeData, rest) }
    let isLost = chunk.size == 0 || rest - chunk.size >= 1 << 32
    // Zero, or wrapped around: true only if other parts follow.
    if isLost, !walk.hasChunk(at: chunk.start + chunk.size) { return rest }
    return min(chunk.size, rest)
  }

  private static func format(_ header: HeaderBytes) -> PlainLayout? {
    guard var tag = header.uint16(0), let channels = header.uint16(2), let rate = header.uint32(4),
      let blockAlign = header.uint16(12), let bits = header.uint16(14), channels > 0, rate > 0, bits > 0
    else { return nil }
    var validBits = bits
    var mask: Int64?
    if tag == extensible, header.bytes.count >= 40 {
      guard Array(header.bytes[26..<40]) == suffix, let inner = header.uint16(24) else { return nil }
      tag = inner
      mask = header.uint32(20)
      if let stated = header.uint16(18), 1...bits ~= stated { validBits = stated }
    }
    guard tag == plain || tag == float else { return nil }
    // The block's size, and not the number of bits, tells how far apart samples lie: 16 bits in 24, 24 in 32. One byte
    // more is believed; where it is further off, the channels or the block are wrong, and nobody knows which.
    let needed = (bits + 7) / 8
    let width = blockAlign == (needed + 1) * channels ? needed + 1 : needed
    let encoding: PlainLayout.Encoding = tag == float ? .float : width == 1 ? .unsigned : .signed
    return PlainLayout(
      container: "WAV", encoding: encoding, isBigEndian: header.isBigEndian, width: width, validBits: validBits,
      rate: Int(rate), speakers: Speaker.wave(channels: channels, mask: mask), offset: 0, byteCount: 0,
      isOrderly: false)
  }
}

extension Speaker {
  /// The bits of a WAV channel mask, lowest first.
  private static let maskOrder: [Speaker] = [
    .left, .right, .center, .lowFrequency, .backLeft, .backRight, .frontLeftOfCenter, .frontRightOfCenter, .backCenter,
    .sideLeft, .sideRight, .topCenter, .topFrontLeft, .topFrontCenter, .topFrontRight, .topBackLeft, .topBackCenter,
    .topBackRight,
  ]
  /// The masks that are usual for 3 to 8 channels, for files without one.
  private static let usualMasks: [Int: Int64] = [
    3: 0x7, 4: 0x33, 5: 0x37, 6: 0x3F, 7: 0x70F, 8: 0x63F,
  ]

  /// The speakers of a WAV file: by its mask; as usual without one; unknown where the mask says "none".
  static func wave(channels: Int, mask: Int64?) -> [Speaker] {
    if channels == 1 { return [.mono] }
    if channels == 2 { return [.left, .right] }
    guard let mask = mask ?? usualMasks[channels] else { return (1...channels).map { .unknown($0) } }
    let named = maskOrder.indices.filter { mask >> $0 & 1 == 1 }.map { maskOrder[$0] }.prefix(channels)
    return named + (named.count..<channels).map { .unknown($0 + 1) }
  }
}
