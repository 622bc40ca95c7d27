internal import Scene

/// Room for the coverage of one shape before it is laid on the picture, so that parts that overlap count once.
final class CoverageScratch {
  private var shares: [UInt8] = []

  /// Cleared room for the shares of `count` pixels in 255ths.
  func withRoom(_ count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
    if shares.count < count { shares = [UInt8](repeating: 0, count: count) }
    shares.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      start.update(repeating: 0, count: count)
      body(start)
    }
  }
}

extension Canvas {
  /// Joined lines of round ends; points in device pixels.
  ///
  /// Coverage is the distance from the line's middle, which is exact for straight edges.
  func lines(_ points: [Point], width: Float, _ ink: Pixel, opacity: Float, _ scratch: CoverageScratch) {
    guard let first = points.first, width.isFinite, points.allSatisfy(isDrawable) else { return }
    let reach = max(width, 1) / 2 + 0.5
    // Thinner than a pixel: as wide as a pixel, and fainter.
    let strength = opacity * min(width, 1)
    var low = first
    var high = first
    for point in points {
      low = Point(min(low.x, point.x), min(low.y, point.y))
      high = Point(max(high.x, point.x), max(high.y, point.y))
    }
    let part = pixels(low.x - reach, low.y - reach, high.x + reach, high.y + reach).intersection(clip)
    guard !part.isEmpty else { return }
    let stride = part.right - part.left
    scratch.withRoom(part.area) { shares in
      for i in points.indices.dropLast(points.count > 1 ? 1 : 0) {
        let end = points[min(i + 1, points.count - 1)]
        draw(from: points[i], to: end, reach: reach, within: part, shares, stride)
      }
      lay(shares, on: part, ink, strength)
    }
  }

  /// False for places so far away that their squares lose all precision.
  private func isDrawable(_ point: Point) -> Bool { abs(point.x) < 1e6 && abs(point.y) < 1e6 }

  /// Marks one line's coverage, row by row, only where the row crosses the line's strip.
  private func draw(
    from a: Point, to b: Point, reach: Float, within part: PixelRect, _ shares: UnsafeMutablePointer<UInt8>,
    _ stride: Int
  ) {
    let dx = b.x - a.x
    let dy = b.y - a.y
    let squared = dx * dx + dy * dy
    let box = pixels(
      min(a.x, b.x) - reach, min(a.y, b.y) - reach, max(a.x, b.x) + reach, max(a.y, b.y) + reach
    ).intersection(part)
    guard !box.isEmpty else { return }
    // Half the width of the strip along a row, for lines that are not level.
    let slantedReach = abs(dy) > 0.001 ? reach * squared.squareRoot() / abs(dy) : .infinity
    for y in box.top..<box.bottom {
      let centerY = Float(y) + 0.5
      var from = box.left
      var to = box.right
      if slantedReach < 10_000 {
        let middle = a.x + (centerY - a.y) / dy * dx
        // The strip itself, and beyond the line's ends the half circles.
        let lowX = max(min(middle - slantedReach, max(a.x, b.x) - reach), min(a.x, b.x) - reach)
        let highX = min(max(middle + slantedReach, min(a.x, b.x) + reach), max(a.x, b.x) + reach)
        from = max(from, Int(max(lowX.rounded(.down), -1e6)))
        to = min(to, Int(min(highX.rounded(.up), 1e6)) + 1)
      }
      let row = shares + (y - part.top) * stride - part.left
      var x = from
      while x < to {
        let px = Float(x) + 0.5 - a.x
        let py = centerY - a.y
        let along = squared > 0 ? min(max((px * dx + py * dy) / squared, 0), 1) : 0
        let offX = px - along * dx
        let offY = py - along * dy
        let share = min(max(reach - (offX * offX + offY * offY).squareRoot(), 0), 1)
        row[x] = max(row[x], UInt8(share * 255 + 0.5))
        x += 1
      }
    }
  }

  private func lay(_ shares: UnsafePointer<UInt8>, on part: PixelRect, _ ink: Pixel, _ opacity: Float) {
    let strength = alpha(opacity)
    let stride = part.right - part.left
    for y in part.top..<part.bottom {
      let row = row(y)
      let from = shares + (y - part.top) * stride - part.left
      for x in part.left..<part.right where from[x] > 0 {
        row[x] = blend(row[x], ink, (widened(from[x]) * strength) >> 8)
      }
    }
  }

  /// A filled triangle; points in device pixels, in any order.
  func triangle(_ a: Point, _ b: Point, _ c: Point, _ ink: Pixel) {
    let twiceArea = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    guard twiceArea.isFinite, twiceArea != 0, isDrawable(a), isDrawable(b), isDrawable(c) else { return }
    let edges = twiceArea > 0 ? [Edge(a, b), Edge(b, c), Edge(c, a)] : [Edge(b, a), Edge(a, c), Edge(c, b)]
    let part = pixels(
      min(a.x, b.x, c.x), min(a.y, b.y, c.y), max(a.x, b.x, c.x), max(a.y, b.y, c.y)
    ).intersection(clip)
    guard !part.isEmpty else { return }
    for y in part.top..<part.bottom {
      let row = row(y)
      for x in part.left..<part.right {
        var share: Float = 1
        for edge in edges { share = min(share, edge.inside(Float(x) + 0.5, Float(y) + 0.5) + 0.5) }
        row[x] = blend(row[x], ink, alpha(share))
      }
    }
  }

  private struct Edge {
    let point: Point
    let normal: Point

    init(_ from: Point, _ to: Point) {
      let dx = to.x - from.x
      let dy = to.y - from.y
      let length = max((dx * dx + dy * dy).squareRoot(), .leastNormalMagnitude)
      point = from
      normal = Point(-dy / length, dx / length)
    }

    /// How far inside the edge a place lies, in pixels.
    func inside(_ x: Float, _ y: Float) -> Float { (x - point.x) * normal.x + (y - point.y) * normal.y }
  }

  private func pixels(_ left: Float, _ top: Float, _ right: Float, _ bottom: Float) -> PixelRect {
    func whole(_ value: Float, _ rule: FloatingPointRoundingRule) -> Int {
      Int(min(max(value, -1e6), 1e6).rounded(rule))
    }
    return PixelRect(whole(left, .down), whole(top, .down), whole(right, .up), whole(bottom, .up))
  }
}

/// 0...255 as 0...256.
@inline(__always)
func widened(_ share: UInt8) -> UInt32 { UInt32(share) &+ UInt32(share >> 7) }
