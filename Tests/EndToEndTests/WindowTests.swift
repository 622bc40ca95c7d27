import Foundation
import Glibc
import Sound
import TestSupport
import Testing

extension EndToEnd {
  struct InTheWindow: AtTheDesk {
    let corner: Corner
    init() throws { corner = try Corner() }

    private func risingSong() throws -> PathBytes {
      try folder.write(waveFile([risingTone(), risingTone()]), to: "rising.wav")
    }

    /// The second of the rising song that is heard just now.
    private func secondHeard() throws -> Double { (try desk.ear.listen(seconds: 0.1).leftTone.hertz - 300) / 40 }

    @Test func `a click in the overview goes there, and so does a drag`() throws {
      let place = desk.ear.now
      let program = try Program([try risingSong()], home: home)
      _ = try desk.ear.waitForSound(after: place)
      let size = try program.picture()
      // The overview spans the window but for its margins; its middle is the song's.
      let middle = (x: size.width / 2, y: size.height - 130)
      try program.click(middle.x, middle.y)
      try eventually("the middle of the song", atMost: 5) { (10.0...11.5).contains(try secondHeard()) ? () : nil }
      try desk.tool("xdotool", "mousemove", "--window", program.window, "\(middle.x)", "\(middle.y)", "mousedown", "1")
      for x in stride(from: middle.x, through: size.width * 3 / 4, by: 20) { try program.point(x, middle.y) }
      try desk.tool("xdotool", "mouseup", "1")
      try eventually("three quarters of the song", atMost: 5) { (14.8...16.6).contains(try secondHeard()) ? () : nil }
      #expect(try program.quit() == .status(0))
    }

    @Test func `the arrow keys seek by five seconds`() throws {
      let place = desk.ear.now
      let program = try Program([PathBytes("--at"), PathBytes("0:08"), try risingSong()], home: home)
      _ = try desk.ear.waitForSound(after: place)
      let before = try secondHeard()
      #expect((8.0...9.5).contains(before), "\(before) s")
      try program.key("Right")
      try eventually("five seconds on", atMost: 5) { try secondHeard() > before + 4.5 ? () : nil }
      try program.key("Left", "Left")
      try eventually("five seconds back", atMost: 5) { try secondHeard() < before + 1 ? () : nil }
    }

    @Test func `what is paused looks the same from frame to frame, and what plays does not`() throws {
      let place = desk.ear.now
      let program = try Program([try risingSong()], home: home)
      _ = try desk.ear.waitForSound(after: place)
      #expect(try program.picture() != program.picture())
      try program.key("space")
      _ = try program.stillPicture()
      let first = try program.stillPicture()
      _ = try desk.ear.listen(seconds: 0.5)
      #expect(try program.picture() == first)
    }

    @Test func `O opens the browser, typing finds a file, and Enter plays it`() throws {
      for (name, hertz) in [("alpha.wav", 400.0), ("beta.wav", 600), ("gamma.wav", 900)] {
        try home.folder.write(waveFile([tone(hertz)]), to: name)
      }
      let program = try Program(home: home)
      try program.key("o")
      _ = try program.stillPicture()
      try desk.tool("xdotool", "type", "--delay", "20", "bet")
      let place = desk.ear.now
      try eventually("beta.wav in the list, and heard") { () -> Void? in
        try program.key("Return")
        let heard = try desk.ear.listen(seconds: 0.2).leftTone
        return abs(heard.hertz - 600) < 3 ? () : nil
      }
      #expect(desk.ear.heard(from: place).leftTone.level > -60)
      try program.waitForTitle(containing: "beta")
    }

    @Test func `an installed copy finds its own files: D plays the demo`() throws {
      let root = folder.path.shown + "/root"
      let inherited = desk.environment.merging(["HOME": folder.path.shown]) { $1 }
      try Child.run(
        "make", ["-s", "-C", Desk.tree, "install", "DESTDIR=" + root, "PREFIX=/usr"], environment: inherited)
      let program = try Program(home: home, binary: root + "/usr/bin/swell")
      let place = desk.ear.now
      try program.key("d")
      _ = try desk.ear.waitForSound(after: place)
      try program.waitForTitle(containing: "Harbour, First Light")
      #expect(try program.quit() == .status(0))
    }

    @Test func `the window takes every size, and the song goes on while it is out of sight`() throws {
      let file = try folder.write(waveFile([tone(440, seconds: 60)]), to: "tone.wav")
      let place = desk.ear.now
      let program = try Program([file], home: home)
      try desk.waitForTone(440, after: place)
      for (width, height) in [(480, 320), (1_500, 900), (700, 400)] {
        try desk.tool("xdotool", "windowsize", "--sync", program.window, "\(width)", "\(height)")
        let picture = try eventually("a picture of \(width) x \(height)") { () -> Picture? in
          let picture = try program.picture()
          return picture.width == width && picture.height == height ? picture : nil
        }
        #expect(Set(picture.pixels.map { [$0.red, $0.green, $0.blue] }).count > 20)
      }
      let hidden = desk.ear.now
      try desk.tool("xdotool", "windowminimize", program.window)
      #expect(try desk.ear.listen(from: hidden, seconds: 0.5).longestGap < 0.05)
      try desk.tool("xdotool", "windowactivate", program.window)
      #expect(try program.quit() == .status(0))
    }

    @Test func `no mad hand brings it down`() throws {
      let file = try folder.write(waveFile([tone(440, seconds: 5)]), to: "tone.wav")
      let program = try Program([file, try risingSong()], home: home)
      var chance = Noise(seed: 7)
      let keys =
        Array("abcdefghijklmnoprstuvxyz0123456789").map { String($0) } + [
          "space", "Left", "Right", "Up", "Down", "Home", "End", "Tab", "Return", "Escape", "BackSpace", "F1", "F11",
          "plus", "minus", "comma", "period", "shift+Tab", "ctrl+l", "ctrl+plus", "ctrl+minus", "ctrl+0", "question",
        ]
      let rounds = ProcessInfo.processInfo.environment["SWELL_SOAK"] == nil ? 40 : 4_000
      for _ in 0..<rounds {
        let pressed = (0..<8).map { _ in keys.randomElement(using: &chance)! }
        try Child.run("xdotool", ["key", "--delay", "2"] + pressed, environment: desk.environment)
        let button = [1, 1, 1, 3, 4, 5].randomElement(using: &chance)!
        try program.click(
          Int.random(in: 0..<1_270, using: &chance), Int.random(in: 0..<710, using: &chance), button: button)
        try #require(program.child.isRunning, "\(program.child.complaints)")
      }
      #expect(try program.quit() == .status(0))
    }
  }
}
