import Foundation
import Glibc
import Media
import Sound
import Synchronization
import System
import TestSupport
import Testing

@testable import Session

/// A file scanned by several workers, or by one.
struct ScanResult: Sendable {
  var pyramid: PeakPyramid?
  var skipped = 0
  var failure: MediaError?
  /// How many stretches were joined that somebody had jumped to.
  var jumps = 0

  /// Scans a file in stretches of so many frames, by so many workers, of which one starts at the start.
  ///
  /// `inTurn` lets the others first do all they can, so that the one from the start meets them for sure.
  init(
    _ path: PathBytes, stretchFrames: Int64 = 131_072, workers: Int, length: FrameCount? = nil, inTurn: Bool = false
  ) throws {
    let first = try AudioFile(path: path)
    let readers = try (0..<workers).map { _ in try AudioFile(again: first, cancellation: Cancellation()) }
    let length = length ?? first.format.estimatedLength ?? .zero
    let jumps = workers > 1 ? Int((length.rawValue + stretchFrames - 1) / stretchFrames) : 1
    let result = Mutex(ScanResult())
    let board = StretchBoard(
      channelCount: first.format.channelCount, stretchFrames: stretchFrames, jumps: jumps, workers: workers
    ) { builder, skipped, isDone, failure in
      let pyramid = builder.snapshot()
      result.withLock {
        ($0.pyramid, $0.skipped, $0.failure) = (pyramid, skipped, failure)
      }
    }
    let hands = readers.map { Handed(StretchWorker(file: $0, board: board)) }
    let helpers = hands.dropFirst().map { hand in Thread(name: "helper") { hand.value.run() } }
    if inTurn { helpers.forEach { $0.join() } }
    hands[0].value.runFromStart()
    board.waitUntilOver()
    helpers.forEach { $0.join() }
    self = result.withLock { $0 }
    self.jumps = board.provenJumps
  }

  private init() {}

  private struct Handed: @unchecked Sendable {
    let value: StretchWorker
    init(_ value: StretchWorker) { self.value = value }
  }
}

/// Every bin of every level, as bits.
func bits(_ pyramid: PeakPyramid) -> [UInt32] {
  var bits: [UInt32] = []
  for channel in 0..<pyramid.channelCount {
    for level in 0..<pyramid.levelCount {
      let width = pyramid.baseFrames << level
      for start in stride(from: 0, to: Int(pyramid.length.rawValue), by: width) {
        guard
          let peak = pyramid.peak(channel: channel, from: FrameIndex(start), to: FrameIndex(start + width))
        else { continue }
        bits += [peak.low.bitPattern, peak.high.bitPattern, peak.rms.bitPattern]
      }
    }
  }
  return bits
}

extension TemporaryFolder {
  /// Encodes channels with ffmpeg, from a float WAV that this writes byte by byte.
  func encode(_ channels: [[Float]], hertz: Int, _ arguments: [String], as name: String) throws -> PathBytes {
    let source = try write(WaveFile.float32(channels, hertz: hertz), to: name + ".source.wav")
    let file = appending(name)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
    process.arguments = ["-v", "error", "-y", "-bitexact", "-i", source.shown] + arguments + [file.shown]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "ffmpeg made no \(name)")
    return file
  }
}

/// Two channels that are nowhere alike: a rising tone and noise of changing strength.
func changingSound(frames: Int, rate: Int) -> [[Float]] {
  let noise = Signal.noise(seed: 7, frames: frames, amplitude: 0.3)
  return [
    Signal.sweep(from: 60, to: 6_000, rate: rate, frames: frames, amplitude: 0.5),
    noise.indices.map { noise[$0] * Float($0 % 30_011) / 30_011 },
  ]
}
