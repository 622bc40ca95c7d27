import Media
import Sound
import System
import TestSupport
import Testing

@testable import Session

@Suite struct SpeakerPathTests {
  private let folder = try! TemporaryFolder()

  /// The format of a WAV of noise at 48 kHz, and its sound in blocks of 50 ms.
  private func sound(seconds: Double) throws -> (format: StreamFormat, blocks: [SampleBlock]) {
    let noise = Signal.noise(seed: 1, frames: Int(seconds * 48_000), amplitude: 0.5)
    let file = try AudioFile(path: folder.write(WaveFile.float32([noise, noise], hertz: 48_000), to: "a.wav"))
    let blocks = stride(from: 0, to: noise.count, by: 2_400).map { start in
      let part = Array(noise[start..<min(start + 2_400, noise.count)])
      return SampleBlock([part, part], start: FrameIndex(start))
    }
    return (file.format, blocks)
  }

  @Test(arguments: [0.25, 1, 1.05, 4])
  func `what sounds goes on until a tenth of a second of what follows is ready`(speed: Double) throws {
    let feed = Feed.make(capacity: 1 << 17)
    defer { Feed.destroy(feed) }
    let path = SpeakerPath(feed: feed)
    let (format, blocks) = try sound(seconds: 2)
    path.restart(speed: 1, late: false)
    try path.prepare(for: format)
    for block in blocks.prefix(12) { path.put(block) }
    let old = feed.pointee.writePosition
    #expect(old == 28_800 && path.ahead == 28_800)

    path.restart(speed: speed, late: true)
    #expect(path.ahead == 0 && feed.pointee.ahead == 28_800)
    for block in blocks {
      try path.prepare(for: format)
      path.put(block)
      if feed.pointee.ahead != 28_800 { break }
    }
    // Up to there nothing was taken away, and now there is enough.
    #expect(feed.pointee.isFlushing && feed.pointee.ahead >= 4_800 && path.ahead == feed.pointee.ahead)
    #expect(feed.pointee.writePosition - old == feed.pointee.ahead)
  }

  @Test func `at another speed nothing is heard of a seek until a tenth of a second is ready`() throws {
    let feed = Feed.make(capacity: 1 << 18)
    defer { Feed.destroy(feed) }
    let path = SpeakerPath(feed: feed)
    let (format, blocks) = try sound(seconds: 2)
    path.restart(speed: 0.5, late: false)
    for block in blocks {
      try path.prepare(for: format)
      path.put(block)
      #expect(path.ahead == 0 || path.ahead >= 4_800)
    }
    path.finish()
    #expect(path.ahead == 192_000)
  }

  @Test func `a sound shorter than that follows when it ends, and one that is given up leaves nothing behind`() throws {
    let feed = Feed.make(capacity: 1 << 17)
    defer { Feed.destroy(feed) }
    let path = SpeakerPath(feed: feed)
    let (format, blocks) = try sound(seconds: 0.05)
    for round in 1...3 {
      path.restart(speed: 1, late: round > 1)
      try path.prepare(for: format)
      path.put(blocks[0])
      #expect(feed.pointee.ahead == 2_400 && feed.pointee.writePosition == 2_400)
    }
    path.finish()
    #expect(feed.pointee.isFlushing && feed.pointee.ahead == 2_400 && feed.pointee.writePosition == 4_800)
  }
}
