import Foundation
import Sound
import TestSupport
import Testing

private let floor = SpectrumBallistics.floor

private func bars(_ level: Float, band: Int = 10) -> [Float] {
  var levels = [Float](repeating: floor, count: SpectrumBallistics.bandCount)
  levels[band] = level
  return levels
}

@Test func `a bar jumps up at once and its cap with it`() {
  var ballistics = SpectrumBallistics()
  #expect(ballistics.isAtRest)
  ballistics.advance(by: 0.001, towards: bars(-12))
  #expect(ballistics.levels == bars(-12) && ballistics.holds == bars(-12))
  #expect(!ballistics.isAtRest)
}

@Test(arguments: [1.0 / 30, 1.0 / 60, 1.0 / 240])
func `the fall is the same at every frame rate`(frame: Double) {
  var ballistics = SpectrumBallistics()
  ballistics.advance(by: frame, towards: bars(0))
  // Half a second, beside a tone that goes on, so that it is not silent.
  for _ in 0..<Int((0.5 / frame).rounded()) { ballistics.advance(by: frame, towards: bars(-6, band: 20)) }
  #expect(abs(ballistics.levels[10] - -55) < 0.01)
  #expect(ballistics.levels[20] == -6)
  #expect(ballistics.holds[10] == 0)
  for _ in 0..<Int((0.5 / frame).rounded()) { ballistics.advance(by: frame, towards: bars(-6, band: 20)) }
  #expect(ballistics.levels[10] == floor)
  // 0.8 s of rest, then 0.2 s of sinking at 30 dB a second.
  #expect(abs(ballistics.holds[10] - -6) < 0.1)
}

@Test(arguments: [nil, bars(floor), bars(.nan)])
func `in silence everything is at the floor within a second`(silence: [Float]?) {
  var ballistics = SpectrumBallistics()
  ballistics.advance(by: 1, towards: Array(repeating: 6, count: SpectrumBallistics.bandCount))
  for _ in 0..<30 { ballistics.advance(by: 1.0 / 60, towards: silence) }
  #expect(!ballistics.isAtRest)
  for _ in 0..<30 { ballistics.advance(by: 1.0 / 60, towards: silence) }
  #expect(ballistics.isAtRest)
  #expect(ballistics.levels == bars(floor) && ballistics.holds == bars(floor))
}

@Test func `a cap is never below its bar, and time that goes back moves nothing`() {
  var ballistics = SpectrumBallistics()
  var random = Noise(seed: 1)
  for _ in 0..<2_000 {
    let levels = (0..<SpectrumBallistics.bandCount).map { _ in Float.random(in: -100...3, using: &random) }
    ballistics.advance(by: Double.random(in: 0...0.2, using: &random), towards: levels)
    for band in levels.indices {
      #expect(ballistics.holds[band] >= ballistics.levels[band] && ballistics.levels[band] >= max(levels[band], floor))
    }
  }
  let before = ballistics.levels
  ballistics.advance(by: -5, towards: bars(floor))
  #expect(ballistics.levels == before)
}

@Test func `a peak meter reads one full-scale sample as zero decibels`() {
  var meter = PeakMeter(channelCount: 2)
  #expect(meter.isAtRest)
  meter.update(elapsed: 1.0 / 60, peaks: [1, 0.5])
  #expect(meter.readings[0] == PeakMeter.Reading(peak: 0, hold: 0, isOver: true))
  #expect(abs(meter.readings[1].peak - -6.0206) < 1e-3 && !meter.readings[1].isOver)
}

@Test(arguments: [1.0 / 30, 1.0 / 60, 1.0 / 240])
func `a peak falls by twenty decibels in 1.7 seconds, at every frame rate`(frame: Double) {
  var meter = PeakMeter(channelCount: 1)
  meter.update(elapsed: frame, peaks: [1])
  for _ in 0..<Int((1.7 / frame).rounded()) { meter.update(elapsed: frame, peaks: [0]) }
  #expect(abs(meter.readings[0].peak - -20) < 0.01)
  #expect(meter.readings[0].hold == 0 && meter.readings[0].isOver)
  // The hold goes after 2 s, the lamp after 3.
  for _ in 0..<Int((1.7 / frame).rounded()) { meter.update(elapsed: frame, peaks: [0]) }
  #expect(abs(meter.readings[0].hold - (-1.4 * 20 / 1.7)) < 0.5)
  #expect(!meter.readings[0].isOver)
}

@Test(arguments: zip([0.98855, 32_767 / 32_768, 1, 1.122] as [Float], [false, true, true, true]))
func `the lamp tells overs and only those`(amplitude: Float, isOver: Bool) {
  var meter = PeakMeter(channelCount: 1)
  meter.update(elapsed: 0.01, peaks: [amplitude])
  #expect(meter.readings[0].isOver == isOver)
}

@Test func `a meter is at rest within a second of silence, and nothing poisons it`() {
  var meter = PeakMeter(channelCount: 1)
  meter.update(elapsed: 0.01, peaks: [1])
  for _ in 0..<54 { meter.update(elapsed: 1.0 / 60, peaks: nil) }
  #expect(meter.readings[0].peak == -.infinity && meter.readings[0].hold == -.infinity)
  meter.update(elapsed: 0.01, peaks: [.nan])
  meter.update(elapsed: 0.01, peaks: [0.1])
  #expect(abs(meter.readings[0].peak - -20) < 0.001)
}
