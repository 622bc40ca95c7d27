import Foundation
import Sound
import TestSupport
import Testing

/// Thousands of damaged files, each known by its seed: nothing crashes, hangs for six seconds, or eats the memory.
///
/// `mutate`, built beside these tests, uses them; when it ends before its time, its last word is the seed that has done it:
/// `mutate sound FOLDER SEED 1` shows it again.
@Suite(.serialized) struct MutationTests {
  /// 100,000 in the soak.
  private static let isSoak = ProcessInfo.processInfo.environment["SWELL_SOAK"] != nil
  private static let budget = ProcessInfo.processInfo.environment["SWELL_MUTATIONS"].flatMap { Int($0) }
  private static let soundCount = budget ?? (isSoak ? 80_000 : 600)
  private static let keptCount = budget ?? (isSoak ? 20_000 : 400)

  private static let tool: URL = {
    let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("mutate")
  }()

  /// One of each kind of file that can be made here.
  private static let kinds: [(String, [String])] = [
    ("s16.wav", []), ("s24.wav", ["-c:a", "pcm_s24le"]), ("u8.wav", ["-c:a", "pcm_u8"]),
    ("f32.wav", ["-c:a", "pcm_f32le"]), ("wide.wav", ["-rf64", "always"]), ("ima.wav", ["-c:a", "adpcm_ima_wav"]),
    ("ms.wav", ["-c:a", "adpcm_ms"]), ("mulaw.wav", ["-c:a", "pcm_mulaw"]), ("six.wav", ["-ac", "6"]),
    ("a.aiff", []), ("a.caf", []), ("a.w64", []), ("a.au", []), ("16.flac", []), ("24.flac", ["-sample_fmt", "s32"]),
    ("a.oga", ["-c:a", "flac"]), ("cbr.mp3", []), ("vbr.mp3", ["-q:a", "2"]), ("bare.mp3", ["-write_xing", "0"]),
    ("a.m4a", []), ("alac.m4a", ["-c:a", "alac"]), ("fragments.mp4", ["-movflags", "frag_keyframe+empty_moov"]),
    ("a.aac", []), ("a.ogg", ["-c:a", "libvorbis"]), ("a.opus", ["-c:a", "libopus"]), ("a.mka", []),
    ("a.webm", ["-c:a", "libopus"]), ("a.wma", []), ("a.wv", []), ("a.tta", []), ("a.ac3", []), ("a.mp2", []),
    ("a.ts", ["-c:a", "mp2"]), ("a.spx", ["-c:a", "libspeex", "-ar", "16000"]), ("a.eac3", []),
    ("a.avi", ["-c:a", "mp2"]), ("a.flv", ["-c:a", "mp3"]), ("a.gsm", ["-c:a", "libgsm", "-ar", "8000", "-ac", "1"]),
  ]

  private func makeSound(in folder: TemporaryFolder) throws {
    for (name, arguments) in Self.kinds {
      let file = folder.path.appending(name).shown
      let tags = ["-metadata", "title=Título", "-metadata", "artist=Artist"]
      _ = try run(
        "/usr/bin/ffmpeg",
        ["-v", "quiet", "-y", "-f", "lavfi", "-i", "aevalsrc=0.4*sin(2000*t)|0.3*sin(5000*t*t):d=0.5"] + tags
          + arguments
          + [file])
      // An encoder that is not built in leaves an empty file.
      if (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) == 0 {
        try FileManager.default.removeItem(atPath: file)
      }
    }
  }

  private func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, isSignal: Bool, words: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, process.terminationReason == .uncaughtSignal, words)
  }

  /// Uses the mutations of so many seeds, in as many processes as there are cores; each that ends early is told and begun
  /// again behind its seed.
  private func use(_ kind: String, _ folder: TemporaryFolder, count: Int) async {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    await withTaskGroup(of: Void.self) { group in
      for core in 0..<cores {
        group.addTask {
          var next = core
          var failures = 0
          while next < count, failures < 20 {
            let rest = (count - next + cores - 1) / cores
            guard
              let end = try? run(Self.tool.path, [kind, folder.path.shown, "\(next)", "\(rest)", "\(cores)"])
            else {
              Issue.record("\(Self.tool.path) cannot be run")
              return
            }
            let words = end.words.split(separator: "\n")
            if end.status == 0, words.last == "done" { return }
            failures += 1
            let seed = words.last.flatMap { Int($0) } ?? next
            let how =
              end.isSignal
              ? (end.status == SIGALRM ? "hung" : "crashed by signal \(end.status)") : "ended with \(end.status)"
            Issue.record("mutate \(kind) \(how) at seed \(seed)")
            next = seed + cores
          }
        }
      }
    }
  }

  @Test func `damaged sound is refused or heard`() async throws {
    let folder = try TemporaryFolder()
    try makeSound(in: folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.shown).count >= 30)
    await use("sound", folder, count: Self.soundCount)
  }

  @Test func `damaged state, waveforms, notes and takes are set aside or mended`() async throws {
    let folder = try TemporaryFolder()
    #expect(try run(Self.tool.path, ["make", folder.path.shown]).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.shown).count == 7)
    await use("kept", folder, count: Self.keptCount)
  }
}
