import Foundation
import Sound
import TestSupport

/// `swell record`, with SDL's disk driver as its microphone: it hears a file of known noise, a little faster than time.
final class RecordingRun {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("swell-rec-\(UUID().uuidString)")
  let process = Process()
  let take: URL
  private let errorsFile: URL
  private let outputFile: URL

  /// What the microphone hears, interleaved stereo on the steps of 16 bits, 30 s; the same in every run.
  static let heard: [Float] = HeardNoise.samples(count: 30 * 48_000 * 2)
  static let heardFile: URL = {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("swell-heard-\(getpid()).f32")
    try! heard.withUnsafeBytes { Data($0) }.write(to: url)
    return url
  }()

  /// Starts recording to `take`, or with `-o` left out where `names` is true.
  init(
    _ name: String, _ arguments: [String] = [], faults: [String: String] = [:], names: Bool = true,
    in shared: URL? = nil
  ) {
    let home = shared ?? folder
    try! FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try! FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    take = folder.appendingPathComponent(name)
    errorsFile = folder.appendingPathComponent("errors")
    outputFile = folder.appendingPathComponent("output")
    for url in [errorsFile, outputFile] { try! Data().write(to: url) }
    process.executableURL = Self.binary
    process.arguments = ["record"] + (names ? ["-o", take.path] : []) + arguments
    var environment = ProcessInfo.processInfo.environment
    environment["SDL_AUDIODRIVER"] = "disk"
    environment["SDL_DISKAUDIOFILEIN"] = Self.heardFile.path
    environment["SDL_DISKAUDIODELAY"] = "13"
    environment["HOME"] = home.path
    for name in ["CONFIG", "STATE", "DATA", "CACHE"] {
      environment["XDG_\(name)_HOME"] = home.appendingPathComponent(name.lowercased()).path
    }
    environment["SWIFT_BACKTRACE"] = "enable=no"
    if !faults.isEmpty {
      environment.merge(faults) { $1 }
      environment["LD_PRELOAD"] = Faults.library
    }
    process.environment = environment
    process.standardError = FileHandle(forWritingAtPath: errorsFile.path)
    process.standardOutput = FileHandle(forWritingAtPath: outputFile.path)
    process.standardInput = FileHandle.nullDevice
    try! process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// The program that was built beside these tests.
  static let binary: URL = {
    let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("swell")
  }()

  var errors: String { (try? String(contentsOf: errorsFile, encoding: .utf8)) ?? "" }
  /// What the program tells of itself, but for what SDL's driver says.
  var notices: [String] { errors.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("CRITICAL") } }
  var output: String { (try? String(contentsOf: outputFile, encoding: .utf8)) ?? "" }

  /// Waits until the take's file is there and has grown to so many bytes, at most 20 s.
  @discardableResult
  func waitForFile(bytes: Int = 1) -> Bool {
    let deadline = Date() + 20
    while Date() < deadline {
      let size = (try? FileManager.default.attributesOfItem(atPath: take.path))?[.size] as? Int ?? 0
      if size >= bytes { return true }
      usleep(5000)
    }
    return false
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// The status, once the program has ended.
  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// True when the samples are what the microphone heard, without a gap, from its first callback on.
  ///
  /// Where in that the take begins depends on when it was asked for.
  static func isHeard(_ samples: [Float]) -> Bool {
    TestSupport.isHeard(samples, in: heard, beginningWithin: 960)
  }

  /// The interleaved samples that ffmpeg, another program, finds in a file.
  static func decoded(_ url: URL) -> [Float] { decodedByFFmpeg(PathBytes(url.path)) }
}
