import Control
import Library
import Media
import Session
import Sound
import System
import TestSupport
import Testing

@Suite struct SpeedTests {
  private static let rampFrames = 240

  private func rig(_ speed: Double) -> PlayerRig {
    var settings = PlayerSettings()
    settings.speed = Speed(clamping: speed)
    return PlayerRig(settings)
  }

  private func range(_ rig: PlayerRig) throws -> ClosedRange<Int> {
    let first = try #require(rig.left.firstIndex { abs($0) > 1e-3 })
    let last = try #require(rig.left.lastIndex { abs($0) > 1e-3 })
    return first...last
  }

  @Test(arguments: [(0.25, 48_000), (0.7, 44_100), (1.6, 96_000), (4, 44_100)])
  func `a track lasts as long as the speed says`(speed: Double, rate: Int) throws {
    let rig = rig(speed)
    let seconds = 2.5
    let frames = Int(seconds * Double(rate))
    let tone = Signal.sine(hertz: 440, rate: rate, frames: frames, amplitude: 0.5)
    #expect(rig.open(rig.wave("a.wav", [tone], hertz: rate)))
    #expect(rig.playToEnd())
    let heard = Double(try range(rig).count) / 48_000
    #expect(abs(heard * speed / seconds - 1) < 0.005, "\(heard) s")
    #expect(rig.player.snapshot.position == FrameIndex(frames))
  }

  @Test(arguments: [(0.25, 48_000), (0.5, 44_100), (1.25, 48_000), (2, 96_000), (4, 48_000)])
  func `the playhead stands on the click that is heard`(speed: Double, rate: Int) throws {
    let rig = rig(speed)
    let clicks: [Float] = (0..<5 * rate).map { (i: Int) -> Float in i % rate == rate / 2 ? 1 : 0 }
    #expect(rig.open(rig.wave("a.wav", [clicks], hertz: rate)))
    // Frames given out when a position was read: what is heard lies behind that by the device's latency.
    let latency = Int(Double(PlayerRig.bufferFrames) * 0.65)
    var seen: [(given: Int, position: Int64)] = []
    while seen.count < Int(4.2 / speed * 48_000 / 512) {
      rig.play()
      seen.append((rig.left.count - latency, rig.player.snapshot.position.rawValue))
    }
    for click in 0..<4 {
      let wanted = Double(rate) * (Double(click) + 0.5)
      let at = try #require(seen.indices.dropFirst().first { Double(seen[$0].position) >= wanted })
      let (before, after) = (seen[at - 1], seen[at])
      let share = (wanted - Double(before.position)) / Double(after.position - before.position)
      let shown = Double(before.given) + share * Double(after.given - before.given)
      let around = Int(shown - 9_600 / speed)...Int(shown + 9_600 / speed)
      let loudest = try #require(around.max { abs(rig.left[$0]) < abs(rig.left[$1]) })
      #expect(abs(Double(loudest) - shown) < 480 + 48, "\(Double(loudest) - shown) frames")
    }
  }

  @Test func `back at normal speed what is heard is what the file holds`() throws {
    let rig = rig(2)
    let sound = Signal.noise(seed: 1, frames: 300_000, amplitude: 0.5)
    #expect(rig.open(rig.wave("a.wav", [sound])))
    rig.play(seconds: 0.5)
    rig.player.obey(.setSpeed(.normal))
    _ = rig.settle { _ in rig.feed.pointee.isFlushing }
    let before = rig.left.count
    rig.play(seconds: 1)
    let heard = Array(rig.left[(before + 1_000)...].prefix(20_000))
    let at = try #require((40_000..<100_000).first { sound[$0] == heard[0] && sound[$0 + 1] == heard[1] })
    #expect(firstDifference(heard, sound[at..<(at + 20_000)]) == nil)
  }

  @Test func `a change of speed neither clicks nor falls silent nor loses the place`() throws {
    let rig = PlayerRig()
    let low = Signal.sine(hertz: 60, rate: 48_000, frames: 960_000, amplitude: 0.5)
    #expect(rig.open(rig.wave("low.wav", [low])))
    rig.play(seconds: 0.5)
    for speed in [1.25, 0.5, 4, 0.25, 1, 2, 1] {
      let before = rig.player.snapshot.position
      rig.player.obey(.setSpeed(Speed(clamping: speed)))
      #expect(rig.player.snapshot.speed.ratio == speed)
      // Ahead of what is heard by what the device has been given, and a little more.
      let jump = (rig.player.snapshot.position - before).rawValue
      #expect((0...4 * 4_000).contains(jump), "\(jump) frames")
      #expect(rig.settle { _ in rig.feed.pointee.isFlushing })
      let start = rig.left.count
      rig.play(seconds: 0.3)
      let heard = Array(rig.left[start...])
      // A ramp of 5 ms over half of full scale steps by 0.0021, the sine by 0.004.
      let steepest = zip(heard, heard.dropFirst()).map { abs($1 - $0) }.max()!
      #expect(steepest < 0.012, "\(steepest) at \(speed)")
      var (gap, longest) = (0, 0)
      for sample in heard {
        gap = abs(sample) < 1e-3 ? gap + 1 : 0
        longest = max(gap, longest)
      }
      #expect(longest < 960, "\(longest) frames of silence at \(speed)")
    }
  }

  @Test(arguments: [0.5, 2])
  func `files join without a gap at any speed, whatever their rates`(speed: Double) throws {
    let rig = rig(speed)
    let first = Signal.sine(hertz: 500, rate: 48_000, frames: 48_000, amplitude: 0.5)
    let second = Signal.sine(hertz: 500, rate: 44_100, frames: 44_100, amplitude: 0.5)
    #expect(rig.open(rig.wave("1.wav", [first]), rig.wave("2.wav", [second, second], hertz: 44_100)))
    #expect(rig.playToEnd())
    let heard = try range(rig)
    #expect(abs(Double(heard.count) * speed / 96_000 - 1) < 0.005)
    // In each 2 ms there is a crest of the tone.
    for start in stride(from: heard.lowerBound + 2_000, to: heard.upperBound - 2_000, by: 96) {
      #expect(rig.left[start..<(start + 96)].map { abs($0) }.max()! > 0.3)
    }
    #expect(rig.player.snapshot.queue.index == 1)
  }

  @Test(arguments: [0.5, 1.5], ["chain.ogg", "joined.mp3"])
  func `a file in which rate and channels change lasts as long as the speed says`(speed: Double, name: String) throws {
    let rig = rig(speed)
    func tone(_ rate: Int, _ seconds: Int) -> [Float] {
      Signal.sine(hertz: 500, rate: rate, frames: seconds * rate, amplitude: 0.5)
    }
    let parts: [(channels: [[Float]], rate: Int, arguments: [String])] = [
      ([tone(44_100, 2), tone(44_100, 2)], 44_100, ["libvorbis", "libmp3lame"]),
      ([tone(48_000, 1)], 48_000, ["libopus", "libmp3lame"]),
      ([tone(22_050, 1)], 22_050, ["flac", "libmp3lame"]),
      ([tone(44_100, 1), tone(44_100, 1)], 44_100, ["libvorbis", "libmp3lame"]),
    ]
    let isOgg = name.hasSuffix("ogg")
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      let coding = ["-c:a", part.arguments[isOgg ? 0 : 1]] + (isOgg ? ["-serial_offset", "\(index)"] : [])
      bytes += try Files.read(
        rig.folder.encode(part.channels, hertz: part.rate, coding, as: "\(index)." + (isOgg ? "ogg" : "mp3")))
    }
    let path = try rig.folder.write(bytes, to: name)
    let file = try AudioFile(path: path)
    let block = SampleBlock(channelCount: 2, capacity: 8_192)
    while try file.read(into: block) {}
    let seconds = Double(file.position.rawValue) / 44_100
    #expect(abs(seconds - 5) < (isOgg ? 0.001 : 0.3))

    #expect(rig.open(path))
    let start = rig.feed.pointee.readPosition
    #expect(rig.playToEnd())
    let end = rig.feed.pointee.endPosition
    let given = try #require(end) - start
    // The library gives out no less than a hop at a time.
    #expect(abs(Double(given) - seconds / speed * 48_000) < 512, "\(given) frames")
    #expect(rig.player.snapshot.position == file.position)
    // The tone goes on through all of it, but for what the encoders need at the joints.
    let heard = try range(rig)
    let loud = stride(from: heard.lowerBound, to: heard.upperBound - 96, by: 96).count { start in
      rig.left[start..<(start + 96)].map { abs($0) }.max()! > 0.3
    }
    #expect(Double(loud * 96) / Double(heard.count) > (isOgg ? 0.98 : 0.9))
  }

  @Test(arguments: [0.25, 4])
  func `a region of 10 ms goes round at any speed`(speed: Double) throws {
    let rig = rig(speed)
    let sound = Signal.sine(hertz: 1_000, rate: 48_000, frames: 96_000, amplitude: 0.5)
    var options = StartOptions()
    options.plays = false
    #expect(rig.open(rig.wave("1.wav", [sound]), options: options))
    let region = FrameIndex(4_800)..<FrameIndex(5_280)
    rig.player.obey(.setFlags(RegionFlags(region)))
    rig.seek(.seek(to: FrameIndex(4_800)))
    rig.player.obey(.play)
    rig.play(seconds: 1)
    let start = rig.left.count
    for _ in 0..<100 {
      rig.play()
      #expect(region.contains(rig.player.snapshot.position))
    }
    for at in stride(from: start, to: rig.left.count - 96, by: 96) {
      #expect(rig.left[at..<(at + 96)].map { abs($0) }.max()! > 0.3)
    }
  }

  @Test func `the spectrum shows what is heard at the highest speed`() throws {
    let rig = rig(4)
    let tones = [200.0, 1_000, 5_000]
    let sound = tones.flatMap { Signal.sine(hertz: $0, rate: 48_000, frames: 192_000, amplitude: 0.5) }
    #expect(rig.open(rig.wave("1.wav", [sound])))
    for tone in tones {
      rig.play(seconds: 0.8)
      let spectrum = try #require(rig.player.snapshot.spectrum)
      let loudest = try #require(spectrum.levels.indices.max { spectrum.levels[$0] < spectrum.levels[$1] })
      #expect((spectrum.edges[loudest]...spectrum.edges[loudest + 1]).contains(Float(tone)))
      rig.play(seconds: 0.2)
    }
  }
}
