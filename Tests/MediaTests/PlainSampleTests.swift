import Glibc
import Media
import Sound
import TestSupport
import Testing

/// A WAV or AIFF header with samples behind it, made byte by byte.
private struct Handmade {
  var tag = 1
  var channels = 1
  var rate = 8000
  var bits: Int
  var width: Int
  var validBits: Int?
  var isBigEndian = false
  var statedData: Int?
  var chunks: [UInt8] = []
  var tail: [UInt8] = []

  func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    let little = (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    return isBigEndian ? little.reversed() : little
  }

  func file(_ data: [UInt8]) -> [UInt8] {
    let align = width * channels
    var format = number(validBits == nil ? tag : 0xFFFE, 2) + number(channels, 2) + number(rate, 4)
    format += number(rate * align, 4) + number(align, 2) + number(bits, 2)
    if let validBits {
      format += number(22, 2) + number(validBits, 2) + number(0, 4) + number(tag, 2)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    let body =
      Array("WAVE".utf8) + chunks + Array("fmt ".utf8) + number(format.count, 4) + format + Array("data".utf8)
      + number(statedData ?? data.count, 4) + data + tail
    return Array((isBigEndian ? "RIFX" : "RIFF").utf8) + number(body.count, 4) + body
  }
}

@Suite struct PlainSampleTests {
  /// Thousandths of full scale, the same in every kind of sample.
  private static let values = [0, 250, -250, 500, -1000, 999]

  private struct Kind: CustomTestStringConvertible {
    var bits: Int
    var width: Int
    var validBits: Int?
    var isFloat = false
    var isBigEndian = false
    var testDescription: String {
      "\(bits) bits in \(width) bytes\(isFloat ? ", float" : "")\(isBigEndian ? ", RIFX" : "")"
    }
  }

  private static let kinds: [Kind] = [
    Kind(bits: 8, width: 1), Kind(bits: 5, width: 1), Kind(bits: 16, width: 2), Kind(bits: 12, width: 2),
    Kind(bits: 24, width: 3), Kind(bits: 20, width: 3), Kind(bits: 24, width: 3, validBits: 16),
    Kind(bits: 16, width: 3), Kind(bits: 24, width: 4), Kind(bits: 32, width: 4),
    Kind(bits: 32, width: 4, validBits: 24),
    Kind(bits: 36, width: 5), Kind(bits: 48, width: 6), Kind(bits: 64, width: 8),
    Kind(bits: 32, width: 4, isFloat: true), Kind(bits: 64, width: 8, isFloat: true),
    Kind(bits: 16, width: 2, isBigEndian: true), Kind(bits: 24, width: 3, isBigEndian: true),
    Kind(bits: 32, width: 4, isFloat: true, isBigEndian: true),
  ]

  @Test(arguments: kinds)
  private func `samples of every width come out at their level`(_ kind: Kind) throws {
    let folder = try TemporaryFolder()
    let made = Handmade(
      tag: kind.isFloat ? 3 : 1, bits: kind.bits, width: kind.width, validBits: kind.validBits,
      isBigEndian: kind.isBigEndian)
    let data = Self.values.flatMap { thousandths -> [UInt8] in
      let value = Double(thousandths) / 1000
      if kind.isFloat {
        return kind.width == 4
          ? made.number(Int(Float(value).bitPattern), 4) : made.number(Int(bitPattern: UInt(value.bitPattern)), 8)
      }
      if kind.width == 1 { return [UInt8(min(max((value * 128).rounded(.down) + 128, 0), 255))] }
      // At the top of the word, with the bits that are not valid left zero.
      let valid = min(kind.validBits ?? kind.bits, 60)
      let top = Int((value * Double(1 << (valid - 1))).rounded(.down))
      return made.number(top << (kind.width * 8 - valid), kind.width)
    }
    let file = try AudioFile(path: folder.write(made.file(data), to: "a.wav"))
    #expect(file.format.container == "WAV" && file.format.codec == "PCM")
    #expect(file.format.bitsPerSample == kind.validBits ?? kind.bits)
    let decoded = try decodeRest(of: file)[0]
    #expect(decoded.count == Self.values.count)
    let step = kind.isFloat ? 1e-7 : 1 / Float(1 << (min(kind.validBits ?? kind.bits, 24) - 1))
    let slack = kind.width == 1 ? 1 / 64 : step
    for (sample, value) in zip(decoded, Self.values) { #expect(abs(sample - Float(value) / 1000) <= slack) }
  }

  @Test func `sizes that lie give what is there`() throws {
    let folder = try TemporaryFolder()
    let data = [UInt8](repeating: 0x20, count: 16001)
    let list = Array("LIST".utf8) + [4, 0, 0, 0] + Array("abcd".utf8)
    let odd = Array("junk".utf8) + [3, 0, 0, 0, 1, 2, 3]
    var plain = Handmade(bits: 16, width: 2)
    let cases: [(String, [UInt8], Int)] = [
      ("half a frame is left over", plain.file(data), 8000),
      ("a pipe wrote the largest size", with(&plain) { $0.statedData = 0xFFFF_FFFF }.file(data), 8000),
      ("a recorder never came back", with(&plain) { $0.statedData = 0 }.file(data), 8000),
      ("the file was cut", with(&plain) { $0.statedData = 900_000 }.file(data), 8000),
      ("words follow", with(&plain) { ($0.statedData, $0.tail) = (16000, list) }.file(Array(data.dropLast())), 8000),
      (
        "nonsense follows",
        with(&plain) { ($0.statedData, $0.tail) = (16000, [1, 2, 3, 4, 5, 6, 7, 8, 9]) }
          .file(Array(data.dropLast())), 8000
      ),
      ("an odd part comes first", with(&plain) { $0.chunks = odd + [0] }.file(data), 8000),
      ("an odd part has no filling byte", with(&plain) { $0.chunks = odd }.file(data), 8000),
    ]
    for (name, content, frames) in cases {
      let path = try folder.write(content, to: "a.wav")
      #expect(try decode(path)[0].count == frames, "\(name)")
    }
    plain.statedData = 0
    plain.tail = list
    #expect(refusal(try folder.write(plain.file([]), to: "b.wav")) == .noSamples(folder.appending("b.wav")))
  }

  private func with(_ made: inout Handmade, _ change: (inout Handmade) -> Void) -> Handmade {
    var copy = made
    change(&copy)
    return copy
  }

  @Test func `what is not a number is silence, and all else stays, over full scale too`() throws {
    let folder = try TemporaryFolder()
    let samples: [Float] =
      [0.5, .nan, .infinity, -.infinity, 3.5, -.signalingNaN, -1.25] + Array(repeating: 0.25, count: 50)
    let expected: [Float] = [0.5, 0, 0, 0, 3.5, 0, -1.25] + Array(repeating: 0.25, count: 50)
    let plain = try folder.write(WaveFile.float32([samples, samples], hertz: 44100), to: "a.wav")
    #expect(try decode(plain) == [expected, expected])
    // The same through the codec library.
    let coded = folder.appending("a.caf")
    try run("ffmpeg", ["-v", "error", "-i", plain.shown, "-c:a", "pcm_f32le", coded.shown])
    #expect(try decode(coded) == [expected, expected])
  }

  @Test func `a file cut short while it plays ends there, and says so`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(WaveFile.float32([Signal.noise(seed: 1, frames: 400_000)], hertz: 44100), to: "a.wav")
    let file = try AudioFile(path: path)
    let block = SampleBlock(channelCount: 1, capacity: 1000)
    #expect(try file.read(into: block))
    #expect(truncate(path.shown, 44 + 4 * 5000) == 0)
    let rest = SampleBlock(channelCount: 1, capacity: 9000)
    #expect(try file.read(into: rest))
    #expect(rest.frameCount == 4000)
    #expect(throws: MediaError.cutShort(path)) { try file.read(into: rest) }
  }

  @Test func `an RF64 file beyond 4 GiB opens at once and is sought exactly`() throws {
    let folder = try TemporaryFolder()
    let frames = 1_400_000_000
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let header =
      Array("RF64".utf8) + number(-1, 4) + Array("WAVEds64".utf8) + number(28, 4) + number(frames * 4 + 72, 8)
      + number(frames * 4, 8) + number(frames, 8) + number(0, 4) + Array("fmt ".utf8) + number(16, 4) + number(1, 2)
      + number(2, 2) + number(48000, 4) + number(192_000, 4) + number(4, 2) + number(16, 2) + Array("data".utf8)
      + number(-1, 4)
    let path = try folder.write(header, to: "long.wav")
    #expect(truncate(path.shown, header.count + frames * 4) == 0)
    let handle = try #require(fopen(path.shown, "r+b"))
    fseek(handle, header.count + (frames - 2) * 4, SEEK_SET)
    fwrite([0, 0x40, 0, 0xC0] as [UInt8], 1, 4, handle)
    fclose(handle)
    let start = ContinuousClock.now
    let file = try AudioFile(path: path)
    #expect(file.format.estimatedLength == FrameCount(frames))
    try file.seek(to: FrameIndex(frames - 3))
    #expect(try decodeRest(of: file) == [[0, 0.5, 0], [0, -0.5, 0]])
    #expect(ContinuousClock.now - start < .seconds(2))
  }
}
