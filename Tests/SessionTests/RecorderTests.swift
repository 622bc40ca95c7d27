import Control
import Foundation
import Library
import Sound
import System
import TestSupport
import Testing

@testable import Session

@Suite struct RecorderTests {
  @Test(arguments: [TakeCoding.wav, .flac], [SampleWidth.int16, .int24])
  func `a take is what came in, bit for bit, from the start to the stop`(coding: TakeCoding, width: SampleWidth) {
    let rig = RecordingRig {
      $0.coding = coding
      $0.width = width
    }
    rig.obey(.arm)
    rig.sound(1)
    let first = rig.position
    rig.obey(.start)
    rig.sound(3.21)
    let last = rig.position
    let take = rig.stop()
    #expect(take?.length == FrameCount(last - first))
    if let take { #expect(decodedByFFmpeg(take.path) == rig.expected(first..<last)) }
    #expect(rig.recorder.snapshot.dropouts == 0)
    #expect(rig.notices == [])
    rig.end()
  }

  @Test func `two seconds, a pause, and two seconds are four, to the frame, without old sound`() {
    let rig = RecordingRig()
    rig.obey(.arm)
    rig.sound(0.7)
    let a = rig.position
    rig.obey(.start)
    // Off the beat of the callbacks.
    rig.sound(frames: 96_000, buffer: 777)
    let b = rig.position
    rig.obey(.pause)
    rig.sound(4)
    let c = rig.position
    rig.obey(.resume)
    rig.sound(2)
    let d = rig.position
    let take = rig.stop()
    #expect(take?.length == FrameCount(192_000))
    if let take { #expect(decodedByFFmpeg(take.path) == rig.expected(a..<b) + rig.expected(c..<d)) }
    rig.end()
  }

  @Test func `what was to be recorded without a microphone does not keep the program from ending`() {
    let rig = RecordingRig()
    rig.input.status = .lost
    rig.obey(.arm)
    rig.obey(.start)
    #expect(rig.recorder.isBusy)
    #expect(rig.recorder.finish())
  }

  @Test func `bars fall when the microphone is gone`() throws {
    let rig = RecordingRig()
    rig.obey(.arm)
    rig.sound(1)
    rig.wait(until: { rig.recorder.snapshot.spectrum?.levels.contains { $0 > -60 } ?? false }, "bars")
    rig.input.status = .lost
    for _ in 0..<100 {
      rig.time += 50_000_000
      rig.update()
    }
    #expect(try #require(rig.recorder.snapshot.spectrum).levels.allSatisfy { $0 == SpectrumReading.floor })
  }

  @Test func `an order between two callbacks cuts where it was given`() {
    let rig = RecordingRig()
    rig.obey(.arm)
    rig.sound(1)
    // 300 frames into the next callback.
    rig.time += 300 * 1_000_000_000 / 48_000
    rig.obey(.start)
    rig.time += 724 * 1_000_000_000 / 48_000
    rig.accept(1024)
    rig.sound(1)
    let last = rig.position
    let take = rig.stop()
    #expect(abs((take?.length.rawValue ?? 0) - Int64(last - 48_000 - 300)) <= 1)
    rig.end()
  }

  @Test func `the pre-roll puts the seconds before the start in front`() {
    let rig = RecordingRig { $0.preRollSeconds = 5 }
    rig.obey(.arm)
    rig.sound(8)
    let start = rig.position
    rig.obey(.start)
    rig.sound(1)
    let last = rig.position
    let take = rig.stop()
    #expect(take?.length == FrameCount(6 * 48_000))
    if let take { #expect(decodedByFFmpeg(take.path) == rig.expected(start - 5 * 48_000..<last)) }
    rig.end()
  }

  @Test func `a timer ends the take to the frame`() {
    let rig = RecordingRig { $0.timer = RecordingTimer(stopAfterSeconds: 1.5) }
    rig.start()
    rig.sound(3)
    let take = rig.finished()
    #expect(take?.length == FrameCount(72_000))
    rig.wait(until: { rig.state == .armed }, "not armed")
    rig.end()
  }

  @Test func `a countdown begins the take by itself`() {
    let rig = RecordingRig { $0.timer = RecordingTimer(startInSeconds: 2) }
    rig.obey(.arm)
    rig.sound(0.5)
    rig.obey(.start)
    if case .countdown(let seconds) = rig.state { #expect(seconds == 2) } else { Issue.record("\(rig.state)") }
    for _ in 0..<150 { rig.sound(0.02) }
    let take = rig.stop()
    // The command is given by the main loop, which the sound may be a callback or two ahead of.
    #expect(abs((take?.length.rawValue ?? 0) - 48_000) <= 2 * 960, "\(take?.length.rawValue ?? 0)")
    rig.end()
  }

  @Test func `sound above the threshold is recorded with what came before, silence is not`() {
    let rig = RecordingRig {
      $0.preRollSeconds = 0.5
      $0.trigger = SoundTrigger(threshold: -40, holdSeconds: 1)
    }
    // Loud from second 2 to 3 and from 6 to 7, else as quiet as -60 dBFS.
    rig.signal = { frame, _ in
      let second = frame / 48_000
      return (second == 2 || second == 6 ? 0.25 : 0.001) * (frame % 2 == 0 ? 1 : -1)
    }
    rig.obey(.arm)
    rig.obey(.start)
    rig.sound(1)
    rig.wait(until: { rig.state == .waiting }, "not waiting: \(rig.state)")
    rig.sound(9)
    let take = rig.stop()
    // Twice: half a second before, one of sound, one of hold; callbacks are its grain.
    let expected = 2 * 2.5 * 48_000
    #expect(abs(Double(take?.length.rawValue ?? 0) - expected) <= 4 * 1024, "\(take?.length.rawValue ?? 0)")
    rig.end()
  }

  @Test(arguments: TakeCoding.allCases)
  func `a take in which nothing was recorded leaves no file, and is told of`(coding: TakeCoding) throws {
    let rig = RecordingRig {
      $0.coding = coding
      $0.trigger = SoundTrigger(threshold: -40, holdSeconds: 1)
    }
    rig.signal = { _, _ in 0 }
    rig.obey(.arm)
    rig.obey(.start)
    rig.sound(1)
    rig.wait(until: { rig.state == .waiting }, "not waiting: \(rig.state)")
    #expect(rig.stop() == nil)
    #expect(rig.notices == ["Nothing was recorded, so no file is kept."])
    let left = try FileManager.default.contentsOfDirectory(atPath: rig.folder.appendingPathComponent("takes").path)
    #expect(left == [])
    rig.end()
  }

  @Test func `frames that found no room are silence in their place, marked at once`() {
    let rig = RecordingRig()
    rig.start()
    rig.sound(1)
    let before = rig.position
    rig.wait(until: { rig.recorder.snapshot.elapsed == FrameCount(before) }, "not drained")
    // More than the ring holds, at once.
    let count = rig.intake.pointee.capacity / 2 + 1
    rig.time += Int64(count) * 1_000_000_000 / 48_000
    let block = [Float](repeating: 0.5, count: count * 2)
    rig.intake.pointee.accept(block, sampleCount: count * 2, at: rig.time)
    rig.position += count
    rig.sound(1)
    rig.wait(until: { rig.recorder.snapshot.dropouts == 1 }, "no dropout seen")
    let seen = rig.recorder.snapshot
    #expect(seen.marks == [RecordingMark(frame: FrameIndex(before), kind: .dropout(FrameCount(count)))])
    #expect(seen.dropoutFrames == FrameCount(count))
    #expect(rig.notices.contains { $0.hasPrefix("Sound was lost") })
    let last = rig.position
    let take = rig.stop()
    #expect(take?.length == FrameCount(last))
    if let take {
      let found = decodedByFFmpeg(take.path)
      #expect(found.prefix(before * 2).elementsEqual(rig.expected(0..<before)))
      #expect(found[before * 2..<(before + count) * 2].allSatisfy { $0 == 0 })
      #expect(found.suffix(96_000).elementsEqual(rig.expected(last - 48_000..<last)))
    }
    rig.end()
  }

  @Test func `a gap that nobody counted is noticed by the clock, and time is kept`() {
    let rig = RecordingRig()
    rig.start()
    rig.sound(2)
    // The program was stopped: three seconds of which nothing came.
    rig.time += 3_000_000_000
    rig.sound(2)
    rig.wait(until: { rig.recorder.snapshot.dropouts == 1 }, "no dropout seen")
    let take = rig.stop()
    #expect(abs((take?.length.rawValue ?? 0) - 7 * 48_000) < 100, "\(take?.length.rawValue ?? 0)")
    rig.end()
  }

  @Test func `sound that is only late is no gap`() {
    let rig = RecordingRig()
    rig.start()
    rig.sound(2)
    // Three seconds late, and then all of it at once.
    rig.time += 3_000_000_000
    for _ in 0..<150 { rig.accept(960) }
    rig.sound(2)
    let take = rig.stop()
    #expect(take?.length == FrameCount(7 * 48_000))
    #expect(rig.recorder.snapshot.dropouts == 0)
    rig.end()
  }

  @Test func `a lost microphone leaves the take open, and the next one goes on with it`() {
    let rig = RecordingRig()
    rig.start()
    rig.sound(1)
    rig.wait(until: { rig.events.contains { if case .started = $0 { true } else { false } } }, "not started")
    rig.input.status = .lost
    rig.input.problem = "The microphone was removed."
    rig.input.losses = 1
    rig.input.lossReason = rig.input.problem
    rig.update()
    #expect(rig.recorder.snapshot.isInterrupted)
    #expect(rig.events.contains(.interruptionBegan))
    #expect(rig.notices.contains { $0.hasPrefix("The microphone was removed.") })
    rig.time += 5_000_000_000
    // Another microphone, with a rate of its own, is asked for the take's.
    #expect(rig.recorder.wantedInput?.rate == SampleRate(hertz: 48_000))
    rig.open()
    #expect(rig.events.contains(.interruptionEnded))
    rig.sound(1)
    rig.wait(until: { rig.recorder.snapshot.elapsed == FrameCount(96_000) }, "did not go on")
    #expect(rig.recorder.snapshot.marks == [RecordingMark(frame: FrameIndex(48_000), kind: .interruption)])
    let take = rig.stop()
    #expect(take?.length == FrameCount(96_000))
    rig.end()
  }

  @Test func `a microphone that was lost and is back before anybody looked is told of all the same`() {
    let rig = RecordingRig()
    rig.start()
    rig.sound(1)
    rig.wait(until: { rig.events.contains { if case .started = $0 { true } else { false } } }, "not started")
    rig.input.losses = 1
    rig.input.lossReason = "The microphone was removed."
    rig.open()
    #expect(rig.events.suffix(2) == [.interruptionBegan, .interruptionEnded])
    #expect(rig.notices.first?.hasPrefix("The microphone was removed.") == true)
    #expect(rig.stop()?.length == FrameCount(48_000))
    rig.end()
  }

  @Test func `a lost microphone does not keep a take from being stopped`() {
    let rig = RecordingRig()
    rig.start()
    rig.sound(1)
    rig.wait(until: { rig.events.contains { if case .started = $0 { true } else { false } } }, "not started")
    rig.input.status = .lost
    rig.update()
    rig.time = Clock.nanoseconds()
    rig.obey(.stop)
    #expect(rig.finished()?.length == FrameCount(48_000))
    rig.end()
  }

  @Test func `mono, left and right leave the others out`() {
    for (choice, expected) in [(ChannelChoice.left, 0.25), (.right, -0.5), (.mono, -0.125)] as [(ChannelChoice, Float)]
    {
      let rig = RecordingRig { $0.channels = choice }
      rig.signal = { _, channel in channel == 0 ? 0.25 : -0.5 }
      rig.start()
      rig.sound(0.5)
      let take = rig.stop()
      if let take { #expect(decodedByFFmpeg(take.path) == Array(repeating: expected, count: 24_000)) }
      rig.end()
    }
  }

  @Test func `a microphone of one channel is heard on both sides`() {
    let rig = RecordingRig(channels: 1)
    rig.start()
    rig.sound(0.5)
    let take = rig.stop()
    if let take { #expect(decodedByFFmpeg(take.path) == rig.expected(0..<24_000).flatMap { [$0, $0] }) }
    rig.end()
  }

  @Test func `a dead channel is told, once`() {
    let rig = RecordingRig()
    rig.signal = { frame, channel in channel == 0 ? 0.25 * (frame % 2 == 0 ? 1 : -1) : 0 }
    rig.obey(.arm)
    rig.sound(5)
    rig.wait(until: { rig.recorder.snapshot.deadChannels == [1] }, "not noticed")
    #expect(rig.notices.filter { $0.hasPrefix("Nothing comes from the right channel") }.count == 1)
    rig.end()
  }

  @Test(arguments: [true, false])
  func `what comes in is heard while monitoring is on, and only then`(isOn: Bool) {
    let rig = RecordingRig { $0.isMonitoring = isOn }
    var device = DeviceState()
    device.status = .open
    device.rate = SampleRate(hertz: 48_000)
    rig.obey(.arm)
    rig.recorder.follow(headphones: device)
    #expect(rig.recorder.wantsHeadphones == isOn)
    var heard: [Float] = []
    var output = [Float](repeating: 0, count: 2048)
    for _ in 0..<100 {
      rig.deliver(1024)
      // A device asks as fast as the microphone gives.
      let deadline = Clock.seconds() + 5
      while rig.intake.pointee.stampCount > 0, Clock.seconds() < deadline { usleep(500) }
      output.withUnsafeMutableBufferPointer { rig.feed.pointee.render(into: $0, at: rig.time) }
      heard += output
    }
    if isOn {
      // Once the gate is open, sample by sample what came in, a little later.
      let part = rig.expected(40_000..<42_000)
      let isThere = isHeard(part, in: heard, beginningWithin: heard.count / 2)
      #expect(isThere)
    } else {
      #expect(heard.allSatisfy { $0 == 0 })
    }
    rig.end()
  }

  @Test func `a folder that cannot be recorded into is refused with its reason, and another is taken`() throws {
    let rig = RecordingRig()
    let before = rig.recorder.options.folder
    let missing = PathBytes(rig.folder.appendingPathComponent("none").path)
    rig.obey(.setFolder(missing))
    rig.wait(until: { rig.recorder.options.folder == before }, "the folder was not refused")
    #expect(
      rig.notices == [
        "Recordings cannot be kept in “\(missing.shown)”: no such file or directory. They go where they went before."
      ])
    #expect(rig.recorder.snapshot.folder == before)
    try FileManager.default.createDirectory(atPath: missing.shown, withIntermediateDirectories: true)
    rig.obey(.setFolder(missing))
    rig.start()
    rig.sound(0.5)
    #expect(rig.stop()?.path.parent == missing)
    rig.end()
  }

  @Test func `a take's new name and its end in the trash are told`() throws {
    let rig = RecordingRig()
    rig.start()
    rig.sound(0.5)
    let take = try #require(rig.stop())
    rig.obey(.renameTake(take.path, to: "Hello"))
    let renamed = take.path.parent.appending("Hello.wav")
    rig.wait(until: { rig.events.contains(.renamed(take.path, to: renamed)) }, "not told")
    #expect(rig.recorder.snapshot.lastTake?.path == renamed)
    rig.end()
  }

  @Test func `two takes in one second have two names`() {
    let rig = RecordingRig()
    var paths: Set<PathBytes> = []
    for _ in 0..<3 {
      rig.start()
      rig.sound(0.2)
      if let take = rig.stop() { paths.insert(take.path) }
      rig.events = []
      rig.wait(until: { !rig.recorder.isBusy }, "still busy")
    }
    #expect(paths.count == 3)
    rig.end()
  }

  @Test func `ending the program ends the take first`() {
    let rig = RecordingRig { $0.coding = .flac }
    rig.start()
    rig.sound(2)
    let last = rig.position
    rig.wait(until: { rig.recorder.snapshot.elapsed == FrameCount(last) }, "not drained")
    rig.time = Clock.nanoseconds()
    #expect(rig.recorder.finish())
    let found = try! FileManager.default.contentsOfDirectory(atPath: rig.folder.appendingPathComponent("takes").path)
    #expect(found.count == 1)
    let path = PathBytes(rig.folder.appendingPathComponent("takes/\(found[0])").path)
    #expect(decodedByFFmpeg(path) == rig.expected(0..<last))
    #expect(
      try! FileManager.default.contentsOfDirectory(atPath: rig.folder.appendingPathComponent("journal").path) == [])
    Intake.destroy(rig.intake)
  }
}
