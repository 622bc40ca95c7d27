import CFFTW
import CMath
package import Sound

/// The levels of 64 bands around one moment of a sound.
///
/// A bar shows the power that lies in its band, on the scale on which a full-scale sine reads 0 dBFS: for a tone that is
/// the tone's level, wherever in the band it lies; for noise the band's share of it (full-scale square = +3 dB). Made once
/// for each rate and scale; main thread.
package final class SpectrumAnalyzer {
  package let rate: SampleRate
  package let scale: BandScale
  /// The 65 frequencies between which the bands lie, in hertz, rising.
  package let edges: [Float]
  /// How many frames around the ear are looked at; even.
  package let windowFrames: Int

  private let input: UnsafeMutablePointer<Float>
  private let low: BandMeter?
  private let high: BandMeter

  /// 8192 frames at 44.1 kHz: what the bands above `crossover` are measured through.
  private static let shortSeconds = 8192 / 44_100.0
  /// Bands that lie below are narrower than 5 bins of the short window, and get twice its length.
  private static let crossover: Float = 250

  package init(rate: SampleRate, scale: BandScale) {
    self.rate = rate
    self.scale = scale
    edges = scale.edges(rate: rate)
    let hertz = max(rate.hertz, 1)
    let short = Self.windowLength(atLeast: Self.shortSeconds * Double(hertz))
    let split = scale == .linear ? 0 : edges.firstIndex { $0 >= Self.crossover }!
    windowFrames = split > 0 ? short * 2 : short
    input = fftwf_alloc_real(windowFrames)!
    input.initialize(repeating: 0, count: windowFrames)
    let all = edges
    low =
      split > 0
      ? BandMeter(bands: 0..<split, edges: all[0...split], input: input, count: short * 2, hertz: hertz) : nil
    high = BandMeter(
      bands: split..<all.count - 1, edges: all[split...], input: input + (windowFrames - short) / 2, count: short,
      hertz: hertz)
  }

  deinit { fftwf_free(input) }

  /// The level of each band in dBFS, at least `SpectrumBallistics.floor`: the loudest of the channels, each measured alone.
  ///
  /// `read(channel, buffer)` fills a buffer of `windowFrames` samples, the ear being at its middle: the frames
  /// `ear - windowFrames / 2 ..< ear + windowFrames / 2`. Stereo at 44.1 kHz takes about 0.1 ms.
  package func analyze(channelCount: Int, read: (Int, UnsafeMutableBufferPointer<Float>) -> Void) -> [Float] {
    let count = SpectrumBallistics.bandCount
    var loudest = [Float](repeating: 0, count: count)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { powers in
      for channel in 0..<channelCount {
        powers.initialize(repeating: 0)
        read(channel, UnsafeMutableBufferPointer(start: input, count: windowFrames))
        low?.measure(into: powers)
        high.measure(into: powers)
        for band in 0..<count { loudest[band] = max(loudest[band], powers[band]) }
      }
    }
    return loudest.map { $0 > 0 ? max(10 * log10f($0), SpectrumBallistics.floor) : SpectrumBallistics.floor }
  }

  /// The shortest length that is not less and that FFTW takes fast: a power of two times 8, 9, 10, 12 or 15.
  static func windowLength(atLeast frames: Double) -> Int {
    var unit = 2
    while Double(unit * 16) < frames { unit *= 2 }
    for factor in [8, 9, 10, 12, 15] where Double(unit * factor) >= frames { return unit * factor }
    return unit * 16
  }
}
