import Foundation
import Glibc
import Sound
import System
import TestSupport
import Testing

extension EndToEnd {
  struct Restart: AtTheDesk {
    let corner: Corner
    init() throws { corner = try Corner() }

    /// Plays two files, pauses in the second with the volume 6 dB down, and loops.
    private func leave(by end: (Program) throws -> Child.End?) throws {
      let files = [
        try folder.write(waveFile([tone(400, seconds: 30)]), to: "a.wav"),
        try folder.write(waveFile([tone(900, seconds: 30)]), to: "b.wav"),
      ]
      let start = desk.ear.now
      let program = try Program(files, home: home)
      try desk.waitForTone(400, after: start)
      let pressed = try program.keyWithPlace("n")
      try desk.waitForTone(900, after: pressed)
      for _ in 0..<6 { try program.key("Down") }
      try program.key("5", "ctrl+l", "space")
      let place = desk.ear.now
      _ = try desk.ear.waitForSilence(after: place)
      #expect(try end(program) == .status(0))
    }

    private func expectAllIsBack() throws {
      let program = try Program(home: home)
      try program.waitForTitle(containing: "b")
      let place = desk.ear.now
      try program.key("space")
      let start = try desk.waitForTone(900, after: place)
      let level = try desk.ear.listen(from: start, seconds: 0.3).leftTone.level
      #expect(abs(level + 18) < 0.1, "\(level) dBFS")
      #expect(try program.quit() == .status(0))
      let state = try home.state()
      let position = try #require(state["position"] as? Double)
      #expect((15 * 48_000...20 * 48_000).contains(position), "frame \(position)")
      #expect(state["queueIndex"] as? Int == 1)
      #expect(state["loop"] as? String == "track")
    }

    @Test func `volume, loop, queue and place survive a restart`() throws {
      try leave { try $0.quit() }
      try expectAllIsBack()
    }

    @Test func `they survive a TERM signal, which is obeyed within a second`() throws {
      try leave { program in
        let start = Clock.seconds()
        program.child.send(SIGTERM)
        let end = program.child.waitForEnd(atMost: 5)
        #expect(Clock.seconds() - start < 1)
        return end
      }
      try expectAllIsBack()
    }

    @Test func `it ends within a second while it plays`() throws {
      let file = try folder.write(waveFile([tone(440, seconds: 60)]), to: "tone.wav")
      let rounds = ProcessInfo.processInfo.environment["SWELL_SOAK"] == nil ? 1 : 30
      for signal in Array(repeating: [SIGTERM, SIGINT, SIGHUP], count: rounds).joined() {
        let place = desk.ear.now
        let program = try Program([file], home: home)
        try desk.waitForTone(440, after: place)
        let start = Clock.seconds()
        program.child.send(signal)
        #expect(program.child.waitForEnd(atMost: 5) == .status(0), "signal \(signal)")
        #expect(Clock.seconds() - start < 1)
        _ = try desk.ear.waitForSilence(after: desk.ear.now)
      }
    }

    @Test func `the window opens where it was left, start after start`() throws {
      func place(_ program: Program) throws -> String {
        String(decoding: try desk.tool("xdotool", "getwindowgeometry", "--shell", program.window), as: UTF8.self)
          .split(separator: "\n").filter { !$0.hasPrefix("WINDOW") }.joined(separator: " ")
      }
      let first = try Program(home: home)
      try desk.tool("xdotool", "windowmove", "--sync", first.window, "150", "140")
      let left = try eventually("a place that stands still") { () -> String? in
        let before = try place(first)
        usleep(200_000)
        return try place(first) == before ? before : nil
      }
      #expect(try first.quit() == .status(0))
      for _ in 0..<2 {
        let program = try Program(home: home)
        #expect(try place(program) == left)
        #expect(try program.quit() == .status(0))
      }
    }

    @Test func `without any font the terminal says so`() throws {
      let configuration = folder.path.appending("fonts.conf")
      try Files.replace(
        configuration, with: Array("<fontconfig><cachedir>\(folder.path.shown)</cachedir></fontconfig>".utf8))
      let program = try Program(home: home, environment: ["FONTCONFIG_FILE": configuration.shown])
      try eventually("a sentence") { program.child.complaints.hasPrefix("No font was found") ? () : nil }
      #expect(try program.quit() == .status(0))
    }

    @Test func `a sound server without any device does no harm`() throws {
      let socket = folder.path.appending("native").shown
      let server = try Child(
        "/usr/bin/env",
        [
          "pulseaudio", "-n", "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(socket)",
          "--exit-idle-time=-1", "--daemonize=no", "--use-pid-file=no", "--disable-shm=yes", "--realtime=no",
        ].map { PathBytes($0) },
        environment: desk.environment.merging([
          "PULSE_STATE_PATH": folder.path.shown, "PULSE_RUNTIME_PATH": folder.path.shown,
          "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
        ]) { $1 })
      defer { server.send(SIGKILL) }
      try eventually("a second sound server") { FileManager.default.fileExists(atPath: socket) ? () : nil }
      let file = try folder.write(waveFile([tone(440, seconds: 60)]), to: "tone.wav")
      let program = try Program([file], home: home, environment: ["PULSE_SERVER": "unix:\(socket)"])
      try program.waitForTitle(containing: "tone")
      #expect(try program.quit() == .status(0))
    }

    @Test func `a state that cannot be kept is told of at once`() throws {
      // A file where the folder should be stops even the super-user.
      try home.folder.write([], to: "state")
      let program = try Program(home: home)
      try eventually("a message", atMost: 2) { try program.toastIsShown() ? () : nil }
      #expect(try program.quit() == .status(0))
    }

    @Test func `a copy of the program without its own files says so`() throws {
      let copy = folder.appending("swell")
      try FileManager.default.copyItem(atPath: Desk.program, toPath: copy.shown)
      let program = try Program(home: home, binary: copy.shown)
      try eventually("a message") { try program.toastIsShown() ? () : nil }
      #expect(try program.quit() == .status(0))
    }

    @Test func `a damaged state is set aside, told, and does no harm`() throws {
      let state = home.folder.path.appending("state/swell")
      try FileManager.default.createDirectory(atPath: state.shown, withIntermediateDirectories: true)
      try leave { try $0.quit() }
      let file = try #require(home.stateFile())
      try Data("{\"volume\": [".utf8).write(to: URL(fileURLWithPath: file))
      let program = try Program(home: home)
      try eventually("a message") { try program.toastIsShown() ? () : nil }
      #expect(try program.quit() == .status(0))
    }
  }
}
