import Foundation
import Sound
import System

/// Listens to the desk's loudspeaker without a break; places are frames since it began to listen.
///
/// Any thread. The last two minutes are kept.
final class Ear: Sendable {
  private struct Memory {
    var left: [Float] = []
    var right: [Float] = []
    /// The place of the first frame that is kept.
    var start = 0
    /// Bytes of a frame that is not whole yet.
    var rest: [UInt8] = []
    var end: Int { start + left.count }

    mutating func take(_ bytes: UnsafeRawBufferPointer) {
      rest += bytes
      let whole = rest.count / 8
      rest.withUnsafeBytes { raw in
        for i in 0..<whole {
          left.append(raw.loadUnaligned(fromByteOffset: i * 8, as: Float.self))
          right.append(raw.loadUnaligned(fromByteOffset: i * 8 + 4, as: Float.self))
        }
      }
      rest.removeFirst(whole * 8)
      let kept = Int(120 * Stretch.rate)
      guard left.count > 2 * kept else { return }
      start += left.count - kept
      left.removeFirst(left.count - kept)
      right.removeFirst(right.count - kept)
    }

    func stretch(from place: Int, to end: Int) -> Stretch {
      let range = max(place - start, 0)..<max(end - start, max(place - start, 0))
      return Stretch(left: Array(left[range]), right: Array(right[range]))
    }
  }

  private let memory = Monitor(Memory())
  private let recorder: Child

  init(environment: [String: String], loudspeaker: String = "out") throws {
    let memory = memory
    let format = ["--raw", "--format=float32le", "--rate=48000", "--channels=2", "--latency-msec=10"]
    recorder = try Child(
      "parec", (["--device=\(loudspeaker).monitor"] + format).map { PathBytes($0) }, environment: environment
    ) { bytes in
      memory.withLock { $0.take(bytes) }
    }
    // The first sound that comes shows that it listens: the desk's silence.
    guard memory.wait(atMost: 20, { $0.end > 0 ? true : nil }) != nil else {
      throw Child.Failure(description: "The loudspeaker cannot be listened to: \(recorder.complaints)")
    }
  }

  func end() { recorder.send(SIGTERM) }
  deinit { end() }

  /// The place of the next frame to come.
  var now: Int { memory.withLock { $0.end } }

  /// What was heard from one place to another, or until now.
  func heard(from start: Int, to end: Int? = nil) -> Stretch {
    memory.withLock { $0.stretch(from: start, to: min(end ?? .max, $0.end)) }
  }

  /// What is heard from a place on (now, unless told) for some seconds; waits for it.
  func listen(from start: Int? = nil, seconds: Double) throws -> Stretch {
    let first = start ?? now
    let last = first + Int(seconds * Stretch.rate)
    let patience = Double(last - now) / Stretch.rate + 5
    guard let stretch = memory.wait(atMost: patience, { $0.end >= last ? $0.stretch(from: first, to: last) : nil })
    else { throw Child.Failure(description: "The loudspeaker has stopped.") }
    return stretch
  }

  /// The place of the first frame after `place` that is louder than `level` in dBFS.
  func waitForSound(after place: Int, above level: Double = -60, atMost seconds: Double = 10) throws -> Int {
    var seen = place
    let threshold = Float(pow(10, level / 20))
    let found = memory.wait(atMost: seconds) { memory -> Int? in
      let range = max(seen - memory.start, 0)..<max(memory.left.count, seen - memory.start, 0)
      seen = max(memory.end, seen)
      return range.first { abs(memory.left[$0]) > threshold || abs(memory.right[$0]) > threshold }
        .map { $0 + memory.start }
    }
    guard let found else { throw Child.Failure(description: "There was no sound within \(seconds) s.") }
    return found
  }

  /// The place behind the last frame louder than `level` in dBFS, once it has been still for `length` seconds.
  func waitForSilence(
    after place: Int, below level: Double = -60, lasting length: Double = 0.15, atMost seconds: Double = 10
  ) throws -> Int {
    let threshold = Float(pow(10, level / 20))
    let enough = Int(length * Stretch.rate)
    var (seen, still) = (place, place)
    let found = memory.wait(atMost: seconds) { memory -> Int? in
      for i in max(seen - memory.start, 0)..<max(memory.left.count, seen - memory.start, 0) {
        let isLoud = abs(memory.left[i]) > threshold || abs(memory.right[i]) > threshold
        if isLoud { still = i + memory.start + 1 } else if i + memory.start - still >= enough { return still }
      }
      seen = max(memory.end, seen)
      return nil
    }
    guard let found else { throw Child.Failure(description: "It was not still within \(seconds) s.") }
    return found
  }
}
