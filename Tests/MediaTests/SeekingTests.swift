import Glibc
import Media
import Sound
import System
import TestSupport
import Testing

@Suite struct SeekingTests {
  @Test(arguments: Coding.sought)
  func `after a seek comes what a linear decode has there`(_ coding: Coding) throws {
    let folder = try TemporaryFolder()
    let path = try folder.encode(
      testSound(seconds: 6, rate: coding.rate), hertz: coding.rate, coding.arguments, as: coding.name)
    let misses = try misses(path, tolerance: coding.seekTolerance)
    #expect(misses == [])
  }

  @Test(arguments: SpeechFile.all)
  func `after a seek in speech comes what a linear decode has there`(_ speech: SpeechFile) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(speech.bytes, to: speech.name)
    let linear = try decode(path)
    #expect(linear.count == 1 && linear[0].count == 6 * speech.hertz)
    let misses = try misses(path, tolerance: speech.tolerance)
    #expect(misses == [])
  }

  /// Where seeks in a file lead to something else than a linear decode.
  private func misses(_ path: PathBytes, tolerance: Float) throws -> [String] {
    let file = try AudioFile(path: path)
    let linear = try decodeRest(of: file)
    let end = linear[0].count
    var noise = Noise(seed: 42)
    let targets = [0, 1, end - 1, end / 2, 0] + (0..<40).map { _ in Int.random(in: 0..<end, using: &noise) }
    var misses: [String] = []
    // One that was read through, another of the same open file, and one that nobody has read.
    let others = try [AudioFile(again: file, cancellation: Cancellation()), AudioFile(path: path)]
    for (name, file) in zip(["read", "told", "fresh"], [file] + others) {
      for target in targets {
        try file.seek(to: FrameIndex(target))
        let part = try decodeRest(of: file, blocks: 512, atMost: 1024)
        let count = min(1024, end - target)
        let worst = zip(part, linear).map { part, linear in
          zip(part.prefix(count), linear[target...]).map { abs($0 - $1) }.max() ?? 0
        }.max()!
        if part[0].count < count || worst > tolerance {
          misses.append("\(name) at \(target): \(part[0].count) frames, off by \(worst)")
        }
      }
    }
    return misses
  }

  /// Clicks in soft noise make Vorbis change the length of its blocks all the time.
  @Test(arguments: [("clicks.ogg", 44100), ("clicks.webm", 44100), ("clicks.mka", 48000)])
  func `blocks of changing length are counted rightly after a seek`(_ name: String, _ rate: Int) throws {
    let folder = try TemporaryFolder()
    let frames = 20 * rate
    var sound = Signal.noise(seed: 3, frames: frames, amplitude: 0.01)
    for click in stride(from: 1_000, to: frames, by: 3_001) { sound[click] = 0.9 }
    let path = try folder.encode([sound, sound], hertz: rate, ["-c:a", "libvorbis", "-q:a", "5"], as: name)
    let read = try AudioFile(path: path)
    let linear = try decodeRest(of: read)[0]
    let fresh = try AudioFile(path: path)
    var noise = Noise(seed: 44)
    var misses: [Int] = []
    for _ in 0..<40 {
      let target = Int.random(in: 0..<(frames - 4_096), using: &noise)
      for file in [read, fresh] {
        try file.seek(to: FrameIndex(target))
        let part = try decodeRest(of: file, blocks: 512, atMost: 1_024)[0]
        if part.prefix(1_024) != linear[target..<(target + 1_024)] { misses.append(target) }
      }
    }
    #expect(misses == [])
  }

  @Test func `a seek beyond the end is the end, and before the beginning the beginning`() throws {
    let folder = try TemporaryFolder()
    for name in ["a.wav", "b.mp3", "c.flac", "d.ogg", "e.m4a"] {
      let path = try folder.encode(testSound(seconds: 2, rate: 44100), hertz: 44100, [], as: name)
      let file = try AudioFile(path: path)
      let block = SampleBlock(channelCount: 2, capacity: 512)
      try file.seek(to: FrameIndex(Int64.max / 8))
      #expect(try !file.read(into: block))
      let end = file.position
      try file.seek(to: FrameIndex(-5))
      #expect(file.position == .zero)
      let whole = try decodeRest(of: file)
      #expect(FrameIndex(whole[0].count) == end, "\(name)")
      try file.seek(to: end - FrameCount(10))
      #expect(try file.read(into: block))
      #expect(block.frameCount == 10)
    }
  }

  @Test(arguments: ["a.mp3", "b.flac", "c.m4a", "d.ogg"])
  func `a seek to where the file stands reads nothing`(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.encode(testSound(seconds: 5, rate: 44100), hertz: 44100, [], as: name)
    let linear = try decode(path)[0]
    let file = try AudioFile(path: path)
    // Whoever opened it anew would find it empty.
    #expect(path.withCPath { truncate($0, 0) } == 0)
    try file.seek(to: .zero)
    let start = try decodeRest(of: file, blocks: 256, atMost: 256)[0]
    #expect(start == Array(linear.prefix(256)))
  }

  @Test func `a seek in low-rate MP3 is heard at once, without silence while the bit reservoir fills`() throws {
    let folder = try TemporaryFolder()
    let noise = Signal.noise(seed: 1, frames: 44100 * 6, amplitude: 0.3)
    let path = try folder.encode([noise], hertz: 44100, ["-b:a", "32k"], as: "low.mp3")
    let file = try AudioFile(path: path)
    for target in stride(from: 44100, to: 44100 * 5, by: 30011) {
      try file.seek(to: FrameIndex(target))
      let start = try decodeRest(of: file, blocks: 441, atMost: 441)[0]
      #expect(start.map { $0 * $0 }.reduce(0, +) / 441 > 0.001)
    }
  }

  @Test func `a seek across damage and across a change of format still finds the same place`() throws {
    let folder = try TemporaryFolder()
    var content = try bytes(
      folder.encode(testSound(seconds: 6, rate: 44100), hertz: 44100, ["-b:a", "128k"], as: "a.mp3"))
    for i in 40000..<46000 { content[i] = 0 }
    let path = try folder.write(content, to: "hole.mp3")
    let file = try AudioFile(path: path)
    let linear = try decodeRest(of: file)
    for target in [44100, 120_000, 180_000, 200_000, 90_000] {
      try file.seek(to: FrameIndex(target))
      let part = try decodeRest(of: file, blocks: 512, atMost: 1024)
      #expect(part[0].prefix(1024) == linear[0][target..<(target + 1024)], "at \(target)")
    }
  }

  @Test func `streams of different kinds in one Ogg file are one track, exact in every place`() throws {
    let folder = try TemporaryFolder()
    let rising = testSound(seconds: 4, rate: 44100)
    let low = Signal.sine(hertz: 500, rate: 22050, frames: 3 * 22050, amplitude: 0.5)
    let high = Signal.sine(hertz: 2000, rate: 48000, frames: 3 * 48000, amplitude: 0.5)
    let links = try [
      folder.encode(rising, hertz: 44100, ["-c:a", "libvorbis", "-q:a", "6", "-serial_offset", "1"], as: "a.ogg"),
      folder.encode([low], hertz: 22050, ["-c:a", "libvorbis", "-serial_offset", "2"], as: "b.ogg"),
      folder.encode([high, high], hertz: 48000, ["-c:a", "libopus", "-serial_offset", "3"], as: "c.opus"),
      folder.encode(rising, hertz: 44100, ["-c:a", "flac", "-sample_fmt", "s16", "-serial_offset", "4"], as: "d.oga"),
    ]
    let path = try folder.write(links.flatMap { try bytes($0) }, to: "radio.ogg")
    let linear = try decode(path)
    #expect(linear.map(\.count) == [14 * 44100, 14 * 44100])
    let inside = { (seconds: Int) in linear[0][(seconds * 44100 + 4410)..<(seconds * 44100 + 4410 + 22050)] }
    #expect(abs(amplitude(of: 500, in: inside(5), rate: 44100) - 0.5) < 0.02)
    #expect(abs(amplitude(of: 2000, in: inside(8), rate: 44100) - 0.5) < 0.02)
    #expect(clearance(rising[0], Array(linear[0][(10 * 44100)...])) > Coding.lossless16)

    // A file that was not read before, from its end to its beginning.
    let file = try AudioFile(path: path)
    #expect(file.format.estimatedLength == FrameCount(14 * 44100))
    for target in stride(from: 13 * 44100 + 17, to: 0, by: -30_011) {
      try file.seek(to: FrameIndex(target))
      #expect(file.position == FrameIndex(target))
      let part = try decodeRest(of: file, blocks: 512, atMost: 1024)
      // What Opus and the filter make of the time before differs in the last bits.
      for channel in 0..<2 {
        #expect(
          zip(part[channel], linear[channel][target...]).prefix(1024).allSatisfy { abs($0 - $1) < 2e-3 }, "at \(target)"
        )
      }
    }
  }

  /// Of serial numbers of their own, or all of the same.
  @Test(arguments: [7, 0])
  func `in a long Ogg file the streams are found without reading all of it`(serials: Int) throws {
    let folder = try TemporaryFolder()
    let noise = Signal.noise(seed: 3, frames: 90 * 44100, amplitude: 0.9)
    let links = try (0..<3).map { link in
      try folder.encode(
        [noise, noise.reversed()], hertz: 44100,
        ["-c:a", "flac", "-sample_fmt", "s16", "-fflags", "+bitexact", "-serial_offset", "\(link * serials)"],
        as: "\(link).oga")
    }
    let content = try links.flatMap { try bytes($0) }
    #expect(content.count > 32 << 20)
    let file = try AudioFile(path: try folder.write(content, to: "long.oga"))
    #expect(file.format.estimatedLength == FrameCount(3 * 90 * 44100))
    for target in [44100 * 269, 44100 * 181 + 5, 44100 * 179 + 5, 7] {
      try file.seek(to: FrameIndex(target))
      let part = try decodeRest(of: file, blocks: 512, atMost: 512)
      let place = target % noise.count
      #expect(clearance(Array(noise[place..<(place + 512)]), part[0]) > Coding.lossless16, "at \(target)")
    }
  }
}
