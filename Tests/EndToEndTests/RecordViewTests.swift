import Foundation
import Sound
import TestSupport
import Testing

extension EndToEnd {
  struct RecordView {
    let desk: Desk
    let home: Home
    let folder: TemporaryFolder

    init() throws {
      desk = try Desk.shared.get()
      home = try Home()
      folder = try TemporaryFolder()
    }

    /// Plays tones into the microphone, left and right, until the answer is let go.
    private func speak(_ left: Double, _ right: Double) throws -> Child {
      let (left, right) = (tone(left, -12, seconds: 120), tone(right, -18, seconds: 120))
      var bytes: [UInt8] = []
      bytes.reserveCapacity(left.count * 8)
      for (left, right) in zip(left, right) {
        for sample in [left, right] { withUnsafeBytes(of: sample) { bytes += $0 } }
      }
      let file = try folder.write(bytes, to: "tones.f32")
      let format = ["--latency-msec=50", "--rate=48000", "--channels=2", "--format=float32le"].map { PathBytes($0) }
      return try Child("pacat", [PathBytes("--device=micfeed")] + format + [file], environment: desk.environment)
    }

    private func takes() -> [URL] {
      let folder = home.folder.path.shown + "/Music/Recordings"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.sorted().map { URL(fileURLWithPath: folder + "/" + $0) }
    }

    @Test func `R opens, R records, S stops; the take is what was heard, is loaded and plays`() throws {
      let voice = try speak(440, 700)
      defer { voice.send(SIGKILL) }
      let program = try Program(home: home)
      try program.key("r")
      try program.waitForTitle(containing: "Recording")
      try program.key("r")
      // The file is there once there is sound in it.
      let take = try eventually("a take", atMost: 20) { takes().first { $0.pathExtension == "flac" } }
      try eventually("two seconds of a take", atMost: 20) {
        let size = try? FileManager.default.attributesOfItem(atPath: take.path)[.size] as? Int
        return size ?? 0 > 200_000 ? () : nil
      }
      try program.key("Escape", "space")
      #expect(try program.title.contains("Recording"), "Esc and Space never leave an open take")
      try program.key("s")
      let name = take.deletingPathExtension().lastPathComponent
      try program.waitForTitle(containing: name)
      #expect(takes() == [take])

      let samples = RecordingRun.decoded(take)
      #expect(samples.count > 2 * 48_000)
      // The last second lies behind the server's own start.
      let tail = samples.suffix(96_000)
      let left = Tone(of: tail.indices.filter { $0 % 2 == 0 }.map { tail[$0] })
      let right = Tone(of: tail.indices.filter { $0 % 2 == 1 }.map { tail[$0] })
      #expect(abs(left.hertz - 440) < 0.5 && abs(left.level + 12) < 0.3, "\(left)")
      #expect(abs(right.hertz - 700) < 0.5 && abs(right.level + 18) < 0.3, "\(right)")

      let place = desk.ear.now
      try program.key("End", "Left", "space")
      try desk.waitForTone(440, after: place, "of the take")
      #expect(try program.quit() == .status(0))
    }
  }
}
