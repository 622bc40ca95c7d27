internal import Sound

/// Any number of channels onto two sides.
///
/// The coefficients of ITU-R BS.775-3, table 2: centre and surround −3 dB, the low-frequency channel left out. Mono goes to
/// both sides as it is. What could exceed full scale when all channels are full is turned down as a whole.
struct Downmix {
  /// One for each channel: how much of it goes to the left and to the right.
  let gains: [SIMD2<Float>]

  private static let minus3dB: Float = 0.70710678

  init(speakers: [Speaker]) {
    let gains = speakers.count == 2 ? [SIMD2(1, 0), SIMD2(0, 1)] : speakers.map(Self.gain)
    let sums = gains.reduce(SIMD2<Float>(0, 0), +)
    let largest = max(sums.x, sums.y)
    if largest == 0 {
      // Nothing but low frequencies: better heard than left out.
      self.gains = gains.map { _ in SIMD2(repeating: 1 / Float(gains.count)) }
    } else {
      self.gains = gains.map { $0 / max(largest, 1) }
    }
  }

  private static func gain(_ speaker: Speaker) -> SIMD2<Float> {
    switch speaker {
    case .mono: SIMD2(1, 1)
    case .left, .wideLeft: SIMD2(1, 0)
    case .right, .wideRight: SIMD2(0, 1)
    case .center, .topFrontCenter: SIMD2(minus3dB, minus3dB)
    case .lowFrequency: SIMD2(0, 0)
    case .backLeft, .sideLeft, .frontLeftOfCenter, .topFrontLeft, .topBackLeft: SIMD2(minus3dB, 0)
    case .backRight, .sideRight, .frontRightOfCenter, .topFrontRight, .topBackRight: SIMD2(0, minus3dB)
    case .backCenter, .topCenter, .topBackCenter: SIMD2(0.5, 0.5)
    // Nobody knows where: in turn to the left and to the right.
    case .unknown(let number): number % 2 == 1 ? SIMD2(1, 0) : SIMD2(0, 1)
    }
  }

  /// Mixes all frames of a block into interleaved stereo.
  func mix(_ block: SampleBlock, into stereo: UnsafeMutablePointer<Float>) {
    let count = block.frameCount
    switch gains.count {
    case 1:
      let mono = block.plane(0)
      for i in 0..<count {
        stereo[i &* 2] = mono[i]
        stereo[i &* 2 &+ 1] = mono[i]
      }
    case 2:
      let (left, right) = (block.plane(0), block.plane(1))
      for i in 0..<count {
        stereo[i &* 2] = left[i]
        stereo[i &* 2 &+ 1] = right[i]
      }
    default:
      stereo.update(repeating: 0, count: count * 2)
      for (channel, gain) in gains.enumerated() where gain != SIMD2(0, 0) {
        let plane = block.plane(channel)
        for i in 0..<count {
          stereo[i &* 2] += plane[i] * gain.x
          stereo[i &* 2 &+ 1] += plane[i] * gain.y
        }
      }
    }
  }
}
