import Glibc
import Media
import Sound
import System
import TestSupport
import Testing

@Suite struct DamageTests {
  private static let kinds: [(String, [String])] = [
    ("a.wav", []), ("b.flac", []), ("c.mp3", []), ("d.m4a", []), ("e.ogg", ["-c:a", "libvorbis"]),
    ("f.opus", ["-c:a", "libopus"]), ("g.aiff", []), ("h.wma", []), ("i.mka", []), ("j.caf", []), ("k.wv", []),
    ("l.ac3", []), ("m.wav", ["-c:a", "adpcm_ima_wav"]), ("n.ts", ["-c:a", "mp2"]), ("o.w64", []), ("p.aac", []),
  ]

  @Test(arguments: kinds.indices)
  func `a damaged file opens or throws; it never traps or hangs`(kind: Int) throws {
    let folder = try TemporaryFolder()
    let (name, arguments) = Self.kinds[kind]
    let whole = try Files.read(
      folder.encode(testSound(seconds: 0.4, rate: 44100), hertz: 44100, arguments, as: name))
    for seed in 0..<40 {
      var noise = Noise(seed: UInt64(kind * 1000 + seed))
      var content = whole
      // Most faults in the header, where they do most.
      let reach = seed % 2 == 0 ? min(400, content.count) : content.count
      for _ in 0..<(1 + seed % 8) {
        content[Int.random(in: 0..<reach, using: &noise)] = .random(in: 0...255, using: &noise)
      }
      if seed % 5 == 0 { content.removeLast(Int.random(in: 0..<content.count, using: &noise)) }
      if seed % 7 == 0 { content.removeFirst(Int.random(in: 0..<200, using: &noise)) }
      let path = try folder.write(content, to: "damaged")
      do {
        let file = try AudioFile(path: path)
        #expect(StreamFormatLimits.hold(file.format))
        let decoded = try decodeRest(of: file, atMost: 500_000)
        #expect(decoded.allSatisfy { $0.allSatisfy(\.isFinite) })
        try file.seek(to: FrameIndex(Int.random(in: 0..<20000, using: &noise)))
        _ = try decodeRest(of: file, atMost: 5000)
        _ = file.coverBytes()
      } catch let error as MediaError {
        #expect(error.description.count > 20)
      }
    }
  }

  /// Places at which a take's header is damaged, and what stands there then.
  private static let badTakes: [(TakeCoding, place: Int, bytes: [UInt8])] = [
    // 65,535 channels; a rate of 4 GHz; words that go on for 4 GB.
    (.wav, 58, [0xFF, 0xFF]), (.wav, 60, [0xFF, 0xFF, 0xFF, 0xFF]), (.wav, 90, [0xFF, 0xFF, 0xFF, 0xFF]),
    // The movie's box reaches beyond the file.
    (.aac, 32, [0x7F, 0xFF, 0xFF, 0xFF]),
  ]

  @Test(arguments: badTakes)
  func `a take with a damaged header is left as it is`(coding: TakeCoding, place: Int, bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let path = folder.appending("take." + coding.fileExtension)
    let format = TakeFormat(coding: coding, width: .int16, rate: SampleRate(hertz: 48_000), channelCount: 2)
    let tags = TakeTags(title: "A take", date: "2026-11-30T18:20:05", device: "Microphone")
    let take = try TakeFile(creating: path, format: format, tags: tags)
    for seed in 1...6 {
      let noise = Signal.noise(seed: UInt64(seed), frames: 9600, amplitude: 0.3)
      try take.write(SampleBlock([noise, noise]))
      try take.flush()
    }
    let whole = try Files.read(path)
    var damaged = whole
    damaged.replaceSubrange(place..<place + bytes.count, with: bytes)
    try Files.replace(path, with: damaged)
    #expect(throws: TakeError.cannotComplete(path)) { try TakeMending.complete(path) }
    #expect(try Files.read(path) == damaged)
    // It was the damage that was refused.
    try Files.replace(path, with: whole)
    #expect(try TakeMending.complete(path).length > .zero)
  }

  @Test(arguments: ["a.wav", "b.flac", "c.mp3"])
  func `a file that is cut while it is open says so where it ends`(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.encode(testSound(seconds: 20, rate: 44100), hertz: 44100, [], as: name)
    let file = try AudioFile(path: path)
    let size = try Files.status(of: path).size
    #expect(path.withCPath { truncate($0, off_t(size / 2)) } == 0)
    let block = SampleBlock(channelCount: 2, capacity: 4096)
    #expect(throws: MediaError.cutShort(path)) { while try file.read(into: block) {} }
    #expect((300_000...600_000).contains(file.position.rawValue), "\(file.position)")
    // A whole file just ends.
    let other = try AudioFile(path: path)
    while try other.read(into: block) {}
  }

  @Test func `random bytes of any length are refused or heard, never a crash`() throws {
    let folder = try TemporaryFolder()
    for seed in 0..<60 {
      var noise = Noise(seed: UInt64(seed))
      let magic = [
        [], Array("RIFF\0\0\0\0WAVEfmt ".utf8), Array("fLaC".utf8), Array("OggS".utf8), Array("ID3\u{3}".utf8),
      ]
      let content =
        magic[seed % 5] + (0..<Int.random(in: 1...5000, using: &noise)).map { _ in .random(in: 0...255, using: &noise) }
      let path = try folder.write(content, to: "random")
      if let file = try? AudioFile(path: path) { _ = try? decodeRest(of: file, atMost: 100_000) }
      _ = Sniffer.holdsSound(path)
    }
  }
}

private enum StreamFormatLimits {
  static func hold(_ format: StreamFormat) -> Bool {
    100...1_000_000 ~= format.rate.hertz && 1...64 ~= format.channelCount
      && format.speakers.count == format.channelCount
  }
}
