import Foundation
import Testing

/// With every core busy at full weight; `make test` runs it with the machine to itself, since it would disturb any other.
@Suite struct BusyCoresTests {
  /// One take of 8 s, and ten minutes of takes when there is time.
  @Test func `with every core busy a take has no break`() throws {
    let isSoak = ProcessInfo.processInfo.environment["SWELL_SOAK"] != nil
    let busy = try (0..<2 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
      try Process.run(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", "while :; do :; done"])
    }
    defer {
      for process in busy {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
    }
    for _ in 0..<(isSoak ? 22 : 1) {
      let seconds = isSoak ? 28 : 8
      let run = RecordingRun("a.flac", ["--bits", "16", "--seconds", "\(seconds)"])
      #expect(run.end() == 0)
      let found = RecordingRun.decoded(run.take)
      #expect(found.count == seconds * 96_000)
      let isWhole = RecordingRun.isHeard(found)
      #expect(isWhole)
      #expect(run.notices == [])
    }
  }
}
