import Foundation
import Sound
import TestSupport
import Testing

extension EndToEnd {
  struct Playing: AtTheDesk {
    let corner: Corner
    init() throws { corner = try Corner() }

    /// Starts the program with a file of these channels and waits until it is heard; where that is.
    private func play(_ channels: [[Float]], rate: Int = 48_000) throws -> (program: Program, start: Int) {
      let file = try folder.write(waveFile(channels, rate: rate), to: "tone.wav")
      let place = desk.ear.now
      let program = try Program([file], home: home)
      return (program, try desk.ear.waitForSound(after: place))
    }

    @Test(arguments: [48_000, 44_100, 96_000])
    func `the tone in the file is the tone on the loudspeaker, at its level, left and right unswapped`(
      rate: Int
    ) throws {
      let (program, start) = try play([tone(440, -12, rate: rate), tone(1_000, -20, rate: rate)], rate: rate)
      _ = try desk.ear.listen(from: start, seconds: 0.5)
      try inThreeTries {
        let heard = try desk.ear.listen(seconds: 1)
        return heard.leftTone.complaints("left", hertz: 440, level: -12)
          + heard.rightTone.complaints("right", hertz: 1_000, level: -20)
      }
      #expect(try program.quit() == .status(0))
    }

    @Test func `one channel comes out of both sides at its full level`() throws {
      let (program, start) = try play([tone(700, -9, rate: 44_100)], rate: 44_100)
      _ = try desk.ear.listen(from: start, seconds: 0.5)
      try inThreeTries {
        let heard = try desk.ear.listen(seconds: 0.5)
        return heard.leftTone.complaints("left", hertz: 700, level: -9)
          + (heard.left == heard.right ? [] : ["the sides differ"])
      }
      #expect(try program.quit() == .status(0))
    }

    @Test func `Space pauses within a tenth of a second, and goes on where it was`() throws {
      let (program, start) = try play([tone(500), tone(500)])
      _ = try desk.ear.listen(from: start, seconds: 0.5)
      let pressed = try program.keyWithPlace("space")
      let silent = try desk.ear.waitForSilence(after: pressed)
      #expect(Double(silent - pressed) / Stretch.rate < 0.1, "\(silent - pressed) frames")
      let before = desk.ear.now
      let resumed = try program.keyWithPlace("space")
      let again = try desk.ear.waitForSound(after: before)
      #expect(Double(again - resumed) / Stretch.rate < 0.3, "\(again - resumed) frames")
      let heard = try desk.ear.listen(from: again + 4_800, seconds: 0.5)
      #expect(abs(heard.leftTone.hertz - 500) < 0.2, "\(heard.leftTone)")
    }

    @Test func `pausing and going on does not click`() throws {
      let (program, start) = try play([tone(60, -6), tone(60, -6)])
      _ = try desk.ear.listen(from: start, seconds: 0.3)
      try inThreeTries {
        let pressed = try program.keyWithPlace("space")
        let silent = try desk.ear.waitForSilence(after: pressed)
        _ = try program.keyWithPlace("space")
        let again = try desk.ear.waitForSound(after: silent + 480)
        _ = try desk.ear.listen(from: again, seconds: 0.2)
        // A cut of this tone would be a step of up to half of full scale; its ramp of 5 ms changes by 0.5/240 a frame.
        let heard = desk.ear.heard(from: pressed, to: again + 9_600)
        let steepest = zip(heard.left, heard.left.dropFirst()).map { abs($1 - $0) }.max()!
        return steepest < 0.02 ? [] : ["a step of \(steepest)"]
      }
    }

    @Test func `a click on the volume slider changes the level by the decibels that are shown`() throws {
      let (program, start) = try play([tone(1_000, -6), tone(1_000, -6)])
      let slider = try program.volumeSlider()
      let loud = try desk.ear.listen(from: start + 9_600, seconds: 0.3).leftTone.level
      try program.click(slider.x.lowerBound + slider.x.count * 7 / 10, slider.y)
      let quiet = try eventually("a softer tone") { () -> Double? in
        let level = try desk.ear.listen(seconds: 0.1).leftTone.level
        let next = try desk.ear.listen(seconds: 0.1).leftTone.level
        return level < loud - 1 && abs(level - next) < 0.01 ? next : nil
      }
      #expect(try program.quit() == .status(0))
      let shown = try #require(try home.state()["volume"] as? Double)
      #expect(shown < -2 && shown > -40)
      #expect(abs(quiet - loud - shown) < 0.05, "\(quiet - loud) dB heard, \(shown) dB shown")
    }

    @Test func `six presses of Down are six decibels, and M is silence`() throws {
      let (program, start) = try play([tone(1_000, -6), tone(1_000, -6)])
      let loud = try desk.ear.listen(from: start + 9_600, seconds: 0.3).leftTone.level
      for _ in 0..<6 { try program.key("Down") }
      try eventually("a tone 6 dB softer") {
        abs(try desk.ear.listen(seconds: 0.1).leftTone.level - loud + 6) < 0.05 ? () : nil
      }
      let pressed = try program.keyWithPlace("m")
      _ = try desk.ear.waitForSilence(after: pressed)
      try program.key("m")
      _ = try desk.ear.waitForSound(after: pressed + 9_600)
    }

    @Test func `at the end it stops, and the last ten milliseconds are heard`() throws {
      let rate = 44_100
      let body = tone(500, -20, seconds: 1.5, rate: rate)
      let end = tone(2_000, -6, seconds: 0.01, rate: rate)
      let (program, first) = try play([body + end, body + end], rate: rate)
      var start = first
      try inThreeTries {
        let silent = try desk.ear.waitForSilence(after: start, below: -50, lasting: 0.5)
        let heard = desk.ear.heard(from: start, to: silent)
        let last = heard.loudRange(above: -12)
        let place = desk.ear.now
        try program.key("space")
        start = try desk.ear.waitForSound(after: place)
        guard let last else { return ["The end was not heard at all."] }
        var complaints: [String] = []
        // The sound server may swallow 3 ms of the beginning, and the resampler rings for a few frames.
        if abs(heard.seconds - 1.51) > 0.004 { complaints.append("It lasted for \(heard.seconds) s.") }
        if abs(last.count - 480) > 34 || abs(last.upperBound - heard.frames) > 48 {
          complaints.append(
            "Of the end, \(last.count) frames were heard, \(heard.frames - last.upperBound) before silence.")
        }
        return complaints
      }
    }

    @Test func `a digit goes to that tenth of the song`() throws {
      let (program, start) = try play([risingTone(), risingTone()])
      _ = try desk.ear.listen(from: start, seconds: 0.2)
      let pressed = try program.keyWithPlace("5")
      // The jump is where the pitch rises by more than the song does by itself.
      let heard = try desk.ear.listen(from: pressed, seconds: 0.6)
      let later = heard.part(from: 0.5, to: 0.6).leftTone.hertz
      // Up to 100 ms after the key it is at 10 s, so 0.55 s after it between 10.45 and 10.55 s.
      #expect((300 + 40 * 10.4...300 + 40 * 10.56).contains(later), "\(later) Hz")
    }

    @Test func `a queue plays in order, N and P step through it`() throws {
      for (name, hertz) in [("1.wav", 400.0), ("2.wav", 600), ("10.wav", 900)] {
        try folder.write(waveFile([tone(hertz, seconds: 8)]), to: name)
      }
      let place = desk.ear.now
      let program = try Program([folder.path], home: home)
      try desk.waitForTone(400, after: place)
      for (key, hertz) in [("n", 600.0), ("n", 900), ("p", 600), ("p", 400)] {
        let pressed = try program.keyWithPlace(key)
        try desk.waitForTone(hertz, after: pressed)
      }
    }

    @Test func `two files follow each other without a gap`() throws {
      // 0.5 s at 100 Hz are whole periods, so one goes on where the other ends.
      let half = tone(100, -12, seconds: 0.5)
      let files = try ["a.wav", "b.wav"].map { try folder.write(waveFile([half, half]), to: $0) }
      try inThreeTries {
        let place = desk.ear.now
        let program = try Program(files, home: Home())
        let start = try desk.ear.waitForSound(after: place)
        let silent = try desk.ear.waitForSilence(after: start, below: -50, lasting: 0.5)
        let heard = desk.ear.heard(from: start, to: silent)
        #expect(try program.quit() == .status(0))
        let isOneSecond = abs(heard.seconds - 1) < 0.004
        return heard.part(from: 0.1, to: 0.9).leftTone.complaints("the seam", hertz: 100, level: -12, purity: 50)
          + (isOneSecond ? [] : ["\(heard.seconds) s"])
      }
    }
  }
}
