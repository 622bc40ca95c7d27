import Sound
import Testing

@testable import Session

struct RunningPositionTests {
  private let rate = SampleRate(hertz: 48_000)

  /// What is shown at each frame of a display of 60 Hz, while sound is told of as `known` says (seconds to seconds).
  private func shown(seconds: Double, _ known: (Double) -> Double) -> [(time: Double, place: Double, known: Double)] {
    var running = RunningPosition()
    return (0..<Int(seconds * 60)).map { index in
      let time = Double(index) / 60
      let end = FrameCount(Int64(known(time) * 48_000))
      let place = running.move(to: Int64(time * 1e9), known: end, rate: rate, isRunning: true)
      return (time, Double(place.rawValue) / 48_000, Double(end.rawValue) / 48_000)
    }
  }

  @Test(arguments: [0.02, 0.04, 0.06])
  func `it moves by as much in each frame though sound is told of in steps`(step: Double) {
    let all = shown(seconds: 20) { ($0 / step).rounded(.down) * step }
    for (before, after) in zip(all, all.dropFirst()).dropFirst(60) {
      #expect(abs(after.place - before.place - 1.0 / 60) < 0.1 / 60 + 1e-4, "at \(after.time)")
      #expect(after.place <= after.known && after.known - after.place < 0.15)
    }
  }

  @Test func `it follows a microphone that is a little faster or slower than the clock`() {
    for pace in [0.98, 1.02] {
      let all = shown(seconds: 60) { ($0 * pace / 0.04).rounded(.down) * 0.04 }
      for place in all.dropFirst(60) { #expect(place.known - place.place < 0.2) }
    }
  }

  @Test func `a long wait is made up for at once, and at rest it comes to the very end`() {
    var running = RunningPosition()
    _ = running.move(to: 0, known: .zero, rate: rate, isRunning: true)
    let place = running.move(to: 3_000_000_000, known: FrameCount(240_000), rate: rate, isRunning: true)
    #expect(place > FrameCount(230_000))
    for index in 1...12 {
      _ = running.move(
        to: 3_000_000_000 + Int64(index) * 16_666_667, known: FrameCount(240_000), rate: rate, isRunning: false)
    }
    #expect(
      running.move(to: 3_300_000_000, known: FrameCount(240_000), rate: rate, isRunning: false) == FrameCount(240_000))
    // Another take begins.
    #expect(running.move(to: 3_400_000_000, known: FrameCount(960), rate: rate, isRunning: true) < FrameCount(960))
  }
}
