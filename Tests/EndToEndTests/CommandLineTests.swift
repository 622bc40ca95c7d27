import Foundation
import Glibc
import Sound
import System
import TestSupport
import Testing

extension EndToEnd {
  struct CommandLine: AtTheDesk {
    let corner: Corner
    init() throws { corner = try Corner() }
    private var environment: [String: String] { desk.environment.merging(home.environment) { $1 } }

    private func run(
      _ arguments: [PathBytes], without variables: [String] = []
    ) throws -> (end: Child.End?, output: String, errors: String) {
      let child = try Child(
        Desk.program, arguments, environment: environment.filter { !variables.contains($0.key) })
      defer { child.send(SIGKILL) }
      let end = child.waitForEnd(atMost: 20)
      return (end, child.printed, child.complaints)
    }

    private func run(_ arguments: String...) throws -> (end: Child.End?, output: String, errors: String) {
      try run(arguments.map { PathBytes($0) })
    }

    private func info(_ arguments: [PathBytes]) throws -> (end: Child.End?, list: [[String: Any]]) {
      let answer = try run(["info", "--json"].map { PathBytes($0) } + arguments)
      let list = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [[String: Any]]
      return (answer.end, try #require(list))
    }

    @Test func `the version is one line, and nothing else is said`() throws {
      let answer = try run("--version")
      #expect(answer.end == .status(0))
      #expect(answer.output.wholeMatch(of: /swell \d+\.\d+\.\d+\n/) != nil, "\(answer.output)")
      #expect(answer.errors == "")
    }

    @Test func `the help names every option`() throws {
      let answer = try run("--help")
      #expect(answer.end == .status(0))
      for word in ["--at", "--loops", "--start-in", "--rate", "--scale", "--version", "info", "--json"] {
        #expect(answer.output.contains(word), "\(word)")
      }
      #expect(answer.errors == "")
    }

    @Test(arguments: [
      ["--colour", "blue"], ["-x"], ["--at"], ["--at", "soon"], ["--loops", "-3"], ["info", "--yaml"],
      ["record", "now", "--list"], ["record", "--loud"], ["record", "-o", "a.wav", "--format", "flac"],
    ])
    func `what is not understood is told in one line, with status 2`(arguments: [String]) throws {
      let answer = try run(arguments.map { PathBytes($0) })
      #expect(answer.end == .status(2))
      #expect(answer.output == "")
      #expect(answer.errors.hasSuffix("\n") && answer.errors.split(separator: "\n").count == 1, "\(answer.errors)")
    }

    @Test func `without a display it says so in one sentence, with status 1`() throws {
      let answer = try run([], without: ["DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"])
      #expect(answer.end == .status(1))
      #expect(answer.output == "")
      #expect(answer.errors.contains("display"), "\(answer.errors)")
      #expect(answer.errors.hasSuffix(".\n") && answer.errors.split(separator: "\n").count == 1, "\(answer.errors)")
    }

    @Test func `info tells what decoding shows`() throws {
      let file = try folder.write(
        waveFile([tone(441, -12, seconds: 2, rate: 44_100), [Float](repeating: 0, count: 88_200)], rate: 44_100),
        to: "tone.wav")
      let (end, list) = try info([file])
      #expect(end == .status(0))
      let facts = try #require(list.first)
      #expect(list.count == 1)
      #expect(facts["path"] as? String == file.shown)
      #expect(facts["plays"] as? Bool == true)
      #expect(facts["sampleRate"] as? Int == 44_100)
      #expect(facts["channels"] as? Int == 2)
      #expect(facts["channelLayout"] as? String == "stereo")
      #expect(facts["bitsPerSample"] as? Int == 32)
      #expect(facts["frames"] as? Int == 88_200)
      #expect(facts["duration"] as? Double == 2)
      #expect(facts["container"] is String && facts["codec"] is String && facts["tags"] is [String: Any])
      let peaks = try #require(facts["peakDBFS"] as? [Any])
      let powers = try #require(facts["rmsDBFS"] as? [Any])
      #expect(abs((peaks[0] as? Double ?? 0) + 12) < 0.01)
      #expect(abs((powers[0] as? Double ?? 0) + 15.01) < 0.01)
      #expect(peaks[1] is NSNull && powers[1] is NSNull)
    }

    @Test func `info says why a file does not play, and ends with 1`() throws {
      let good = try folder.write(waveFile([tone(440, seconds: 0.1)]), to: PathBytes("-odd:name.wav"))
      let bad = try folder.write(Array("words".utf8), to: "words.mp3")
      let pipe = folder.appending("pipe.wav")
      _ = pipe.withCString { mkfifo($0, 0o600) }
      let (end, list) = try info([PathBytes("--"), good, bad, pipe, folder.path, folder.appending("missing")])
      #expect(end == .status(1))
      #expect(list.map { $0["plays"] as? Bool } == [true, false, false, false, false])
      for facts in list.dropFirst() { #expect((facts["error"] as? String ?? "").count > 10, "\(facts)") }
    }

    @Test func `info counts the places that were left out, in words`() throws {
      let whole = folder.appending("whole.flac")
      let noise = Signal.noise(seed: 1, frames: 96_000, amplitude: 0.5)
      let source = try folder.write(waveFile([noise, noise.reversed()]), to: "noise.wav")
      try Child.run(
        "ffmpeg", ["-v", "error", "-i", source.shown, "-sample_fmt", "s16", whole.shown], environment: environment)
      let bytes = try Files.read(whole)
      for (count, words) in [(0, nil), (1, "1 place was left out"), (2, "2 places were left out")] {
        var damaged = bytes
        for hole in 1..<(count + 1) {
          let start = bytes.count * hole / (count + 1)
          damaged.replaceSubrange(start..<(start + 3_000), with: repeatElement(0, count: 3_000))
        }
        let answer = try run([PathBytes("info"), try folder.write(damaged, to: "damaged.flac")])
        #expect(answer.end == .status(0))
        let told = answer.output.split(separator: "\n").last { $0.contains("left out") }
        #expect(told?.trimmingPrefix(/\s+Damage\s+/) == words.map { $0[...] })
      }
    }

    @Test func `info reads a name that is not UTF-8`() throws {
      let name = PathBytes(bytes: [0xE9, 0xFF] + Array(".wav".utf8))
      let (end, list) = try info([try folder.write(waveFile([tone(440, seconds: 0.1)]), to: name)])
      #expect(end == .status(0))
      #expect(list.first?["frames"] as? Int == 4_800)
    }
  }
}
