import Foundation
import Sound
import TestSupport
import Testing

extension EndToEnd {
  struct LoopAndSpeed: AtTheDesk {
    let corner: Corner
    init() throws { corner = try Corner() }

    @Test func `between its flags a file goes round to the sample, and is found so again`() throws {
      let noise = Signal.noise(seed: 9, frames: 480_000, amplitude: 0.5)
      let file = try folder.write(waveFile([noise, noise]), to: "noise.wav")
      var program = try Program([file], home: home)
      _ = try desk.ear.waitForSound(after: desk.ear.now)
      try program.key("bracketleft")
      _ = try desk.ear.listen(seconds: 0.4)
      try program.key("bracketright")
      _ = try desk.ear.listen(seconds: 0.3)
      var flags = (a: 0, b: 0)
      try inThreeTries {
        let heard = try desk.ear.listen(seconds: 2)
        #expect(try program.quit() == .status(0))
        let kept = try #require(try home.state()["flags"] as? [[String: Any]])
        flags = (try #require(kept.first?["a"] as? Int), try #require(kept.first?["b"] as? Int))
        let complaint = complaint(of: heard, noise, flags)
        program = try Program([file], home: home)
        return complaint
      }
      // The second start plays into the region and stays in it.
      let place = desk.ear.now
      try program.key("Home")
      try inThreeTries {
        _ = try desk.ear.listen(from: place, seconds: Double(flags.b) / 48_000 + 1)
        return complaint(of: try desk.ear.listen(seconds: 1.5), noise, flags)
      }
      try program.key("backslash")
      #expect(try program.quit() == .status(0))
      #expect(try home.state()["flags"] as? [[String: Int]] == [])
    }

    /// What is wrong with a stretch in which a region of a sound should be heard, round after round.
    private func complaint(of heard: Stretch, _ sound: [Float], _ flags: (a: Int, b: Int)) -> [String] {
      guard (1_000..<100_000).contains(flags.b - flags.a) else { return ["flags at \(flags)"] }
      guard
        let first = (flags.a..<flags.b - 2).first(where: {
          sound[$0] == heard.left[0] && sound[$0 + 1] == heard.left[1]
        })
      else { return ["The region is not what is heard."] }
      var at = first
      for (index, sample) in heard.left.enumerated() {
        if sample != sound[at] { return ["The sound differs after \(index) frames."] }
        at += 1
        if at == flags.b { at = flags.a }
      }
      return []
    }

    @Test(arguments: ["0.5", "2"])
    func `at another speed a tone keeps its pitch and lasts as long as that says`(speed: String) throws {
      let body = tone(440, -12, seconds: 2)
      let file = try folder.write(waveFile([body, body]), to: "tone.wav")
      try inThreeTries {
        let place = desk.ear.now
        let program = try Program(["--speed", speed].map { PathBytes($0) } + [file], home: Home())
        let start = try desk.ear.waitForSound(after: place)
        let silent = try desk.ear.waitForSilence(after: start, below: -50, lasting: 0.5)
        #expect(try program.quit() == .status(0))
        let heard = desk.ear.heard(from: start, to: silent)
        let pitch = heard.part(from: 0.3, to: 0.7).leftTone
        let isRight = abs(pitch.hertz / 440 - 1) < 0.001 && abs(heard.seconds * Double(speed)! / 2 - 1) < 0.005
        return isRight ? [] : ["\(pitch), \(heard.seconds) s"]
      }
    }

    @Test func `a step away from normal speed and back is heard without a gap`() throws {
      let file = try folder.write(waveFile([tone(440, -6), tone(440, -6)]), to: "tone.wav")
      try inThreeTries {
        let place = desk.ear.now
        let program = try Program([file], home: home)
        let start = try desk.ear.waitForSound(after: place)
        _ = try desk.ear.listen(seconds: 0.5)
        for key in ["greater", "x", "less", "x"] {
          try program.key(key)
          _ = try desk.ear.listen(seconds: 0.7)
        }
        let heard = desk.ear.heard(from: start, to: desk.ear.now)
        #expect(try program.quit() == .status(0))
        // The old fades out and the new in, 5 ms each.
        return heard.longestGap < 0.004 ? [] : ["\(heard.longestGap) s of silence"]
      }
    }

    @Test func `the keys change the speed at once and X makes it normal`() throws {
      let file = try folder.write(waveFile([risingTone(), risingTone()]), to: "rising.wav")
      let place = desk.ear.now
      let program = try Program([file], home: home)
      _ = try desk.ear.waitForSound(after: place)
      for (keys, speed) in [(["greater"], 1.05), (["less", "less", "less", "less"], 0.85), (["x"], 1.0)] {
        for key in keys { try program.key(key) }
        _ = try desk.ear.listen(seconds: 0.3)
        try inThreeTries {
          // It rises by 40 Hz for each second of the song.
          let heard = try desk.ear.listen(seconds: 1)
          let rise = heard.part(from: 0.9).leftTone.hertz - heard.part(from: 0, to: 0.1).leftTone.hertz
          return abs(rise - 36 * speed) < 1 ? [] : ["\(rise) Hz at \(speed)"]
        }
      }
      #expect(try program.quit() == .status(0))
    }
  }
}
