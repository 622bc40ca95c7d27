import Control
import Glibc
import Session
import Sound
import System
import TestSupport
import Testing

private func noise(_ seed: UInt64, _ frames: Int) -> [Float] {
  Signal.noise(seed: seed, frames: frames, amplitude: 0.5)
}

/// The feed opens its gate in 240 frames: from there on samples are what the file holds.
private let rampFrames = 240

@Test func `what is heard is what the file holds, to the last sample`() throws {
  let rig = PlayerRig()
  let (left, right) = (noise(1, 30_000), noise(2, 30_000))
  #expect(rig.open(rig.wave("noise.wav", [left, right])))
  #expect(rig.playToEnd())
  let start = try #require(rig.left.firstIndex { $0 != 0 })
  #expect(
    firstDifference(rig.left.dropFirst(start + rampFrames).prefix(30_000 - rampFrames), left[rampFrames...]) == nil)
  #expect(
    firstDifference(rig.right.dropFirst(start + rampFrames).prefix(30_000 - rampFrames), right[rampFrames...]) == nil)
  #expect(rig.left[(start + 30_000)...].allSatisfy { $0 == 0 })
}

@Test func `the end is told only when the last sample was heard`() throws {
  let rig = PlayerRig()
  #expect(rig.open(rig.wave("noise.wav", [noise(3, 10_000)])))
  var playedBeforeEnd = 0
  while !rig.events.contains(where: { if case .finished = $0 { true } else { false } }) {
    rig.play()
    playedBeforeEnd = rig.left.count
    try #require(playedBeforeEnd < 100_000)
  }
  #expect(playedBeforeEnd >= 10_000)
  #expect(rig.player.snapshot.position == FrameIndex(10_000))
  #expect(rig.player.snapshot.transport == .stopped)
}

@Test func `one sound cut into two files joins without a missing or added sample`() throws {
  let rig = PlayerRig()
  let whole = noise(4, 40_000)
  let first = rig.wave("1.wav", [Array(whole[..<17_333])])
  let second = rig.wave("2.wav", [Array(whole[17_333...])])
  #expect(rig.open(first, second))
  #expect(rig.playToEnd())
  let start = try #require(rig.left.firstIndex { $0 != 0 })
  #expect(
    firstDifference(rig.left.dropFirst(start + rampFrames).prefix(40_000 - rampFrames), whole[rampFrames...]) == nil)
  let finished = rig.events.filter { if case .finished(_, successfully: true) = $0 { true } else { false } }
  #expect(finished.count == 2)
  #expect(rig.player.snapshot.queue.index == 1)
}

@Test func `a loop of a track goes round without a seam`() throws {
  var settings = PlayerSettings()
  settings.loop = .track
  let rig = PlayerRig(settings)
  let round = noise(5, 9_001)
  #expect(rig.open(rig.wave("loop.wav", [round])))
  rig.play(seconds: 1.2)
  let start = try #require(rig.left.firstIndex { $0 != 0 })
  let rounds = (rampFrames..<(5 * 9_001)).map { round[$0 % 9_001] }
  #expect(firstDifference(rig.left.dropFirst(start + rampFrames).prefix(rounds.count), rounds) == nil)
  #expect(rig.player.snapshot.position < FrameIndex(9_001))
}

@Test(arguments: [0, 1, 3])
func `a number of loops plays the track so many times more`(repeats: Int) throws {
  let rig = PlayerRig()
  var options = StartOptions()
  options.repeats = repeats
  #expect(rig.open(rig.wave("loop.wav", [noise(6, 5_000)]), options: options))
  #expect(rig.playToEnd())
  let start = try #require(rig.left.firstIndex { $0 != 0 })
  let end = try #require(rig.left.lastIndex { $0 != 0 })
  #expect(end + 1 - start == 5_000 * (repeats + 1))
}

@Test func `a seek shows its place at once and plays from exactly there`() throws {
  let rig = PlayerRig()
  let samples = noise(7, 200_000)
  #expect(rig.open(rig.wave("noise.wav", [samples])))
  rig.play(seconds: 0.5)
  rig.player.obey(.seek(to: FrameIndex(123_456)))
  #expect(rig.player.snapshot.position == FrameIndex(123_456))
  #expect(rig.settle { _ in rig.feed.pointee.isFlushing })
  let before = rig.left.count
  rig.play(seconds: 0.2)
  let heard = Array(rig.left[(before + 3000)..<(before + 4000)])
  let found = (123_456..<140_000).first { Array(samples[$0..<($0 + 8)]) == Array(heard[..<8]) }
  let at = try #require(found)
  #expect(firstDifference(heard, samples[at..<(at + 1000)]) == nil)
  // Old sound for 5 ms, then the new from its very frame.
  let jump = at - 3000
  #expect(abs(jump - 123_456) <= 3000)
}

@Test func `a seek while paused is heard from its place and not a sample before`() throws {
  let rig = PlayerRig()
  let samples = noise(8, 100_000)
  #expect(rig.open(rig.wave("noise.wav", [samples])))
  rig.play(seconds: 0.3)
  rig.player.obey(.pause)
  rig.play(seconds: 0.1)
  rig.seek(.seek(to: FrameIndex(60_000)))
  rig.play(seconds: 0.1)
  #expect(rig.left.suffix(2000).allSatisfy { $0 == 0 })
  #expect(rig.player.snapshot.position == FrameIndex(60_000))
  let before = rig.left.count
  rig.player.obey(.play)
  rig.play(seconds: 0.2)
  let start = try #require(rig.left[before...].firstIndex { $0 != 0 })
  #expect(
    firstDifference(
      rig.left.dropFirst(start + rampFrames).prefix(5000 - rampFrames), samples[(60_000 + rampFrames)..<65_000]) == nil)
}

@Test func `a pause stands still and goes on without losing a sample`() throws {
  let rig = PlayerRig()
  let samples = (0..<100_000).map { 0.1 + Float($0) * 5e-6 }
  #expect(rig.open(rig.wave("ramp.wav", [samples])))
  rig.play(seconds: 0.3)
  rig.player.obey(.playPause)
  rig.play(seconds: 0.1)
  let position = rig.player.snapshot.position
  rig.play(seconds: 0.3)
  #expect(rig.player.snapshot.position == position)
  #expect(rig.player.snapshot.transport == .paused)
  let lastBefore = try #require(rig.left.last { $0 != 0 })
  _ = lastBefore
  rig.player.obey(.playPause)
  rig.play(seconds: 0.3)
  // Once the ramp is over, the rising signal tells which frame is heard.
  let heard = rig.left[rig.left.count - 1000]
  let frame = Int(((heard - 0.1) / 5e-6).rounded())
  let shown = Int(rig.player.snapshot.position.rawValue)
  #expect(abs(frame + 1000 - shown) <= PlayerRig.bufferFrames * 2)
}

@Test func `the position never goes back while it plays, pauses and plays again`() throws {
  let rig = PlayerRig()
  #expect(rig.open(rig.wave("noise.wav", [noise(9, 200_000)])))
  var last = FrameIndex.zero
  for i in 0..<200 {
    if i % 17 == 0 { rig.player.obey(.playPause) }
    rig.play()
    let position = rig.player.snapshot.position
    #expect(position >= last)
    last = position
  }
}

@Test func `nothing clicks when playing pauses, resumes, seeks and changes its level`() throws {
  let rig = PlayerRig()
  let low = Signal.sine(hertz: 40, rate: 48_000, frames: 480_000, amplitude: 0.9)
  #expect(rig.open(rig.wave("low.wav", [low])))
  rig.play(seconds: 0.2)
  for i in 0..<40 {
    switch i % 4 {
    case 0: rig.player.obey(.playPause)
    case 1: rig.player.obey(.playPause)
    case 2: rig.seek(.seekBy(seconds: 0.313))
    default: rig.player.obey(.setVolume(Volume(clamping: Decibels(i % 8 == 3 ? -20 : 0))))
    }
    rig.play(seconds: 0.06)
  }
  let steps = zip(rig.left, rig.left.dropFirst()).map { abs($1 - $0) }
  // A ramp of 5 ms over full scale steps by 1/240, the sine itself by 0.0047.
  #expect(steps.max()! < 2.2 / 240 + 0.0048)
}

@Test func `a file that cannot be played is told of, and what was playing goes on`() throws {
  let rig = PlayerRig()
  #expect(rig.open(rig.wave("good.wav", [noise(10, 300_000)])))
  rig.play(seconds: 0.2)
  let playing = rig.player.snapshot.track
  let bad = try rig.folder.write(Array("This is a letter, not a song.\n".utf8), to: "letter.mp3")
  rig.player.obey(.open([bad]))
  #expect(rig.settle { !$0.snapshot.notices.isEmpty })
  let notice = try #require(rig.player.snapshot.notices.first)
  #expect(notice.kind == .error)
  #expect(notice.text.contains("letter.mp3"))
  rig.play(seconds: 0.2)
  #expect(rig.player.snapshot.track == playing)
  #expect(rig.player.snapshot.transport == .playing)
  #expect(rig.left.suffix(2000).contains { abs($0) > 0.1 })
}

@Test func `the queue passes over what cannot be played, and gives up after five in a row`() throws {
  let rig = PlayerRig()
  let good = rig.wave("1.wav", [noise(11, 6_000)])
  let bad = try (0..<7).map { try rig.folder.write([1, 2, 3], to: "bad\($0).mp3") }
  let late = rig.wave("z.wav", [noise(12, 6_000)])
  #expect(rig.open(good, bad[0], bad[1], late))
  #expect(rig.playToEnd())
  #expect(rig.player.snapshot.track?.path == late)
  // (On a busy machine it is also told that opening takes its time.)
  #expect(rig.player.snapshot.notices.count { $0.text.hasPrefix("Can’t play") } == 2)

  let second = PlayerRig()
  second.player.open([bad[0], bad[1], bad[2], bad[3], bad[4], bad[5], late], StartOptions())
  #expect(second.settle { $0.snapshot.notices.count == 6 })
  #expect(second.player.snapshot.transport == .empty)
  #expect(second.player.snapshot.notices.last?.text.contains("in a row") == true)
  // What lies behind them is one key away.
  #expect(second.player.snapshot.queue.hasNext)
  second.player.obey(.next)
  #expect(second.settle { $0.snapshot.track?.path == late && $0.snapshot.transport == .playing })
}

@Test func `Next goes on behind five that could not be played, and what plays goes on meanwhile`() throws {
  let rig = PlayerRig()
  let good = rig.wave("1.wav", [noise(11, 90_000)])
  let bad = try (0..<5).map { try rig.folder.write([1, 2, 3], to: "bad\($0).mp3") }
  let late = rig.wave("z.wav", [noise(12, 6_000)])
  #expect(rig.open(good, bad[0], bad[1], bad[2], bad[3], bad[4], late))
  rig.play(seconds: 1)
  rig.player.obey(.next)
  #expect(rig.settle { $0.snapshot.notices.last?.text.contains("in a row") == true })
  #expect(rig.player.snapshot.track?.path == good && rig.player.snapshot.transport == .playing)
  rig.play(seconds: 0.2)
  rig.player.obey(.next)
  #expect(rig.settle { $0.snapshot.track?.path == late })
  // Nothing of the song was cut off.
  #expect(rig.left.count { $0 != 0 } > 50_000)
}

@Test func `what is told comes once, and too much of it makes the oldest go that is not shown yet`() {
  let rig = PlayerRig()
  for text in ["a", "b", "a", "c", "d", "e", "f", "g", "h"] { rig.player.tell(.error, text) }
  #expect(rig.player.snapshot.notices.map(\.text) == ["a", "b", "c", "f", "g", "h"])
}

@Test func `a seek to the end of a track that goes round leads to its start`() {
  var settings = PlayerSettings()
  settings.loop = .track
  let rig = PlayerRig(settings)
  let samples = noise(41, 20_000)
  #expect(rig.open(rig.wave("noise.wav", [samples])))
  rig.play(seconds: 0.1)
  rig.seek(.seekToFraction(1))
  let before = rig.left.count
  rig.play(seconds: 0.2)
  #expect(rig.player.snapshot.transport == .playing)
  #expect(rig.left[before...].contains { $0 != 0 })
}

@Test func `when the device is lost the position freezes, and playing resumes by itself`() throws {
  let rig = PlayerRig()
  #expect(rig.open(rig.wave("noise.wav", [noise(13, 200_000)])))
  rig.play(seconds: 0.4)
  rig.device.status = .lost
  rig.device.problem = "The output device was removed."
  #expect(rig.settle { $0.snapshot.transport == .interrupted })
  let frozen = rig.player.snapshot.position
  rig.now += 3_000_000_000
  #expect(rig.settle { $0.snapshot.position == frozen })
  rig.device.status = .open
  rig.device.problem = nil
  rig.play(seconds: 0.3)
  #expect(rig.player.snapshot.transport == .playing)
  #expect(rig.player.snapshot.position > frozen)
  #expect(rig.events.contains(.interruptionBegan))
  #expect(rig.events.contains(.interruptionEnded))
  #expect(rig.player.snapshot.notices.map(\.text) == ["The output device was removed."])
}

@Test func `the place of the last time is kept while its file cannot be opened`() throws {
  let rig = PlayerRig()
  let away = rig.folder.appending("away.wav")
  rig.player.restore(queue: [rig.wave("first.wav", [noise(1, 100)]), away], index: 1, position: FrameIndex(77_000))
  #expect(rig.player.kept.queue.index == 1 && rig.player.kept.position == FrameIndex(77_000))
  #expect(rig.settle { !$0.snapshot.notices.isEmpty })
  #expect(rig.player.kept.queue.index == 1 && rig.player.kept.position == FrameIndex(77_000))
  // Until something else is loaded.
  #expect(rig.open(rig.wave("other.wav", [noise(2, 100_000)])))
  #expect(rig.player.kept.queue.index == 0 && rig.player.kept.position < FrameIndex(77_000))
}

@Test func `a file that is emptied while it plays is told of, and the next one plays`() throws {
  let rig = PlayerRig()
  let (first, second) = (rig.wave("1.wav", [noise(1, 500_000)]), rig.wave("2.wav", [noise(2, 200_000)]))
  #expect(rig.open(first, second))
  rig.play(seconds: 0.2)
  #expect(first.withCPath { truncate($0, 0) } == 0)
  for _ in 0..<400 where rig.player.snapshot.track?.path == first { rig.play() }
  #expect(rig.player.snapshot.track?.path == second)
  #expect(
    rig.player.snapshot.notices.map(\.text) == ["“1.wav” was cut short while it was open: the rest of it is gone."])
}

@Test func `playing can start at a place, and at a time from now`() throws {
  let rig = PlayerRig()
  let samples = noise(14, 96_000)
  var options = StartOptions()
  options.startSeconds = 1
  options.delaySeconds = 0.5
  #expect(rig.open(rig.wave("noise.wav", [samples]), options: options))
  #expect(rig.player.snapshot.position == FrameIndex(48_000))
  #expect(rig.playToEndAfterDelay())
  let start = try #require(rig.left.firstIndex { $0 != 0 })
  #expect(abs(start - 24_000) <= 2 * PlayerRig.bufferFrames)
  #expect(
    firstDifference(
      rig.left.dropFirst(start + rampFrames).prefix(48_000 - rampFrames), samples[(48_000 + rampFrames)...]) == nil)
}

@Test func `next and previous step through the queue, and previous first goes to the start`() throws {
  let rig = PlayerRig()
  let paths = (1...3).map { rig.wave("\($0).wav", [noise(UInt64(20 + $0), 400_000)]) }
  #expect(rig.open(paths[0], paths[1], paths[2]))
  rig.player.obey(.next)
  #expect(rig.settle { $0.snapshot.track?.path == paths[1] })
  rig.play(seconds: 4)
  rig.player.obey(.previous)
  #expect(rig.player.snapshot.position == .zero)
  #expect(rig.player.snapshot.track?.path == paths[1])
  rig.play(seconds: 0.1)
  rig.player.obey(.previous)
  #expect(rig.settle { $0.snapshot.track?.path == paths[0] })
  #expect(!rig.player.snapshot.queue.hasPrevious)
  rig.player.obey(.setLoop(.queue))
  rig.player.obey(.previous)
  #expect(rig.settle { $0.snapshot.track?.path == paths[2] })
}

@Test func `a seek back near the end stays in the track though the next is already decoded`() throws {
  let rig = PlayerRig()
  let first = noise(30, 60_000)
  let paths = [rig.wave("1.wav", [first]), rig.wave("2.wav", [noise(31, 60_000)])]
  #expect(rig.open(paths[0], paths[1]))
  rig.play(seconds: 1.0)
  // The rest of the first track and the start of the second are in the ring by now.
  rig.seek(.seek(to: FrameIndex(10_000)))
  rig.play(seconds: 0.3)
  #expect(rig.player.snapshot.track?.path == paths[0])
  let position = Int(rig.player.snapshot.position.rawValue)
  #expect(abs(position - 10_000 - Int(0.3 * 48_000)) < 3 * PlayerRig.bufferFrames)
  // And the second still follows.
  #expect(rig.playToEnd())
  #expect(rig.player.snapshot.track?.path == paths[1])
}

@Test func `a loop that is turned off in its last moment ends after this round`() throws {
  var settings = PlayerSettings()
  settings.loop = .track
  let rig = PlayerRig(settings)
  #expect(rig.open(rig.wave("loop.wav", [noise(32, 48_000)])))
  rig.play(seconds: 0.9)
  rig.player.obey(.setLoop(.off))
  #expect(rig.playToEnd(atMost: 3))
  #expect(rig.left.count < 2 * 48_000)
}

@Test func `a volume of -20 dB is a tenth, and mute is silence`() throws {
  let rig = PlayerRig()
  #expect(rig.open(rig.wave("dc.wav", [[Float](repeating: 0.5, count: 200_000)])))
  rig.player.obey(.setVolume(Volume(clamping: Decibels(-20))))
  rig.play(seconds: 0.2)
  #expect(abs(rig.left.last! - 0.05) < 1e-6)
  rig.player.obey(.toggleMute)
  rig.play(seconds: 0.1)
  #expect(rig.left.last! == 0)
  rig.player.obey(.toggleMute)
  rig.play(seconds: 0.1)
  #expect(abs(rig.left.last! - 0.05) < 1e-6)
}

@Test func `another rate is resampled and the position still counts the file's frames`() throws {
  let rig = PlayerRig()
  let tone = Signal.sine(hertz: 1000, rate: 22_050, frames: 44_100, amplitude: 0.5)
  #expect(rig.open(rig.wave("tone.wav", [tone], hertz: 22_050)))
  rig.play(seconds: 1)
  let position = Double(rig.player.snapshot.position.rawValue) / 22_050
  #expect(abs(position - 1) < 0.03)
  let crossings = zip(rig.left.suffix(24_000), rig.left.suffix(24_000).dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
  #expect(abs(crossings - 500) <= 1)
  #expect(rig.playToEnd())
  #expect(abs(rig.left.filter { $0 != 0 }.count - 96_000) < 400)
}

@Test func `the scan tells the whole waveform and the true length`() throws {
  let rig = PlayerRig()
  let samples = noise(40, 123_457)
  #expect(rig.open(rig.wave("noise.wav", [samples])))
  #expect(rig.settle { $0.snapshot.pyramid?.isComplete == true })
  let seen = rig.player.snapshot
  #expect(seen.track?.length == FrameCount(123_457))
  #expect(seen.track?.lengthIsEstimate == false)
  #expect(!seen.isScanning)
  let all = try #require(seen.pyramid?.overall(channel: 0))
  #expect(all.peak == samples.map(abs).max()!)
}

@Test func `a file that was never played has as many meters as channels, all at nothing`() {
  let rig = PlayerRig()
  for channels in [6, 1, 2] {
    #expect(rig.open(rig.wave("\(channels).wav", Array(repeating: noise(1, 9000), count: channels))))
    let meters = rig.player.snapshot.meters
    #expect(meters.count == channels && meters.allSatisfy { $0.peak == -.infinity })
  }
}

@Test func `the spectrum and the meters show what is heard, and fall to nothing in a pause`() throws {
  let rig = PlayerRig()
  let tone = Signal.sine(hertz: 1000, rate: 48_000, frames: 300_000, amplitude: 0.1)
  let silence = [Float](repeating: 0, count: 300_000)
  #expect(rig.open(rig.wave("tone.wav", [tone, silence])))
  rig.play(seconds: 1)
  let spectrum = try #require(rig.player.snapshot.spectrum)
  let loudest = try #require(spectrum.levels.indices.max { spectrum.levels[$0] < spectrum.levels[$1] })
  #expect(spectrum.edges[loudest] <= 1000 && spectrum.edges[loudest + 1] >= 1000)
  #expect(abs(spectrum.levels[loudest] - -20) < 0.2)
  let meters = rig.player.snapshot.meters
  #expect(abs(meters[0].peak - -20) < 0.1)
  #expect(meters[1].peak == -.infinity)
  rig.player.obey(.pause)
  rig.play(seconds: 1)
  #expect(rig.player.snapshot.spectrum?.levels.allSatisfy { $0 == SpectrumReading.floor } == true)
  #expect(rig.player.snapshot.spectrum?.holds.allSatisfy { $0 == SpectrumReading.floor } == true)
}

extension PlayerRig {
  fileprivate func playToEndAfterDelay() -> Bool {
    for _ in 0..<200 {
      play()
      if player.snapshot.transport == .playing { return playToEnd() }
    }
    return false
  }
}
