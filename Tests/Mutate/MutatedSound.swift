import Glibc
import Media
import Session
import Sound
import System
import TestSupport

/// A file of sound that may be no such thing, used as the program uses one.
enum MutatedSound {
  /// So much of a file is decoded.
  private static let mostFrames = 400_000

  static func use(_ bytes: [UInt8], in scratch: TemporaryFolder, _ noise: inout Noise) throws {
    let path = try scratch.write(bytes, to: "mutated")
    _ = Sniffer.holdsSound(path)
    let target = FrameIndex(Int.random(in: 0..<40_000, using: &noise))
    let cuts = Int.random(in: 0..<16, using: &noise) == 0
    do {
      let file = try AudioFile(path: path)
      check(file)
      _ = file.coverBytes()
      let isShort = decode(file, atMost: mostFrames)
      try file.seek(to: target)
      // As when somebody cuts a file that plays.
      if cuts { _ = path.withCPath { truncate($0, off_t(bytes.count / 3)) } }
      decode(file, atMost: 20_000)
      try file.seek(to: .zero)
      decode(file, atMost: 5000)
      // A long one takes as long as it takes.
      if isShort, target.rawValue % 8 == 0 { _ = Waveform.scan(file) }
    } catch {
      precondition(error.description.hasSuffix("."))
    }
  }

  private static func check(_ file: AudioFile) {
    let format = file.format
    precondition(100...1_000_000 ~= format.rate.hertz, "\(format.rate.hertz) Hz")
    precondition(1...64 ~= format.channelCount, "\(format.channelCount) channels")
    precondition(format.speakers.count == format.channelCount)
    precondition(format.estimatedLength.map { $0 >= .zero } ?? true)
  }

  /// Decodes on; every sample must be a number, and the places must follow each other.
  ///
  /// True when that was to the end.
  @discardableResult
  private static func decode(_ file: AudioFile, atMost frames: Int) -> Bool {
    let block = SampleBlock(channelCount: file.format.channelCount, capacity: 4096)
    var count = 0
    while count < frames {
      let expected = file.position
      guard (try? file.read(into: block)) == true else { return true }
      precondition(block.start == expected && block.frameCount <= block.capacity)
      for channel in 0..<block.channelCount { precondition(block.channel(channel).allSatisfy { $0.isFinite }) }
      count += block.frameCount
    }
    return false
  }
}
