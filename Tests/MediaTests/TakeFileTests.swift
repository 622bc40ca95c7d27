import Foundation
import Sound
import System
import Testing

@testable import Media

@Suite struct TakeFileTests {
  static let exact: [(TakeFormat, Int)] = [
    (.of(.wav, .int16), 16), (.of(.wav, .int24), 24), (.of(.wav, .float32), 24), (.of(.wav, .int24, 44_100, 1), 24),
    (.of(.flac, .int16), 16), (.of(.flac, .int24), 24), (.of(.flac, .int24, 192_000, 1), 24),
    (.of(.flac, .int16, 8000, 1), 16),
  ]

  @Test(arguments: exact)
  func `what another program reads is what was recorded, bit for bit`(format: TakeFormat, bits: Int) throws {
    let folder = TakeFolder()
    let path = folder.path("a.\(format.coding.fileExtension)")
    // Odd, so that a chunk of 24 bits mono needs its byte of padding.
    let samples = tone(format, frames: format.rate.hertz * 2 + 4321, bits: bits)
    let take = try TakeFile(creating: path, format: format, tags: takeTags)
    try feed(samples, to: take)
    try take.finish()
    let (found, complaints) = decoded(path)
    #expect(complaints == "")
    #expect(found.count == samples.count)
    #expect(found == samples)
    #expect(try framesFound(path) == Int64(samples.count / format.channelCount))
    #expect(probed(path, "stream=sample_rate,channels").contains("sample_rate=\(format.rate.hertz)"))
  }

  @Test(
    arguments: [
      .of(.aac, .int16, 44_100, 2), .of(.aac, .int16, 48_000, 1), .of(.aac, .int16, 8000, 1),
      .of(.aac, .int16, 192_000, 2),
      .of(.opus, .int16, 48_000, 2), .of(.opus, .int16, 16_000, 1), .of(.opus, .int16, 44_100, 2),
    ] as [TakeFormat])
  func `codings with loss keep length, level, rate and channels`(format: TakeFormat) throws {
    let folder = TakeFolder()
    let path = folder.path("a.\(format.coding.fileExtension)")
    let frames = format.rate.hertz * 3 + 1234
    let take = try TakeFile(creating: path, format: format, tags: takeTags)
    try feed(tone(format, frames: frames), to: take)
    try take.finish()
    let (found, complaints) = decoded(path)
    #expect(complaints == "")
    let rate = format.coding == .opus ? 48_000 : format.fileRate.hertz
    let length = Double(frames) * Double(rate) / Double(format.rate.hertz)
    #expect(abs(Double(try framesFound(path)) - length) < 2)
    // ffmpeg's reader drops the padding before the sound, but of AAC not that after it: less than a packet.
    let excess = Double(found.count / format.channelCount) - length
    #expect(excess > -2 && excess < (format.coding == .aac ? 1024 : 2), "\(excess)")
    for channel in 0..<format.channelCount {
      let plane = stride(from: channel + rate / 2 * format.channelCount, to: found.count / 2, by: format.channelCount)
        .map { Double(found[$0]) }
      let rms = (plane.reduce(0) { $0 + $1 * $1 } / Double(plane.count)).squareRoot()
      #expect(abs(20 * log10(rms / (0.5 / 2.0.squareRoot()))) < 0.2, "\(channel): \(rms)")
    }
    #expect(probed(path, "stream=channels").contains("channels=\(format.channelCount)"))
  }

  @Test(arguments: TakeCoding.allCases)
  func `title, date and device are in the file's words`(coding: TakeCoding) throws {
    let folder = TakeFolder()
    let path = folder.path("a.\(coding.fileExtension)")
    let take = try TakeFile(creating: path, format: .of(coding), tags: takeTags)
    try feed(tone(.of(coding), frames: 9000), to: take)
    try take.finish()
    let words = probed(path, "format_tags:stream_tags").lowercased()
    #expect(words.contains("tag:title=übung 1"))
    #expect(words.contains("tag:date=2026-11-30t18:20:05"))
    #expect(words.contains("tag:comment=recorded from built-in microphone"))
  }

  @Test(arguments: TakeCoding.allCases)
  func `a take's title becomes another, of any length, and nothing else changes`(coding: TakeCoding) throws {
    let folder = TakeFolder()
    let path = folder.path("a.\(coding.fileExtension)")
    let take = try TakeFile(creating: path, format: .of(coding), tags: takeTags)
    try feed(tone(.of(coding), frames: 50_000), to: take)
    try take.finish()
    let before = try Data(contentsOf: URL(fileURLWithPath: path.shown))
    let samples = decoded(path).samples
    let entries = coding == .opus ? "stream_tags" : "format_tags"
    for title in ["x", String(repeating: "Übung ", count: 36), "Ü", "Rehearsal, 2nd half"] {
      try TakeTitle.set(title, in: path)
      let told = probed(path, entries)
      #expect(told.contains(":title=\(title)\n") || told.contains(":TITLE=\(title)\n"), "\(told)")
      for word in ["2026-11-30T18:20:05", "Recorded from Built-in Microphone", "Swell"] { #expect(told.contains(word)) }
      let (found, complaints) = decoded(path)
      #expect(found == samples && complaints == "")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path.shown)).count == before.count)
      #expect(try framesFound(path) >= 50_000 - 1024)
    }
    try TakeTitle.set(takeTags.title, in: path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path.shown)) == before)
  }

  @Test func `a title is put into no file of another's`() throws {
    let folder = TakeFolder()
    let path = folder.path("a.wav")
    let bytes = Data("RIFF----WAVEfmt something else".utf8)
    try bytes.write(to: URL(fileURLWithPath: path.shown))
    #expect(throws: TakeError.self) { try TakeTitle.set("x", in: path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path.shown)) == bytes)
  }

  @Test func `a take that exists is never written over`() throws {
    let folder = TakeFolder()
    let path = folder.path("a.wav")
    try Data("keep".utf8).write(to: URL(fileURLWithPath: path.shown))
    #expect(throws: TakeError.cannotCreate(path, SystemError(code: EEXIST))) {
      _ = try TakeFile(creating: path, format: .of(.wav), tags: takeTags)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path.shown)) == Data("keep".utf8))
  }

  @Test(arguments: [false, true])
  func `a WAV too large for its header is an RF64`(isBroken: Bool) throws {
    let folder = TakeFolder()
    let path = folder.path("a.wav")
    let format = TakeFormat.of(.wav)
    let samples = tone(format, frames: 100_000)
    let take = try TakeFile(creating: path, format: format, tags: takeTags, wideLimit: 200_000)
    try feed(samples, to: take, flushEvery: 5000)
    if isBroken { try take.flush() } else { try take.finish() }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path.shown))
    #expect(bytes.prefix(4) == Data("RF64".utf8))
    #expect(decoded(path).samples == samples)
  }

  /// Every coding at every width, as a crash at any moment leaves it.
  static let cut: [TakeFormat] = [
    .of(.wav, .int16), .of(.wav, .int24, 44_100, 1), .of(.flac, .int16), .of(.flac, .int24, 44_100, 1), .of(.aac),
    .of(.opus),
  ]

  @Test(arguments: cut)
  func `a take without an end opens in another program with all that was flushed`(format: TakeFormat) throws {
    let folder = TakeFolder()
    let path = folder.path("a.\(format.coding.fileExtension)")
    let samples = tone(format, frames: 200_000)
    let take = try TakeFile(creating: path, format: format, tags: takeTags)
    try feed(samples, to: take)
    try take.flush()
    let found = decoded(path).samples.count / format.channelCount
    // A packet is not yet full, and coders with loss look ahead by about one.
    #expect(found >= 200_000 - 5000, "\(found)")
    #expect(try framesFound(path) >= 200_000 - 5000)
    let length = probed(path, "format=duration")
    #expect(length.contains("duration="), "\(length)")
    try take.finish()
  }

  @Test(arguments: cut, 0..<6)
  func `a take cut off anywhere is made whole, and a second time`(format: TakeFormat, seed: Int) throws {
    let folder = TakeFolder()
    let path = folder.path("a.\(format.coding.fileExtension)")
    let samples = tone(format, frames: 200_000)
    let take = try TakeFile(creating: path, format: format, tags: takeTags)
    try feed(samples, to: take)
    try take.flush()
    let size = take.bytes
    // The last bytes of a write that came only in part.
    let cut = size - Int64(seed * seed * 1237)
    #expect(truncate(path.shown, off_t(cut)) == 0)
    for _ in 0..<2 {
      let mended = try TakeMending.complete(path)
      let length = mended.length
      #expect(mended.rate == format.fileRate)
      #expect(try framesFound(path) == length.rawValue)
      let (found, complaints) = decoded(path)
      #expect(complaints == "")
      if format.coding == .aac {
        #expect(abs(found.count / format.channelCount - Int(length.rawValue)) < 1024)
      } else {
        #expect(found.count / format.channelCount == Int(length.rawValue))
      }
      #expect(length.rawValue >= 200_000 - 5000 - seed * seed * 1237 * 200_000 / Int(size) - 20_000)
      if format.coding == .flac || format.coding == .wav { #expect(found == Array(samples.prefix(found.count))) }
    }
  }

  @Test(arguments: [false, true])
  func `an m4a is finished by a few bytes at its start, however long it is, and finished once`(isBroken: Bool) throws {
    let folder = TakeFolder()
    let path = folder.path("a.m4a")
    let samples = tone(.of(.aac), frames: 500_000)
    let take = try TakeFile(creating: path, format: .of(.aac), tags: takeTags)
    try feed(samples, to: take)
    try take.flush()
    let growing = try Data(contentsOf: URL(fileURLWithPath: path.shown))
    if !isBroken { try take.finish() } else { _ = try TakeMending.complete(path) }
    let whole = try Data(contentsOf: URL(fileURLWithPath: path.shown))
    // Of what was written while recording only the sixteen bytes after the 32 of the file's type are others.
    let changed = growing.indices.filter { growing[$0] != whole[$0] }
    #expect(!changed.isEmpty && changed.allSatisfy { (32..<48).contains($0) })
    let again = try TakeMending.complete(path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path.shown)) == whole)
    if !isBroken { #expect(again.length == FrameCount(500_000)) }
    #expect(try framesFound(path) == again.length.rawValue)
  }

  @Test func `a finished FLAC has the checksum of its samples`() throws {
    let folder = TakeFolder()
    let path = folder.path("a.flac")
    let take = try TakeFile(creating: path, format: .of(.flac, .int16), tags: takeTags)
    let samples = tone(.of(.flac), frames: 100_000)
    try feed(samples, to: take)
    try take.finish()
    let sum = runProgram("ffmpeg", ["-v", "error", "-i", path.shown, "-f", "md5", "-c:a", "pcm_s16le", "-"]).output
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path.shown))
    let inside = bytes[26..<42].map { String(format: "%02x", $0) }.joined()
    #expect(String(decoding: sum, as: UTF8.self) == "MD5=\(inside)\n")
  }
}
