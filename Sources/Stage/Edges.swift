internal import Scene

/// Where a rectangle's edges come to lie in device pixels.
///
/// An edge at a whole logical pixel comes to lie on a whole device pixel at every scale, so that panels and lines are
/// sharp; an edge between them is where it is, so that what moves moves smoothly. What is thin keeps the same thickness
/// wherever it stands.
struct Edges {
  var left: Float
  var top: Float
  var right: Float
  var bottom: Float

  init(_ rect: Rect, _ scale: Float) {
    (left, right) = Self.ends(rect.x, rect.width, scale)
    (top, bottom) = Self.ends(rect.y, rect.height, scale)
  }

  /// All the device pixels that the rectangle touches.
  var rounded: PixelRect {
    PixelRect(
      Self.whole(left, .down), Self.whole(top, .down), Self.whole(right, .up), Self.whole(bottom, .up))
  }

  func shape(radius: Float) -> RoundedRect { RoundedRect(left, top, right, bottom, radius: radius) }

  private static func ends(_ start: Float, _ length: Float, _ scale: Float) -> (Float, Float) {
    guard start.isFinite, length.isFinite, length > 0 else { return (0, 0) }
    let from = place(start, scale)
    let isThin = length < 4 && isWhole(length)
    let to = isThin ? from + max((length * scale).rounded(), 1) : place(start + length, scale)
    return (limited(from), limited(to))
  }

  private static func place(_ value: Float, _ scale: Float) -> Float {
    let exact = value * scale
    return isWhole(value) || abs(exact - exact.rounded()) < 0.01 ? exact.rounded() : exact
  }

  private static func isWhole(_ value: Float) -> Bool { value == value.rounded() }

  private static func limited(_ value: Float) -> Float { min(max(value, -100_000), 100_000) }

  private static func whole(_ value: Float, _ rule: FloatingPointRoundingRule) -> Int { Int(value.rounded(rule)) }
}
