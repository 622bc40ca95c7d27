/// Numbers as they are shown: fixed decimals, the true minus sign, commas between thousands.
package enum NumberText {
  /// A number with so many decimals, rounded half away from zero; what rounds to zero has no sign.
  package static func fixed(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "?" : value < 0 ? "\u{2212}∞" : "∞" }
    var scale: Double = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = min((value.magnitude * scale).rounded(), 1e18)
    let whole = Int64(scaled)
    let sign = value < 0 && whole > 0 ? "\u{2212}" : ""
    guard decimals > 0 else { return sign + String(whole) }
    let digits = String(whole)
    let padded = String(repeating: "0", count: max(decimals + 1 - digits.count, 0)) + digits
    return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  /// A whole number with commas between its thousands.
  package static func grouped(_ value: Int) -> String {
    var text = ""
    for (index, digit) in String(value.magnitude).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (value < 0 ? "\u{2212}" : "") + String(text.reversed())
  }

  /// A whole number with spaces, which no line is broken at, between its thousands.
  package static func spaced(_ value: Int64) -> String {
    var text = ""
    for (index, digit) in String(value.magnitude).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append("\u{A0}") }
      text.append(digit)
    }
    return (value < 0 ? "\u{2212}" : "") + String(text.reversed())
  }

  /// A level: "−6.0 dB", "−∞ dB".
  package static func decibels(_ value: Double) -> String { fixed(value, decimals: 1) + " dB" }

  /// A frequency: "27.5 Hz", "554 Hz", "1.23 kHz", "12.3 kHz".
  package static func hertz(_ value: Double) -> String {
    switch value {
    case ..<99.95: fixed(value, decimals: 1) + " Hz"
    case ..<999.5: fixed(value, decimals: 0) + " Hz"
    case ..<9995: fixed(value / 1000, decimals: 2) + " kHz"
    default: fixed(value / 1000, decimals: 1) + " kHz"
    }
  }

  /// A frequency on an axis: "50", "2k", "2.5k".
  package static func axisHertz(_ value: Double) -> String {
    guard value >= 1000 else { return fixed(value, decimals: 0) }
    let isWhole = (value / 1000).rounded() * 1000 == value
    return fixed(value / 1000, decimals: isWhole ? 0 : 1) + "k"
  }

  /// A size in bytes as files have it: "812 B", "4.2 MB" (powers of 1000).
  package static func bytes(_ count: Int64) -> String {
    guard count >= 1000 else { return "\(count) B" }
    var value = Double(count) / 1000
    for unit in ["kB", "MB", "GB"] {
      if value < 999.5 { return fixed(value, decimals: value < 9.95 ? 1 : 0) + " " + unit }
      value /= 1000
    }
    return fixed(value, decimals: 1) + " TB"
  }
}
