import Foundation
import Glibc
import Sound
import TestSupport
import Testing

extension EndToEnd {
  struct Opening: AtTheDesk {
    let corner: Corner
    init() throws { corner = try Corner() }

    private static let names: [[UInt8]] = [
      Array("with spaces.wav".utf8), Array("50%41 # really?.wav".utf8), Array("two\nlines.wav".utf8),
      Array("naïve 日本語 العربية 🎵.wav".utf8), Array("caf".utf8) + [0xE9] + Array(".wav".utf8), Array("a:b&c.wav".utf8),
      Array("-x.wav".utf8), Array("no ending".utf8),
    ]

    @Test func `a drop plays, whatever the file is called`() throws {
      let program = try Program(home: home)
      for (index, name) in Self.names.enumerated() {
        let hertz = 400 + 100 * Double(index)
        let file = try folder.write(waveFile([tone(hertz, seconds: 30)]), to: PathBytes(bytes: name))
        let place = desk.ear.now
        try program.drop([file])
        try desk.waitForTone(hertz, after: place, "\(file.shown)")
      }
      #expect(try program.quit() == .status(0))
    }

    @Test func `a name that is not UTF-8 can be given on the command line`() throws {
      let name = PathBytes(bytes: Array("caf".utf8) + [0xE9] + Array(".wav".utf8))
      let file = try folder.write(waveFile([tone(440)]), to: name)
      let place = desk.ear.now
      let program = try Program([file], home: home)
      try desk.waitForTone(440, after: place)
      #expect(try program.quit() == .status(0))
    }

    @Test func `a dropped folder plays 1, then 2, then 10`() throws {
      let album = folder.appending("album")
      try FileManager.default.createDirectory(atPath: album.shown, withIntermediateDirectories: true)
      for (name, hertz) in [("10.wav", 900.0), ("2.wav", 600), ("1.wav", 400)] {
        try folder.write(waveFile([tone(hertz, seconds: 1)]), to: "album/" + name)
      }
      let program = try Program(home: home)
      var place = desk.ear.now
      try program.drop([album])
      for hertz in [400.0, 600, 900] { place = try desk.waitForTone(hertz, after: place) }
    }

    @Test func `a drop takes the place of what was playing`() throws {
      let first = try folder.write(waveFile([tone(400, seconds: 60)]), to: "first.wav")
      let second = try folder.write(waveFile([tone(900, seconds: 60)]), to: "second.wav")
      let start = desk.ear.now
      let program = try Program([first], home: home)
      try desk.waitForTone(400, after: start)
      try program.waitForTitle(containing: "first")
      let place = desk.ear.now
      try program.drop([second])
      try desk.waitForTone(900, after: place)
      try program.waitForTitle(containing: "second")
    }

    /// Things that cannot be played, each made in the folder by a function.
    private static let bad: [(name: String, make: @Sendable (TemporaryFolder, String) throws -> Void)] = [
      ("notes.mp3", { folder, name in try folder.write(Array("These are only words.\n".utf8), to: name) }),
      ("empty.flac", { folder, name in try folder.write([], to: name) }),
      ("missing.ogg", { _, _ in }),
      ("pipe.wav", { folder, name in _ = folder.appending(name).withCString { mkfifo($0, 0o600) } }),
      ("folder.mp3", { folder, name in _ = folder.appending(name).withCString { mkdir($0, 0o700) } }),
      (
        "sparse.wav",
        { folder, name in
          try folder.write([], to: name)
          _ = folder.appending(name).withCString { truncate($0, 5 << 30) }
        }
      ),
      (
        "cut.wav",
        { folder, name in try folder.write(Array(waveFile([tone(440, seconds: 1)]).prefix(30)), to: name) }
      ),
    ]

    @Test func `what cannot be played is told in a toast, and the song goes on`() throws {
      let song = try folder.write(waveFile([tone(440, seconds: 120)]), to: "song.wav")
      let start = desk.ear.now
      let program = try Program([song], home: home)
      try desk.waitForTone(440, after: start)
      for (name, make) in Self.bad {
        try make(folder, name)
        try eventually("a window without a toast") { try program.toastIsShown() ? nil : () }
        let place = desk.ear.now
        try program.drop([folder.appending(name)])
        try eventually("a toast about \(name)") { try program.toastIsShown() ? () : nil }
        #expect(try desk.ear.listen(from: place, seconds: 0.5).longestGap < 0.05, "\(name)")
        try inThreeTries {
          try desk.ear.listen(seconds: 0.3).leftTone.complaints(name, hertz: 440, level: -12)
        }
        // The window answers: Space stops and starts the song.
        let pressed = try program.keyWithPlace("space")
        let silent = try desk.ear.waitForSilence(after: pressed)
        #expect(silent - pressed < 9_600, "\(name)")
        try program.key("space")
        _ = try desk.ear.waitForSound(after: silent + 480)
        try program.dismissToast()
      }
      #expect(try program.title.contains("song"))
      #expect(try program.quit() == .status(0))
    }

    @Test func `a bad file in a queue is passed over`() throws {
      let files = [
        try folder.write(waveFile([tone(400, seconds: 0.6)]), to: "1.wav"),
        try folder.write(Array("not sound".utf8), to: "2.wav"),
        try folder.write(waveFile([tone(900, seconds: 5)]), to: "3.wav"),
      ]
      let place = desk.ear.now
      let program = try Program(files, home: home)
      let first = try desk.waitForTone(400, after: place)
      try desk.waitForTone(900, after: first)
      try eventually("a toast about 2.wav") { try program.toastIsShown() ? () : nil }
    }

    @Test func `a file that cannot be opened at the start leaves an open window`() throws {
      let program = try Program([folder.appending("nothing here.mp3")], home: home)
      try eventually("a toast") { try program.toastIsShown() ? () : nil }
      let file = try folder.write(waveFile([tone(440)]), to: "there.wav")
      let place = desk.ear.now
      try program.drop([file])
      try desk.waitForTone(440, after: place)
    }

    @Test func `without sound there is a window that says so, and it ends in time`() throws {
      let file = try folder.write(waveFile([tone(440)]), to: "tone.wav")
      let program = try Program([file], home: home, environment: ["PULSE_SERVER": "unix:/nowhere/at/all"])
      try program.waitForTitle(containing: "tone")
      try eventually("a message") { try program.toastIsShown() ? () : nil }
      #expect(try program.quit() == .status(0))
    }
  }
}

extension PathBytes {
  func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    try (bytes + [0]).withUnsafeBytes { try body($0.bindMemory(to: CChar.self).baseAddress!) }
  }
}
