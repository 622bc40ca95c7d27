import Foundation
import Sound
import System
import TestSupport
import Testing

/// The tests' own desk: a screen, a window manager, a bus and a loudspeaker, shared by all tests, which come one by one.
final class Desk: Sendable {
  /// Set up when the first test asks for it; gone when the tests' process is.
  static let shared = Result { try Desk() }

  /// The program under test: $SWELL, else the release build of this tree.
  static let program = ProcessInfo.processInfo.environment["SWELL"] ?? tree + "/.build/release/swell"
  /// The top folder of this tree.
  static let tree = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    .standardizedFileURL.path

  let environment: [String: String]
  let ear: Ear
  private let services: Child
  private let folder: TemporaryFolder

  private init() throws {
    guard FileManager.default.isExecutableFile(atPath: Self.program) else {
      throw Child.Failure(description: "There is no \(Self.program): run `make build` first.")
    }
    folder = try TemporaryFolder()
    let script = Self.tree + "/Tests/EndToEndTests/desk.sh"
    let inherited = ProcessInfo.processInfo.environment.filter { ["PATH", "LANG", "LD_LIBRARY_PATH"].contains($0.key) }
    services = try Child(
      "bash", [PathBytes(script), folder.appending("desk")], environment: inherited, hasInput: true)
    guard services.waitForOutput("ready\n", atMost: 30) else {
      throw Child.Failure(description: "The desk was not ready within 30 s: \(services.complaints)")
    }
    var environment = inherited.merging(["SDL_AUDIODRIVER": "pulseaudio", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
    for line in services.printed.split(separator: "\n") where line.contains("=") {
      let parts = line.split(separator: "=", maxSplits: 1)
      environment[String(parts[0])] = String(parts[1])
    }
    self.environment = environment
    ear = try Ear(environment: environment)
  }

  /// Runs one of the desk's tools to its end and gives what it prints.
  @discardableResult
  func tool(_ name: String, _ arguments: String..., atMost seconds: Double = 20) throws -> [UInt8] {
    try Child.run(name, arguments, environment: environment, atMost: seconds)
  }

  /// Waits until this tone is heard alone for a tenth of a second, looking from `place` on; where that tenth ends.
  @discardableResult
  func waitForTone(_ hertz: Double, after place: Int, _ what: String = "", atMost seconds: Double = 10) throws -> Int {
    let length = Int(Stretch.rate / 10)
    var next = place
    return try eventually("a tone of \(hertz) Hz \(what)", atMost: seconds) {
      let heard = try ear.listen(from: next, seconds: 0.1).leftTone
      next += length
      return abs(heard.hertz - hertz) < 3 && heard.level > -40 ? next : nil
    }
  }
}

/// Asks again and again, at most `seconds` long, until there is an answer.
///
/// For what gives no sign of its own when it changes, such as a window's title.
func eventually<Answer>(
  _ what: String, atMost seconds: Double = 10, _ ask: () throws -> Answer?
) throws -> Answer {
  let deadline = Clock.seconds() + seconds
  while true {
    if let answer = try ask() { return answer }
    guard Clock.seconds() < deadline else {
      throw Child.Failure(description: "In \(seconds) s it did not come to this: \(what).")
    }
    usleep(10_000)
  }
}

/// Judges what was heard, up to three times over, and reports the last verdict's complaints only.
///
/// For what must be right to the sample: where all cores are busy, the sound server itself drops a stretch now and then,
/// but what the program does wrong it does wrong each time. `listen` gives the complaints, none when all is well.
func inThreeTries(
  sourceLocation: SourceLocation = #_sourceLocation, _ listen: () throws -> [String]
) rethrows {
  for attempt in 1...3 {
    let complaints = try listen()
    if complaints.isEmpty { return }
    if attempt == 3 { for complaint in complaints { Issue.record("\(complaint)", sourceLocation: sourceLocation) } }
  }
}
