import CMath
package import Control

/// Where frequencies lie along the bars, and what is written below them.
package struct SpectrumAxis: Hashable, Sendable {
  /// The frequencies between the bars, in hertz, rising.
  private let edges: [Float]
  private let scale: SpectrumScale

  package init(_ reading: SpectrumReading) {
    edges = reading.edges
    scale = reading.scale
  }

  /// The place of a frequency, 0 at the left end to 1 at the right; nil outside.
  package func place(of hertz: Double) -> Double? {
    guard edges.count > 1, let low = edges.first, let high = edges.last else { return nil }
    guard hertz >= Double(low), hertz <= Double(high) else { return nil }
    let band = min(max((edges.firstIndex { Double($0) > hertz } ?? edges.count - 1) - 1, 0), edges.count - 2)
    let (from, to) = (Double(edges[band]), Double(edges[band + 1]))
    let share = isLogarithmic(from) ? log(hertz / from) / log(to / from) : (hertz - from) / (to - from)
    return (Double(band) + share) / Double(edges.count - 1)
  }

  /// The frequency at a place from 0 to 1, and its bar.
  package func frequency(at place: Double) -> (hertz: Double, band: Int)? {
    guard edges.count > 1, place >= 0, place <= 1 else { return nil }
    let position = place * Double(edges.count - 1)
    let band = min(Int(position), edges.count - 2)
    let share = position - Double(band)
    let (from, to) = (Double(edges[band]), Double(edges[band + 1]))
    return (isLogarithmic(from) ? from * pow(to / from, share) : from + (to - from) * share, band)
  }

  /// The frequencies that are written below the bars, when a label needs `room` of the whole width.
  package func labels(room: Double) -> [Double] {
    guard let low = edges.first.map(Double.init), let high = edges.last.map(Double.init), high > low else { return [] }
    switch scale {
    case .logarithmic:
      return [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000].filter {
        $0 > low && $0 <= high * 1.0001
      }
    case .linear:
      let step = Self.steps.first { $0 / (high - low) >= room } ?? high
      return (1...max(Int(high / step), 1)).map { Double($0) * step }.filter { $0 <= high }
    }
  }

  /// Steps that are easy to read, in hertz.
  private static let steps: [Double] = [1, 10, 100, 1000, 10_000, 100_000].flatMap { [$0, 2 * $0, 5 * $0] }

  private func isLogarithmic(_ from: Double) -> Bool { scale == .logarithmic && from > 0 }
}

/// The note nearest to a frequency in equal temperament from A4 = 440 Hz: "C♯5 −1 ct".
package enum NoteText {
  private static let names = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"]

  /// Nil below the lowest note that has a name of its own.
  package static func name(hertz: Double) -> String? {
    guard hertz > 8 else { return nil }
    // 69 is A4; a hundred cents to a semitone.
    let pitch = 69 + 12 * log2(hertz / 440)
    let note = Int(pitch.rounded())
    let cents = Int(((pitch - Double(note)) * 100).rounded())
    let sign = cents < 0 ? "\u{2212}" : cents > 0 ? "+" : ""
    return "\(names[note % 12])\(NumberText.grouped(note / 12 - 1)) \(sign)\(cents.magnitude) ct"
  }
}
