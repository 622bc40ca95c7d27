import TestSupport
import Testing

/// Codings of speech that nobody here can encode: frames with true headers around bits of chance, which decode to some sound.
struct SpeechFile: Sendable, CustomTestStringConvertible {
  var name: String
  /// What the file begins with.
  var start: String
  /// The kinds of frames of which one is drawn each time: the byte that tells it, where the coding has one, and how many
  /// bytes of sound come behind that.
  var kinds: [(header: UInt8?, bytes: Int)]
  /// Of sound in each.
  var framesEach: Int
  var hertz: Int
  /// The largest difference of a sample after a seek from the same sample of a linear decode.
  var tolerance: Float = 0

  var testDescription: String { name }

  /// Six seconds of it.
  var bytes: [UInt8] {
    var noise = Noise(seed: 11)
    var bytes = Array(start.utf8)
    for _ in 0..<(6 * hertz / framesEach) {
      let kind = kinds.randomElement(using: &noise)!
      bytes += kind.header.map { [$0] } ?? []
      for _ in 0..<kind.bytes { bytes.append(.random(in: 0...255, using: &noise)) }
    }
    return bytes
  }

  /// The sizes of the kinds of AMR frames, in the order of their numbers (RFC 4867, 3.6 and 5.3).
  private static let narrow = kinds([12, 13, 15, 17, 19, 20, 26, 31])
  private static let wide = kinds([17, 23, 32, 36, 40, 46, 50, 58, 60])
  private static func kinds(_ sizes: [Int]) -> [(UInt8?, Int)] {
    sizes.enumerated().map { (UInt8($0) << 3 | 4, $1) }
  }

  static let all: [SpeechFile] = [
    SpeechFile(
      name: "steady.amr", start: "#!AMR\n", kinds: [narrow[7]], framesEach: 160, hertz: 8_000, tolerance: 0x1p-14),
    SpeechFile(
      name: "changing.amr", start: "#!AMR\n", kinds: narrow, framesEach: 160, hertz: 8_000, tolerance: 0x1p-14),
    // What lies above 6.4 kHz the decoder makes up by chance; bits of chance are as loud as 12 dB above full scale.
    SpeechFile(
      name: "steady.awb", start: "#!AMR-WB\n", kinds: [wide[2]], framesEach: 320, hertz: 16_000, tolerance: 0.15),
    SpeechFile(name: "changing.awb", start: "#!AMR-WB\n", kinds: wide, framesEach: 320, hertz: 16_000, tolerance: 0.15),
    // RFC 3951: frames of 20 and of 30 ms.
    SpeechFile(
      name: "short.lbc", start: "#!iLBC20\n", kinds: [(nil, 38)], framesEach: 160, hertz: 8_000, tolerance: 0x1p-14),
    SpeechFile(
      name: "long.lbc", start: "#!iLBC30\n", kinds: [(nil, 50)], framesEach: 240, hertz: 8_000, tolerance: 0x1p-14),
  ]
}
