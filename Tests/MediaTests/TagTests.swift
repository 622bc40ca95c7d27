import Foundation
import Media
import Sound
import System
import TestSupport
import Testing

@Suite struct TagTests {
  private let words = [
    "-metadata", "title=Grüße, 日本 🎵", "-metadata", "artist=An Artist", "-metadata", "album=The Album",
    "-metadata", "genre=Noise",
  ]

  @Test(arguments: ["a.mp3", "b.flac", "c.ogg", "d.m4a", "e.opus", "f.wma", "g.mka"])
  func `title, artist and album are those that were written`(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.encode([Signal.sine(hertz: 440, rate: 48000, frames: 4800)], hertz: 48000, words, as: name)
    let tags = try AudioFile(path: path).tags
    #expect(tags.title == "Grüße, 日本 🎵")
    #expect(tags.artist == "An Artist")
    #expect(tags.album == "The Album")
    #expect(tags["GENRE"] == "Noise")
    #expect(tags["composer"] == nil)
  }

  @Test func `WAV and AIFF files keep their words too`() throws {
    let folder = try TemporaryFolder()
    for (name, extra) in [("a.wav", []), ("b.aiff", ["-write_id3v2", "1"])] {
      let path = try folder.encode([[0.5, 0.5]], hertz: 44100, words + extra, as: name)
      let file = try AudioFile(path: path)
      #expect(file.tags.title == "Grüße, 日本 🎵")
      #expect(file.tags.artist == "An Artist")
      #expect(try decodeRest(of: file)[0].count == 2)
    }
  }

  @Test func `words without end are cut`() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "ö", count: 50_000)
    var arguments = ["-metadata", "title=\(long)"]
    for number in 0..<400 { arguments += ["-metadata", "key\(number)=value"] }
    let path = try folder.encode(
      [Signal.sine(hertz: 440, rate: 44100, frames: 4410)], hertz: 44100, arguments, as: "a.flac")
    let tags = try AudioFile(path: path).tags
    #expect(tags.title == String(repeating: "ö", count: Tags.valueLimit / 2))
    #expect(tags.all.count <= Tags.entryLimit)
  }

  @Test func `the cover is the picture that was put in, and not taken for the sound`() throws {
    let folder = try TemporaryFolder()
    let picture = folder.appending("cover.png")
    try run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc=d=0.04:s=64x64", "-frames:v", "1", picture.shown])
    let expected = try Files.read(picture)
    for name in ["a.mp3", "b.flac", "c.m4a"] {
      let path = try folder.encode(
        testSound(seconds: 1, rate: 44100), hertz: 44100,
        ["-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v", "attached_pic"],
        inputs: ["-i", picture.shown],
        as: name)
      let file = try AudioFile(path: path)
      #expect(file.coverBytes() == expected, "\(name)")
      #expect(abs(try decodeRest(of: file)[0].count - 44100) <= 45)
      #expect(file.coverBytes() == expected)
    }
    #expect(try AudioFile(path: folder.write(WaveFile.float32([[1]], hertz: 8000), to: "d.wav")).coverBytes() == nil)
  }

  @Test func `the track flagged as default is heard`() throws {
    let folder = try TemporaryFolder()
    let path = folder.appending("two.mkv")
    try run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "sine=500:d=1:r=48000", "-f", "lavfi", "-i", "sine=1500:d=1:r=48000",
        "-map",
        "0", "-map", "1", "-c:a", "flac", "-disposition:a:0", "0", "-disposition:a:1", "default", path.shown,
      ])
    let decoded = try decode(path)[0]
    #expect(amplitude(of: 1500, in: decoded[0..<24000], rate: 48000) > 0.1)
    #expect(amplitude(of: 500, in: decoded[0..<24000], rate: 48000) < 0.001)
  }
}

@Suite struct SnifferTests {
  @Test func `sound is told from all else by its content`() throws {
    let folder = try TemporaryFolder()
    let sound = testSound(seconds: 0.5, rate: 44100)
    for name in ["a.mp3", "b.flac", "c.ogg", "d.m4a", "e.wav", "f.aiff", "g.wma", "h.aac", "i.ac3", "j.mka", "k.opus"] {
      let content = try Files.read(
        folder.encode(sound, hertz: name.hasSuffix("opus") ? 48000 : 44100, [], as: name))
      #expect(Sniffer.holdsSound(try folder.write(content, to: "plain")), "\(name)")
    }
    let picture = folder.appending("picture.jpg")
    try run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc=d=0.04", "-frames:v", "1", picture.shown])
    #expect(!Sniffer.holdsSound(picture))
    #expect(!Sniffer.holdsSound(try folder.write(Array("some words\n".utf8), to: "a.mp3")))
    #expect(!Sniffer.holdsSound(try folder.write(Array("#EXTM3U\na.mp3\n".utf8), to: "a.m3u")))
    #expect(!Sniffer.holdsSound(try folder.write([], to: "empty.mp3")))
    #expect(!Sniffer.holdsSound(folder.path))
    #expect(!Sniffer.holdsSound(folder.appending("missing")))
    let pipe = folder.appending("pipe.mp3")
    #expect(mkfifo(pipe.shown, 0o600) == 0)
    #expect(!Sniffer.holdsSound(pipe))
  }

  @Test func `noise is not taken for sound`() throws {
    let folder = try TemporaryFolder()
    for seed in 0..<30 {
      var noise = Noise(seed: UInt64(seed))
      let path = try folder.write((0..<70_000).map { _ in .random(in: 0...255, using: &noise) }, to: "noise.mp3")
      #expect(!Sniffer.holdsSound(path))
      #expect(refusal(path) == .unknownFormat(path))
    }
  }

  @Test func `frames behind a hundred kilobytes of something else are found`() throws {
    let folder = try TemporaryFolder()
    var noise = Noise(seed: 9)
    let junk: [UInt8] = (0..<100_000).map { _ in .random(in: 0...255, using: &noise) }
    for (name, frames) in [("a.mp3", 44100), ("b.aac", 45056)] {
      let path = try folder.encode(testSound(seconds: 1, rate: 44100), hertz: 44100, ["-b:a", "128k"], as: name)
      let decoded = try decode(folder.write(junk + Files.read(path), to: "junk-" + name))
      #expect(abs(decoded[0].count - frames) <= 1152 && decoded.count == 2)
      #expect(abs(amplitude(of: 1000, in: decoded[1][8820..<30870], rate: 44100) - 0.25) < 0.02)
    }
  }
}
