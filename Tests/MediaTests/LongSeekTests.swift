import Sound
import System
import TestSupport
import Testing

@testable import Media

/// Seeks in long files without an index of their own.
@Suite struct LongSeekTests {
  static let codings = [
    Coding(name: "constant.mp3", arguments: ["-b:a", "64k", "-write_xing", "0", "-id3v2_version", "0"], clearance: 0),
    Coding(name: "varying.mp3", arguments: ["-q:a", "4", "-write_xing", "0", "-id3v2_version", "0"], clearance: 0),
    Coding(name: "bare.aac", arguments: ["-c:a", "aac", "-b:a", "64k", "-aac_pns", "0"], clearance: 0),
  ]
  private static let copies = 120

  /// A file of the same six seconds many times over, and what any of its copies but the first sounds like.
  private func long(_ coding: Coding, in folder: TemporaryFolder) throws -> (path: PathBytes, copy: [Float]) {
    let sound = [changing(frames: 6 * 24_000)]
    let short = try folder.encode(sound, hertz: 24_000, coding.arguments, as: "short." + coding.name)
    let piece = try bytes(short)
    let linear = try decode(folder.write(piece + piece + piece, to: "three." + coding.name))[0]
    let length = linear.count / 3
    var all: [UInt8] = []
    for _ in 0..<Self.copies { all += piece }
    // The first copy is not preceded by anything.
    return (
      try folder.write(all, to: coding.name),
      Array(linear[length..<(2 * length)])
    )
  }

  private func changing(frames: Int) -> [Float] {
    let noise = Signal.noise(seed: 5, frames: frames, amplitude: 0.2)
    let sweep = Signal.sweep(from: 200, to: 4_000, rate: 24_000, frames: frames, amplitude: 0.5)
    return zip(noise, sweep).map { $0 + $1 }
  }

  @Test(arguments: codings)
  func `the first far seek is exact`(_ coding: Coding) throws {
    let folder = try TemporaryFolder()
    let (path, copy) = try long(coding, in: folder)
    var noise = Noise(seed: 9)
    for share in [0.95, 0.5, 0.99] + (0..<12).map({ _ in Double.random(in: 0.01..<0.99, using: &noise) }) {
      let file = try AudioFile(path: path)
      let target = Int(share * Double(Self.copies * copy.count))
      try file.seek(to: FrameIndex(target))
      let part = try decodeRest(of: file, blocks: 512, atMost: 1_024)[0]
      let truth = (0..<1_024).map { copy[(target + $0) % copy.count] }
      #expect(part.prefix(1_024).elementsEqual(truth), "at \(target)")
    }
  }

  @Test func `a constant bit rate is reckoned with, and the file is not read through`() throws {
    let folder = try TemporaryFolder()
    let (path, copy) = try long(Self.codings[0], in: folder)
    let size = try Files.status(of: path).size
    let source = try ByteSource(path: path, cancellation: Cancellation())
    let guess = try #require(Probe.guess(source))
    let reader = try StreamReader(source: source, container: guess.format, places: SharedPlaces())
    let before = source.bytesRead
    let target = Int64(Self.copies - 2) * Int64(copy.count)
    try reader.seek(to: target)
    #expect(reader.position == target)
    #expect(source.bytesRead - before < 2 << 20 && size > 5 << 20)
  }

  @Test func `a constant bit rate with something in between is not reckoned with, nor misleads a seek`() throws {
    let folder = try TemporaryFolder()
    let (whole, _) = try long(Self.codings[0], in: folder)
    var content = try Array(bytes(whole).prefix(3_000_000))
    // Behind what tells that the bit rate is constant.
    content.replaceSubrange(1_200_000..<1_200_000, with: Array(repeating: 0x55, count: 3_333))
    let broken = try folder.write(content, to: "broken.mp3")
    for (path, isReckoned) in [(whole, true), (broken, false)] {
      let source = try ByteSource(path: path, cancellation: Cancellation())
      let first = try #require(FrameSync.find(in: source.bytes(at: 0, count: 4_096)))
      let start = FrameWalk(
        from: Int64(first.place), timestamp: 0, ticksOfSecond: 14_112_000, ticks: 0, in: source)
      var walk = try #require(start)
      let goesOn = walk.advance(in: source)
      #expect(goesOn)
      #expect((walk.guess(around: 300 * 14_112_000, in: source) != nil) == isReckoned)
    }
    let file = try AudioFile(path: broken)
    let linear = try decodeRest(of: file)[0]
    for target in [5_000_000, 8_000_000, 3_600_000, 3_500_000] {
      try file.seek(to: FrameIndex(target))
      let part = try decodeRest(of: file, blocks: 512, atMost: 1_024)[0]
      #expect(part.prefix(1_024).elementsEqual(linear[target..<(target + 1_024)]), "at \(target)")
    }
  }

  @Test func `a walk follows frames to their end, and tells where they lie`() throws {
    let folder = try TemporaryFolder()
    let (path, _) = try long(Self.codings[1], in: folder)
    let places = SharedPlaces()
    let source = try ByteSource(path: path, cancellation: Cancellation())
    let reader = try StreamReader(
      source: source, container: #require(Probe.guess(source)).format, places: places)
    // The first word counts.
    places.begin(nil)
    #expect(reader.position == 0 && places.canWalk)
    places.walkThrough(source)
    let before = source.bytesRead
    let known = places.places(around: 600 * 14_112_000, in: source)
    #expect(known.count == 2 && source.bytesRead == before)
    for place in known { #expect(FrameSync.header(source.bytes(at: place.byte, count: 8)) != nil) }
  }
}

/// MPEG-4 files in whose time stamps a second is missing, though their packets follow each other.
@Suite struct MissingTimeTests {
  @Test(arguments: [
    ("gap.m4a", ["-c:a", "aac", "-b:a", "128k", "-aac_pns", "0"]), ("gap.alac.m4a", ["-c:a", "alac"]),
    (
      "pieces.m4a",
      [
        "-c:a", "aac", "-b:a", "128k", "-aac_pns", "0", "-movflags", "frag_keyframe+empty_moov", "-frag_duration",
        "500000",
      ]
    ),
  ])
  func `length, sound and seeks count what is there`(name: String, arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let path = try folder.encode(
      testSound(seconds: 8, rate: 44_100), hertz: 44_100, ["-af", "aselect='not(between(t,2,3))'"] + arguments, as: name
    )
    let file = try AudioFile(path: path)
    let linear = try decodeRest(of: file)
    let end = linear[0].count
    #expect(abs(end - 7 * 44_100) < 4_096)
    var noise = Noise(seed: 3)
    let fresh = try name == "pieces.m4a" ? AudioFile(again: file, cancellation: Cancellation()) : AudioFile(path: path)
    var misses: [Int] = []
    for _ in 0..<40 {
      let target = Int.random(in: 0..<(end - 1_024), using: &noise)
      for file in [file, fresh] {
        try file.seek(to: FrameIndex(target))
        let part = try decodeRest(of: file, blocks: 512, atMost: 1_024)
        if part[0].prefix(1_024) != linear[0][target..<(target + 1_024)] { misses.append(target) }
      }
    }
    #expect(misses == [])
  }
}
