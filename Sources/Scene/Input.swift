package import Sound

/// What the hands did since the last frame, and in what window.
package struct Input: Sendable {
  /// The window in logical pixels.
  package var size: Size
  /// Device pixels for one logical pixel.
  package var scale: Float
  /// Seconds of the monotonic clock.
  package var time: Double
  /// Where the pointer is; nil outside the window.
  package var pointer: Point?
  /// In the order in which they happened.
  package var events: [InputEvent]

  package init(size: Size, scale: Float, time: Double, pointer: Point? = nil, events: [InputEvent] = []) {
    self.size = size
    self.scale = scale
    self.time = time
    self.pointer = pointer
    self.events = events
  }
}

package enum InputEvent: Hashable, Sendable {
  case moved(Point)
  /// `clicks` is 2 for the second press of a double click.
  case pressed(PointerButton, at: Point, clicks: Int, Modifiers)
  case released(PointerButton, at: Point, Modifiers)
  /// Notches: positive y is away from the user, positive x to the right; fractions from touchpads.
  case wheel(x: Float, y: Float, at: Point, Modifiers)
  case key(Key, Modifiers, isRepeat: Bool)
  /// Text that was typed, for text fields.
  case text(String)
  /// Files and folders dropped on the window, in the order in which they came.
  case dropped([PathBytes])
  case pointerLeft
  case focusLost
}

package enum PointerButton: Hashable, Sendable {
  case left, middle, right
}

package struct Modifiers: OptionSet, Hashable, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
  package static let shift = Modifiers(rawValue: 1)
  package static let control = Modifiers(rawValue: 2)
  package static let alt = Modifiers(rawValue: 4)
  package static let command = Modifiers(rawValue: 8)
}

/// A key by what is printed on it; digits also by position, so that they work on keyboards that have them under Shift.
package enum Key: Hashable, Sendable {
  /// A letter in lower case, a digit, or a sign, as it is typed without Control.
  case character(Character)
  case space, enter, escape, backspace, delete, tab
  case left, right, up, down, home, end, pageUp, pageDown
  case function(Int)
  case mediaPlayPause, mediaStop, mediaNext, mediaPrevious
}

/// How wide a text is, in logical pixels; the stage measures with real fonts, tests with a fixed width.
package typealias TextMeasure = (String, TextStyle) -> Float
