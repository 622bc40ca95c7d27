import CFFmpeg

/// Looks for frames of MP3 (MPEG audio layers I to III) and ADTS AAC in the midst of something else.
///
/// One header is met by chance in every few kilobytes of noise; a chain, in which each frame's length leads to the next
/// header of the same kind, is not. (ISO 11172-3, 2.4.1.3 and 2.4.2.3; ISO 13818-3 for the lower rates; ISO 13818-7, 6.2.)
enum FrameSync {
  /// How far into a file frames are looked for.
  static let reach = 1 << 20
  /// So many frames in a row are no chance: below one in a million for a megabyte of noise.
  private static let chain = 4

  struct Match: Equatable {
    /// The first byte of the first frame.
    var place: Int
    /// The library's name of the format.
    var format: String
  }

  /// The first chain of frames; one that ends with the bytes may be as short as two.
  static func find(in bytes: [UInt8]) -> Match? {
    bytes.withUnsafeBufferPointer { bytes in
      var place = 0
      while place + 7 <= bytes.count {
        guard let found = bytes[place...].firstIndex(of: 0xFF), found + 7 <= bytes.count else { return nil }
        // Layer I only at the very start: its headers, two bytes of ones, stand in rows in every program.
        if let first = header(bytes, found), found == 0 || !first.isLayerI, isChain(bytes, found, first) {
          return Match(place: found, format: first.isADTS ? "aac" : "mp3")
        }
        place = found + 1
      }
      return nil
    }
  }

  /// True where a frame begins with the first byte, which is all that tells a file of a single one.
  ///
  /// Not of layer I.
  static func isFrame(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in header(bytes, 0).map { !$0.isLayerI } ?? false }
  }

  struct Header {
    var isADTS: Bool
    /// What stays the same from frame to frame: version, layer, rate.
    var kind: UInt32
    var length: Int
    /// The rate and the frames of sound in a frame of MPEG audio.
    var hertz: Int64 = 1
    var frames: Int64 = 0
    /// In bit/s; 0 for ADTS, which has none.
    var bitRate = 0
    /// The bytes of a frame at this bit rate as a fraction, before they are rounded; nil where there is no such rule.
    var bytesOfFrame: (bytes: Int64, over: Int64)?
    var isLayerI: Bool { !isADTS && kind >> 9 & 3 == 3 }
  }

  /// So many bytes tell what a frame is.
  static let headerBytes = 7

  /// The header that these bytes begin with.
  static func header(_ bytes: [UInt8]) -> Header? { bytes.withUnsafeBufferPointer { header($0, 0) } }

  private static func isChain(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ first: Header) -> Bool {
    var place = start
    var count = 0
    while let next = header(bytes, place), next.kind == first.kind {
      count += 1
      if count >= chain { return true }
      place += next.length
    }
    // Whole frames up to the very end or a tag there, or a last one that was cut.
    return count >= 2 && (place >= bytes.count || isTag(bytes, place))
  }

  /// Whether the frame there is the encoder's description of the file: "Xing" or "Info" behind the frame's side information,
  /// "VBRI" 36 bytes into the frame.
  static func hasEncodersWords(_ bytes: [UInt8], _ place: Int) -> Bool {
    // The side information has 9, 17 or 32 bytes (ISO 11172-3, 2.4.1.7, and 13818-3), and two of a checksum may lie before it.
    [13, 15, 21, 23, 36, 38].contains { offset in
      ["Xing", "Info", "VBRI"].contains { bytes.dropFirst(place + offset).starts(with: $0.utf8) }
    }
  }

  private static func isTag(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
    ["TAG", "APETAGEX", "LYRICS"].contains { bytes[place...].starts(with: $0.utf8) }
  }

  static func header(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Header? {
    guard place + headerBytes <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] & 0xE0 == 0xE0 else { return nil }
    let (b1, b2) = (Int(bytes[place + 1]), Int(bytes[place + 2]))
    return b1 & 0xF6 == 0xF0 ? adts(bytes, place, b1, b2) : mpeg(b1, b2)
  }

  private static func adts(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int, _ b1: Int, _ b2: Int) -> Header? {
    let (b3, b4, b5) = (Int(bytes[place + 3]), Int(bytes[place + 4]), Int(bytes[place + 5]))
    let length = (b3 & 3) << 11 | b4 << 3 | b5 >> 5
    guard (b2 >> 2) & 15 < 13, length > 8 else { return nil }
    return Header(isADTS: true, kind: UInt32(b1) << 16 | UInt32(b2 & 0xFC) << 8 | UInt32(b3 & 0xC0), length: length)
  }

  private static let rates = [44100, 48000, 32000]
  /// In kbit/s: MPEG-1 layers I, II, III, then MPEG-2 layer I, and II and III.
  private static let bitRates: [[Int]] = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  private static func mpeg(_ b1: Int, _ b2: Int) -> Header? {
    let version = (b1 >> 3) & 3
    let layer = 4 - (b1 >> 1) & 3
    let (rateIndex, bitIndex, padding) = ((b2 >> 2) & 3, b2 >> 4, (b2 >> 1) & 1)
    guard version != 1, layer != 4, rateIndex != 3, 1...14 ~= bitIndex else { return nil }
    let rate = rates[rateIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    let row = version == 3 ? layer - 1 : layer == 1 ? 3 : 4
    let bits = bitRates[row][bitIndex] * 1000
    // Slots of four bytes in layer I, of one in the others.
    let (slots, slotBytes) = layer == 1 ? (12, 4) : (layer == 3 && version != 3 ? 72 : 144, 1)
    return Header(
      isADTS: false, kind: UInt32(b1 & 0xFE) << 8 | UInt32(b2 & 0x0C),
      length: (slots * bits / rate + padding) * slotBytes, hertz: Int64(rate),
      frames: Int64(slots * slotBytes * 8), bitRate: bits,
      bytesOfFrame: slotBytes == 1 ? (Int64(slots * bits), Int64(rate)) : nil)
  }
}
