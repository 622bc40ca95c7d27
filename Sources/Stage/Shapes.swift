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
  /// Covers a rounded rectangle, but for a hole in it, whose walls are of one thickness.
  ///
  /// Rows at the corners are looked at pixel by pixel near their ends; between the corners all rows are alike.
  func fill(_ shape: RoundedRect, hole: RoundedRect? = nil, _ ink: Pixel, opacity: Float) {
    guard !shape.isEmpty else { return }
    let part = shape.pixels.intersection(clip)
    guard !part.isEmpty else { return }
    let hole = hole.flatMap { $0.isEmpty ? nil : $0 }
    let wall = hole.map { $0.left - shape.left } ?? 0
    let corner = max(shape.radius, hole.map { wall + $0.radius } ?? 0)
    let bandTop = min(max(Int((shape.top + corner).rounded(.up)), part.top), part.bottom)
    let bandBottom = max(min(Int((shape.bottom - corner).rounded(.down)), part.bottom), bandTop)

    func strength(_ x: Int, _ y: Int) -> UInt32 {
      alpha((shape.share(x, y) - (hole?.share(x, y) ?? 0)) * opacity)
    }
    func inside(_ edge: Float) -> Range<Int> {
      let from = min(max(Int((shape.left + edge).rounded(.up)), part.left), part.right)
      return from..<min(max(Int((shape.right - edge).rounded(.down)), from), part.right)
    }
    func paint(_ y: Int) {
      let middle = inside(corner)
      let row = row(y)
      for x in part.left..<middle.lowerBound { row[x] = blend(row[x], ink, strength(x, y)) }
      let share = shape.rowShare(y) - (hole?.rowShare(y) ?? 0)
      cover(y, middle.lowerBound, middle.upperBound, ink, alpha(share * opacity))
      for x in middle.upperBound..<part.right { row[x] = blend(row[x], ink, strength(x, y)) }
    }
    func paintColumns(_ columns: Range<Int>) {
      for x in columns {
        let strength = strength(x, bandTop)
        guard strength > 0 else { continue }
        for y in bandTop..<bandBottom { row(y)[x] = blend(row(y)[x], ink, strength) }
      }
    }

    for y in part.top..<bandTop { paint(y) }
    if bandTop < bandBottom {
      let middle = inside(wall)
      paintColumns(part.left..<middle.lowerBound)
      if hole == nil {
        let strength = alpha(opacity)
        for y in bandTop..<bandBottom { cover(y, middle.lowerBound, middle.upperBound, ink, strength) }
      }
      paintColumns(middle.upperBound..<part.right)
    }
    for y in bandBottom..<part.bottom { paint(y) }
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
