internal import Control
internal import Sound

/// What only the eye knows of recording.
struct RecordViewState: Sendable {
  /// The record view stands in the player's place.
  var isOpen = false
  /// What a key that does nothing now says, and until when.
  var hint: String?
  var hintEnds = -Double.infinity
  /// A take was open in the last frame.
  var hadTake = false
  /// The last finished take when the open one began.
  var takeBefore: TakeSummary?
  /// The finished take is offered to be renamed or deleted.
  var offersTake = false
  /// The track as which the offered take was loaded.
  var takeTrack: TrackID?
  var name = TextField()
  /// What the field has asked for, until it is closed.
  var askedName: AskedName?
  /// Until when the meters say the level that starts a recording, which was just moved.
  var thresholdEnds = -Double.infinity
  /// How far the settings are scrolled, in logical pixels.
  var scroll: Float = 0
}

/// A take that shall have another name.
struct AskedName: Hashable, Sendable {
  var take: PathBytes
  var name: String
}

// What the record view does; how it looks is in RecordHeadView, RecordSettingsView and TakeView.
extension Turn {
  /// How long a hint stays, in seconds.
  private static let hintSeconds = 3.0

  /// What there is to see of recording while the record view is open.
  var recordView: RecordingSnapshot? {
    view.recorder.isOpen ? snapshot.recording ?? RecordingSnapshot() : nil
  }

  /// A take is open: the record view stays.
  var hasTake: Bool { snapshot.recording?.hasTake == true }

  /// Follows what the recorder does by itself: an open take is always shown, and a finished one leads back to the player.
  mutating func noticeRecording() {
    guard let recording = snapshot.recording else { return }
    let wasOpen = view.recorder.isOpen
    if recording.hasTake {
      if !view.recorder.hadTake { view.recorder.takeBefore = recording.lastTake }
      view.recorder.isOpen = true
      view.recorder.offersTake = false
    } else if view.recorder.hadTake, let take = recording.lastTake, take != view.recorder.takeBefore {
      closeOverlay()
      view.recorder.isOpen = false
      view.recorder.offersTake = true
      view.recorder.takeTrack = nil
    }
    view.recorder.hadTake = recording.hasTake
    noticeTake(recording)
    noticeRename(recording)
    if wasOpen != view.recorder.isOpen { settle() }
    if view.recorder.hint != nil {
      if view.recorder.hintEnds <= time { view.recorder.hint = nil } else { wake(at: view.recorder.hintEnds) }
    }
  }

  /// The offer ends when something else is played.
  private mutating func noticeTake(_ recording: RecordingSnapshot) {
    guard view.recorder.offersTake else { return }
    guard let take = recording.lastTake else { return view.recorder.offersTake = false }
    guard let track = snapshot.track else { return }
    if track.path == take.path {
      view.recorder.takeTrack = track.id
    } else if let loaded = view.recorder.takeTrack, loaded != track.id {
      view.recorder.offersTake = false
    }
  }

  // MARK: what is asked for

  /// R: opens the view, then starts, pauses and goes on.
  mutating func record() {
    guard let recording = recordView else { return openRecordView() }
    switch recording.state {
    case .saving, .countdown: break
    default: ask(.recorder(.startOrPause))
    }
  }

  private mutating func openRecordView() {
    closeOverlay()
    view.recorder.isOpen = true
    view.recorder.offersTake = false
    view.recorder.hint = nil
    view.showsRemaining = false
    settle()
    ask(.recorder(.arm))
  }

  /// S: ends the take or the countdown; leaves where there is neither.
  mutating func stopRecording() {
    switch recordView?.state {
    case .countdown, .waiting, .recording, .paused: ask(.recorder(.stop))
    case .armed, .idle: leaveRecordView()
    case .saving, nil: break
    }
  }

  /// Esc: back to the player, but never away from an open take.
  mutating func leaveRecordView() {
    guard let recording = recordView else { return }
    if recording.hasTake { return hint() }
    view.recorder.isOpen = false
    settle()
    ask(.recorder(.disarm))
  }

  /// Says why nothing happens.
  mutating func hint() {
    guard hasTake else { return }
    say(
      snapshot.recording?.state == .saving
        ? "The recording is being saved." : "The recording goes on until Stop (S).")
  }

  /// Says something in the head for a while.
  mutating func say(_ words: String) {
    view.recorder.hint = words
    view.recorder.hintEnds = time + Self.hintSeconds
    wake(at: view.recorder.hintEnds)
  }

  /// Opens files, unless that would play into a recording.
  mutating func open(_ command: PlayerCommand) {
    if hasTake { return hint() }
    leaveRecordView()
    ask(command)
  }

  /// What the keys of playing do while the record view is open.
  mutating func obeyRecording(_ command: PlayerCommand) {
    switch command {
    case .stepVolume, .toggleMute: ask(command)
    case .stop: stopRecording()
    default: hint()
    }
  }
}

extension Turn {
  /// Where in a recording sound was missing, and where it was paused or interrupted.
  func marks(_ field: Rect, _ lens: Lens) -> [Order] {
    guard let recording = recordView, recording.hasTake else { return [] }
    var orders: [Order] = []
    var last = -Float.infinity
    for mark in recording.marks {
      var end = mark.frame
      if case .dropout(let missing) = mark.kind { end = end + missing }
      guard lens.offset(of: end) >= 0, lens.offset(of: mark.frame) < lens.count else { continue }
      let left = max(x(of: mark.frame, in: field, lens), field.x)
      let right = min(max(x(of: end, in: field, lens), left + 2), field.right)
      // Of marks on the same pixels one is enough.
      guard right > left, left >= last + 1 else { continue }
      last = left
      let rect = layout.snap(Rect(left, field.y, right - left, field.height))
      switch mark.kind {
      case .dropout: orders.append(.fill(rect, .record, opacity: 0.55))
      case .pause: orders.append(.fill(Rect(rect.x, rect.y, 1, rect.height), .accent, opacity: 0.6))
      case .interruption: orders.append(.fill(Rect(rect.x, rect.y, 2, rect.height), .record))
      }
    }
    return orders
  }
}
