import Foundation
import Media
import Sound
import TestSupport
import Testing

@Suite struct StretcherTests {
  private static let rate = 48_000
  static let speeds = [0.25, 0.5, 0.85, 1.25, 2, 4]

  /// What comes out at the left for sound that is put in there, in uneven parts; the right stays silent.
  private func stretched(_ sound: [Float], speed: Double, rate: Int = rate, flushes: Bool = true) -> [Float] {
    let stretcher = Stretcher(rate: SampleRate(hertz: rate), speed: speed)
    var left: [Float] = []
    var right: Float = 0
    func take(_ frames: UnsafePointer<Float>, _ count: Int) {
      for i in 0..<count {
        left.append(frames[2 * i])
        right = max(right, abs(frames[2 * i + 1]))
      }
    }
    let both: [Float] = sound.flatMap { (sample: Float) -> [Float] in [sample, 0] }
    both.withUnsafeBufferPointer { both in
      var at = 0
      while at < sound.count {
        let count = min(1 + at % 1_777, sound.count - at)
        stretcher.process(both.baseAddress! + 2 * at, count: count, into: take)
        at += count
      }
    }
    if flushes { stretcher.flush(into: take) }
    #expect(right < 1e-4)
    return left
  }

  @Test(arguments: speeds)
  func `a tone keeps its pitch and its level, and lasts as long as the speed says, to the frame`(speed: Double) {
    let sound = Signal.sine(hertz: 997, rate: Self.rate, frames: 48_001, amplitude: 0.5)
    let heard = stretched(sound, speed: speed)
    #expect(heard.count == Int((48_001 / speed).rounded()))
    let steady = Array(heard.dropFirst(heard.count / 4).prefix(heard.count / 2))
    var rises: [Double] = []
    for (i, pair) in zip(steady, steady.dropFirst()).enumerated() where pair.0 < 0 && pair.1 >= 0 {
      rises.append(Double(i) + Double(pair.0 / (pair.0 - pair.1)))
    }
    let hertz = Double(rises.count - 1) / (rises.last! - rises.first!) * Double(Self.rate)
    #expect(abs(hertz / 997 - 1) < 1e-4, "\(hertz) Hz")
    let power = steady.reduce(Float(0)) { $0 + $1 * $1 } / Float(steady.count)
    #expect(abs((2 * power).squareRoot() - 0.5) < 0.01)
  }

  @Test(arguments: speeds, [44_100, 48_000, 96_000, 192_000])
  func `a click is within 10 ms of its place at any usual rate`(speed: Double, rate: Int) throws {
    let sound: [Float] = (0..<2 * rate).map { (i: Int) -> Float in i % rate == rate / 2 ? 1 : 0 }
    let heard = stretched(sound, speed: speed, rate: rate)
    #expect(heard.count == Int((Double(2 * rate) / speed).rounded()))
    for click in 0..<2 {
      let place = Int((Double(click) + 0.5) * Double(rate) / speed)
      let reach = Int(0.2 * Double(rate) / speed)
      let around: Range<Int> = (place - reach)..<min(place + reach, heard.count)
      let loudest = try #require(around.max { abs(heard[$0]) < abs(heard[$1]) })
      #expect(abs(loudest - place) <= rate / 100, "\(Double(loudest - place) / Double(rate) * 1000) ms")
    }
  }

  @Test(arguments: speeds)
  func `what is alike on both sides comes out alike, from its beginning on`(speed: Double) {
    let noise = Signal.noise(seed: 4, frames: 30_000, amplitude: 0.5)
    let stretcher = Stretcher(rate: SampleRate(hertz: Self.rate), speed: speed)
    var widest: Float = 0
    var power: Float = 0
    noise.flatMap { [$0, $0] }.withUnsafeBufferPointer { both in
      let take = { (frames: UnsafePointer<Float>, count: Int) in
        for i in 0..<count {
          widest = max(widest, abs(frames[2 * i] - frames[2 * i + 1]))
          power += frames[2 * i] * frames[2 * i]
        }
      }
      stretcher.process(both.baseAddress!, count: noise.count, into: take)
      stretcher.flush(into: take)
    }
    #expect(widest < 1e-5 && power > 100)
  }

  /// What is taken up in its middle has no silence before it.
  @Test(arguments: speeds)
  func `a sound that begins in the middle begins at its level`(speed: Double) {
    let sound = Signal.sine(hertz: 300, rate: Self.rate, frames: 48_000, amplitude: 0.5, phase: 0.25)
    let heard = stretched(sound, speed: speed)
    // Each 10 ms of it hold three crests.
    for start in stride(from: 0, to: 4_800, by: 480) {
      let crest = heard[start..<(start + 480)].map { abs($0) }.max()!
      #expect((0.4...0.6).contains(crest), "\(crest) at \(start)")
    }
  }

  @Test func `the end of a sound comes out, and all at once when it is very short`() {
    for (frames, speed) in [(1, 0.25), (100, 4), (3_000, 0.5), (48_000, 1.5)] {
      let sound = Signal.sine(hertz: 500, rate: Self.rate, frames: frames, amplitude: 0.5)
      let heard = stretched(sound, speed: speed)
      #expect(heard.count == Int((Double(frames) / speed).rounded()))
      #expect(frames < 100 || heard.map { abs($0) }.max()! > 1e-3)
    }
    let sound = Signal.sine(hertz: 500, rate: Self.rate, frames: 48_000, amplitude: 0.5)
    let heard = stretched(sound, speed: 0.5)
    #expect(heard.suffix(2_400).map { abs($0) }.max()! > 0.3)
    #expect(stretched(sound, speed: 0.5, flushes: false).count < heard.count)
  }
}
