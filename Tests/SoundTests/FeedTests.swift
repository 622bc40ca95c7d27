import Foundation
import Sound
import Synchronization
import TestSupport
import Testing

/// A feed at 48 kHz, where a ramp has 240 frames, that goes with its owner.
final class TestFeed: @unchecked Sendable {
  let feed: UnsafeMutablePointer<Feed>
  static let ramp = 240

  init(capacity: Int = 1 << 16) {
    feed = Feed.make(capacity: capacity)
    feed.pointee.setRate(SampleRate(hertz: 48_000))
  }

  deinit { Feed.destroy(feed) }

  /// Writes the samples left, and their negatives right.
  func write(_ samples: [Float]) {
    feed.pointee.write(samples.flatMap { [$0, -$0] }, count: samples.count)
  }

  /// The left side of what the callback gives out; the right must be its negative.
  func render(_ frames: Int, at nanoseconds: Int64 = 0) -> [Float] {
    var output = [Float](repeating: .nan, count: frames * 2)
    output.withUnsafeMutableBufferPointer { feed.pointee.render(into: $0, at: nanoseconds) }
    for i in 0..<frames where output[i * 2] != -output[i * 2 + 1] { Issue.record("left and right differ at \(i)") }
    return (0..<frames).map { output[$0 * 2] }
  }

  var isFlushing: Bool { feed.pointee.isFlushing }

  /// Opens the gate and lets its ramp pass over a constant of 1.
  func open(over level: Float = 1) {
    write(Array(repeating: level, count: Self.ramp))
    feed.pointee.setOpen(true)
    _ = render(Self.ramp)
  }
}

/// The largest step from one sample to the next.
func largestStep(_ samples: [Float]) -> Float {
  zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
}

/// A gate's ramp over a sample of full scale steps by this much.
private let rampStep = 1 / Float(TestFeed.ramp) * 1.01

@Test(arguments: [1, 64, 500, 1_024])
func `what is written is what is heard, after the ramp to the bit`(callback: Int) {
  let feed = TestFeed(capacity: 1_024)
  let samples = Signal.noise(seed: 1, frames: 10_000)
  feed.feed.pointee.setOpen(true)
  var heard: [Float] = []
  var done = 0
  while heard.count < 9_000 {
    let count = min(feed.feed.pointee.room, samples.count - done)
    feed.write(Array(samples[done..<done + count]))
    done += count
    heard += feed.render(callback)
  }
  for i in 0..<240 { #expect(abs(heard[i] - samples[i] * Float(i + 1) / 240) < 1e-4) }
  #expect(Array(heard[240..<9_000]) == Array(samples[240..<9_000]))
  #expect(feed.feed.pointee.underrunCount == 0)
  #expect(feed.feed.pointee.readPosition == heard.count)
}

@Test func `a closed feed is silent and takes nothing`() {
  let feed = TestFeed()
  feed.write([1, 1, 1])
  #expect(feed.render(100) == Array(repeating: 0, count: 100))
  #expect(feed.feed.pointee.readPosition == 0 && feed.feed.pointee.callbackCount == 1)
}

@Test func `closing and opening never step, and go on where they stopped`() {
  let feed = TestFeed()
  feed.open()
  feed.write(Array(repeating: 1, count: 5_000))
  var heard = feed.render(1_000)
  feed.feed.pointee.setOpen(false)
  heard += feed.render(1_000)
  #expect(heard.suffix(700).allSatisfy { $0 == 0 })
  let stopped = feed.feed.pointee.readPosition
  #expect(stopped <= 240 + 1_000 + 241)
  #expect(feed.render(500).allSatisfy { $0 == 0 })
  #expect(feed.feed.pointee.readPosition == stopped)
  feed.feed.pointee.setOpen(true)
  heard += feed.render(1_000)
  #expect(heard.last == 1)
  #expect(largestStep(heard) < rampStep)
}

@Test func `the gain goes to its new value in a ramp and stays there exactly`() {
  let feed = TestFeed()
  feed.open()
  feed.write(Array(repeating: 1, count: 5_000))
  feed.feed.pointee.setGain(0.1)
  var heard = feed.render(500)
  #expect(heard.last == 0.1)
  feed.feed.pointee.setGain(1)
  heard += feed.render(100)
  // Turned round in the middle of a ramp.
  feed.feed.pointee.setGain(0)
  heard += feed.render(500)
  #expect(heard.last == 0)
  #expect(largestStep(heard) < rampStep)
}

@Test func `beyond full scale the output saturates and never wraps`() {
  let feed = TestFeed()
  feed.open()
  feed.write([0.5, 2, -3, .infinity, 1])
  #expect(feed.render(5) == [0.5, 1, -1, 1, 1])
}

@Test func `a flush fades out and goes on exactly with what was written after it`() {
  let feed = TestFeed()
  feed.open()
  feed.write(Array(repeating: 1, count: 3_000))
  var heard = feed.render(100)
  feed.feed.pointee.flush()
  #expect(feed.isFlushing)
  // What is heard next says where it lies; its first sample stands in a gate that is 1/240 open.
  let next = (0..<2_000).map { -Float($0) / 4_000 - 0.25 }
  feed.write(next)
  let after = feed.render(1_000)
  heard += after
  #expect(!feed.isFlushing)
  #expect(feed.feed.pointee.readPosition == 240 + 3_000 + 1_000 - 240)
  #expect(Array(after[480...]) == Array(next[240..<760]))
  #expect(abs(after[240] - next[0] / 240) < 1e-5)
  #expect(largestStep(heard) < rampStep)
  #expect(feed.feed.pointee.underrunCount == 0)
}

@Test func `a flush of a closed feed is done by the next callback, or without a device at once`() {
  let feed = TestFeed(capacity: 1_024)
  feed.write(Array(repeating: 1, count: 1_024))
  #expect(feed.feed.pointee.room == 0)
  feed.feed.pointee.flush()
  _ = feed.render(1)
  #expect(feed.feed.pointee.room == 1_024 && !feed.isFlushing)
  feed.write(Array(repeating: 1, count: 1_000))
  feed.feed.pointee.flush()
  feed.feed.pointee.skipWhileClosed()
  #expect(feed.feed.pointee.room == 1_024 && !feed.isFlushing)
  // Nothing to leave out is a flush too.
  feed.feed.pointee.flush()
  feed.feed.pointee.skipWhileClosed()
  #expect(!feed.isFlushing)
}

@Test func `a device that is just being opened keeps the callback's part of a flush for its callback`() {
  let feed = TestFeed(capacity: 1_024)
  feed.write(Array(repeating: 1, count: 1_000))
  feed.feed.pointee.flush()
  feed.feed.pointee.attach()
  feed.feed.pointee.skipWhileClosed()
  #expect(feed.isFlushing && feed.feed.pointee.readPosition == 0)
  feed.feed.pointee.detach()
  feed.feed.pointee.skipWhileClosed()
  #expect(!feed.isFlushing && feed.feed.pointee.readPosition == 1_000)
}

@Test(arguments: [64, 100, 240, 1_024])
func `a ring that runs dry fades, counts once and fades in again`(callback: Int) {
  let feed = TestFeed()
  feed.open()
  feed.write(Array(repeating: 1, count: 1_000))
  var heard: [Float] = [1]
  while heard.count < 2_000 { heard += feed.render(callback) }
  #expect(heard[1_000] == 1 && heard[1_001] < 1 && heard[1_001 + 240] == 0)
  #expect(heard.last == 0)
  #expect(feed.feed.pointee.underrunCount == 1)
  feed.write(Array(repeating: -1, count: 1_000))
  for _ in 0..<(1_000 / callback) { heard += feed.render(callback) }
  #expect(heard.last == (callback == 1_024 ? 0 : -1))
  #expect(largestStep(heard) < rampStep)
}

@Test func `a ring that runs dry while the gate opens does not step either`() {
  let feed = TestFeed()
  feed.write(Array(repeating: 1, count: 120))
  feed.feed.pointee.setOpen(true)
  #expect(largestStep([0] + feed.render(1_000)) < rampStep)
}

@Test func `sound that comes back before the fade is over waits for its end`() {
  let feed = TestFeed()
  feed.open()
  feed.write(Array(repeating: 1, count: 10))
  var heard = feed.render(50)
  feed.write(Array(repeating: -1, count: 1_000))
  heard += feed.render(1_000)
  #expect(largestStep(heard) < rampStep)
  #expect(heard.last == -1)
}

@Test func `pausing or seeking over an empty ring is no underrun`() {
  let feed = TestFeed()
  feed.open()
  feed.write([1, 1])
  feed.feed.pointee.setOpen(false)
  #expect(largestStep([1] + feed.render(500)) < rampStep)
  #expect(feed.feed.pointee.underrunCount == 0)
  feed.open()
  feed.write([1, 1])
  feed.feed.pointee.flush()
  #expect(largestStep([1] + feed.render(500)) < rampStep)
  #expect(feed.feed.pointee.underrunCount == 0 && !feed.isFlushing)
}

@Test func `the end loses no sample, and more may follow it`() {
  let feed = TestFeed()
  feed.open()
  let last = Signal.noise(seed: 9, frames: 100)
  feed.write(last)
  feed.feed.pointee.end()
  #expect(feed.feed.pointee.endPosition == 340)
  #expect(feed.render(200) == last + Array(repeating: 0, count: 100))
  #expect(feed.feed.pointee.readPosition == 340 && feed.feed.pointee.underrunCount == 0)
  feed.feed.pointee.goOn()
  #expect(feed.feed.pointee.endPosition == nil)
  feed.write(Array(repeating: 1, count: 300))
  #expect(feed.render(300).last == 1)
}

@Test func `the position heard glides through late and early callbacks and never goes back`() {
  let feed = TestFeed()
  let rate = 48_000.0
  let (callback, latency) = (1_024, 660)
  feed.feed.pointee.setOpen(true)
  var random = Noise(seed: 10)
  var position = 0
  var asked = 0.0
  var last = 0
  let start = 5.0
  for i in 0..<1_000 {
    let due = start + Double(i * callback) / rate
    let entered = due + Double.random(in: -0.008...0.008, using: &random)
    while asked < entered {
      let heard = feed.feed.pointee.heardPosition(
        at: Int64(asked * 1e9), rate: SampleRate(hertz: 48_000), latencyFrames: latency)
      #expect(heard >= last && heard <= position)
      if i > 100 {
        #expect(abs(Double(heard) - ((asked - start) * rate - Double(latency))) < 0.004 * rate)
        // A frame of a picture at 60 Hz moves by 800, within 1.5 ms.
        #expect(abs(heard - last - 800) < 72)
      }
      last = heard
      asked += 1 / 60
    }
    feed.write(Array(repeating: 0.5, count: callback))
    _ = feed.render(callback, at: Int64(entered * 1e9))
    position += callback
  }
}

@Test func `the position heard never goes back, though the device is late or its latency grows`() {
  let feed = TestFeed()
  func heard(at milliseconds: Int64, latencyFrames: Int = 0) -> Int {
    feed.feed.pointee.heardPosition(
      at: milliseconds * 1_000_000, rate: SampleRate(hertz: 48_000), latencyFrames: latencyFrames)
  }
  feed.write(Array(repeating: 1, count: 20_000))
  feed.feed.pointee.setOpen(true)
  _ = feed.render(4_800, at: 1_000_000_000)
  #expect(heard(at: 1_050) == 2_400)
  #expect(heard(at: 1_051, latencyFrames: 480) == 2_400)
  #expect(heard(at: 1_060) == 2_880)
  // It stood still for half a second; then the sound goes on from there.
  _ = feed.render(4_800, at: 1_600_000_000)
  #expect(heard(at: 1_600, latencyFrames: 4_800) == 2_880)
  #expect(heard(at: 1_610) == 5_280)
}

@Test func `the position heard stands still in a pause and jumps with a seek`() {
  let feed = TestFeed()
  func heard(at seconds: Double) -> Int {
    feed.feed.pointee.heardPosition(at: Int64(seconds * 1e9), rate: SampleRate(hertz: 48_000), latencyFrames: 480)
  }
  #expect(heard(at: 100) == 0)
  feed.write(Array(repeating: 1, count: 20_000))
  feed.feed.pointee.setOpen(true)
  _ = feed.render(960, at: 1_000_000_000)
  #expect(heard(at: 1.01) == 0)
  #expect(heard(at: 1.015) == 240)
  #expect(heard(at: 1.03) == 960)
  #expect(heard(at: 9) == 960)
  feed.feed.pointee.flush()
  feed.write(Array(repeating: 1, count: 20_000))
  _ = feed.render(960, at: 10_000_000_000)
  // What was left out was never heard; what comes after it is seen at once.
  #expect(heard(at: 10) == 20_000)
  #expect(heard(at: 10.02) == 20_000 + 240)
  #expect(heard(at: 10.1) == 20_000 + 720)
}

private final class Shared: Sendable {
  let isDone = Atomic<Bool>(false)
  let wrong = Atomic<Int>(0)
}

@Test func `a writer and a reader exchange ten million frames intact`() async {
  let feed = TestFeed(capacity: 4_096)
  let total = 10_000_000
  let shared = Shared()
  // 20 and 15 bits of the frame's number, as numbers below 1 that a float holds exactly.
  @Sendable func left(_ frame: Int) -> Float { Float(frame & 0xF_FFFF) / 1_048_576 }
  @Sendable func right(_ frame: Int) -> Float { Float((frame >> 12) & 0x7FFF) / -32_768 }
  feed.feed.pointee.setOpen(true)

  await withTaskGroup(of: Void.self) { group in
    group.addTask {
      var random = Noise(seed: 11)
      var block = [Float](repeating: 0, count: 4_096)
      var frame = 0
      while frame < total {
        let count = min(feed.feed.pointee.room, Int.random(in: 1...2_048, using: &random), total - frame)
        if count == 0 {
          sched_yield()
          continue
        }
        for i in 0..<count { (block[i * 2], block[i * 2 + 1]) = (left(frame + i), right(frame + i)) }
        feed.feed.pointee.write(block, count: count)
        frame += count
      }
      feed.feed.pointee.end()
    }
    group.addTask {
      var random = Noise(seed: 12)
      let output = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2_048)
      defer { output.deallocate() }
      var frame = 0
      while frame < total {
        let count = min(Int.random(in: 1...1_024, using: &random), total - frame)
        // A reader that never outruns the writer, so that nothing is faded.
        guard feed.feed.pointee.writePosition - feed.feed.pointee.readPosition >= count else {
          sched_yield()
          continue
        }
        feed.feed.pointee.render(into: UnsafeMutableBufferPointer(rebasing: output[..<(count * 2)]), at: Int64(frame))
        var mistakes = 0
        for i in 0..<count where frame + i >= TestFeed.ramp {
          if output[i * 2] != left(frame + i) || output[i * 2 + 1] != right(frame + i) { mistakes += 1 }
        }
        shared.wrong.add(mistakes, ordering: .relaxed)
        frame += count
      }
      shared.isDone.store(true, ordering: .releasing)
    }
    group.addTask {
      var last = 0
      while !shared.isDone.load(ordering: .acquiring) {
        let heard = feed.feed.pointee.heardPosition(at: Int64(last), rate: SampleRate(hertz: 48_000), latencyFrames: 0)
        if heard < last || heard > feed.feed.pointee.readPosition { shared.wrong.add(1, ordering: .relaxed) }
        last = heard
        sched_yield()
      }
    }
  }
  #expect(shared.wrong.load(ordering: .relaxed) == 0)
  #expect(feed.feed.pointee.readPosition == total && feed.feed.pointee.endPosition == total)
  #expect(feed.feed.pointee.underrunCount == 0)
}

@Test func `a callback that comes a buffer too late is counted, and one that is a little late is not`() {
  let feed = TestFeed()
  feed.write(Array(repeating: 0.5, count: 20_000))
  feed.feed.pointee.setOpen(true)
  // 480 frames last 10 ms.
  var now: Int64 = 1_000_000_000
  for delay: Int64 in [0, 0, 3_000_000, 0, 0, 25_000_000, 0] {
    now += 10_000_000 + delay
    _ = feed.render(480, at: now)
  }
  #expect(feed.feed.pointee.lateCount == 1)
}

@Test func `the moment is kept at which the callback goes on behind a flush`() {
  let feed = TestFeed()
  feed.open()
  #expect(feed.feed.pointee.lastArrivalNanoseconds == nil)
  feed.write(Array(repeating: 1, count: 1_000))
  feed.feed.pointee.flush()
  feed.write(Array(repeating: 0.5, count: 1_000))
  _ = feed.render(480, at: 77)
  #expect(feed.feed.pointee.lastArrivalNanoseconds == 77)
  // A flush of a ring in which nothing is: what follows comes later.
  _ = feed.render(1_000, at: 80)
  feed.feed.pointee.flush()
  _ = feed.render(100, at: 88)
  #expect(feed.feed.pointee.lastArrivalNanoseconds == 77)
  feed.write(Array(repeating: 1, count: 600))
  _ = feed.render(100, at: 99)
  #expect(feed.feed.pointee.lastArrivalNanoseconds == 99)
}
