import Foundation
import Sound
import Testing

@Suite struct IntakeTests {
  @Test func `what one thread puts in comes out of another, in order and whole`() {
    let intake = Intake.make(capacity: 1 << 14)
    defer { Intake.destroy(intake) }
    intake.pointee.begin(channelCount: 2, rate: SampleRate(hertz: 48_000))
    let place = IntakePointer(intake)
    let total = 400_000
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      var sent = 0
      var length = 1
      while sent < total {
        let count = min(length, total - sent)
        let samples = (sent * 2..<(sent + count) * 2).map { Float($0 & 0xFFFFF) }
        while place.pointer.pointee.stampCount > 5 { usleep(50) }
        place.pointer.pointee.accept(samples, sampleCount: count * 2, at: Int64(sent))
        sent += count
        length = length * 7 % 1021
      }
      done.signal()
    }
    var found = 0
    var isRight = true
    var buffer = [Float](repeating: 0, count: 4096)
    while found < total {
      guard intake.pointee.stampCount > 0 else {
        usleep(50)
        continue
      }
      let stamp = buffer.withUnsafeMutableBufferPointer { intake.pointee.take(into: $0.baseAddress!) }
      isRight = isRight && stamp.nanoseconds == Int64(found) && stamp.lostFrames == 0 && stamp.channelCount == 2
      for i in 0..<stamp.frameCount * 2 { isRight = isRight && buffer[i] == Float((found * 2 + i) & 0xFFFFF) }
      found += stamp.frameCount
    }
    done.wait()
    #expect(isRight)
    #expect(intake.pointee.lostFrameCount == 0)
  }

  @Test func `what finds no room is counted before what comes next`() {
    let intake = Intake.make(capacity: 1024)
    defer { Intake.destroy(intake) }
    intake.pointee.begin(channelCount: 1, rate: SampleRate(hertz: 8000))
    let samples = (0..<400).map { Float($0) }
    for time in 0..<5 { intake.pointee.accept(samples, sampleCount: 400, at: Int64(time)) }
    #expect(intake.pointee.stampCount == 2)
    #expect(intake.pointee.lostFrameCount == 1200)
    var buffer = [Float](repeating: 0, count: 400)
    for time in 0..<2 {
      let stamp = buffer.withUnsafeMutableBufferPointer { intake.pointee.take(into: $0.baseAddress!) }
      #expect(stamp.nanoseconds == Int64(time) && stamp.lostFrames == 0)
      #expect(buffer == samples)
    }
    intake.pointee.accept(samples, sampleCount: 400, at: 9)
    #expect(intake.pointee.stamp(0).lostFrames == 1200)
  }

  @Test func `a device that is opened anew begins a session of its own`() {
    let intake = Intake.make(capacity: 4096)
    defer { Intake.destroy(intake) }
    intake.pointee.begin(channelCount: 1, rate: SampleRate(hertz: 8000))
    let samples = [Float](repeating: 0.5, count: 60)
    intake.pointee.accept(samples, sampleCount: 60, at: 1)
    intake.pointee.begin(channelCount: 3, rate: SampleRate(hertz: 44_100))
    intake.pointee.accept(samples, sampleCount: 60, at: 2)
    let (first, second) = (intake.pointee.stamp(0), intake.pointee.stamp(1))
    #expect(first.channelCount == 1 && first.frameCount == 60 && first.rate.hertz == 8000)
    #expect(second.channelCount == 3 && second.frameCount == 20 && second.rate.hertz == 44_100)
    #expect(second.session > first.session)
  }
}

@Suite struct InputClockTests {
  /// Hands callbacks of 480 frames at 48 kHz to a clock and adds up what it finds missing.
  private static func missing(_ times: [Int64]) -> Int {
    var clock = InputClock(rate: SampleRate(hertz: 48_000))
    var total = 0
    for index in times.indices {
      let verdict = clock.judge(times.count - index, { (480, times[index + $0]) }, now: .max / 2)
      if case .missing(let count) = verdict { total += count }
    }
    return total
  }

  private static let even = (1...3000).map { Int64($0) * 10_000_000 }

  @Test func `an even pace misses nothing`() { #expect(Self.missing(Self.even) == 0) }

  @Test(arguments: [0.9997, 1.0003])
  func `two clocks that disagree by a quartz's error miss nothing in an hour`(pace: Double) {
    let times = (1...360_000).map { Int64(Double($0) * 1e7 * pace) }
    #expect(Self.missing(times) == 0)
  }

  @Test func `callbacks that come in bursts, unevenly late, miss nothing`() {
    var state: UInt64 = 1
    let times = Self.even.indices.map { index in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      // In bursts of twenty, each up to 60 ms late.
      return Self.even[index / 20 * 20 + 19 < Self.even.count ? index / 20 * 20 + 19 : index] + Int64(state >> 40)
        % 60_000_000
    }
    #expect(Self.missing(times.sorted()) == 0)
  }

  @Test(arguments: [0.15, 0.5, 3, 3600])
  func `a hole is as long as it was`(seconds: Double) {
    let times = Self.even.map { $0 > 10_000_000_000 ? $0 + Int64(seconds * 1e9) : $0 }
    #expect(abs(Self.missing(times) - Int(seconds * 48_000)) <= 500)
  }

  @Test func `many holes too short to be noticed alone are noticed together`() {
    let times = Self.even.map { $0 + $0 / 1_000_000_000 * 20_000_000 }
    // 30 s with 20 ms missing in each.
    #expect(abs(Self.missing(times) - 29 * 960) < 6000)
  }

  @Test func `a device faster than time misses nothing`() {
    #expect(Self.missing(Self.even.map { $0 / 1000 }) == 0)
  }
}

@Suite struct ChannelChoiceTests {
  @Test(arguments: ChannelChoice.allCases, [1, 2, 4])
  func `the chosen channels come out, and what is no number is silence`(choice: ChannelChoice, channels: Int) {
    let frames: [Float] = (0..<6 * channels).map { $0 % channels == 0 ? 0.5 : $0 % channels == 1 ? -0.25 : 0.125 }
    var planes = [[Float]](repeating: Array(repeating: 9, count: 6), count: choice.channelCount)
    let storage = (0..<choice.channelCount).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: 6) }
    defer { storage.forEach { $0.deallocate() } }
    choice.take(frames, count: 6, of: channels) { storage[$0] }
    for (index, plane) in storage.enumerated() { planes[index] = Array(UnsafeBufferPointer(start: plane, count: 6)) }
    let second: Float = channels == 1 ? 0.5 : -0.25
    let mean = [1: Float(0.5), 2: 0.125, 4: 0.125][channels]!
    let expected: [Float] =
      switch choice {
      case .left: [0.5]
      case .right: [second]
      case .stereo: [0.5, second]
      case .mono: [mean]
      }
    #expect(planes == expected.map { Array(repeating: $0, count: 6) })
    choice.take(Array(repeating: .nan, count: 4 * channels), count: 4, of: channels) { storage[$0] }
    #expect(storage[0][3] == 0)
  }

  @Test func `a channel is dead when only the other has sounded for two seconds, until it is heard`() {
    var watch = ChannelWatch(channelCount: 2)
    for _ in 0..<300 { watch.update(peaks: [0, 0], seconds: 0.02) }
    #expect(watch.deadChannels == [])
    for _ in 0..<99 { watch.update(peaks: [0.2, 0.00005], seconds: 0.02) }
    #expect(watch.deadChannels == [])
    for _ in 0..<2 { watch.update(peaks: [0.2, 0.00005], seconds: 0.02) }
    #expect(watch.deadChannels == [1])
    watch.update(peaks: [0.2, 0.01], seconds: 0.02)
    #expect(watch.deadChannels == [])
  }
}
