import Foundation
import Sound
import TestSupport
import Testing

extension EndToEnd {
  struct RecordView: AtTheDesk {
    let corner: Corner
    init() throws { corner = try Corner() }

    /// Plays tones into the microphone, left and right, until the answer is let go.
    private func speak(_ left: Double, _ right: Double) throws -> Child {
      let (left, right) = (tone(left, -12, seconds: 120), tone(right, -18, seconds: 120))
      var bytes: [UInt8] = []
      bytes.reserveCapacity(left.count * 8)
      for (left, right) in zip(left, right) {
        for sample in [left, right] { withUnsafeBytes(of: sample) { bytes += $0 } }
      }
      let file = try folder.write(bytes, to: "tones.f32")
      let format = ["--latency-msec=500", "--rate=48000", "--channels=2", "--format=float32le"].map { PathBytes($0) }
      return try Child("pacat", [PathBytes("--device=micfeed")] + format + [file], environment: desk.environment)
    }

    private func takes() -> [URL] {
      let folder = home.folder.path.shown + "/Music/Recordings"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.sorted().map { URL(fileURLWithPath: folder + "/" + $0) }
    }

    /// What each tenth of a second of one side is.
    private func tenths(of samples: [Float], side: Int) -> [Tone] {
      let one = stride(from: side, to: samples.count, by: 2).map { samples[$0] }
      return stride(from: 0, to: one.count - 4799, by: 4800).map { Tone(of: Array(one[$0..<$0 + 4800])) }
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
      for (side, hertz, level) in [(0, 440.0, -12.0), (1, 700, -18)] {
        let heard = tenths(of: samples, side: side)
        let hits = heard.filter { abs($0.hertz - hertz) < 1 && abs($0.level - level) < 0.1 }
        // The voice may begin in the take, and a busy machine's voice may falter.
        #expect(hits.count > heard.count / 2, "\(heard)")
      }

      let place = desk.ear.now
      try program.key("End", "Left", "space")
      try desk.waitForTone(440, after: place, "of the take")
      #expect(try program.quit() == .status(0))
    }
  }
}
