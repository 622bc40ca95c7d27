/// Where a window stands and how large it is, in the units of the desktop.
package struct WindowGeometry: Hashable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int
  package var isMaximized: Bool

  package init(x: Int, y: Int, width: Int, height: Int, isMaximized: Bool = false) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.isMaximized = isMaximized
  }
}
