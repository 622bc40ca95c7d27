/// A place in the window, in logical pixels from its top left corner.
package struct Point: Hashable, Sendable {
  package var x: Float
  package var y: Float
  package init(_ x: Float, _ y: Float) {
    self.x = x
    self.y = y
  }
}

package struct Size: Hashable, Sendable {
  package var width: Float
  package var height: Float
  package init(_ width: Float, _ height: Float) {
    self.width = width
    self.height = height
  }
}

/// A part of the window, in logical pixels; half-open, as pixels are.
package struct Rect: Hashable, Sendable {
  package var x: Float
  package var y: Float
  package var width: Float
  package var height: Float
  package init(_ x: Float, _ y: Float, _ width: Float, _ height: Float) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package var right: Float { x + width }
  package var bottom: Float { y + height }
  package var center: Point { Point(x + width / 2, y + height / 2) }
  package var isEmpty: Bool { width <= 0 || height <= 0 }

  package func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < right && point.y >= y && point.y < bottom
  }

  package func inset(_ horizontal: Float, _ vertical: Float) -> Rect {
    Rect(x + horizontal, y + vertical, max(width - 2 * horizontal, 0), max(height - 2 * vertical, 0))
  }

  package func intersects(_ other: Rect) -> Bool {
    x < other.right && other.x < right && y < other.bottom && other.y < bottom
  }
}
