import Control
import Library
import Media
import Session
import Sound
import System
import TestSupport
import Testing

/// The feed opens its gate in 240 frames: from there on samples are what the file holds.
private let rampFrames = 240

/// A coding, and how far a sample that is decoded after a seek may lie from the same in a decode from the start.
struct LoopCoding: Sendable, CustomTestStringConvertible {
  var name: String
  var arguments: [String]
  var tolerance: Float = 0
  var testDescription: String { name }

  static let all = [
    LoopCoding(name: "a.wav", arguments: ["-c:a", "pcm_s16le"]),
    LoopCoding(name: "a.flac", arguments: ["-sample_fmt", "s16"]),
    LoopCoding(name: "a.mp3", arguments: ["-b:a", "192k"]),
    LoopCoding(name: "a.m4a", arguments: ["-b:a", "160k", "-aac_pns", "0"]),
    LoopCoding(name: "a.ogg", arguments: ["-c:a", "libvorbis", "-q:a", "5"]),
    // Its decoder comes nearer to itself the longer it runs (RFC 7845, section 4.6).
    LoopCoding(name: "a.opus", arguments: ["-c:a", "libopus", "-b:a", "128k"], tolerance: 2e-3),
  ]
}

@Suite struct RegionTests {
  private static let frames = 3 * 48_000
  private static let sound = changingSound(frames: frames, rate: 48_000)

  private func flags(_ range: Range<Int>) -> PlayerCommand {
    .setFlags(RegionFlags(FrameIndex(range.lowerBound)..<FrameIndex(range.upperBound)))
  }

  /// Sets a region so near that the deck begins anew, and waits for that.
  private func set(_ range: Range<Int>, _ rig: PlayerRig) { rig.seek(flags(range)) }

  /// All frames of a file's first channel, by one reader from start to end.
  private func decoded(_ path: PathBytes) throws -> [Float] {
    let file = try AudioFile(path: path)
    let block = SampleBlock(channelCount: file.format.channelCount, capacity: 4096)
    var samples: [Float] = []
    while try file.read(into: block) { samples += block.channel(0) }
    return samples
  }

  /// The places of the track in the order in which a region is heard from a place on.
  private func places(from start: Int, _ region: Range<Int>, count: Int) -> [Int] {
    var at = start
    return (0..<count).map { _ in
      defer {
        at += 1
        if at == region.upperBound { at = region.lowerBound }
      }
      return at
    }
  }

  /// How what was heard differs from these frames of a file; nil when it does not.
  private func difference(
    _ rig: PlayerRig, from start: Int, to samples: [Float], at places: [Int], tolerance: Float = 0
  ) -> Int? {
    firstDifference(
      rig.left[(start + rampFrames)..<(start + places.count)], places.dropFirst(rampFrames).map { samples[$0] },
      tolerance: tolerance)
  }

  @Test(arguments: LoopCoding.all)
  func `a region goes round to the sample`(_ coding: LoopCoding) throws {
    let folder = try TemporaryFolder()
    let path = try folder.encode(Self.sound, hertz: 48_000, coding.arguments, as: coding.name)
    let samples = try decoded(path)
    for region in [60_000..<60_001, 60_000..<60_480, 52_345..<76_543] {
      let rig = PlayerRig()
      var options = StartOptions()
      options.startFrame = FrameIndex(48_000)
      options.plays = false
      #expect(rig.open(path, options: options))
      set(region, rig)
      rig.player.obey(.play)
      rig.play(seconds: 2.2)
      let start = try #require(rig.left.firstIndex { $0 != 0 })
      let heard = places(from: 48_000, region, count: 100_000)
      #expect(difference(rig, from: start, to: samples, at: heard, tolerance: coding.tolerance) == nil)
      #expect(rig.player.snapshot.flags.region == FrameIndex(region.lowerBound)..<FrameIndex(region.upperBound))
      #expect(rig.player.snapshot.flags.region!.contains(rig.player.snapshot.position))
    }
  }

  @Test func `a region too long to be kept is sought again each time, and joins to the sample`() throws {
    let rig = PlayerRig()
    let many = (0..<64).map { _ in [Float](repeating: 0, count: 80_000) }
    var channels = many
    channels[0] = Signal.noise(seed: 3, frames: 80_000, amplitude: 0.5)
    let path = rig.wave("64.wav", channels)
    var options = StartOptions()
    options.plays = false
    #expect(rig.open(path, options: options))
    // 64 channels of 66,000 frames are more samples than are kept.
    rig.player.obey(flags(5_000..<71_000))
    rig.player.obey(.play)
    rig.play(seconds: 2)
    let start = try #require(rig.left.firstIndex { $0 != 0 })
    let places = places(from: 0, 5_000..<71_000, count: 90_000)
    let scale = rig.left[start + 1000] / channels[0][1000]
    #expect(difference(rig, from: start, to: channels[0].map { $0 * scale }, at: places, tolerance: 1e-6) == nil)
  }

  @Test func `a region at the very end goes round, and what follows does not come`() throws {
    let rig = PlayerRig()
    let sound = Signal.noise(seed: 1, frames: 60_000, amplitude: 0.5)
    let next = rig.wave("2.wav", [Signal.noise(seed: 2, frames: 60_000, amplitude: 0.5)])
    var options = StartOptions()
    options.plays = false
    options.startFrame = FrameIndex(10_000)
    #expect(rig.open(rig.wave("1.wav", [sound]), next, options: options))
    set(40_000..<60_000, rig)
    rig.player.obey(.play)
    rig.play(seconds: 4)
    let start = try #require(rig.left.firstIndex { $0 != 0 })
    let places = places(from: 10_000, 40_000..<60_000, count: 180_000)
    #expect(difference(rig, from: start, to: sound, at: places) == nil)
    #expect(rig.player.snapshot.queue.index == 0)
    // Cleared, it goes on to the end and without a break into the next.
    rig.player.obey(.setFlags(RegionFlags()))
    #expect(
      rig.settle {
        rig.play(); return $0.snapshot.queue.index == 1
      })
  }

  @Test func `a region that is cleared in a later round is left without a break`() throws {
    let rig = PlayerRig()
    let sound = Signal.noise(seed: 9, frames: 400_000, amplitude: 0.5)
    var options = StartOptions()
    options.plays = false
    #expect(rig.open(rig.wave("1.wav", [sound]), options: options))
    rig.player.obey(flags(10_000..<130_000))
    rig.player.obey(.play)
    // Into the second round, which comes from memory; its end is not decoded yet.
    rig.play(seconds: 3.2)
    #expect((20_000..<50_000).contains(rig.player.snapshot.position.rawValue))
    rig.player.obey(.setFlags(RegionFlags()))
    rig.play(seconds: 5)
    let start = try #require(rig.left.firstIndex { $0 != 0 })
    let places = Array(0..<130_000) + Array(10_000..<270_000)
    #expect(difference(rig, from: start, to: sound, at: Array(places.prefix(380_000))) == nil)
  }

  @Test func `a region that is cleared is left at its end though later rounds have been decoded`() throws {
    let rig = PlayerRig()
    let sound = Signal.noise(seed: 9, frames: 400_000, amplitude: 0.5)
    #expect(rig.open(rig.wave("1.wav", [sound])))
    rig.player.obey(flags(20_000..<40_000))
    rig.play(seconds: 1)
    #expect(rig.settle { _ in rig.feed.pointee.ahead > 28_000 })
    rig.seek(.setFlags(RegionFlags()))
    let before = rig.left.count
    rig.play(seconds: 1)
    let heard = Array(rig.left[(before + 1000)...].prefix(40_000))
    let first = try #require((20_000..<42_000).first { sound[$0] == heard[0] && sound[$0 + 1] == heard[1] })
    #expect(firstDifference(heard, sound[first..<(first + heard.count)]) == nil)
  }

  @Test func `at a high speed a region whose end was decoded long ago is gone round all the same`() throws {
    var settings = PlayerSettings()
    settings.speed = .fastest
    let rig = PlayerRig(settings)
    #expect(rig.open(rig.wave("1.wav", [Signal.noise(seed: 7, frames: 800_000, amplitude: 0.5)])))
    rig.play(seconds: 1)
    // 0.6 s are ready, in which 2.4 s of the track go by.
    #expect(rig.settle { _ in rig.feed.pointee.ahead > 28_000 })
    let heard = Int(rig.player.snapshot.position.rawValue)
    rig.player.obey(flags(1_000..<(heard + 90_000)))
    rig.play(seconds: 1.5)
    #expect(rig.player.snapshot.flags.region!.contains(rig.player.snapshot.position))
  }

  @Test func `a region at the start is gone round though the next round of the whole has been decoded`() throws {
    let rig = PlayerRig()
    #expect(rig.open(rig.wave("1.wav", [Signal.noise(seed: 7, frames: 96_000, amplitude: 0.5)])))
    rig.player.obey(.setLoop(.track))
    rig.play(seconds: 1.8)
    #expect(rig.settle { _ in rig.feed.pointee.ahead > 28_000 })
    rig.player.obey(flags(2_000..<10_000))
    rig.play(seconds: 1)
    #expect(rig.player.snapshot.flags.region!.contains(rig.player.snapshot.position))
  }

  @Test func `a region that begins where the file ends is none`() throws {
    let rig = PlayerRig()
    let folder = try TemporaryFolder()
    let sound = Signal.noise(seed: 8, frames: 30_000, amplitude: 0.5)
    let path = try folder.encode([sound], hertz: 48_000, ["-b:a", "128k", "-write_xing", "0"], as: "s.mp3")
    let end = try decoded(path).count
    #expect(rig.open(path))
    rig.player.obey(flags(end..<(end + 5_000)))
    #expect(rig.playToEnd())
    // At the latest when the scan has counted the frames.
    #expect(rig.settle { $0.snapshot.flags.isEmpty })
  }

  @Test func `the flags of five hundred files are kept, each once, and those used longest ago go first`() throws {
    var settings = PlayerSettings()
    settings.flags = (0..<StoredState.flagsLimit).map {
      KeptFlags(path: PathBytes("/music/\($0).wav"), flags: RegionFlags(FrameIndex(0)..<FrameIndex($0 + 1)))
    }
    let rig = PlayerRig(settings)
    let path = rig.wave("1.wav", [Signal.noise(seed: 7, frames: 96_000, amplitude: 0.5)])
    #expect(rig.open(path))
    for end in [20_000, 30_000] {
      rig.player.obey(flags(10_000..<end))
      let kept = rig.player.kept.settings.flags
      #expect(kept.count == StoredState.flagsLimit && Set(kept.map(\.path)).count == kept.count)
      #expect(kept.first?.path == path && kept.first?.flags.region?.upperBound == FrameIndex(end))
      #expect(kept.dropFirst().map(\.path) == settings.flags.dropLast().map(\.path))
    }
  }

  @Test func `flags set by key while it plays are at what is heard, and B leads back to A at once`() throws {
    let rig = PlayerRig()
    let sound = Signal.noise(seed: 1, frames: 200_000, amplitude: 0.5)
    #expect(rig.open(rig.wave("1.wav", [sound])))
    rig.play(seconds: 1)
    let a = rig.player.snapshot.position
    rig.player.obey(.setFlagA)
    rig.play(seconds: 0.3)
    let b = rig.player.snapshot.position
    rig.player.obey(.setFlagB)
    #expect(rig.player.snapshot.flags.region == a..<b)
    #expect(rig.player.snapshot.position == a)
    _ = rig.settle { _ in rig.feed.pointee.isFlushing }
    let before = rig.left.count
    rig.play(seconds: 2)
    // 5 ms of the old sound, the ramp of the new, and from there on the region alone.
    let heard = Array(rig.left[(before + 1000)...].prefix(60_000))
    let first = try #require(
      (Int(a.rawValue)..<Int(b.rawValue)).first { abs(sound[$0] - heard[0]) < 1e-7 && sound[$0 + 1] == heard[1] })
    let region = Int(a.rawValue)..<Int(b.rawValue)
    #expect(firstDifference(heard, places(from: first, region, count: heard.count).map { sound[$0] }) == nil)
  }

  @Test func `the position stands where the sound is, round after round`() throws {
    let rig = PlayerRig()
    let rising = (0..<96_000).map { 0.1 + Float($0) * 5e-6 }
    let path = rig.wave("ramp.wav", [rising])
    var options = StartOptions()
    options.plays = false
    #expect(rig.open(path, options: options))
    set(20_000..<32_000, rig)
    rig.player.obey(.play)
    rig.play(seconds: 0.7)
    for _ in 0..<200 {
      rig.play()
      // What was given out last is not yet heard: the device is late by part of its buffer.
      let shown = Int(rig.player.snapshot.position.rawValue)
      let given = Int(((rig.left.last! - 0.1) / 5e-6).rounded())
      let behind = given >= shown ? given - shown : given + 12_000 - shown
      #expect((0...2 * PlayerRig.bufferFrames).contains(behind), "\(shown) shown, \(given) given out")
    }
  }

  @Test func `seeks inside stay in the region, seeks behind it play on, and Stop goes to A`() throws {
    let rig = PlayerRig()
    let sound = Signal.noise(seed: 4, frames: 150_000, amplitude: 0.5)
    #expect(rig.open(rig.wave("1.wav", [sound])))
    rig.player.obey(flags(30_000..<60_000))
    rig.seek(.seek(to: FrameIndex(55_000)))
    rig.play(seconds: 1)
    #expect(rig.player.snapshot.flags.region!.contains(rig.player.snapshot.position))
    rig.seek(.seek(to: FrameIndex(60_000)))
    rig.play(seconds: 1)
    #expect(rig.player.snapshot.position > FrameIndex(100_000))
    #expect(rig.playToEnd())
    #expect(rig.player.snapshot.position == FrameIndex(150_000))
    rig.player.obey(.stop)
    #expect(rig.player.snapshot.position == FrameIndex(30_000))
    #expect(rig.player.snapshot.transport == .stopped)
  }

  @Test func `what is heard in a region stays in it when its end is put before what is heard`() throws {
    let rig = PlayerRig()
    #expect(rig.open(rig.wave("1.wav", [Signal.noise(seed: 5, frames: 200_000, amplitude: 0.5)])))
    rig.player.obey(flags(10_000..<180_000))
    rig.play(seconds: 2)
    rig.player.obey(flags(10_000..<50_000))
    #expect(rig.player.snapshot.position == FrameIndex(10_000))
    // What was not in it is left alone.
    rig.seek(.seek(to: FrameIndex(100_000)))
    rig.play(seconds: 0.1)
    rig.player.obey(flags(10_000..<60_000))
    rig.play(seconds: 0.1)
    #expect(rig.player.snapshot.position > FrameIndex(100_000))
  }

  @Test func `B set while paused leaves the playhead, and Play begins at A`() throws {
    let rig = PlayerRig()
    #expect(rig.open(rig.wave("1.wav", [Signal.noise(seed: 6, frames: 100_000, amplitude: 0.5)])))
    rig.player.obey(.pause)
    rig.seek(.seek(to: FrameIndex(20_000)))
    rig.player.obey(.setFlagB)
    rig.seek(.seek(to: FrameIndex(60_000)))
    rig.player.obey(.setFlagA)
    // The wrong way round: they change places.
    #expect(rig.player.snapshot.flags.region == FrameIndex(20_000)..<FrameIndex(60_000))
    #expect(rig.player.snapshot.position == FrameIndex(60_000))
    rig.player.obey(.play)
    #expect(rig.player.snapshot.position == FrameIndex(20_000))
  }

  @Test func `flags are kept for each file, and the next track in the queue has its own`() throws {
    let first = PlayerRig()
    let paths = [1, 2].map { first.wave("\($0).wav", [Signal.noise(seed: $0, frames: 50_000, amplitude: 0.5)]) }
    #expect(first.open(paths[1]))
    first.player.obey(flags(2_000..<12_000))
    #expect(first.open(paths[0]))
    #expect(first.player.snapshot.flags.isEmpty)

    var settings = PlayerSettings()
    settings.flags = first.player.kept.settings.flags
    let rig = PlayerRig(settings)
    #expect(rig.open(paths[0], paths[1]))
    rig.play(seconds: 3)
    #expect(rig.player.snapshot.queue.index == 1)
    #expect(rig.player.snapshot.flags.region == FrameIndex(2_000)..<FrameIndex(12_000))
    #expect(rig.player.snapshot.flags.region!.contains(rig.player.snapshot.position))
    rig.player.obey(.setFlags(RegionFlags()))
    #expect(rig.player.kept.settings.flags.isEmpty)
  }

  @Test func `a file that has become shorter than its region loops what is left, or not at all`() throws {
    var settings = PlayerSettings()
    let folder = try TemporaryFolder()
    let sound = Signal.noise(seed: 8, frames: 20_000, amplitude: 0.5)
    // Without its header's word the length of an MP3 is a guess until the scan has counted.
    let coding = ["-b:a", "128k", "-write_xing", "0"]
    let short = try folder.encode([sound, sound], hertz: 48_000, coding, as: "s.mp3")
    let length = try decoded(short).count
    for (region, expected) in [
      (5_000..<90_000, FrameIndex(5_000)..<FrameIndex(length)), (70_000..<90_000, nil),
    ] {
      let kept = RegionFlags(FrameIndex(region.lowerBound)..<FrameIndex(region.upperBound))
      settings.flags = [KeptFlags(path: short, flags: kept)]
      let rig = PlayerRig(settings)
      #expect(rig.open(short))
      #expect(rig.settle { !$0.snapshot.isScanning })
      rig.play(seconds: 1.5)
      #expect(rig.player.snapshot.flags.region == expected)
      #expect(rig.player.snapshot.transport == (expected == nil ? .stopped : .playing))
    }
  }

  @Test func `the sound around the ear is that of the round, for the spectrum and the meters`() throws {
    let rig = PlayerRig()
    // A low tone, and a high one in the region.
    let low = Signal.sine(hertz: 100, rate: 48_000, frames: 144_000, amplitude: 0.5)
    let high = Signal.sine(hertz: 10_000, rate: 48_000, frames: 144_000, amplitude: 0.5)
    let sound = (0..<144_000).map { (48_000..<57_600).contains($0) ? high[$0] : low[$0] }
    #expect(rig.open(rig.wave("1.wav", [sound])))
    rig.player.obey(flags(48_000..<57_600))
    rig.play(seconds: 2.5)
    for _ in 0..<60 {
      rig.play()
      let spectrum = try #require(rig.player.snapshot.spectrum)
      let loudest = try #require(spectrum.levels.indices.max { spectrum.levels[$0] < spectrum.levels[$1] })
      #expect((spectrum.edges[loudest]...spectrum.edges[loudest + 1]).contains(10_000))
    }
  }
}
