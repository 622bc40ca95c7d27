import Foundation
import Glibc
import Sound
import System
import TestSupport
import Testing

extension EndToEnd {
  /// What becomes of a song whose file is taken away, cut, changed, or lies on a disk that does not answer.
  struct LostFiles: AtTheDesk {
    let corner: Corner
    init() throws { corner = try Corner() }

    /// A file that is read as it lies, and one through the codec library; more kinds in the soak.
    static let endings =
      ["wav", "mp3"] + (ProcessInfo.processInfo.environment["SWELL_SOAK"] == nil ? [] : ["flac", "m4a", "ogg", "opus"])

    /// A minute of a tone in a file of this kind; with a little noise, so that much of it is not read at once.
    private func song(
      _ ending: String, hertz: Double = 440, seconds: Int = 60, name: String = "song"
    ) throws -> PathBytes {
      let file = folder.appending("\(name).\(ending)")
      let sound = "aevalsrc=0.25*sin(2*PI*\(hertz)*t)+0.02*random(0):s=48000:d=\(seconds)"
      try desk.tool("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", sound, "-b:a", "192k", file.shown, atMost: 120)
      return file
    }

    /// The program playing what `path` holds.
    private func play(
      _ paths: PathBytes..., hertz: Double = 440, environment: [String: String] = [:]
    ) throws -> Program {
      let place = desk.ear.now
      let program = try Program(paths, home: home, environment: environment)
      try desk.waitForTone(hertz, after: place)
      return program
    }

    /// That the window still draws, and ends within a second.
    private func expectAlive(_ program: Program, sourceLocation: SourceLocation = #_sourceLocation) throws {
      try desk.tool("xdotool", "windowsize", "--sync", program.window, "900", "500")
      try eventually("a picture in the new size") {
        let picture = try program.picture()
        return picture.width == 900 && Set(picture.pixels.map { [$0.red, $0.green, $0.blue] }).count > 20 ? () : nil
      }
      try desk.tool("xdotool", "key", "ctrl+q")
      let asked = Clock.seconds()
      #expect(program.child.waitForEnd(atMost: 5) == .status(0), sourceLocation: sourceLocation)
      #expect(Clock.seconds() - asked < 1, sourceLocation: sourceLocation)
    }

    @Test(arguments: endings)
    func `a file that is emptied while it plays is told of`(ending: String) throws {
      let file = try song(ending)
      let program = try play(file)
      _ = file.withCString { truncate($0, 0) }
      try eventually("a toast", atMost: 15) { try program.toastIsShown() ? () : nil }
      _ = try desk.ear.waitForSilence(after: desk.ear.now)
      try program.key("space", "Right", "Home")
      try expectAlive(program)
    }

    @Test(arguments: endings)
    func `a file that is deleted or replaced while it plays is heard to its end`(ending: String) throws {
      let file = try song(ending)
      let program = try play(file)
      for isReplaced in [false, true] {
        if isReplaced {
          let other = try song(ending, hertz: 900, name: "other")
          #expect(other.withCString { from in file.withCString { rename(from, $0) } } == 0)
        } else {
          #expect(file.withCString { unlink($0) } == 0)
        }
        let pressed = try program.keyWithPlace("5")
        try desk.waitForTone(440, after: pressed + 24_000)
      }
      try expectAlive(program)
    }

    @Test(arguments: endings)
    func `another file written over the one that plays does no harm`(ending: String) throws {
      let file = try song(ending)
      let program = try play(file)
      let other = try song("wav", hertz: 900, name: "other")
      try desk.tool("cp", other.shown, file.shown)
      try program.key("3", "Home", "7", "space", "space")
      // Whatever is heard of it, or told: what is dropped then plays.
      let good = try song("wav", hertz: 600, name: "good")
      let place = desk.ear.now
      try program.drop([good])
      try desk.waitForTone(600, after: place)
      try expectAlive(program)
    }

    /// A disk that stands still while a file is there.
    private final class Disk {
      let folder: TemporaryFolder
      private var sign: PathBytes { folder.appending("hang") }
      init() throws { folder = try TemporaryFolder() }
      var environment: [String: String] {
        ["LD_PRELOAD": Faults.library, "FAULT_HANG": sign.shown, "FAULT_DISK": "/slow-disk/"]
      }
      func stop() throws { try folder.write([], to: "hang") }
      func goOn() { _ = sign.withCString { unlink($0) } }
      deinit { goOn() }
    }

    private func slowDisk() { _ = folder.appending("slow-disk").withCString { mkdir($0, 0o700) } }

    /// The second of the rising song that is heard just now.
    private func secondHeard() throws -> Double { (try desk.ear.listen(seconds: 0.1).leftTone.hertz - 300) / 40 }

    @Test func `a disk that stands still is told of, and the song goes on where it was`() throws {
      let disk = try Disk()
      slowDisk()
      let file = try folder.write(waveFile([risingTone(), risingTone()]), to: "slow-disk/rising.wav")
      let place = desk.ear.now
      let program = try Program([file], home: home, environment: disk.environment)
      _ = try desk.ear.waitForSound(after: place)
      let before = try secondHeard()
      try disk.stop()
      let still = try desk.ear.waitForSilence(after: desk.ear.now)
      try eventually("a toast") { try program.toastIsShown() ? () : nil }
      // The window goes on drawing meanwhile.
      try program.key("question")
      let help = try program.stillPicture()
      try program.key("Escape")
      try eventually("a window without the help") { try program.picture() != help ? () : nil }
      disk.goOn()
      let again = try desk.ear.waitForSound(after: still + 4_800)
      let after = (try desk.ear.listen(from: again + 480, seconds: 0.1).leftTone.hertz - 300) / 40
      let last = (desk.ear.heard(from: still - 4_800, to: still).leftTone.hertz - 300) / 40
      #expect(abs(after - last) < 0.2 && last > before, "\(before) s, then \(last) s, then \(after) s")
      try expectAlive(program)
    }

    @Test func `a file that does not open is told of, what plays goes on, and it opens when the disk answers`() throws {
      let disk = try Disk()
      let first = try song("wav")
      slowDisk()
      let slow = try song("wav", hertz: 900, name: "slow-disk/slow")
      let program = try play(first, environment: disk.environment)
      try disk.stop()
      let place = desk.ear.now
      try program.drop([slow])
      try eventually("a toast") { try program.toastIsShown() ? () : nil }
      #expect(desk.ear.heard(from: place).longestGap < 0.05)
      disk.goOn()
      try desk.waitForTone(900, after: desk.ear.now)
      try expectAlive(program)
    }

    @Test func `a song on a disk that stands still keeps no other from playing`() throws {
      let disk = try Disk()
      slowDisk()
      let slow = try song("wav", seconds: 30, name: "slow-disk/slow")
      let good = try song("wav", hertz: 900, name: "good")
      let program = try play(slow, environment: disk.environment)
      try disk.stop()
      let still = try desk.ear.waitForSilence(after: desk.ear.now)
      try program.drop([good])
      try desk.waitForTone(900, after: still)
      // What hung before comes back to nobody.
      let answered = desk.ear.now
      disk.goOn()
      _ = try desk.ear.listen(seconds: 1)
      #expect(desk.ear.heard(from: answered).longestGap < 0.05)
      try expectAlive(program)
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["SWELL_SOAK"] != nil))
    func `a file on a disk that stands still keeps those behind it waiting for some seconds only`() throws {
      let disk = try Disk()
      slowDisk()
      let slow = try song("wav", name: "slow-disk/slow")
      let good = try song("wav", hertz: 900, name: "good")
      try disk.stop()
      let place = desk.ear.now
      let program = try Program([slow, good], home: home, environment: disk.environment)
      try desk.waitForTone(900, after: place, atMost: 40)
      try eventually("a toast") { try program.toastIsShown() ? () : nil }
      try expectAlive(program)
    }

    @Test func `a disk that stands still before the next file of the queue is told of, and the queue goes on`() throws {
      let disk = try Disk()
      let first = try song("wav", seconds: 40, name: "first")
      slowDisk()
      let slow = try song("wav", hertz: 900, name: "slow-disk/slow")
      let program = try play(first, slow, environment: disk.environment)
      try disk.stop()
      try program.key("9")
      try eventually("a toast", atMost: 15) { try program.toastIsShown() ? () : nil }
      disk.goOn()
      try desk.waitForTone(900, after: desk.ear.now)
      try expectAlive(program)
    }

    @Test(arguments: ["playing", "opening", "scanning"])
    func `it ends within a second while the disk stands still`(doing: String) throws {
      let disk = try Disk()
      slowDisk()
      let file = try song("wav", seconds: doing == "scanning" ? 1200 : 30, name: "slow-disk/long")
      switch doing {
      case "opening":
        try disk.stop()
        let program = try Program([file], home: home, environment: disk.environment)
        try expectAlive(program)
      case "scanning":
        let program = try Program([file], home: home, environment: disk.environment)
        try disk.stop()
        try expectAlive(program)
      default:
        let program = try play(file, environment: disk.environment)
        try disk.stop()
        _ = try desk.ear.waitForSilence(after: desk.ear.now)
        try expectAlive(program)
      }
    }
  }
}
