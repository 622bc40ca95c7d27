import Foundation
import Sound
import System
import TestSupport
import Testing

extension EndToEnd {
  /// Microphones of the desk's sound server that come, go, are half dead, or are heard in the headphones.
  struct Microphones: AtTheDesk {
    let corner: Corner
    init() throws { corner = try Corner() }

    /// Loads modules of the sound server one after the other, and unloads them when it goes.
    private final class Modules {
      private let desk: Desk
      private var numbers: [String] = []
      init(_ desk: Desk) { self.desk = desk }
      deinit { for number in numbers.reversed() { _ = try? desk.tool("pactl", "unload-module", number) } }

      func load(_ name: String, _ arguments: String...) throws {
        let answer = try Child.run("pactl", ["load-module", name] + arguments, environment: desk.environment)
        numbers.append(String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
      }

      func unloadLast() throws { try desk.tool("pactl", "unload-module", numbers.removeLast()) }
    }

    /// Starts `swell record` at the desk.
    private func record(_ arguments: String...) throws -> Child {
      try Child(
        Desk.program, (["record"] + arguments).map { PathBytes($0) },
        environment: desk.environment.merging(home.environment) { $1 })
    }

    /// Plays interleaved stereo into a sink until the answer is let go.
    private func play(_ samples: [Float], into sink: String = "micfeed") throws -> Child {
      let file = try folder.write(samples.withUnsafeBytes { Array($0) }, to: "\(sink).f32")
      let format = ["--latency-msec=100", "--rate=48000", "--channels=2", "--format=float32le"].map { PathBytes($0) }
      return try Child("pacat", [PathBytes("--device=\(sink)")] + format + [file], environment: desk.environment)
    }

    private func stereo(_ left: [Float], _ right: [Float]) -> [Float] { zip(left, right).flatMap { [$0, $1] } }

    private func size(_ name: String) -> Int {
      let path = folder.appending(name).shown
      return (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }

    @Test func `a microphone that vanishes is told of though the sound server takes another, and the take goes on`()
      throws
    {
      let modules = Modules(desk)
      try modules.load("module-null-sink", "sink_name=otherfeed", "rate=44100", "channels=1")
      try modules.load(
        "module-remap-source", "source_name=other", "master=otherfeed.monitor",
        "source_properties=device.description=Other")
      try desk.tool("pactl", "set-default-source", "other")
      defer { _ = try? desk.tool("pactl", "set-default-source", "mic") }
      let child = try record("-o", folder.appending("a.wav").shown, "--bits", "16")
      defer { child.send(SIGKILL) }
      try eventually("a second of sound", atMost: 20) { size("a.wav") > 170_000 ? () : nil }
      try modules.unloadLast()
      try eventually("a word about it (\(child.complaints))", atMost: 10) {
        child.complaints.contains("The recording goes on with") ? () : nil
      }
      #expect(child.complaints.contains("another microphone") || child.complaints.contains("was removed"))
      let before = size("a.wav")
      try eventually("a second more", atMost: 20) { size("a.wav") > before + 170_000 ? () : nil }
      child.send(SIGINT)
      #expect(child.waitForEnd(atMost: 5) == .status(0))
      #expect(decodedByFFmpeg(folder.appending("a.wav")).count > 2 * 88_200)
    }

    @Test func `a channel on which nothing comes is said`() throws {
      let voice = try play(stereo(tone(440, -12, seconds: 60), Array(repeating: 0, count: 60 * 48_000)))
      defer { voice.send(SIGKILL) }
      let child = try record("-o", folder.appending("a.flac").shown)
      defer { child.send(SIGKILL) }
      try eventually("a word about it (\(child.complaints))", atMost: 20) {
        child.complaints.contains("Nothing comes from the right channel of the microphone") ? () : nil
      }
      child.send(SIGINT)
      #expect(child.waitForEnd(atMost: 5) == .status(0))
    }

    /// Opens the record view and answers the program; what it hears is played to the loudspeaker where asked for.
    private func openView(hears: Bool, environment: [String: String] = [:]) throws -> Program {
      let state = home.folder.path.appending("state/swell")
      try FileManager.default.createDirectory(atPath: state.shown, withIntermediateDirectories: true)
      let json = "{\"version\": 1, \"recording\": {\"monitoring\": \(hears), \"buffer\": 10}}"
      try Data(json.utf8).write(to: URL(fileURLWithPath: state.appending("state.json").shown))
      let program = try Program(home: home, environment: environment)
      try program.key("r")
      try program.waitForTitle(containing: "Recording")
      return program
    }

    @Test func `the microphone is heard in the loudspeaker when that is wished, a little later, and else is not`()
      throws
    {
      let modules = Modules(desk)
      // What is played into it goes to the loudspeaker and to the microphone at once: the one is heard first, its echo is
      // what the program heard.
      try modules.load("module-combine-sink", "sink_name=both", "slaves=out,micfeed", "adjust_time=0")
      var beats = [Float](repeating: 0, count: 40 * 48_000)
      for start in stride(from: 0, to: beats.count, by: 48_000) {
        for i in 0..<480 { beats[start + i] = 0.25 * Float(sin(Double(i) * 2 * .pi * 1000 / 48_000)) }
      }
      for hears in [true, false] {
        let program = try openView(hears: hears)
        // The combined sink is awake before it is listened to.
        let voice = try play(stereo(beats, beats), into: "both")
        defer { voice.send(SIGKILL) }
        let start = try desk.ear.waitForSound(after: desk.ear.now, above: -30) + 2 * 48_000
        let heard = try desk.ear.listen(from: start, seconds: 6).left
        var onsets: [Int] = []
        for i in heard.indices where abs(heard[i]) > 0.05 && i - (onsets.last ?? -2000) > 720 { onsets.append(i) }
        let gaps = zip(onsets, onsets.dropFirst()).map { Double($1 - $0) / 48 }
        if hears {
          let delays = gaps.filter { $0 < 500 }
          #expect(delays.count >= 4, "\(gaps)")
          let latency = delays.sorted()[delays.count / 2]
          #expect(latency < 160, "\(latency) ms")
          if ProcessInfo.processInfo.environment["SWELL_SOAK"] != nil { print("heard oneself after \(latency) ms") }
        } else {
          // The sound server itself may falter once on a busy machine.
          #expect(gaps.count { $0 < 500 } <= 1 && gaps.count >= 4, "\(gaps)")
        }
        #expect(try program.quit() == .status(0))
      }
    }

    @Test func `a program that was stopped while recording tells so, and marks the place in the waveform`() throws {
      // A sound server would keep ten seconds for it; SDL's disk driver keeps nothing.
      let program = try openView(
        hears: false,
        environment: [
          "SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILEIN": RecordingRun.heardFile.path,
          "SDL_DISKAUDIOFILE": "/dev/null",
          "SDL_DISKAUDIODELAY": "9",
        ])
      try program.key("r")
      let takes = home.folder.path.appending("Music/Recordings").shown
      try eventually("a take", atMost: 20) {
        (try? FileManager.default.contentsOfDirectory(atPath: takes))?.isEmpty == false ? () : nil
      }
      #expect(try !program.toastIsShown())
      program.child.send(SIGSTOP)
      usleep(3_000_000)
      program.child.send(SIGCONT)
      try eventually("a toast") { try program.toastIsShown() ? () : nil }
      // Red over the panel, at the opacity of marks, for about two seconds of the ten that are shown.
      let mark = Picture.Pixel(red: 0x95, green: 0x46, blue: 0x3F)
      try eventually("a mark in the waveform") {
        let picture = try program.picture()
        let waveform = picture.height * 45 / 100..<picture.height * 75 / 100
        let run = picture.longestRun(of: mark, x: 0..<picture.width, y: waveform)
        return run.map { $0.x.count > picture.width / 12 } == true ? () : nil
      }
      try program.key("s")
      try program.waitForTitle(containing: "20")
      #expect(try program.quit() == .status(0))
    }
  }
}
