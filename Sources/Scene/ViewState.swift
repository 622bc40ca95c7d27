internal import Control
internal import Sound

/// What only the eye cares about: zoom, scroll, focus, open overlay, filter text, easing.
///
/// Made once and kept by the caller from frame to frame.
package struct ViewState: Sendable {
  package enum Overlay: Hashable, Sendable {
    case none, browser, help, settings, goTo, recordSettings, rename
  }

  /// How the waveform moves.
  package enum Scroll: Hashable, Sendable {
    /// The playhead stands in the middle and the waveform passes under it.
    case following
    /// The waveform stands, with this frame (and part of one) at its left edge, and the playhead passes through it.
    case free(origin: Double)
  }

  /// The waveform's zoom in seconds for one logical pixel; survives a restart.
  package var secondsPerPoint = 10.0 / 1182
  package var scroll = Scroll.following
  package var overlay = Overlay.none
  /// The clock counts down instead of up.
  package var showsRemaining = false
  /// The record view stands in the player's place.
  package var isRecordViewOpen: Bool { recorder.isOpen }
  package var filter: TextField { browser.filter }

  /// The zoom and scroll before the whole song was shown.
  var beforeWhole: (secondsPerPoint: Double, scroll: Scroll)?
  var browser = BrowserState()
  var recorder = RecordViewState()
  var goTo = TextField()
  /// What was typed is no time.
  var goToIsWrong = false
  var helpScroll: Float = 0

  var pointer: Point?
  var grip: Grip?
  /// Where the keyboard's focus is; drawn only after Tab.
  var focus: WidgetID?
  var hovered: WidgetID?
  /// When the pointer came to what it is over, or since when it has rested there.
  var hoveredSince = 0.0
  /// A press hides the tooltip until the pointer goes elsewhere.
  var isTooltipSpent = false
  var heats: [WidgetID: Ease] = [:]
  /// The key that was obeyed as a shortcut, whose typed text must not fall into a field it opened.
  var shortcut: Key?
  /// Parts of notches of the wheel that have not yet made a step of the volume or the speed.
  var wheelRest: Float = 0

  var toasts: [Toast] = []

  var waveform = ColumnCache()
  var overview = ColumnCache()
  /// The stretch of the track that was last asked for, to be drawn from samples.
  var askedSamples: (track: TrackID, range: Range<FrameIndex>)?
  var track: TrackID?
  /// What was heard in the last frame, and when; tells a jump from playing on.
  var lastHeard: (position: FrameIndex, time: Double)?
  /// Until when a jump is put down to a seek that was asked for here.
  var seekExpires = -Double.infinity

  package init() {}
}

/// A value that moves to another over a tenth of a second.
struct Ease: Hashable, Sendable {
  /// The longest that anything moves by itself, in seconds.
  static let duration = 0.12

  private var from: Float = 0
  private(set) var to: Float = 0
  private var start = -Double.infinity

  init() {}

  private init(from: Float, to: Float, start: Double) {
    self.from = from
    self.to = to
    self.start = start
  }

  func value(at time: Double) -> Float {
    let share = Float(min(max((time - start) / Self.duration, 0), 1))
    return from + (to - from) * share
  }

  func isMoving(at time: Double) -> Bool { from != to && time < start + Self.duration }

  mutating func move(to target: Float, at time: Double) {
    guard target != to else { return }
    self = Ease(from: value(at: time), to: target, start: time)
  }
}

/// A notice on the screen.
struct Toast: Hashable, Sendable {
  var id: Int
  var shownAt: Double
  /// When it goes by itself.
  var deadline: Double
  /// It has been dismissed, and waits for the snapshot to know.
  var isOver = false
}

/// What the browser's view of a folder remembers.
struct BrowserState: Hashable, Sendable {
  var filter = TextField()
  /// The place of the chosen line among those that match.
  var selected = 0
  /// A folder for recordings is being chosen, and nothing is played.
  var picksFolder = false
  /// How far the lines are scrolled, in logical pixels.
  var scroll: Float = 0
  /// The chosen line is brought into sight at the next frame.
  var revealsSelection = false
  /// The lines that match the filter, as places among `entries`.
  var matches: [Int] = []
  /// What `matches` was made of.
  var entries: [FolderListing.Entry] = []
  var folder: PathBytes?
  /// A search key for each entry: its name in lower case.
  var keys: [[UInt8]] = []
  /// The folder that was left for its parent, to be chosen there.
  var cameFrom: PathBytes?
}
