import Foundation
import Media
import Sound
import System
import TestSupport
import Testing

@Suite struct RefusalTests {
  @Test func `music for chips that leads out of its file is refused, before an emulator ends the program`() throws {
    let folder = try TemporaryFolder()
    /// A second of a tone of the SN76489, in the VGM format, version 1.50.
    func music(clock: [UInt8], more: [UInt8] = []) throws -> PathBytes {
      var bytes = Array("Vgm ".utf8) + [UInt8](repeating: 0, count: 60)
      bytes.replaceSubrange(8..<12, with: [0x50, 1, 0, 0])
      bytes.replaceSubrange(12..<16, with: clock)
      bytes.replaceSubrange(0x18..<0x1C, with: [0x44, 0xAC, 0, 0])
      bytes.replaceSubrange(0x34..<0x38, with: [0x0C, 0, 0, 0])
      bytes += [0x50, 0x80, 0x50, 0x10, 0x50, 0x90] + more + [0x61, 0x44, 0xAC, 0x66]
      return try folder.write(bytes, to: "chips.vgm")
    }
    #expect(try decode(music(clock: [0x99, 0x9E, 0x36, 0]))[0].contains { abs($0) > 0.01 })
    // 137 MHz, and 20, at which the emulator's times overflow.
    for clock in [[0x99, 0x9E, 0x36, 8], [0, 0x2D, 0x31, 1]] as [[UInt8]] {
      #expect(try refusal(music(clock: clock))?.description.contains("chips") == true)
    }
    // A sample far behind the file; a block of 2 GB; a command that the file's end cuts.
    // For an FM chip that the header does not speak of.
    let fm: [UInt8] = [0x52, 0x28, 0]
    // For a second chip, of which the header knows nothing, at an earlier time of the next stretch that is emulated.
    let second: [UInt8] = [0x61, 0, 8, 0x30, 0x90, 0x61, 0, 1, 0x3F, 0xFF]
    let cut = [[0xE0, 0, 0, 0, 0x10, 0x80], [0x67, 0x66, 0, 0, 0, 0, 0x80], [0x61, 0, 0, 0x67]] as [[UInt8]]
    for more in cut + [fm, second] {
      #expect(try refusal(music(clock: [0x99, 0x9E, 0x36, 0], more: more))?.description.contains("chips") == true)
    }
  }

  @Test func `music for two chips is refused where the emulator would lose the order of their commands`() throws {
    let folder = try TemporaryFolder()
    /// A command for the SN76489 at every tick of 44100 Hz, of which the first stretch that is emulated has 1456.
    func music(clock: Int) throws -> PathBytes {
      var bytes = Array("Vgm ".utf8) + [UInt8](repeating: 0, count: 60)
      for (place, value) in [(8, 0x150), (12, clock), (0x18, 44100), (0x2C, 7_670_453), (0x34, 0x0C)] {
        bytes.replaceSubrange(place..<place + 4, with: (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) })
      }
      bytes += [0x50, 0x80, 0x50, 0x10] + (0..<44100).flatMap { _ in [0x50, 0x90, 0x70] as [UInt8] } + [0x66]
      return try folder.write(bytes, to: "chips.vgm")
    }
    // In America and Japan, and in Europe.
    #expect(try decode(music(clock: 3_579_545))[0].count > 40_000)
    #expect(try refusal(music(clock: 3_546_893))?.description.contains("chips") == true)
    #expect(try refusal(music(clock: 3_604_377))?.description.contains("chips") == true)
  }

  @Test(arguments: ["HESM", "ZXAY", "GBS\u{1}"])
  func `music for chips whose emulator lets it leave the machine is not played`(magic: String) throws {
    let folder = try TemporaryFolder()
    var noise = Noise(seed: 9)
    let program = (0..<3000).map { _ in UInt8.random(in: 0...255, using: &noise) }
    let path = try folder.write(Array(magic.utf8) + program, to: "a.chips")
    #expect(refusal(path)?.description == "Can’t play “a.chips”: it is not in a known audio format.")
    #expect(!Sniffer.holdsSound(path))
  }

  @Test func `boxes that keep the library busy for minutes are refused at once`() throws {
    let folder = try TemporaryFolder()
    let sound = testSound(seconds: 6, rate: 44100)
    let pieces = try folder.encode(
      sound, hertz: 44100, ["-movflags", "empty_moov", "-frag_duration", "30000"], as: "a.mp4")
    let plain = try folder.encode(sound, hertz: 44100, [], as: "b.m4a")
    func changed(_ path: PathBytes, box: String, _ change: (inout [UInt8], Int) -> Void) throws -> PathBytes {
      var content = try bytes(path)
      let place = try #require(content.indices.dropLast(3).first { content[$0..<($0 + 4)].elementsEqual(box.utf8) })
      change(&content, place)
      return try folder.write(content, to: "c.mp4")
    }
    #expect(try decode(pieces)[0].count > 6 * 44100)
    let start = ContinuousClock.now
    // A track's number beyond 31 bits, or none; and 60,000 edits.
    let cases = try [
      refusal(changed(pieces, box: "tkhd") { $0[$1 + 16] |= 0x80 }),
      refusal(changed(pieces, box: "tkhd") { $0[$1] = 0x66 }),
      refusal(changed(plain, box: "elst") { $0[$1 + 10] = 0xEA }),
    ]
    for error in cases { #expect(error?.description == "Can’t play “c.mp4”: its MPEG-4 structure is damaged.") }
    // Without fragments the number does no harm.
    #expect(try decode(changed(plain, box: "tkhd") { $0[$1 + 16] |= 0x80 })[0].count > 5 * 44100)
    #expect(ContinuousClock.now - start < .seconds(4))
  }

  @Test func `what is no file of sound is refused at once, in words that name it`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.appending("pipe.wav")
    #expect(mkfifo(pipe.shown, 0o600) == 0)
    try Files.makeFolder(folder.appending("folder.mp3"))
    let noise = Noise(seed: 5)
    var source = noise
    let random = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &source) }
    let picture = folder.appending("picture.png")
    try run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc=d=0.04", "-frames:v", "1", picture.shown])
    let film = folder.appending("silent.mp4")
    try run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc=d=0.2", "-c:v", "mpeg4", film.shown])
    let start = ContinuousClock.now
    let cases: [(PathBytes, String)] = try [
      (folder.appending("missing.wav"), "Can’t find “missing.wav”"),
      (pipe, "Can’t play “pipe.wav”: it is a pipe or a device"),
      (PathBytes("/dev/zero"), "Can’t play “zero”: it is a pipe or a device"),
      (folder.appending("folder.mp3"), "Can’t play “folder.mp3”: it is a folder"),
      (folder.write([], to: "empty.flac"), "Can’t play “empty.flac”: the file is empty"),
      (folder.write(Array("Dear diary,\nnothing.\n".utf8), to: "notes.mp3"), "Can’t play “notes.mp3”: it holds text"),
      (folder.write(random, to: "noise.mp3"), "Can’t play “noise.mp3”: it is not in a known audio format."),
      (folder.write([UInt8](repeating: 0, count: 100_000), to: "zeros.mp3"), "it holds nothing but zeros"),
      (folder.write(Array("%PDF-1.4\n".utf8) + random, to: "paper.wav"), "it holds a PDF document"),
      (folder.write(try Files.read(picture), to: "picture.wav"), "Can’t play “picture.wav”: it holds a PNG picture"),
      (folder.write(Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96], to: "song.mid"), "it holds MIDI notes"),
      (film, "Can’t play “silent.mp4”: there is no audio in this MPEG-4 file."),
      (folder.write(Array("RIFF\u{10}\0\0\0WAVE".utf8), to: "head.wav"), "Can’t play “head.wav”"),
    ]
    for (path, words) in cases {
      let error = try #require(refusal(path), "\(path.shown) was not refused")
      #expect(error.description.contains(words), "\(error)")
      #expect(error.description.hasSuffix("."))
      #expect(error.path == path)
    }
    #expect(ContinuousClock.now - start < .seconds(4))
  }

  @Test func `a program whose first bytes are lost is not taken for frames of sound`() throws {
    // A table of jumps as linkers write it: each row of 16 bytes holds what looks like a header of layer I.
    let rows: [[UInt8]] = (0..<2000).map { row in
      let (low, high) = (UInt8(row & 0xFF), UInt8(row >> 8))
      return [0xFF, 0x25, low, 0x40, 0, 0, 0x68, low, high, 0, 0, 0xE9, low &* 16, 0x80, 0xFF, 0xFF]
    }
    let folder = try TemporaryFolder()
    let path = try folder.write([0x13, 0x37, 1, 0] + rows.joined(), to: "program.mp3")
    #expect(refusal(path)?.description == "Can’t play “program.mp3”: it is not in a known audio format.")
    #expect(!Sniffer.holdsSound(path))
  }

  @Test func `a coding without a decoder is named`() throws {
    let folder = try TemporaryFolder()
    var content = WaveFile.float32([Signal.sine(hertz: 440, rate: 8000, frames: 800)], hertz: 8000)
    content.replaceSubrange(20..<22, with: [0x34, 0x12])
    let path = try folder.write(content, to: "a.wav")
    #expect(refusal(path)?.description == "Can’t play “a.wav”: its coding (0x1234) is not supported.")
  }

  @Test func `an unreadable file is refused with the kernel's reason`() throws {
    // The super-user may read everything.
    guard getuid() != 0 else { return }
    let folder = try TemporaryFolder()
    let path = try folder.write([1, 2, 3], to: "secret.wav")
    chmod(path.shown, 0)
    #expect(refusal(path) == .unreadable(path, reason: "permission denied"))
  }

  @Test func `lists and descriptions of other files open nothing`() throws {
    let folder = try TemporaryFolder()
    try folder.write(WaveFile.float32([Signal.sine(hertz: 440, rate: 8000, frames: 8000)], hertz: 8000), to: "a.wav")
    let target = folder.appending("a.wav").shown
    let lists = [
      "ffconcat version 1.0\nfile '\(target)'\n",
      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(target)\n#EXT-X-ENDLIST\n",
      "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n",
      "[playlist]\nFile1=\(target)\n", "<?xml version=\"1.0\"?><MPD><BaseURL>\(target)</BaseURL></MPD>",
    ]
    for (number, text) in lists.enumerated() {
      for name in ["list\(number).wav", "list\(number).m3u8"] {
        let path = try folder.write(Array(text.utf8), to: name)
        let error = try #require(refusal(path))
        #expect(number == 4 ? true : error == .playlist(path), "\(error)")
      }
    }
  }

  @Test func `files are opened whatever they are called`() throws {
    let folder = try TemporaryFolder()
    let tone = Signal.sine(hertz: 440, rate: 8000, frames: 800)
    let mp3 = try Files.read(folder.encode([tone], hertz: 8000, ["-b:a", "32k"], as: "x.mp3"))
    let names: [PathBytes] = [
      PathBytes("a:b.wav"), PathBytes("-x.wav"), PathBytes("new\nline.wav"), PathBytes("100% #1?.wav"),
      PathBytes("pipe:0"), PathBytes("http:evil"), PathBytes(bytes: [0x63, 0xE9, 0xFF, 0x2E, 0x77]), PathBytes("日本🎵"),
      PathBytes("%d.wav"), PathBytes("concat:a|b"),
    ]
    for name in names {
      #expect(try decode(folder.write(WaveFile.float32([tone], hertz: 8000), to: name)) == [tone])
      #expect(try decode(folder.write(mp3, to: name))[0].count == 800)
    }
  }

  @Test func `a huge file of nothing is refused at once, and a header in front of it does not hang`() throws {
    let folder = try TemporaryFolder()
    let start = ContinuousClock.now
    for name in ["a.mp3", "a.flac", "a.wav"] {
      let path = try folder.write([0], to: name)
      #expect(truncate(path.shown, 5 << 30) == 0)
      #expect(refusal(path) != nil)
    }
    let tone = Signal.sine(hertz: 440, rate: 44100, frames: 44100)
    let frames = try Files.read(folder.encode([tone], hertz: 44100, ["-b:a", "64k"], as: "t.mp3"))
    let path = try folder.write(frames, to: "tail.mp3")
    #expect(truncate(path.shown, 5 << 30) == 0)
    #expect(44100...47000 ~= (try decode(path))[0].count)
    #expect(ContinuousClock.now - start < .seconds(6))
  }

  @Test func `opening gives up when it is cancelled`() throws {
    let folder = try TemporaryFolder()
    let cancellation = Cancellation()
    cancellation.cancel()
    for name in ["a.wav", "b.mp3", "c.m4a"] {
      let path = try folder.encode(testSound(seconds: 1, rate: 44100), hertz: 44100, [], as: name)
      #expect(throws: MediaError.cancelled(path)) { try AudioFile(path: path, cancellation: cancellation) }
    }
  }
}
