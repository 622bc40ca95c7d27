import CMath
package import Sound

/// How the 64 bars are spread over the frequencies.
package enum BandScale: Hashable, Sendable {
  /// Equal ratios from 27.5 Hz (the lowest A of a piano) to 20 kHz: 1.8 semitones a band.
  case logarithmic
  /// Equal steps from 0 to half the rate.
  case linear

  /// The 65 frequencies between which the bands lie, in hertz, rising.
  package func edges(rate: SampleRate) -> [Float] {
    let count = SpectrumBallistics.bandCount
    return (0...count).map { i in
      let share = Double(i) / Double(count)
      switch self {
      case .logarithmic: return Float(27.5 * pow(20_000 / 27.5, share))
      case .linear: return Float(share * Double(rate.hertz) / 2)
      }
    }
  }
}
