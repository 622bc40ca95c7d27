package import Scene

/// What colour each ink is.
package struct Theme: Hashable, Sendable {
  var background, panel, line, text, dim, faint, accent, record, low, middle, high, button, buttonHot, meterGreen: Pixel

  /// The palette of PRODUCT's dark window.
  package static let dark = Theme(
    background: 0x0D1014, panel: 0x14181E, line: 0x222932, text: 0xE8ECF2, dim: 0x8C96A5, faint: 0x5A6472,
    accent: 0x4CC9F0, record: 0xFF6B5A, low: 0xFF7A59, middle: 0xFFC857, high: 0x5CC8FF, button: 0x1C222A,
    buttonHot: 0x262E38, meterGreen: 0x3DDC97)

  /// The colour of a role.
  package func colour(_ ink: Ink) -> Pixel {
    switch ink {
    case .background: background
    case .panel: panel
    case .line: line
    case .text: text
    case .dim: dim
    case .faint: faint
    case .accent: accent
    case .record: record
    case .low: low
    case .middle: middle
    case .high: high
    case .button: button
    case .buttonHot: buttonHot
    case .meterGreen: meterGreen
    case .black: 0
    case .spectral(let place): spectral(place)
    }
  }

  private func spectral(_ place: Float) -> Pixel {
    let place = place.isFinite ? min(max(place, 0), 1) : 0
    return place < 0.5 ? blend(low, middle, alpha(place * 2)) : blend(middle, high, alpha(place * 2 - 1))
  }
}
