import CFFTW

/// The power in some neighbouring bands, measured through one window length.
///
/// The window is Hann's, laid on after the transform by joining neighbouring bins (F. J. Harris, "On the Use of Windows",
/// Proc. IEEE 66, 1978, section V-B). Each bin's power is then counted not where the bin lies but at the frequency at
/// which its phase turns (spectral reassignment: F. Auger and P. Flandrin, IEEE Trans. Signal Processing 43, 1995), so all
/// of a tone's lobe falls into the tone's own band, however narrow, and its sum is the tone's level wherever it lies
/// between the bins; noise stays where it is.
struct BandMeter: ~Copyable {
  /// The bands measured here, out of all.
  let bands: Range<Int>
  private let transform: RealTransform
  /// The edges of `bands`, in bins.
  private let edges: [Float]
  /// The bins that can hold power of `bands`.
  private let bins: Range<Int>

  /// How near to an edge, in bins, a tone counts on both sides: its place is not known better than that.
  private static let blur: Float = 0.05
  /// A tone this many bins outside leaks less than -90 dB into the outermost band (Hann: 1 / πx³ from the lobe).
  private static let reach = 24

  /// A meter of `bands` over the `count` samples at `input`; `edges` are those of the bands, in hertz.
  init(bands: Range<Int>, edges: ArraySlice<Float>, input: UnsafeMutablePointer<Float>, count: Int, hertz: Int) {
    self.bands = bands
    transform = RealTransform(of: input, count: count)
    var inBins = edges.map { $0 * Float(count) / Float(hertz) }
    // What lies below the first bin is a constant, not a sound.
    inBins[0] = max(inBins[0] - Self.blur, 1)
    inBins[inBins.count - 1] += Self.blur
    self.edges = inBins
    let last = count / 2
    let start = min(max(Int(min(inBins[0], Float(last))) - Self.reach, 1), last)
    let end = min(Int(min(inBins[inBins.count - 1], Float(last))) + Self.reach, last)
    bins = start..<max(end, start)
  }

  /// Adds the power in each band to `powers`, a full-scale sine being 1.
  func measure(into powers: UnsafeMutableBufferPointer<Float>) {
    guard !bins.isEmpty else { return }
    transform.execute()
    let spectrum = transform.output
    // Parseval: a sine of amplitude 1 leaves N/2 · Σ w² / 2 on one side, and Σ w² = 3 N / 8 for Hann's window.
    let scale = 32 / (3 * Float(transform.count) * Float(transform.count))
    edges.withUnsafeBufferPointer { edges in
      var own = 0
      for bin in bins {
        let (below, here, above) = (spectrum[bin - 1], spectrum[bin], spectrum[bin + 1])
        let real = 0.5 * here.0 - 0.25 * (below.0 + above.0)
        let imaginary = 0.5 * here.1 - 0.25 * (below.1 + above.1)
        let power = real * real + imaginary * imaginary
        // False for zero and for what is not a number.
        guard power > 1e-30 else { continue }
        let turning = (below.0 - above.0) * real + (below.1 - above.1) * imaginary
        let place = Float(bin) + turning / (4 * power)
        while own + 1 < bands.count, edges[own + 1] <= Float(bin) { own += 1 }
        count(power * scale, at: place, from: own, edges, into: powers)
      }
    }
  }

  /// Counts a power at its place, looking for the band from the bin's own on.
  @inline(__always)
  private func count(
    _ power: Float, at place: Float, from own: Int, _ edges: UnsafeBufferPointer<Float>,
    into powers: UnsafeMutableBufferPointer<Float>
  ) {
    guard place >= edges[0], place < edges[bands.count] else { return }
    var band = own
    while place >= edges[band + 1] { band += 1 }
    while place < edges[band] { band -= 1 }
    let index = bands.lowerBound + band
    powers[index] += power
    if band > 0, place < edges[band] + Self.blur { powers[index - 1] += power }
    if band + 1 < bands.count, place >= edges[band + 1] - Self.blur { powers[index + 1] += power }
  }
}
