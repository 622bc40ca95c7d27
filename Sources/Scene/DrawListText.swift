extension DrawList {
  /// The picture as lines of text: two pictures that look different have texts that differ.
  ///
  /// A panel a paragraph, an order a line; columns of a waveform as how many they are, how they are split, and what they
  /// come to, in a way that tells a shift by one column but not the last bit of a sum of squares.
  package var text: String { panels.map(\.text).joined(separator: "\n") }
}

extension Panel {
  fileprivate var text: String {
    "[\(id)] \(rect.text)\n" + orders.map { "  \($0.text)\n" }.joined()
  }
}

extension Order {
  fileprivate var text: String {
    switch self {
    case .fill(let rect, let ink, let radius, let opacity):
      "fill \(rect.text) \(ink.text)\(part("radius", radius, 0))\(part("opacity", opacity, 1))"
    case .stroke(let rect, let ink, let radius, let width, let opacity):
      "stroke \(rect.text) \(ink.text)\(part("radius", radius, 0))\(part("width", width, 1))\(part("opacity", opacity, 1))"
    case .dashes(let rect, let ink, let radius): "dashes \(rect.text) \(ink.text)\(part("radius", radius, 0))"
    case .text(let string, let point, let style, let ink, let opacity):
      "text \(point.text) \(style.text) \(ink.text)\(part("opacity", opacity, 1)) \"\(string)\""
    case .icon(let icon, let rect, let ink, let opacity):
      "icon \(icon.rawValue) \(rect.text) \(ink.text)\(part("opacity", opacity, 1))"
    case .waveform(let rect, let columns, let split, let ink):
      "waveform \(rect.text) \(ink.text) columns \(columns.count) split \(split) \(gist(columns))"
    case .polyline(let points, let width, let ink, let opacity):
      "polyline \(points.map(\.text).joined(separator: " ")) \(ink.text)\(part("width", width, 1))\(part("opacity", opacity, 1))"
    case .triangle(let a, let b, let c, let ink): "triangle \(a.text) \(b.text) \(c.text) \(ink.text)"
    case .image(let image, let rect, let radius):
      "image of track \(image.track.rawValue) \(rect.text)\(part("radius", radius, 0))"
    }
  }

  private func part(_ name: String, _ value: Float, _ usual: Float) -> String {
    value == usual ? "" : " \(name) \(number(value))"
  }
}

/// As many decimals as the number has, none for a whole one.
private func number(_ value: Float) -> String {
  value == value.rounded() && value.magnitude < 1e9 ? String(Int(value)) : String(value)
}

/// The sums of the lowest, highest and RMS values, and the place of their balance point, of the columns that are known.
private func gist(_ columns: [WaveColumn]) -> String {
  var (low, high, rms, moment) = (0.0, 0.0, 0.0, 0.0)
  for (index, column) in columns.enumerated() where column.low <= column.high {
    low += Double(column.low)
    high += Double(column.high)
    rms += Double(column.rms)
    moment += Double(column.rms) * Double(index)
  }
  let balance = rms > 0 ? moment / rms : 0
  let parts = [("low", low), ("high", high), ("rms", rms), ("balance", balance)]
  return parts.map { "\($0.0) \(NumberText.fixed($0.1, decimals: 2))" }.joined(separator: " ")
}

extension Point {
  fileprivate var text: String { "\(number(x)),\(number(y))" }
}

extension Rect {
  fileprivate var text: String { "\(number(x)),\(number(y)) \(number(width))x\(number(height))" }
}

extension TextStyle {
  fileprivate var text: String { "\(number(size)) \(weight)\(isTabular ? " tabular" : "")" }
}

extension Ink {
  fileprivate var text: String {
    if case .spectral(let place) = self { "spectral(\(number(place)))" } else { "\(self)" }
  }
}
