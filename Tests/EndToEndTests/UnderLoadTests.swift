import Foundation
import Glibc
import Sound
import System
import TestSupport
import Testing

extension EndToEnd {
  /// A machine with more to do than it can.
  struct UnderLoad {
    private static let isSoak = ProcessInfo.processInfo.environment["SWELL_SOAK"] != nil
    /// So long a tone is listened to: 10 minutes in the soak.
    private static let seconds =
      ProcessInfo.processInfo.environment["SWELL_SECONDS"].flatMap { Int($0) } ?? (isSoak ? 600 : 8)
    /// The length of the file that plays and is scanned: 4 hours in the soak.
    private static let fileSeconds = isSoak ? 4 * 3600 : 600

    /// Every core busy, by `stress-ng` in the soak; in the short form these stand back a little, for the sound server.
    private static func busyCores(_ desk: Desk) throws -> [Child] {
      if isSoak {
        return [try Child("stress-ng", ["--cpu", "0"].map { PathBytes($0) }, environment: desk.environment)]
      }
      return try (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
        try Child(
          "nice", ["-n", "5", "sh", "-c", "while :; do :; done"].map { PathBytes($0) }, environment: desk.environment)
      }
    }

    @Test func `with every core busy, a long file opening and the window resizing, the tone has no break`() throws {
      let desk = try Desk.shared.get()
      let folder = try TemporaryFolder()
      let file = folder.appending("long.flac")
      let sound = "sine=500:r=48000:d=\(Self.fileSeconds),volume=4dB"
      try desk.tool(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", sound, "-compression_level", "0", file.shown, atMost: 600)
      let busy = try Self.busyCores(desk)
      defer { busy.forEach { $0.send(SIGTERM) } }
      let place = desk.ear.now
      let program = try Program([file], home: Home(), environment: ["SWELL_TRACE": "1"])
      let start = try desk.waitForTone(500, after: place, atMost: 30)
      var breaks: [String] = []
      var next = start
      var other: Program?
      for second in 0..<Self.seconds {
        // Another of the same opens and scans the file all the while, from the start again and again.
        if second % 20 == 0 {
          other?.child.send(SIGTERM)
          other = try Program([file], home: Home(), environment: ["SDL_AUDIODRIVER": "dummy"])
        }
        let size = (480 + second * 97 % 1000, 320 + second * 53 % 500)
        try desk.tool("xdotool", "windowsize", program.window, "\(size.0)", "\(size.1)")
        let heard = try desk.ear.listen(from: next, seconds: 1)
        next += Int(Stretch.rate)
        let tone = heard.leftTone
        if abs(tone.hertz - 500) > 0.5 || tone.impurity > -40 { breaks.append("second \(second): \(tone)") }
      }
      other?.child.send(SIGTERM)
      program.child.send(SIGTERM)
      #expect(program.child.waitForEnd(atMost: 10) == .status(0))
      let dry = program.child.complaints.split(separator: "\n").last { $0.hasPrefix("trace underruns") } ?? "no trace"
      #expect(dry == "trace underruns 0")
      // Where other things run beside these tests the sound server itself drops stretches; the soak has the machine to itself.
      let allowed = Self.isSoak ? 0 : Self.seconds / 2
      #expect(breaks.count <= allowed, "\(breaks), \(dry)")
    }
  }
}
