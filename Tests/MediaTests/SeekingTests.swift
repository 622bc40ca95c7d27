import Media
import Sound
import TestSupport
import Testing

@Suite struct SeekingTests {
  @Test(arguments: Coding.all)
  func `after a seek comes what a linear decode has there`(_ coding: Coding) throws {
    let folder = try TemporaryFolder()
    let path = try folder.encode(
      testSound(seconds: 6, rate: coding.rate), hertz: coding.rate, coding.arguments, as: coding.name)
    let file = try AudioFile(path: path)
    let linear = try decodeRest(of: file)
    let end = linear[0].count
    var noise = Noise(seed: 42)
    let targets = [0, 1, end - 1, end / 2, 0] + (0..<12).map { _ in Int.random(in: 0..<end, using: &noise) }
    let fresh = try AudioFile(path: path)
    var misses: [String] = []
    for target in targets {
      // The file that was read through knows every place; a fresh one does where its container counts in samples.
      for (name, file) in coding.seeksAtOnce ? [("read", file), ("fresh", fresh)] : [("read", file)] {
        try file.seek(to: FrameIndex(target))
        let part = try decodeRest(of: file, blocks: 512, atMost: 2048)
        let count = min(2048, end - target)
        let worst = zip(part, linear).map { part, linear in
          zip(part.prefix(count), linear[target...]).map { abs($0 - $1) }.max() ?? 0
        }.max()!
        if part[0].count < count || worst > coding.seekTolerance {
          misses.append("\(name) at \(target): \(part[0].count) frames, off by \(worst)")
        }
      }
    }
    #expect(misses == [])
  }

  /// Clicks in soft noise make Vorbis change the length of its blocks all the time.
  @Test func `blocks of changing length are counted rightly after a seek`() throws {
    let folder = try TemporaryFolder()
    let frames = 20 * 44100
    var sound = Signal.noise(seed: 3, frames: frames, amplitude: 0.01)
    for click in stride(from: 1_000, to: frames, by: 3_001) { sound[click] = 0.9 }
    let path = try folder.encode([sound, sound], hertz: 44100, ["-c:a", "libvorbis", "-q:a", "5"], as: "clicks.ogg")
    let read = try AudioFile(path: path)
    let linear = try decodeRest(of: read)[0]
    let fresh = try AudioFile(path: path)
    var noise = Noise(seed: 44)
    var misses: [Int] = []
    for _ in 0..<40 {
      let target = Int.random(in: 0..<(frames - 2_048), using: &noise)
      for file in [read, fresh] {
        try file.seek(to: FrameIndex(target))
        let part = try decodeRest(of: file, blocks: 512, atMost: 1_024)[0]
        if part.prefix(1_024) != linear[target..<(target + 1_024)] { misses.append(target) }
      }
    }
    #expect(misses == [])
  }

  @Test(arguments: Coding.all.filter { !$0.seeksAtOnce })
  func `a coarse clock is at most two milliseconds off on a file that was never read through`(_ coding: Coding) throws {
    let folder = try TemporaryFolder()
    let path = try folder.encode(
      testSound(seconds: 6, rate: coding.rate), hertz: coding.rate, coding.arguments, as: coding.name)
    let linear = try decode(path)
    let file = try AudioFile(path: path)
    try file.seek(to: FrameIndex(4 * coding.rate))
    let part = try decodeRest(of: file, blocks: 512, atMost: 2048)[0]
    let reach = coding.rate / 500
    let best = (-reach...reach).max { a, b in
      clearance(Array(linear[0][(4 * coding.rate + a)...].prefix(2048)), part)
        < clearance(Array(linear[0][(4 * coding.rate + b)...].prefix(2048)), part)
    }!
    #expect(clearance(Array(linear[0][(4 * coding.rate + best)...].prefix(2048)), part) > 30)
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
}
