internal import Sound

/// Where in a file plain samples lie, and how they are written.
struct PlainLayout {
  enum Encoding {
    /// Offset binary, as in WAV up to 8 bits.
    case unsigned
    /// Two's complement; fewer valid bits than bytes lie at the top.
    case signed
    case float
  }
  /// Such as "WAV".
  var container: String
  var encoding: Encoding
  var isBigEndian: Bool
  /// Bytes of one sample of one channel: 1 to 8 for integers, 4 or 8 for floats.
  var width: Int
  var validBits: Int
  var rate: Int
  var speakers: [Speaker]
  /// The first byte of the first frame.
  var offset: Int64
  /// How many bytes of whole and broken frames are there, never beyond the end of the file.
  var byteCount: Int64
  /// True where the other parts of the file are in order too, so that the library may look for words and pictures in them.
  var isOrderly: Bool

  var bytesPerFrame: Int { width * speakers.count }
  var frameCount: Int64 { byteCount / Int64(bytesPerFrame) }

  /// Whether this is something that can be read: the limits of what is played, and sizes that fit each other.
  var isReadable: Bool {
    guard StreamFormat.rates.contains(rate), 1...StreamFormat.channelLimit ~= speakers.count else { return false }
    switch encoding {
    case .unsigned: return width == 1 && 1...8 ~= validBits
    case .signed: return 1...8 ~= width && 1...(width * 8) ~= validBits
    case .float: return width == 4 || width == 8
    }
  }

  /// The layout of a WAV or AIFF file of plain samples; nil for everything else.
  static func find(in source: ByteSource) -> PlainLayout? {
    let start = source.bytes(at: 0, count: 12)
    guard start.count == 12 else { return nil }
    let layout =
      switch (FourCC(start[0..<4]), FourCC(start[8..<12])) {
      case ("RIFF", "WAVE"), ("RF64", "WAVE"), ("BW64", "WAVE"): WaveHeader.layout(of: source, isBigEndian: false)
      case ("RIFX", "WAVE"): WaveHeader.layout(of: source, isBigEndian: true)
      case ("FORM", "AIFF"), ("FORM", "AIFC"): AIFFHeader.layout(of: source)
      default: nil as PlainLayout?
      }
    return layout.flatMap { $0.isReadable ? $0 : nil }
  }
}

/// Four letters that name a part of a file.
struct FourCC: Hashable, ExpressibleByStringLiteral {
  let bytes: [UInt8]
  init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }
  init(stringLiteral text: String) { bytes = Array(text.utf8) }

  /// Visible letters and spaces behind them, as all names are; anything else is not the beginning of a part.
  var isPlausible: Bool { bytes.count == 4 && bytes[0] != 0x20 && bytes.allSatisfy { 0x20...0x7E ~= $0 } }
}

/// Whole numbers in a header.
struct HeaderBytes {
  let bytes: [UInt8]
  let isBigEndian: Bool

  /// A number of `width` bytes at `place`; nil beyond the end.
  func number(at place: Int, width: Int) -> UInt64? {
    guard place >= 0, place + width <= bytes.count else { return nil }
    let part = bytes[place..<(place + width)]
    return isBigEndian
      ? part.reduce(0) { $0 << 8 | UInt64($1) } : part.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  func uint16(_ place: Int) -> Int? { number(at: place, width: 2).map(Int.init) }
  func uint32(_ place: Int) -> Int64? { number(at: place, width: 4).map(Int64.init) }
}
