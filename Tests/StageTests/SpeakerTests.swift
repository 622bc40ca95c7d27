import Control
import Foundation
import Sound
import Stage
import Synchronization
import System
import TestSupport
import Testing

extension StageTests {
  /// The loudspeaker upon SDL's drivers that need none.
  @Suite struct Loudspeaker {
    /// A speaker, its feed, and every state that it told.
    final class Desk: Sendable {
      struct FeedPlace: @unchecked Sendable {
        let feed: UnsafeMutablePointer<Feed>
      }
      private let place: FeedPlace
      private let bell = Monitor(0)
      let speaker: Speaker
      var feed: UnsafeMutablePointer<Feed> { place.feed }

      init(driver: String) {
        Headless.prepare()
        setenv("SDL_AUDIODRIVER", driver, 1)
        let bell = bell
        place = FeedPlace(feed: Feed.make(capacity: 1 << 16))
        speaker = Speaker(feed: place.feed) { bell.withLock { $0 += 1 } }
      }

      /// Waits for a state that is as wanted; the last one seen if that does not come.
      @discardableResult
      func wait(_ isWanted: (DeviceState) -> Bool) -> DeviceState {
        _ = bell.wait(atMost: 20) { _ in isWanted(speaker.state) ? true : nil }
        return speaker.state
      }

      /// Waits for the callback to have run `count` times more.
      func waitForCallbacks(_ count: Int) {
        let wanted = feed.pointee.callbackCount + count
        let limit = Clock.seconds() + 20
        while feed.pointee.callbackCount < wanted, Clock.seconds() < limit { usleep(1000) }
        #expect(feed.pointee.callbackCount >= wanted)
      }

      func end() {
        #expect(speaker.end())
        Feed.destroy(feed)
        setenv("SDL_AUDIODRIVER", "dummy", 1)
      }
    }

    @Test func `the device is given exactly what the feed holds`() throws {
      let folder = try TemporaryFolder()
      let file = folder.path.appending("out.raw")
      setenv("SDL_DISKAUDIOFILE", file.shown, 1)
      setenv("SDL_DISKAUDIODELAY", "1", 1)
      let desk = Desk(driver: "disk")
      let frames = 20_000
      let samples = Signal.noise(seed: 1, frames: frames * 2)
      desk.feed.pointee.write(samples, count: frames)
      desk.feed.pointee.end()
      desk.feed.pointee.setOpen(true)
      desk.speaker.open(nil)
      let state = desk.wait { $0.status == .open }
      #expect(state.rate == SampleRate(hertz: 48_000))
      // A busy machine is given twice as many.
      #expect([1024, 2048].contains(state.bufferFrames))
      #expect(Speaker.latencyFrames(state) == state.bufferFrames * 65 / 100)
      desk.waitForCallbacks(22)
      desk.end()
      let bytes = try Files.read(file)
      let all = bytes.withUnsafeBytes { buffer in
        (0..<buffer.count / 4).map { buffer.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
      }
      // While a device opens, SDL itself gives it a few silent buffers.
      let silence = try #require(all.firstIndex { $0 != 0 }) / (state.bufferFrames * 2) * (state.bufferFrames * 2)
      let written = all[silence...].prefix(frames * 2).map(\.self)
      // The gate opens in 5 ms; from there on every bit is as it was.
      let ramp = 240 * 2
      #expect(Array(written[ramp...]) == Array(samples[ramp...]))
      #expect(abs(written[0]) <= abs(samples[0]) / 200)
    }

    @Test func `a device is open while it is wanted, and named`() {
      let desk = Desk(driver: "dummy")
      #expect(desk.wait { !$0.names.isEmpty }.status == .closed)
      desk.speaker.open("there is no such device")
      let open = desk.wait { $0.status == .open }
      #expect(open.wanted == "there is no such device")
      #expect(open.problem == nil)
      desk.waitForCallbacks(3)
      desk.speaker.close()
      #expect(desk.wait { $0.status == .closed }.status == .closed)
      let count = desk.feed.pointee.callbackCount
      usleep(100_000)
      #expect(desk.feed.pointee.callbackCount == count)
      desk.speaker.open(nil)
      #expect(desk.wait { $0.status == .open }.wanted == nil)
      desk.waitForCallbacks(3)
      desk.end()
    }

    @Test func `the removal of another device is no concern`() {
      let desk = Desk(driver: "dummy")
      desk.speaker.open(nil)
      desk.wait { $0.status == .open }
      desk.speaker.handle(.removed(0))
      desk.speaker.handle(.removed(99))
      desk.waitForCallbacks(5)
      #expect(desk.speaker.state.status == .open)
      desk.end()
    }

    @Test func `a device that is removed is lost, and another is opened`() {
      let desk = Desk(driver: "dummy")
      desk.speaker.open(nil)
      desk.wait { $0.status == .open }
      let told = Mutex<[DeviceState]>([])
      // SDL numbers the first open device 2.
      desk.speaker.handle(.removed(2))
      desk.wait { state in
        told.withLock { if $0.last != state { $0.append(state) } }
        return told.withLock { states in
          states.lastIndex { $0.status == .open } ?? 0 > states.firstIndex { $0.status == .lost } ?? .max
        }
      }
      let lost = told.withLock { $0.first { $0.status == .lost } }
      #expect(lost?.problem?.contains("was removed") == true)
      #expect(desk.speaker.state.problem == nil)
      desk.waitForCallbacks(3)
      desk.end()
    }

    @Test func `a device whose callback stands still for a second and a half is dead`() {
      var watch = CallbackWatch(count: 7)
      var looks: [Bool] = []
      for count in [27, 47, 67, 67, 67, 68, 68, 68, 68] { looks.append(watch.isDead(at: count)) }
      #expect(looks == [false, false, false, false, false, false, false, false, true])
    }

    @Test func `a device that has only just been opened may take some seconds to wake`() {
      var watch = CallbackWatch(count: 7)
      let looks = (0..<10).map { _ in watch.isDead(at: 8) }
      #expect(looks == [Bool](repeating: false, count: 10))
      let last = watch.isDead(at: 8)
      #expect(last)
    }

    @Test func `a sound system that does not answer for three seconds is lost, until it does`() {
      var state = DeviceState()
      state.status = .open
      #expect(SpeakerBoard(state: state).state(at: 1000) == state)
      #expect(SpeakerBoard(state: state, busySince: 1000).state(at: 1002.9) == state)
      let lost = SpeakerBoard(state: state, busySince: 1000).state(at: 1003.1)
      #expect(lost.status == .lost)
      #expect(lost.problem == "The sound system does not answer. Swell goes on without sound until it does.")
    }

    @Test func `without a sound system there is a sentence and no sound`() {
      setenv("PULSE_SERVER", "unix:/nowhere/at/all", 1)
      defer { unsetenv("PULSE_SERVER") }
      let desk = Desk(driver: "pulseaudio")
      desk.speaker.open(nil)
      let state = desk.wait { $0.status == .lost }
      #expect(state.status == .lost)
      #expect(state.names == [])
      #expect(state.problem?.hasPrefix("There is no sound: ") == true)
      // When a sound system comes, it is found.
      setenv("SDL_AUDIODRIVER", "dummy", 1)
      #expect(desk.wait { $0.status == .open }.problem == nil)
      desk.end()
    }

    /// The loudspeaker's callback while a file plays, and the microphone's while a take is recorded.
    @Test(arguments: ["playing", "recording"])
    func `the callback allocates, locks, retains and calls nothing`(doing: String) throws {
      let folder = try TemporaryFolder()
      let samples = Signal.noise(seed: 1, frames: 480_000, amplitude: 0.5)
      let sound = folder.path.appending("noise.wav")
      try Files.replace(sound, with: WaveFile.float32([samples, samples], hertz: 48_000))
      let isPlaying = doing == "playing"
      let take = folder.path.appending("take.wav").shown
      let counts = try watched(
        isPlaying ? ["--", sound.shown] : ["record", "--seconds", "60", "--format", "wav", "-o", take], in: folder,
        // The disk driver's microphone is a file: the noise, and what is before it is noise too.
        isPlaying ? ["SDL_AUDIODRIVER": "dummy"] : ["SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILEIN": sound.shown])
      #expect(counts["sounding"] == 100)
      for name in ["allocations", "locks", "references", "accesses", "once", "system"] {
        #expect(counts[name] == 0, "\(name) in the callback")
      }
    }

    /// Runs the program under watch until its callback has had 100 buffers of sound; gives what was counted in it.
    private func watched(
      _ arguments: [String], in folder: TemporaryFolder, _ variables: [String: String]
    ) throws -> [String: Int] {
      let watch = folder.path.appending("watch.so").shown
      let result = folder.path.appending("result").shown
      let compiler = try Process.run(
        URL(fileURLWithPath: "/usr/bin/cc"),
        arguments: [
          "-O2", "-shared", "-fPIC", Place.tests.appendingPathComponent("callback-watch.c").path, "-o", watch, "-ldl",
        ])
      compiler.waitUntilExit()
      try #require(compiler.terminationStatus == 0)
      let program = Process()
      program.executableURL = URL(fileURLWithPath: try #require(Environment.executable).parent.appending("swell").shown)
      program.arguments = arguments
      program.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }.merging([
        "LD_PRELOAD": watch, "WATCH_FILE": result, "WATCH_CALLS": "100", "SDL_VIDEODRIVER": "dummy",
        "HOME": folder.path.shown, "XDG_STATE_HOME": folder.path.shown, "XDG_CONFIG_HOME": folder.path.shown,
        "XDG_CACHE_HOME": folder.path.shown,
      ]) { $1 }
      try program.run()
      defer {
        program.terminate()
        program.waitUntilExit()
      }
      let limit = Clock.seconds() + 60
      while !FileManager.default.fileExists(atPath: result), Clock.seconds() < limit, program.isRunning {
        usleep(10_000)
      }
      let line = try String(contentsOfFile: result, encoding: .utf8)
      return Dictionary(
        uniqueKeysWithValues: line.split(separator: " ").map { part in
          let sides = part.split(separator: "=")
          return (String(sides[0]), Int(sides[1].trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1)
        })
    }
  }
}
