import Foundation
import Sound
import TestSupport
import Testing

extension EndToEnd {
  /// What the other tests rely on, shown with sound whose source is known.
  struct Harness {
    @Test func `a tone that is played to the desk is the tone that the ear hears`() throws {
      let desk = try Desk.shared.get()
      let folder = try TemporaryFolder()
      let file = try folder.write(
        waveFile([tone(440, -12, seconds: 1), tone(1_000, -20, seconds: 1)]), to: "tone.wav")
      let place = desk.ear.now
      try desk.tool("paplay", "--device=out", file.shown)
      let start = try desk.ear.waitForSound(after: place)
      let heard = try desk.ear.listen(from: start, seconds: 0.9)
      #expect(abs(heard.leftTone.hertz - 440) < 0.1, "\(heard.leftTone)")
      #expect(abs(heard.leftTone.level + 12) < 0.05, "\(heard.leftTone)")
      #expect(abs(heard.rightTone.hertz - 1_000) < 0.1, "\(heard.rightTone)")
      #expect(abs(heard.rightTone.level + 20) < 0.05, "\(heard.rightTone)")
      #expect(heard.leftTone.impurity < -80, "\(heard.leftTone)")
      let end = try desk.ear.waitForSilence(after: start)
      // The sound server swallows up to 3 ms of a stream's beginning; its end is whole.
      #expect((47_850...48_005).contains(end - start), "\(end - start) frames")
    }

    @Test func `a tone with a click in it is not clean`() {
      var samples = tone(440, -12, seconds: 1)
      #expect(Tone(of: samples).impurity < -90)
      samples.removeSubrange(20_000..<20_030)
      #expect(Tone(of: samples).impurity > -50)
    }

    @Test func `the level of one frequency is told apart from others`() {
      let mixed = zip(tone(440, -12, seconds: 1), tone(1_000, -30, seconds: 1)).map { $0 + $1 }
      #expect(abs(Tone.level(of: 440, in: mixed) + 12) < 0.1)
      #expect(abs(Tone.level(of: 1_000, in: mixed) + 30) < 0.1)
      #expect(Tone.level(of: 3_000, in: mixed) < -90)
    }
  }
}
