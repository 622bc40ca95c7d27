import CMath

/// A peak meter a channel: jumps up at once, falls slowly, remembers the highest sample a while and overs longer.
///
/// Time is handed in. Nothing is smoothed: one sample at full scale reads 0.0 dBFS.
package struct PeakMeter: Sendable {
  /// What one channel shows.
  package struct Reading: Hashable, Sendable {
    /// The highest sample of late in dBFS, falling; minus infinity for silence.
    package var peak: Float
    /// The highest sample of the last 2 s in dBFS, then falling too.
    package var hold: Float
    /// A sample at or beyond full scale was heard in the last 3 s.
    package var isOver: Bool

    package init(peak: Float = -.infinity, hold: Float = -.infinity, isOver: Bool = false) {
      self.peak = peak
      self.hold = hold
      self.isOver = isOver
    }
  }

  /// 20 dB in 1.7 s, in decibels per second (IEC 60268-10, type I).
  static let fall: Float = 20 / 1.7
  /// The same in silence, where the meter need not be read but must come to rest within a second.
  static let silentFall: Float = 110
  static let holdSeconds: Float = 2
  static let overSeconds: Float = 3
  /// Below this a meter shows nothing, in dBFS.
  static let floor: Float = -90
  /// The highest positive sample of 16 bits, which no louder one can follow.
  package static let fullScale: Float = 32_767 / 32_768

  package private(set) var readings: [Reading]
  private var holdWaits: [Float]
  private var overWaits: [Float]

  package init(channelCount: Int) {
    readings = Array(repeating: Reading(), count: channelCount)
    holdWaits = Array(repeating: 0, count: channelCount)
    overWaits = holdWaits
  }

  /// True when every channel shows nothing.
  package var isAtRest: Bool { readings.allSatisfy { $0 == Reading() } }

  /// Moves on by `seconds`, in which the highest absolute sample of each channel was `peaks`; nil stands for silence.
  package mutating func update(elapsed seconds: Double, peaks: [Float]?) {
    let elapsed = Float(max(seconds, 0))
    for channel in readings.indices {
      let amplitude = peaks.map { $0[channel] } ?? 0
      let drop = elapsed * (peaks == nil ? Self.silentFall : Self.fall)
      let heard = amplitude > 0 ? 20 * log10f(amplitude) : -.infinity
      var reading = readings[channel]
      reading.peak = Self.floored(max(heard, reading.peak - drop))

      let sinking = peaks == nil ? elapsed : max(elapsed - holdWaits[channel], 0)
      holdWaits[channel] = max(holdWaits[channel] - elapsed, 0)
      reading.hold = Self.floored(reading.hold - sinking * (peaks == nil ? Self.silentFall : Self.fall))
      if reading.peak >= reading.hold {
        reading.hold = reading.peak
        if heard >= reading.peak { holdWaits[channel] = Self.holdSeconds }
      }

      overWaits[channel] = amplitude >= Self.fullScale ? Self.overSeconds : max(overWaits[channel] - elapsed, 0)
      reading.isOver = overWaits[channel] > 0
      readings[channel] = reading
    }
  }

  private static func floored(_ level: Float) -> Float { level > floor ? level : -.infinity }
}
