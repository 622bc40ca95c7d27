internal import Sound

/// Everything that can be pointed at or focused.
package enum WidgetID: Hashable, Sendable {
  case open, spectrum, spectrumAxis, waveform, follow, overview
  /// Flag A, or B, on the waveform.
  case flag(isB: Bool)
  case time, previous, stop, playPause, next, loop, speed, mute, volume
  /// The ground of the empty window, and a line of its recents.
  case welcome
  case recent(Int)
  /// The ground of an overlay, which takes what falls on it; and what lies around it.
  case overlay, shade
  case filter, parent, home, music, row(Int), scrollbar
  case goToField
  /// A line of the devices; nil is the system's default.
  case device(Int?)
  case scaleDown, scaleUp, scaleReset
  case scale(spectrumIsLinear: Bool)
  case dismiss(Int)
  /// The round button; the word in the player's head; the two words and the line of the record view's.
  case record, openRecordView, recordLeft, recordRight, recordSettings
  /// A choice in the settings of recording: its line and its place in it.
  case choice(line: Int, index: Int)
  case recordings, chooseFolder, standardFolder
  /// In the browser, where a folder for recordings is chosen.
  case useFolder
  /// The line across the meters.
  case threshold
  case renameTake, deleteTake, dismissTake, nameField, confirmName

  /// Whether it looks different while the pointer is over it.
  var warms: Bool {
    switch self {
    case .spectrum, .spectrumAxis, .waveform, .overview, .welcome, .overlay, .shade, .filter, .row, .scrollbar,
      .goToField, .nameField, .threshold:
      false
    default: true
    }
  }
}

/// A place that answers the hands: where, and whether it answers now.
struct Control {
  var id: WidgetID
  var rect: Rect
  var isEnabled = true
  /// Tab stops here.
  var takesFocus = true
}

/// What a hand holds between press and release.
enum Grip: Hashable {
  case button(WidgetID)
  case volume
  case threshold
  case overview
  /// The waveform: where it was pressed, and the frame that then lay at the view's left edge.
  case waveform(from: Point, origin: Double, isDragging: Bool)
  /// A region that is drawn out from this frame; `pressed` is where the hand began.
  case region(from: FrameIndex, pressed: Point, isDragging: Bool)
  /// A flag: how many frames it lay behind the pointer when it was taken.
  case flag(isB: Bool, offset: FrameCount)
  /// The browser's scroll bar: how far below its top it was taken.
  case scrollbar(offset: Float)

  var holdsFlags: Bool {
    switch self {
    case .region, .flag: true
    default: false
    }
  }
}
