package import Control
package import Sound

/// A picture of the window as a list of orders, in panels from back to front.
///
/// It can be compared, printed, and replayed on a window, an image or a test. Two equal panels look the same, so the painter
/// repaints only where panels differ.
package struct DrawList: Hashable, Sendable {
  package var panels: [Panel] = []
  package init() {}
}

/// A part of the picture that changes as one; its orders are clipped to its rectangle.
package struct Panel: Hashable, Sendable {
  package var id: PanelID
  package var rect: Rect
  /// In window coordinates, back to front.
  package var orders: [Order] = []

  package init(_ id: PanelID, _ rect: Rect) {
    self.id = id
    self.rect = rect
  }
}

package enum PanelID: Hashable, Sendable {
  /// The whole window's ground; always first.
  case background
  case head, spectrum, waveform, overview, time, transport, meters, volume, empty
  case shade, overlay, overlayList, take, toasts, tooltip
}

/// What a thing is drawn in: a role, not a colour.
package enum Ink: Hashable, Sendable {
  case background, panel, line, text, dim, faint, accent, record, low, middle, high, button, buttonHot, meterGreen
  case black
  /// Between `low` (0), `middle` (½) and `high` (1): warm to blue, as the frequencies rise.
  case spectral(Float)
}

package struct TextStyle: Hashable, Sendable {
  package enum Weight: Hashable, Sendable {
    case regular, medium, semibold
  }
  /// The height of the letters' em in logical pixels.
  package var size: Float
  package var weight: Weight
  /// Every digit in a cell of the same width, so that running numbers stand still.
  package var isTabular: Bool

  package init(_ size: Float, _ weight: Weight = .regular, tabular: Bool = false) {
    self.size = size
    self.weight = weight
    isTabular = tabular
  }
}

/// The shapes of the buttons; each is a file of that name in the assets' `icons` folder.
package enum Icon: String, Hashable, Sendable, CaseIterable {
  case play, pause, stop, previous, next
  case loopOff = "loop-off"
  case loopTrack = "loop-track"
  case loopQueue = "loop-queue"
  case speaker, speakerLow = "speaker-low", speakerMuted = "speaker-muted"
  case folder, file, note, up, home, close, settings, record, microphone
}

/// One column of a waveform, a device pixel wide; full scale is ±1.
///
/// Empty (low above high) where nothing is known.
package typealias WaveColumn = Peak

package enum Order: Hashable, Sendable {
  /// A filled rectangle with corners of this radius (half its height makes a pill or a circle).
  case fill(Rect, Ink, radius: Float = 0, opacity: Float = 1)
  /// The inside edge of a rectangle, `width` thick.
  case stroke(Rect, Ink, radius: Float = 0, width: Float = 1, opacity: Float = 1)
  /// The same in dashes.
  case dashes(Rect, Ink, radius: Float)
  /// A line of text whose box begins at `at` (top left; the box is `size * 1.2` high, rounded up).
  case text(String, at: Point, TextStyle, Ink, opacity: Float = 1)
  /// A vector shape scaled into a square.
  case icon(Icon, Rect, Ink, opacity: Float = 1)
  /// A lane of waveform: columns from the left edge of the rectangle, ±1 at its top and bottom edges; those from `split` on are
  /// dimmed, since they are still to come.
  case waveform(Rect, [WaveColumn], split: Int, Ink)
  /// Joined straight lines, anti-aliased.
  case polyline([Point], width: Float, Ink, opacity: Float = 1)
  /// A filled triangle (the playhead's head).
  case triangle(Point, Point, Point, Ink)
  /// A picture scaled to fill a rectangle, cut to it; nothing until it has been decoded.
  case image(CoverImage, Rect, radius: Float)
}
