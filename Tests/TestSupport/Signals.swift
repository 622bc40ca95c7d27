import Foundation
package import Sound

/// Signals of which everything is known.
package enum Signal {
  /// A sine of `amplitude`, `frames` long, that is at `phase` (in turns) at frame 0.
  package static func sine(
    hertz: Double, rate: Int, frames: Int, amplitude: Double = 1, phase: Double = 0
  ) -> [Float] {
    (0..<frames).map { i in
      // The turns are reduced before they become an angle, so that a long sine stays exact.
      let turns = (hertz / Double(rate) * Double(i) + phase).truncatingRemainder(dividingBy: 1)
      return Float(amplitude * sin(2 * .pi * turns))
    }
  }

  /// A sine whose frequency rises from `start` to `end` by equal ratios in equal times.
  package static func sweep(
    from start: Double, to end: Double, rate: Int, frames: Int, amplitude: Double = 1
  ) -> [Float] {
    let ratio = end / start
    var turns = 0.0
    return (0..<frames).map { i in
      defer {
        turns += start * pow(ratio, Double(i) / Double(frames)) / Double(rate)
        turns -= turns.rounded(.down)
      }
      return Float(amplitude * sin(2 * .pi * turns))
    }
  }

  /// Evenly spread noise between ±`amplitude`, the same for the same seed.
  package static func noise(seed: UInt64, frames: Int, amplitude: Float = 1) -> [Float] {
    var source = Noise(seed: seed)
    return (0..<frames).map { _ in Float.random(in: -amplitude...amplitude, using: &source) }
  }

  /// Silence but for one full-scale sample every `every` frames, the first at frame 0.
  package static func impulses(every: Int, frames: Int) -> [Float] {
    (0..<frames).map { $0 % every == 0 ? 1 : 0 }
  }
}

/// Numbers that look random and are the same for the same seed (SplitMix64; Steele, Lea and Flood, 2014).
package struct Noise: RandomNumberGenerator {
  private var state: UInt64
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension SampleBlock {
  /// A block that holds these channels, which are of one length.
  package convenience init(_ channels: [[Float]], start: FrameIndex = .zero) {
    self.init(channelCount: channels.count, capacity: max(channels[0].count, 1))
    frameCount = channels[0].count
    self.start = start
    for (index, samples) in channels.enumerated() {
      plane(index).update(from: samples, count: samples.count)
    }
  }
}
