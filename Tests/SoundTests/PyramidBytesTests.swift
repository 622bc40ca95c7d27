import Foundation
import Sound
import TestSupport
import Testing

@Test(
  arguments: [
    // From the reference implementation.
    ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
    ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
  ] as [(String, UInt64)])
func `the checksum is XXH64`(text: String, hash: UInt64) {
  #expect(Hash64.of(Array(text.utf8)) == hash)
}

@Suite struct PyramidBytesTests {
  static let key = WaveformKey(
    path: PathBytes(bytes: Array("/music/b".utf8) + [0xFF]), size: 1_234_567, modified: 1_700_000_000_123_456_789,
    stream: 1, decoder: 0x003B_2564_003B_1B64)

  static func waveform(_ channels: [[Float]]) -> Waveform {
    var builder = PyramidBuilder(channelCount: channels.count)
    builder.append(SampleBlock(channels))
    builder.finish()
    return Waveform(pyramid: builder.snapshot(), skippedStretches: 3)
  }

  static func waveform(frames: Int) -> Waveform {
    waveform([Signal.noise(seed: 3, frames: frames), Signal.noise(seed: 4, frames: frames, amplitude: 2)])
  }

  @Test(arguments: [1, 127, 128, 129, 1_000, 4_097, 100_000, 1_100_003])
  func `what was kept comes back to the last bit`(frames: Int) throws {
    let kept = Self.waveform(frames: frames)
    let bytes = PyramidBytes.encode(kept, key: Self.key)
    let back = try #require(PyramidBytes.decode(bytes, key: Self.key))
    #expect(back.skippedStretches == 3 && back.pyramid.isComplete)
    #expect(back.pyramid.length == FrameCount(frames) && back.pyramid.baseFrames == PyramidBytes.finestFrames)
    for channel in 0..<2 {
      for width in [128, 1_024, frames] {
        for start in stride(from: 0, to: frames, by: width) {
          let (from, to) = (FrameIndex(start), FrameIndex(start + width))
          let peak = try #require(back.pyramid.peak(channel: channel, from: from, to: to))
          let other = try #require(kept.pyramid.peak(channel: channel, from: from, to: to))
          #expect(peak.low == other.low && peak.high == other.high)
          #expect(width == 128 ? peak.rms == other.rms : abs(peak.rms - other.rms) < 1e-5)
        }
      }
    }
    // A second time nothing is lost.
    #expect(PyramidBytes.encode(back, key: Self.key) == bytes)
  }

  /// The format, written by hand after its table.
  @Test func `a short waveform is these bytes`() {
    let key = WaveformKey(path: PathBytes("/a.wav"), size: 300, modified: 0x0102_0304_0506_0708, stream: 2, decoder: 9)
    let waveform = Self.waveform([Array(repeating: 0.5, count: 128) + [-0.25], Array(repeating: 0.125, count: 129)])
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func float(_ value: Float) -> [UInt8] { number(Int(value.bitPattern), 4) }
    func section(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + number(0, 4) + number(content.count, 8) + content
        + Array(repeating: 0, count: (8 - content.count % 8) % 8)
    }
    let keySection = section(
      "KEY ",
      number(300, 8) + number(0x0102_0304_0506_0708, 8) + number(9, 8) + number(2, 4) + number(6, 4)
        + Array("/a.wav".utf8))
    let facts = section("FACT", number(129, 8) + number(3, 4) + number(0, 4))
    let left = float(0.5) + float(0.5) + float(32) + float(-0.25) + float(-0.25) + float(0.0625)
    let right = float(0.125) + float(0.125) + float(2) + float(0.125) + float(0.125) + float(0.015625)
    let bins = section("BINS", number(128, 8) + number(2, 8) + number(2, 4) + number(0, 4) + left + right)
    let length = 24 + keySection.count + facts.count + bins.count + 8
    let head = Array("SWELLWF\0".utf8) + number(1, 4) + number(3, 4) + number(length, 8)
    let body = head + keySection + facts + bins
    #expect(PyramidBytes.encode(waveform, key: key) == body + number(Int(bitPattern: UInt(Hash64.of(body))), 8))
  }

  @Test func `only the sound that was asked for is found`() {
    let bytes = PyramidBytes.encode(Self.waveform(frames: 1_000), key: Self.key)
    for change in [
      { $0.path.bytes.append(0x2E) }, { $0.size += 1 }, { $0.modified -= 1 }, { $0.stream = 0 }, { $0.decoder ^= 1 },
    ] as [(inout WaveformKey) -> Void] {
      var other = Self.key
      change(&other)
      #expect(PyramidBytes.decode(bytes, key: other) == nil)
    }
  }

  @Test func `a section that is not known is passed over`() {
    var bytes = PyramidBytes.encode(Self.waveform(frames: 1_000), key: Self.key).dropLast(8)
    bytes += Array("HUE ".utf8) + [0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0]
    bytes[12] = 4
    withUnsafeBytes(of: UInt64(bytes.count + 8).littleEndian) { bytes.replaceSubrange(16..<24, with: $0) }
    #expect(PyramidBytes.decode(Self.sealed(Array(bytes)), key: Self.key) != nil)
  }

  /// With a checksum that is right for whatever the bytes are.
  private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: Hash64.of(bytes).littleEndian) { bytes + Array($0) }
  }

  @Test(arguments: 0..<8)
  func `damaged bytes give nothing`(seed: Int) {
    var noise = Noise(seed: UInt64(seed))
    let bytes = PyramidBytes.encode(Self.waveform(frames: 1_000), key: Self.key)
    for _ in 0..<100 {
      var damaged = bytes
      switch Int.random(in: 0..<3, using: &noise) {
      case 0: damaged.removeLast(Int.random(in: 1...damaged.count, using: &noise))
      case 1: damaged += (0..<Int.random(in: 1...100, using: &noise)).map { _ in .random(in: 0...255, using: &noise) }
      default: damaged[Int.random(in: damaged.indices, using: &noise)] ^= 1 << UInt8.random(in: 0..<8, using: &noise)
      }
      #expect(PyramidBytes.decode(damaged, key: Self.key) == nil)
    }
  }

  /// Whoever forges a file with a right checksum gets at most a wrong picture, of finite numbers.
  @Test(arguments: 0..<8)
  func `forged bytes never trap`(seed: Int) {
    var noise = Noise(seed: UInt64(seed) + 1_000)
    let bytes = Array(PyramidBytes.encode(Self.waveform(frames: 1_000), key: Self.key).dropLast(8))
    let interesting: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]
    for _ in 0..<100 {
      var forged = bytes
      // Mostly where the numbers are that lengths hang on.
      for _ in 0..<Int.random(in: 1...4, using: &noise) {
        let place = Int.random(in: 0..<(Bool.random(using: &noise) ? 200 : forged.count), using: &noise)
        forged[place] = interesting.randomElement(using: &noise)!
      }
      if Bool.random(using: &noise) { forged.removeLast(Int.random(in: 0..<forged.count, using: &noise)) }
      let length = UInt64(forged.count + 8)
      if forged.count >= 24 { withUnsafeBytes(of: length.littleEndian) { forged.replaceSubrange(16..<24, with: $0) } }
      guard let waveform = PyramidBytes.decode(Self.sealed(forged), key: Self.key) else { continue }
      let pyramid = waveform.pyramid
      for channel in 0..<pyramid.channelCount {
        let (peak, rms) = pyramid.overall(channel: channel)
        #expect(peak.isFinite && rms.isFinite)
      }
    }
  }
}
