package import Sound

/// Times as they are shown, and as they are typed.
///
/// All are counted in whole tenths of a second, so that position and remaining always add up to the total.
package enum TimeText {
  /// The tenths of a second nearest to a number of frames.
  package static func tenths(frames: Int64, rate: SampleRate) -> Int64 {
    let hertz = Int64(max(rate.hertz, 1))
    let (seconds, rest) = max(frames, 0).quotientAndRemainder(dividingBy: hertz)
    return seconds * 10 + (rest * 20 + hertz) / (2 * hertz)
  }

  /// "1:38.4" or "1:02:03.4".
  package static func clock(tenths: Int64) -> String { clock(seconds: tenths / 10) + ".\(tenths % 10)" }

  /// "1:38" or "1:02:03".
  package static func clock(seconds: Int64) -> String {
    let minutes = seconds / 60 % 60
    let tail = twoDigits(seconds % 60)
    return seconds < 3600 ? "\(minutes):\(tail)" : "\(seconds / 3600):\(twoDigits(minutes)):\(tail)"
  }

  /// A place on a ruler, in units of 10⁻ᵈ s with `decimals` d: "1:34.40".
  package static func ruler(units: Int64, decimals: Int) -> String {
    var scale: Int64 = 1
    for _ in 0..<decimals { scale *= 10 }
    let (seconds, rest) = units.quotientAndRemainder(dividingBy: scale)
    guard decimals > 0 else { return clock(seconds: seconds) }
    let digits = String(rest)
    return clock(seconds: seconds) + "." + String(repeating: "0", count: decimals - digits.count) + digits
  }

  /// The seconds that were typed: "1:23.4", "83", "1:02:03", with a point or a comma; nil when it is no time.
  package static func seconds(typed text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var total: Double = 0
    for (index, part) in parts.enumerated() {
      let halves = part.split(separator: ".", omittingEmptySubsequences: false).flatMap {
        $0.split(separator: ",", omittingEmptySubsequences: false)
      }
      let isLast = index == parts.count - 1
      guard halves.count <= (isLast ? 2 : 1), let whole = number(halves[0], orZero: halves.count == 2) else {
        return nil
      }
      total = total * 60 + whole
      guard halves.count == 2 else { continue }
      guard let fraction = number(halves[1], orZero: false) else { return nil }
      var scale: Double = 1
      for _ in halves[1] { scale *= 10 }
      total += fraction / scale
    }
    return total
  }

  private static func number(_ digits: Substring, orZero: Bool) -> Double? {
    if digits.isEmpty { return orZero ? 0 : nil }
    guard digits.count <= 9, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Double(digits)
  }

  private static func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : String(value) }
}

/// What the clock of the transport says.
package struct TimeReading: Hashable, Sendable {
  /// In tenths of a second.
  package var position: Int64
  /// Nil while nobody can tell.
  package var total: Int64?
  package var isEstimate: Bool

  package init(position: FrameIndex, length: FrameCount?, isEstimate: Bool, rate: SampleRate) {
    let heard = TimeText.tenths(frames: position.rawValue, rate: rate)
    total = length.map { TimeText.tenths(frames: $0.rawValue, rate: rate) }
    // An estimate may turn out too short; the clock goes on, and nothing remains.
    self.position = isEstimate ? heard : min(heard, total ?? heard)
    if let known = total, isEstimate { total = max(known, heard) }
    self.isEstimate = isEstimate
  }

  package var positionText: String { TimeText.clock(tenths: position) }
  package var totalText: String {
    guard let total else { return "…" }
    return (isEstimate ? "about " : "") + TimeText.clock(tenths: total)
  }
  package var remainingText: String? { total.map { "\u{2212}" + TimeText.clock(tenths: $0 - position) } }
}
