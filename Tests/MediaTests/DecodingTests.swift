import Media
import Sound
import System
import TestSupport
import Testing

@Suite struct DecodingTests {
  @Test(arguments: Coding.all)
  func `a decoded file is the sound that was encoded`(_ coding: Coding) throws {
    let folder = try TemporaryFolder()
    let sound = testSound(seconds: 3, rate: coding.rate)
    let path = try folder.encode(sound, hertz: coding.rate, coding.arguments, as: coding.name)
    let file = try AudioFile(path: path)
    #expect(file.format.rate == SampleRate(hertz: coding.rate))
    #expect(file.format.channelNames == ["L", "R"])
    #expect(file.format.layoutName == "stereo")
    let decoded = try decodeRest(of: file)
    #expect(coding.extra.contains(decoded[0].count - sound[0].count))
    #expect(file.position == FrameIndex(decoded[0].count))
    #expect(file.skippedStretches == 0)
    for (original, copy) in zip(sound, decoded) { #expect(clearance(original, copy) > coding.clearance) }
    // The sides are not exchanged, and nothing is louder or softer.
    let tone = decoded[1][4410..<(4410 + coding.rate)]
    #expect(abs(amplitude(of: 1000, in: tone, rate: coding.rate) - 0.25) < 0.02)
    #expect(amplitude(of: 1000, in: decoded[0][0..<coding.rate], rate: coding.rate) < 0.1)
  }

  @Test(arguments: [1, 7, 1000, 1_000_000])
  func `the size of the blocks does not matter`(size: Int) throws {
    let folder = try TemporaryFolder()
    let sound = testSound(seconds: 0.3, rate: 44100)
    for (name, arguments) in [("a.flac", ["-sample_fmt", "s16"]), ("b.mp3", ["-b:a", "128k"]), ("c.wav", [])] {
      let path = try folder.encode(sound, hertz: 44100, arguments, as: name)
      #expect(try decode(path, blocks: size) == decode(path))
    }
  }

  @Test func `the length is told before, exactly where it is counted`() throws {
    let folder = try TemporaryFolder()
    let sound = testSound(seconds: 2, rate: 44100)
    let wave = try AudioFile(path: folder.encode(sound, hertz: 44100, [], as: "a.wav"))
    #expect(wave.format.estimatedLength == FrameCount(88200) && wave.format.lengthIsExact)
    for (name, slack) in [("b.flac", 0), ("c.mp3", 1200), ("d.ogg", 0), ("e.m4a", 50)] {
      let file = try AudioFile(path: folder.encode(sound, hertz: 44100, [], as: name))
      let length = try #require(file.format.estimatedLength)
      #expect(abs(length.rawValue - 88200) <= slack, "\(name)")
      #expect(!file.format.lengthIsExact)
    }
  }

  @Test func `a format is summed up in one line`() throws {
    let folder = try TemporaryFolder()
    let sound = testSound(seconds: 0.2, rate: 44100)
    let expected = [
      ("a.wav", ["-c:a", "pcm_s24le"], "WAV · 44.1 kHz · 24-bit · stereo"),
      ("b.flac", ["-sample_fmt", "s16"], "FLAC · 44.1 kHz · 16-bit · stereo"),
      ("c.mp3", ["-b:a", "128k"], "MP3 · 44.1 kHz · stereo"),
      ("d.m4a", ["-c:a", "alac", "-ac", "1", "-sample_fmt", "s16p"], "ALAC · 44.1 kHz · 16-bit · mono"),
      ("e.ogg", ["-c:a", "libvorbis", "-ar", "8000"], "Vorbis · 8 kHz · stereo"),
      ("f.wav", ["-c:a", "pcm_f32le", "-ar", "500"], "WAV · 500 Hz · 32-bit · stereo"),
    ]
    for (name, arguments, summary) in expected {
      let file = try AudioFile(path: folder.encode(sound, hertz: 44100, arguments, as: name))
      #expect(file.format.summary == summary)
    }
  }

  @Test func `a file that changes its rate in the middle is heard in the rate it began with`() throws {
    let folder = try TemporaryFolder()
    let tone = Signal.sine(hertz: 1000, rate: 44100, frames: 44100, amplitude: 0.5)
    let first = try folder.encode([tone, tone], hertz: 44100, ["-c:a", "libvorbis"], as: "1.ogg")
    let second = try folder.encode(
      [tone], hertz: 44100, ["-c:a", "libvorbis", "-ar", "22050", "-ac", "1"], as: "2.ogg")
    let chained = try folder.write(try bytes(first) + bytes(second), to: "chained.ogg")
    let decoded = try decode(chained)
    #expect(decoded.count == 2)

    #expect(decoded[0].count == 88200)
    for part in [decoded[0][10000..<32050], decoded[1][60000..<82050]] {
      #expect(abs(amplitude(of: 1000, in: part, rate: 44100) - 0.5) < 0.03)
    }
  }

  @Test(arguments: [("vorbis", "libvorbis", 44100), ("opus", "libopus", 48000), ("flac", "flac", 44100)])
  func `files joined to one are heard whole, without a frame more or less`(_ name: String, _ codec: String, _ rate: Int)
    throws
  {
    let folder = try TemporaryFolder()
    let sound = testSound(seconds: 1.1, rate: rate)
    let one = try folder.encode(sound, hertz: rate, ["-c:a", codec], as: name + ".ogg")
    let single = try decode(one)
    #expect(single[0].count == sound[0].count)
    let file = try AudioFile(path: folder.write(try bytes(one) + bytes(one), to: "joined.ogg"))
    let joined = try decodeRest(of: file)
    #expect(file.skippedStretches == 0)
    #expect(joined[0].count == 2 * sound[0].count)
    for (channel, samples) in joined.enumerated() {
      #expect(clearance(single[channel], Array(samples.dropFirst(sound[0].count))) > 60)
    }
  }

  @Test(arguments: [0, 7, 3000, 100_000])
  func `junk in front of MP3 changes neither its length nor its words`(junk: Int) throws {
    let folder = try TemporaryFolder()
    let path = try folder.encode(
      testSound(seconds: 3, rate: 44100), hertz: 44100, ["-b:a", "128k", "-metadata", "title=Behind junk"], as: "a.mp3")
    let plain = try bytes(path)
    // The tag's length has seven bits in each byte.
    let tag = 10 + plain[6..<10].reduce(0) { $0 << 7 | Int($1) }
    var noise = Noise(seed: 11)
    let between = (0..<junk).map { _ in UInt8.random(in: 1...0xFE, using: &noise) }
    let linear = try decode(path)
    #expect(linear[0].count == 3 * 44100)
    for content in [plain[..<tag] + between + plain[tag...], between + plain[tag...]] {
      let file = try AudioFile(path: folder.write(Array(content), to: "b.mp3"))
      #expect(try decodeRest(of: file) == linear)
      try file.seek(to: FrameIndex(100_000))
      #expect(try decodeRest(of: file)[0] == Array(linear[0][100_000...]))
      if content.starts(with: "ID3".utf8) { #expect(file.tags.title == "Behind junk") }
    }
  }

  @Test(arguments: ["adpcm_ima_wav", "adpcm_ms"])
  func `the last block of ADPCM in WAV ends where the file says`(_ codec: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.encode(testSound(seconds: 1, rate: 44100), hertz: 44100, ["-c:a", codec], as: "a.wav")
    let whole = try decode(path)
    var content = try bytes(path)
    let fact = try #require((0..<200).first { content[$0..<($0 + 4)].elementsEqual("fact".utf8) })
    // Of so many frames; and one that says too little by more than a block, which is not believed.
    for (count, expected) in [(44100, 44100), (whole[0].count - 1, whole[0].count - 1), (30_000, whole[0].count)] {
      content.replaceSubrange((fact + 8)..<(fact + 12), with: (0..<4).map { UInt8(count >> (8 * $0) & 0xFF) })
      let file = try AudioFile(path: folder.write(content, to: "b.wav"))
      #expect(try decodeRest(of: file) == whole.map { Array($0.prefix(expected)) })
      try file.seek(to: FrameIndex(expected - 10))
      #expect(try decodeRest(of: file)[0].count == 10)
    }
  }

  @Test func `an ID3v1 tag behind FLAC is no damage`() throws {
    let folder = try TemporaryFolder()
    let sound = testSound(seconds: 0.5, rate: 44100)
    let plain = try folder.encode(sound, hertz: 44100, ["-sample_fmt", "s16"], as: "a.flac")
    let tagged = try folder.write(
      try bytes(plain) + Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125), to: "b.flac")
    let file = try AudioFile(path: tagged)
    #expect(try decodeRest(of: file) == decode(plain))
    #expect(file.skippedStretches == 0)
  }

  @Test func `a broken stretch is left out and counted, and the sound goes on`() throws {
    let folder = try TemporaryFolder()
    let sound = testSound(seconds: 3, rate: 44100)
    for (name, arguments) in [("a.flac", ["-sample_fmt", "s16"]), ("b.mp3", ["-b:a", "128k"])] {
      var content = try bytes(folder.encode(sound, hertz: 44100, arguments, as: name))
      var noise = Noise(seed: 3)
      let middle = content.count / 2
      for i in middle..<(middle + 9000) { content[i] = .random(in: 0...255, using: &noise) }
      let file = try AudioFile(path: folder.write(content, to: "broken-" + name))
      let decoded = try decodeRest(of: file)
      #expect(decoded[0].count > 44100 * 2)
      #expect(file.skippedStretches > 0)
      let skip = try #require(file.lastSkip)
      #expect(skip.position.rawValue > 44100 && skip.position.rawValue < 2 * 44100 + 4096)
      // The end is whole.
      #expect(abs(amplitude(of: 1000, in: decoded[1].suffix(22050), rate: 44100) - 0.25) < 0.02)
    }
  }

  @Test func `reading ends when it is cancelled`() throws {
    let folder = try TemporaryFolder()
    for name in ["a.wav", "b.mp3"] {
      let path = try folder.encode(testSound(seconds: 30, rate: 44100), hertz: 44100, [], as: name)
      let cancellation = Cancellation()
      let file = try AudioFile(path: path, cancellation: cancellation)
      let block = SampleBlock(channelCount: 2, capacity: 4096)
      #expect(try file.read(into: block))
      cancellation.cancel()
      #expect(throws: MediaError.cancelled(path)) { while try file.read(into: block) {} }
    }
  }
}

/// The bytes of a file.
func bytes(_ path: PathBytes) throws -> [UInt8] { try Files.read(path) }
