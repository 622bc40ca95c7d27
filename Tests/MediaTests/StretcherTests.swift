import Foundation
import Media
import Sound
import TestSupport
import Testing

@Suite struct StretcherTests {
  private static let rate = 48_000
  static let speeds = [0.25, 0.5, 0.85, 1.25, 2, 4]

  /// What comes out at the left for sound that is put in there, in uneven parts; the right stays silent.
  private func stretched(_ sound: [Float], speed: Double, flushes: Bool = true) -> [Float] {
    let stretcher = Stretcher(rate: SampleRate(hertz: Self.rate), speed: speed)
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

  @Test(arguments: speeds)
  func `a click is within 10 ms of its place`(speed: Double) throws {
    let sound: [Float] = (0..<96_000).map { (i: Int) -> Float in i % 48_000 == 24_000 ? 1 : 0 }
    let heard = stretched(sound, speed: speed)
    for click in 0..<2 {
      let place = Int((Double(click) + 0.5) * 48_000 / speed)
      let reach = Int(9_600 / speed)
      let around: Range<Int> = (place - reach)..<min(place + reach, heard.count)
      let loudest = try #require(around.max { abs(heard[$0]) < abs(heard[$1]) })
      #expect(abs(loudest - place) <= 480, "\(loudest - place) frames")
    }
  }

  @Test func `the end of a sound comes out, and all at once when it is very short`() {
    for (frames, speed) in [(1, 0.25), (100, 4), (3_000, 0.5), (48_000, 1.5)] {
      let sound = Signal.sine(hertz: 500, rate: Self.rate, frames: frames, amplitude: 0.5)
      #expect(stretched(sound, speed: speed).count == Int((Double(frames) / speed).rounded()))
    }
    let sound = Signal.sine(hertz: 500, rate: Self.rate, frames: 48_000, amplitude: 0.5)
    let heard = stretched(sound, speed: 0.5)
    #expect(heard.suffix(2_400).map { abs($0) }.max()! > 0.3)
    #expect(stretched(sound, speed: 0.5, flushes: false).count < heard.count)
  }
}
