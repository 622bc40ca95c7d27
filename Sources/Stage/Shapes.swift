/// A rectangle with rounded corners, in device pixels, whose edges may lie between pixels.
struct RoundedRect {
  var left: Float
  var top: Float
  var right: Float
  var bottom: Float
  var radius: Float

  init(_ left: Float, _ top: Float, _ right: Float, _ bottom: Float, radius: Float) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
    self.radius = max(min(radius, (right - left) / 2, (bottom - top) / 2), 0)
  }

  func inset(_ width: Float) -> RoundedRect {
    RoundedRect(left + width, top + width, right - width, bottom - width, radius: max(radius - width, 0))
  }

  var isEmpty: Bool { left >= right || top >= bottom }

  /// All pixels that it touches.
  var pixels: PixelRect {
    PixelRect(
      Int(left.rounded(.down)), Int(top.rounded(.down)), Int(right.rounded(.up)), Int(bottom.rounded(.up)))
  }

  /// The share of row `y` between top and bottom.
  @inline(__always)
  func rowShare(_ y: Int) -> Float {
    let from = Float(y)
    return max(min(bottom, from + 1) - max(top, from), 0)
  }

  /// How much of a pixel is covered, 0 to 1; at a corner by the distance of its centre from the arc.
  @inline(__always)
  func share(_ x: Int, _ y: Int) -> Float {
    let from = Float(x)
    let straight = max(min(right, from + 1) - max(left, from), 0) * rowShare(y)
    guard radius > 0, straight > 0 else { return straight }
    let centerX = from + 0.5
    let centerY = Float(y) + 0.5
    let dx = max(left + radius - centerX, centerX - (right - radius))
    let dy = max(top + radius - centerY, centerY - (bottom - radius))
    guard dx > 0, dy > 0 else { return straight }
    return min(max(radius + 0.5 - (dx * dx + dy * dy).squareRoot(), 0), 1)
  }
}

extension Canvas {
  /// Covers a rounded rectangle, but for a hole in it.
  ///
  /// Only the pixels at the left and right edges are looked at one by one; between them a row is of one piece.
  func fill(_ shape: RoundedRect, hole: RoundedRect? = nil, _ ink: Pixel, opacity: Float) {
    guard !shape.isEmpty else { return }
    let part = shape.pixels.intersection(clip)
    guard !part.isEmpty else { return }
    let hole = hole.flatMap { $0.isEmpty ? nil : $0 }
    let edge = hole.map { max(shape.radius, $0.left - shape.left + $0.radius) } ?? shape.radius
    let innerLeft = Int((shape.left + edge).rounded(.up))
    let innerRight = max(Int((shape.right - edge).rounded(.down)), innerLeft)
    for y in part.top..<part.bottom {
      let row = row(y)
      for x in part.left..<max(min(innerLeft, part.right), part.left) {
        let share = shape.share(x, y) - (hole?.share(x, y) ?? 0)
        row[x] = blend(row[x], ink, alpha(share * opacity))
      }
      let share = shape.rowShare(y) - (hole?.rowShare(y) ?? 0)
      cover(y, max(innerLeft, part.left), min(innerRight, part.right), ink, alpha(share * opacity))
      var x = max(innerRight, part.left)
      while x < part.right {
        let share = shape.share(x, y) - (hole?.share(x, y) ?? 0)
        row[x] = blend(row[x], ink, alpha(share * opacity))
        x += 1
      }
    }
  }

  /// The inside edge of a rounded rectangle in dashes of about `dash` pixels with gaps of the same length.
  func dashes(_ shape: RoundedRect, width: Float, dash: Float, _ ink: Pixel) {
    guard !shape.isEmpty, dash > 0 else { return }
    let part = shape.pixels.intersection(clip)
    guard !part.isEmpty else { return }
    let hole = shape.inset(width)
    let way = Perimeter(shape.inset(width / 2))
    let period = way.length / max((way.length / (2 * dash)).rounded(), 1)
    for y in part.top..<part.bottom {
      let row = row(y)
      for x in part.left..<part.right {
        let share = shape.share(x, y) - (hole.isEmpty ? 0 : hole.share(x, y))
        guard share > 0 else { continue }
        let along = way.distance(Float(x) + 0.5, Float(y) + 0.5)
        let phase = along - (along / period).rounded(.down) * period
        // Half a period is drawn; its ends are softened over one pixel.
        let dashed = min(max(min(phase, period / 2 - phase) + 0.5, 0), 1)
        row[x] = blend(row[x], ink, alpha(share * dashed))
      }
    }
  }
}

/// The way around a rounded rectangle, clockwise from the left end of its top edge.
private struct Perimeter {
  let shape: RoundedRect
  let width: Float
  let height: Float
  let corner: Float

  init(_ shape: RoundedRect) {
    self.shape = shape
    width = shape.right - shape.left - 2 * shape.radius
    height = shape.bottom - shape.top - 2 * shape.radius
    corner = shape.radius * .pi / 2
  }

  var length: Float { 2 * (width + height) + 4 * corner }

  /// How far along the way the point nearest to (x, y) lies.
  func distance(_ x: Float, _ y: Float) -> Float {
    let left = shape.left + shape.radius
    let right = shape.right - shape.radius
    let top = shape.top + shape.radius
    let bottom = shape.bottom - shape.radius
    if x > right, y < top { return width + arc(x - right, top - y) }
    if x > right, y > bottom { return width + corner + height + arc(y - bottom, x - right) }
    if x < left, y > bottom { return 2 * width + 2 * corner + height + arc(left - x, y - bottom) }
    if x < left, y < top { return 2 * width + 3 * corner + 2 * height + arc(top - y, left - x) }
    let fromTop = y - shape.top
    let fromRight = shape.right - x
    let fromBottom = shape.bottom - y
    let fromLeft = x - shape.left
    let nearest = min(fromTop, fromRight, fromBottom, fromLeft)
    if nearest == fromTop { return x - left }
    if nearest == fromRight { return width + corner + (y - top) }
    if nearest == fromBottom { return width + 2 * corner + height + (right - x) }
    return 2 * width + 3 * corner + height + (bottom - y)
  }

  /// The length of the arc from the direction of `adjacent` to the point, by the diamond angle, which is exact at both
  /// ends and the middle and within 5 % between: dashes need no more.
  private func arc(_ opposite: Float, _ adjacent: Float) -> Float {
    let sum = opposite + adjacent
    return sum > 0 ? corner * opposite / sum : 0
  }
}
