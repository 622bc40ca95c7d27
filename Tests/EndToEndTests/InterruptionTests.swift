import Foundation
import Glibc
import Sound
import System
import TestSupport
import Testing

extension EndToEnd {
  /// Whatever happens to the sound system: the place is kept, the window says so, and the song goes on by itself.
  struct Interruptions: AtTheDesk {
    let corner: Corner
    init() throws { corner = try Corner() }

    /// The program, playing the rising song at a server of the test's own.
    private func play(at server: SoundServer) throws -> Program {
      let song = try folder.write(waveFile([risingTone(), risingTone()]), to: "rising.wav")
      return try Program([song], home: home, environment: server.environment.merging(["SWELL_TRACE": "1"]) { $1 })
    }

    /// A second of the song, and when it was heard.
    private struct Heard {
      var second: Double
      var at: Double
    }

    /// What is heard now, once it is the song.
    private func listen(_ ear: Ear, after place: Int? = nil) throws -> Heard {
      var place = place ?? ear.now
      return try eventually("the rising song", atMost: 15) {
        let tone = try ear.listen(from: place, seconds: 0.1).leftTone
        place = ear.now
        // The middle of the tenth.
        let heard = Heard(second: (tone.hertz - 300) / 40, at: Clock.seconds() - 0.05)
        return tone.level > -30 && tone.impurity < -20 ? heard : nil
      }
    }

    /// When an event of this name was last told, in seconds of the monotonic clock; waits until it was told `count` times.
    @discardableResult
    private func wait(for event: String, _ count: Int = 1, of program: Program, atMost seconds: Double = 15) throws
      -> Double
    {
      try eventually("event \(event), \(count) times", atMost: seconds) {
        let times = program.child.complaints.split(separator: "\n").filter { $0.hasPrefix("trace event-\(event) ") }
        guard times.count >= count, let last = times.last?.split(separator: " ").last else { return nil }
        return Double(last).map { $0 * 1e-9 }
      }
    }

    /// That the song went on, `resumed`, from where it was when it was interrupted.
    private func expectSamePlace(
      _ before: Heard, interrupted: Double, _ after: Heard, resumed: Double,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let frozen = before.second + interrupted - before.at
      let shown = "heard at \(frozen) s, then \(after.second) s, \(after.at - resumed) s after going on"
      #expect(after.second > frozen - 0.4, "\(shown)", sourceLocation: sourceLocation)
      #expect(after.second < frozen + 0.4 + max(after.at - resumed, 0), "\(shown)", sourceLocation: sourceLocation)
    }

    @Test(arguments: SoundServer.Kind.allCases)
    func `a sound server that is killed and comes back: the song goes on where it was`(kind: SoundServer.Kind) throws {
      let server = try SoundServer(kind, at: desk)
      try server.start("out")
      let program = try play(at: server)
      let before = try listen(server.ear())
      let killed = Clock.seconds()
      server.kill()
      try wait(for: "interruption-began", of: program)
      try eventually("a message") { try program.toastIsShown() ? () : nil }
      // Longer than any clock that runs on could hide.
      let gone = Clock.seconds()
      while Clock.seconds() < gone + 2.5 { usleep(50_000) }
      try server.start("out")
      let resumed = try wait(for: "interruption-ended", of: program)
      let after = try listen(server.ear())
      expectSamePlace(before, interrupted: killed, after, resumed: resumed)
      #expect(try program.quit() == .status(0))
    }

    @Test func `without a sound server at the start, the song begins when there is one`() throws {
      let server = try SoundServer(.pulseAudio, at: desk)
      let program = try play(at: server)
      try wait(for: "interruption-began", of: program)
      try eventually("a message") { try program.toastIsShown() ? () : nil }
      try server.start("out")
      let resumed = try wait(for: "interruption-ended", of: program)
      let after = try listen(server.ear())
      expectSamePlace(Heard(second: 0, at: resumed), interrupted: resumed, after, resumed: resumed)
      #expect(try program.quit() == .status(0))
    }

    @Test func `the only loudspeaker is pulled out: the song waits for it`() throws {
      let server = try SoundServer(.pulseAudio, at: desk)
      try server.start("out")
      let program = try play(at: server)
      let before = try listen(server.ear())
      let pulled = Clock.seconds()
      try server.remove("out")
      try wait(for: "interruption-began", of: program)
      try eventually("a message") { try program.toastIsShown() ? () : nil }
      let gone = Clock.seconds()
      while Clock.seconds() < gone + 2.5 { usleep(50_000) }
      try server.add("out")
      let resumed = try wait(for: "interruption-ended", of: program)
      let after = try listen(server.ear())
      expectSamePlace(before, interrupted: pulled, after, resumed: resumed)
      #expect(try program.quit() == .status(0))
    }

    @Test func `one of two loudspeakers is pulled out: the song goes on at the other`() throws {
      let server = try SoundServer(.pulseAudio, at: desk)
      try server.start("out", "other")
      let program = try play(at: server)
      let before = try listen(server.ear())
      let pulled = Clock.seconds()
      try server.remove("out")
      let after = try listen(server.ear(at: "other"))
      expectSamePlace(before, interrupted: pulled, after, resumed: pulled)
      #expect(try program.quit() == .status(0))
    }

    @Test func `another loudspeaker that goes does not matter`() throws {
      let server = try SoundServer(.pulseAudio, at: desk)
      try server.start("out", "other")
      let program = try play(at: server)
      let ear = try server.ear()
      _ = try listen(ear)
      try inThreeTries {
        let place = ear.now
        try server.remove("other")
        let gap = try ear.listen(from: place, seconds: 0.6).longestGap
        try server.add("other")
        return gap < 0.02 ? [] : ["a gap of \(gap) s"]
      }
      #expect(!program.child.complaints.contains("event-interruption"))
      #expect(try program.quit() == .status(0))
    }

    @Test(arguments: [SoundServer.Kind.pulseAudio, .pipeWire])
    func `a sound server that is held is told of, and goes on when it is let go`(kind: SoundServer.Kind) throws {
      let server = try SoundServer(kind, at: desk)
      try server.start("out")
      let program = try play(at: server)
      _ = try listen(server.ear())
      server.send(SIGSTOP)
      let held = Clock.seconds()
      try wait(for: "interruption-began", of: program)
      while Clock.seconds() < held + 5 { usleep(50_000) }
      server.send(SIGCONT)
      try wait(for: "interruption-ended", of: program)
      let after = try listen(server.ear())
      // What the server still held was heard after it was let go.
      #expect(after.second < 20)
      #expect(try program.quit() == .status(0))
    }

    /// 8 rounds; 200 in the soak.
    @Test func `a sound server that dies, hangs, gains and loses loudspeakers at any moment does no harm`() throws {
      let server = try SoundServer(.pulseAudio, at: desk)
      try server.start("out")
      let program = try play(at: server)
      var chance = Noise(seed: 11)
      func wait(_ seconds: Range<Double>) { usleep(UInt32(Double.random(in: seconds, using: &chance) * 1e6)) }
      for round in 0..<(ProcessInfo.processInfo.environment["SWELL_SOAK"] == nil ? 8 : 200) {
        switch round % 8 {
        case 0:
          server.kill()
          wait(0..<2)
          try server.start()
        case 1:
          // Killed again while devices are being looked for or opened.
          for _ in 0..<5 {
            server.kill()
            wait(0..<0.05)
            try server.launch("out")
            wait(0..<0.3)
          }
        case 2:
          server.send(SIGSTOP)
          wait(0..<4)
          server.send(SIGCONT)
        case 3:
          server.send(SIGSTOP)
          wait(0..<4)
          server.kill()
          try server.start("out")
        case 4, 5:
          for _ in 0..<6 {
            try server.add("other")
            wait(0..<0.05)
            try server.remove(["other", "out"].randomElement(using: &chance)!)
            try server.add("out")
          }
        case 6:
          // Killed while the device is being closed: 2 s after a pause.
          try program.key("space")
          wait(1.9..<2.2)
          server.kill()
          try server.start("out")
          try program.key("space")
        default:
          server.send(SIGTERM)
          wait(0..<1)
          server.kill()
          try server.start("out")
        }
        try #require(program.child.isRunning, "round \(round): \(program.child.complaints)")
      }
      server.kill()
      try server.start("out")
      try program.key("Home")
      _ = try server.ear().waitForSound(after: 0, atMost: 20)
      #expect(try program.quit() == .status(0))
    }

    /// Three seconds; a minute in the soak.
    @Test func `a program that was stopped goes on where it was`() throws {
      let server = try SoundServer(.pulseAudio, at: desk)
      try server.start("out")
      let program = try play(at: server)
      let ear = try server.ear()
      let before = try listen(ear)
      program.child.send(SIGSTOP)
      let stopped = Clock.seconds()
      let seconds = ProcessInfo.processInfo.environment["SWELL_SOAK"] == nil ? 3.0 : 60
      while Clock.seconds() < stopped + seconds { usleep(50_000) }
      let place = ear.now
      let resumed = Clock.seconds()
      program.child.send(SIGCONT)
      let after = try listen(ear, after: place)
      expectSamePlace(before, interrupted: stopped, after, resumed: resumed)
      #expect(try program.quit() == .status(0))
    }
  }
}
