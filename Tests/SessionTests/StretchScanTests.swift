import Foundation
import Media
import Sound
import System
import TestSupport
import Testing

@testable import Session

/// A coding that may be cut into stretches.
struct CutCoding: Sendable, CustomTestStringConvertible {
  var name: String
  var arguments: [String]
  var rate = 44_100
  /// Whether a jump gives what one reader decodes, so that nothing is decoded twice.
  var isExact = true
  var testDescription: String { name }

  static let all = [
    CutCoding(name: "s16.wav", arguments: ["-c:a", "pcm_s16le"]),
    CutCoding(name: "f32.wav", arguments: ["-c:a", "pcm_f32le"]),
    CutCoding(name: "s24.aiff", arguments: ["-c:a", "pcm_s24be"]),
    CutCoding(name: "s16.w64", arguments: ["-c:a", "pcm_s16le"]),
    CutCoding(name: "s16.caf", arguments: ["-c:a", "pcm_s16be"]),
    CutCoding(name: "16.flac", arguments: ["-sample_fmt", "s16"]),
    CutCoding(name: "alac.m4a", arguments: ["-c:a", "alac"]),
    CutCoding(name: "pack.wv", arguments: ["-sample_fmt", "s16p"]),
    CutCoding(name: "true.tta", arguments: ["-sample_fmt", "s16"]),
    CutCoding(name: "cbr.mp3", arguments: ["-b:a", "192k"]),
    CutCoding(name: "low.mp3", arguments: ["-b:a", "32k"]),
    CutCoding(name: "vbr.mp3", arguments: ["-q:a", "3"]),
    CutCoding(name: "bare.mp3", arguments: ["-q:a", "3", "-write_xing", "0"]),
    CutCoding(name: "aac.m4a", arguments: ["-b:a", "160k", "-aac_pns", "0"]),
    CutCoding(name: "vorbis.ogg", arguments: ["-c:a", "libvorbis", "-q:a", "5"]),
    CutCoding(name: "flac.oga", arguments: ["-c:a", "flac", "-sample_fmt", "s16"]),
    CutCoding(name: "opus.opus", arguments: ["-c:a", "libopus", "-b:a", "96k"], rate: 48_000, isExact: false),
  ]
}

@Suite struct StretchScanTests {
  let folder = try! TemporaryFolder()
  /// Some 10 s.
  static let sound = changingSound(frames: 453_245, rate: 44_100)

  @Test(arguments: CutCoding.all)
  func `a scan in stretches equals one from start to end, to the last bit`(_ coding: CutCoding) throws {
    let path = try folder.encode(Self.sound, hertz: coding.rate, coding.arguments, as: coding.name)
    let serial = try #require(ScanResult(path, workers: 1).pyramid)
    for inTurn in [false, true] {
      let parallel = try ScanResult(path, workers: inTurn ? 2 : 3, inTurn: inTurn)
      let pyramid = try #require(parallel.pyramid)
      #expect(serial.isComplete && pyramid.isComplete && pyramid.length == serial.length)
      #expect(parallel.failure == nil && parallel.skipped == 0)
      #expect(bits(pyramid) == bits(serial))
      if inTurn, coding.isExact { #expect(parallel.jumps == 1) }
    }
  }

  @Test func `noise that AAC made up differs, and nothing else`() throws {
    let frames = Self.sound[0].count
    let path = try folder.encode(
      Self.sound, hertz: 44_100, ["-b:a", "96k", "-aac_pns", "1"], as: "pns.m4a")
    let serial = try #require(ScanResult(path, workers: 1).pyramid)
    let parallel = try #require(ScanResult(path, workers: 3).pyramid)
    #expect(parallel.isComplete && parallel.length == serial.length)
    for channel in 0..<2 {
      for start in stride(from: 0, to: frames, by: 4_096) {
        let (from, to) = (FrameIndex(start), FrameIndex(start + 4_096))
        let a = try #require(serial.peak(channel: channel, from: from, to: to))
        let b = try #require(parallel.peak(channel: channel, from: from, to: to))
        #expect(abs(a.rms - b.rms) < 0.02 && abs(a.high - b.high) < 0.2 && abs(a.low - b.low) < 0.2)
      }
    }
  }

  /// What a jump finds there is not the sound of that place: whoever comes from before must notice.
  @Test(arguments: [1, 2, 3])
  func `where jumps lead astray the scan is still the one from start to end`(seed: UInt64) throws {
    let source = try folder.encode(
      Self.sound, hertz: 44_100, ["-b:a", "128k"], as: "whole.mp3")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: source.shown)))
    // Stretches cut out and others of zeros: time stamps by place in the file are wrong from there on.
    var noise = Noise(seed: seed)
    for _ in 0..<4 {
      let start = Int.random(in: 4_096..<(bytes.count - 20_000), using: &noise)
      let count = Int.random(in: 1_000..<15_000, using: &noise)
      if Bool.random(using: &noise) {
        bytes.removeSubrange(start..<(start + count))
      } else {
        bytes.replaceSubrange(start..<(start + count), with: repeatElement(0, count: count))
      }
    }
    let path = try folder.write(bytes, to: "damaged\(seed).mp3")
    let serial = try ScanResult(path, workers: 1)
    let parallel = try ScanResult(path, workers: 3)
    #expect(parallel.pyramid?.length == serial.pyramid?.length)
    #expect(parallel.pyramid.map(bits) == serial.pyramid.map(bits))
  }

  @Test(arguments: [Int64(40_000), 300_000, 3_000_000])
  func `a length that was told wrongly changes nothing`(length: Int64) throws {
    let path = try folder.encode(
      Self.sound, hertz: 44_100, ["-c:a", "flac"], as: "length.flac")
    let serial = try #require(ScanResult(path, workers: 1).pyramid)
    let parallel = try #require(ScanResult(path, workers: 4, length: FrameCount(length)).pyramid)
    #expect(parallel.isComplete && parallel.length == serial.length && bits(parallel) == bits(serial))
  }

  @Test func `a sound that comes twice is not taken for the same one`() throws {
    let path = try folder.encode(Self.sound, hertz: 44_100, ["-c:a", "flac", "-sample_fmt", "s16"], as: "once.flac")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path.shown)))
    // The second copy's frames have the numbers of the first.
    let twice = try folder.write(bytes + bytes, to: "twice.flac")
    let serial = try #require(ScanResult(twice, workers: 1).pyramid)
    #expect(serial.length > FrameCount(Self.sound[0].count * 3 / 2))
    for inTurn in [false, true] {
      let parallel = try #require(ScanResult(twice, workers: inTurn ? 2 : 3, inTurn: inTurn).pyramid)
      #expect(parallel.length == serial.length && bits(parallel) == bits(serial))
    }
  }

  @Test func `a long silence is scanned like everything else`() throws {
    let sound = changingSound(frames: 44_100 * 4, rate: 44_100)
    let silent = sound.map { $0 + Array(repeating: 0, count: 44_100 * 8) + $0 }
    let path = try folder.encode(silent, hertz: 44_100, ["-c:a", "flac", "-sample_fmt", "s16"], as: "silence.flac")
    let serial = try #require(ScanResult(path, workers: 1).pyramid)
    let parallel = try #require(ScanResult(path, workers: 3).pyramid)
    #expect(parallel.length == serial.length && bits(parallel) == bits(serial))
  }

  @Test func `what cannot be cut says so`() throws {
    let sound = changingSound(frames: 44_100 * 2, rate: 44_100)
    for (name, arguments) in [
      ("matroska.mka", ["-c:a", "flac"]), ("windows.wma", ["-c:a", "wmav2"]), ("dolby.ac3", ["-b:a", "192k"]),
      ("bare.aac", ["-b:a", "128k"]), ("adpcm.wav", ["-c:a", "adpcm_ima_wav"]),
    ] {
      let file = try AudioFile(path: folder.encode(sound, hertz: 44_100, arguments, as: name))
      #expect(file.cutRule == .never, "\(name)")
      #expect(ScanPlan(file: file, cores: 8).workers == 1)
    }
  }

  @Test func `a second reader reads the file that was opened, whatever has taken its path`() throws {
    let path = try folder.write(WaveFile.float32([Signal.noise(seed: 1, frames: 10_000)], hertz: 44_100), to: "a.wav")
    let first = try AudioFile(path: path)
    let other = try folder.write(WaveFile.float32([Array(repeating: 0, count: 20_000)], hertz: 44_100), to: "b.wav")
    try Files.rename(other, to: path)
    let second = try AudioFile(again: first, cancellation: Cancellation())
    let block = SampleBlock(channelCount: 1, capacity: 20_000)
    #expect(try second.read(into: block))
    #expect(Array(block.channel(0)) == Signal.noise(seed: 1, frames: 10_000))
  }
}

@Suite struct ScanPlanTests {
  @Test func `a plan cuts as finely as pays and no finer`() {
    func plan(_ seconds: Int, preroll: Int64 = 22_050, channels: Int = 2, cores: Int = 2) -> ScanPlan {
      ScanPlan(
        rule: .whereSamplesMeet, length: FrameCount(seconds * 44_100), preroll: FrameCount(preroll),
        channelCount: channels, cores: cores)
    }
    #expect(plan(5).workers == 1 && plan(5).jumps == 1)
    #expect(plan(240).workers == 2 && plan(240).stretchFrames >= 16 * 22_050 - Int64(StretchBoard.blockFrames))
    #expect(plan(36_000).stretchFrames == 1 << 21)
    #expect(plan(36_000, cores: 64).workers == 64)
    #expect(plan(36_000, channels: 64).stretchFrames == 1 << 17)
    #expect(plan(3_600, cores: 1).workers == 1)
    for seconds in [1, 7, 60, 1_000, 100_000] {
      let plan = plan(seconds, cores: 4)
      #expect(plan.stretchFrames % Int64(StretchBoard.blockFrames) == 0 && plan.stretchFrames > 0)
      #expect(plan.workers <= plan.jumps)
    }
    let unknown = ScanPlan(rule: .anywhere, length: nil, preroll: .zero, channelCount: 1, cores: 8)
    let never = ScanPlan(
      rule: .never, length: FrameCount(1 << 30), preroll: .zero, channelCount: 1, cores: 8)
    #expect(unknown.workers == 1 && unknown.jumps == 1 && never == unknown)
  }
}
