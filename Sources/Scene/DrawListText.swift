extension DrawList {
  /// The picture as lines of text, exact: two pictures that differ have texts that differ.
  ///
  /// A panel a paragraph, an order a line; columns of a waveform as how many they are, how they are split, and a checksum of
  /// their bits (FNV-1a, 64 bits).
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
      "waveform \(rect.text) \(ink.text) columns \(columns.count) split \(split) sum \(checksum(columns))"
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

private func checksum(_ columns: [WaveColumn]) -> String {
  var sum: UInt64 = 0xCBF2_9CE4_8422_2325
  for column in columns {
    for value in [column.low, column.high, column.rms] { sum = (sum ^ UInt64(value.bitPattern)) &* 0x100_0000_01B3 }
  }
  return String(sum, radix: 16)
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
