import Foundation
import Glibc
import Sound
import System
import TestSupport
import Testing

extension EndToEnd {
  /// Whatever it is doing, it ends within a second, with status 0.
  struct Quitting: AtTheDesk {
    enum Doing: String, CaseIterable, CustomTestStringConvertible {
      case nothing, starting, playing, scanning, recording
      case withoutServer, serverDied, serverHeld, serverHeldFromTheStart
      var testDescription: String { rawValue }
    }

    let corner: Corner
    /// Once each; so often that there are fifty of each kind of end in the soak.
    private let rounds = ProcessInfo.processInfo.environment["SWELL_SOAK"] == nil ? 1 : 50

    init() throws { corner = try Corner() }

    private func expectEnd(_ program: Program, round: Int, _ doing: Doing) throws {
      let asked: Double
      if round % 2 == 0 {
        try program.key("ctrl+q")
        asked = Clock.seconds()
      } else {
        asked = Clock.seconds()
        program.child.send(SIGTERM)
      }
      let end = program.child.waitForEnd(atMost: 5)
      #expect(end == .status(0), "\(doing), round \(round): \(program.child.complaints)")
      #expect(Clock.seconds() - asked < 1, "\(doing), round \(round)")
    }

    @Test(arguments: Doing.allCases)
    func `it ends within a second`(doing: Doing) throws {
      let file = folder.appending("tone.wav")
      let sound = "sine=440:r=48000:d=\(doing == .scanning ? 1200 : 30),volume=6dB"
      try desk.tool("ffmpeg", "-v", "error", "-f", "lavfi", "-i", sound, file.shown)
      let server = try SoundServer(.pulseAudio, at: desk)
      for round in 0..<rounds {
        var environment: [String: String] = [:]
        switch doing {
        case .withoutServer: environment = server.environment
        case .serverDied, .serverHeld, .serverHeldFromTheStart:
          environment = server.environment
          try server.start("out")
        default: break
        }
        if doing == .serverHeldFromTheStart { server.send(SIGSTOP) }
        let place = desk.ear.now
        // A waveform that is kept would not be scanned.
        if doing == .scanning { try? FileManager.default.removeItem(atPath: home.folder.path.shown + "/cache") }
        let program = try Program(
          doing == .nothing || doing == .recording ? [] : [file], home: home, environment: environment)
        switch doing {
        case .playing: try desk.waitForTone(440, after: place)
        case .recording:
          try program.key("r")
          try program.waitForTitle(containing: "Recording")
          try program.key("r")
          let takes = home.folder.path.shown + "/Music/Recordings"
          let before = round
          try eventually("a take", atMost: 20) {
            (try? FileManager.default.contentsOfDirectory(atPath: takes).count) ?? 0 > before ? () : nil
          }
        case .serverDied, .serverHeld:
          try program.waitForTitle(containing: "tone")
          let ear = try server.ear()
          _ = try ear.waitForSound(after: 0)
          server.send(doing == .serverDied ? SIGKILL : SIGSTOP)
        default: break
        }
        try expectEnd(program, round: round, doing)
        server.kill()
      }
    }
  }
}
