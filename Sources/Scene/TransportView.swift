internal import Control
internal import Sound

extension Turn {
  /// Where the clock is: beside the buttons, or at the right of a compact head.
  var timeRect: Rect? {
    if let time = layout.time { return time }
    guard subject != nil else { return nil }
    let width = measure(compactClock, .clockDetail) + 20
    return layout.snap(Rect(layout.head.right - layout.margin - width, 6, width + 4, 30))
  }

  private var reading: TimeReading? {
    snapshot.track.map { track in
      TimeReading(
        position: snapshot.position, length: length,
        isEstimate: track.lengthIsEstimate && snapshot.pyramid?.isComplete != true, rate: track.rate)
    }
  }

  private var compactClock: String {
    if let recording = recordView {
      let text = RecordText(recording)
      return text.clock + " · " + (recording.hasTake ? text.size : text.pace)
    }
    guard let reading else { return "" }
    let clock = view.showsRemaining ? reading.remainingText ?? reading.positionText : reading.positionText
    return speedNote + "\(clock) / \(reading.totalText)"
  }

  /// Position, total and remaining; the one that T chose is large.
  mutating func drawTime() {
    guard let rect = timeRect else { return }
    var panel = Panel(.time, rect)
    defer { list.panels.append(panel) }
    let heat = snapshot.track == nil || recordView != nil ? 0 : heat(.time)
    if heat > 0 { panel.orders.append(.fill(rect, .button, radius: 8, opacity: heat * 0.6)) }
    if layout.isCompact {
      panel.orders.append(text(compactClock, .clockDetail, .dim, x: rect.right - 4, middle: 21, .trailing))
      return
    }
    let x = rect.x + 4
    let width = rect.width - 8
    let (large, small) = (rect.y + 20, rect.y + 47)
    if let recording = recordView {
      let text = RecordText(recording)
      let detail = recording.hasTake ? "\(text.size) · \(text.pace)" : text.pace
      let ink: Ink = recording.hasTake ? .text : .faint
      panel.orders.append(self.text(text.clock, .clock, ink, x: x, middle: large, width: width))
      panel.orders.append(self.text(detail, .clockDetail, .dim, x: x, middle: small, width: width))
      return
    }
    guard let reading else {
      panel.orders.append(text("0:00.0", .clock, .faint, x: x, middle: large))
      let state = snapshot.isOpening ? "opening…" : "nothing loaded"
      panel.orders.append(text(state, .clockDetail, .dim, x: x, middle: small))
      return
    }
    var clock = reading.positionText
    var detail = "of \(reading.totalText)"
    if let remaining = reading.remainingText {
      if view.showsRemaining {
        (clock, detail) = (remaining, "\(reading.positionText) \(detail)")
      } else {
        detail += " · \(remaining)"
      }
    }
    panel.orders.append(text(clock, .clock, .text, x: x, middle: large, width: width))
    panel.orders.append(text(speedNote + detail, .clockDetail, .dim, x: x, middle: small, width: width))
  }

  /// The speed where it has no button to stand on, unless it is the usual one.
  private var speedNote: String {
    layout.speed == nil && snapshot.speed != .normal ? "\(snapshot.speed.text) · " : ""
  }

  struct TransportButton {
    var id: WidgetID
    var icon: Icon
    var isEnabled: Bool
    var ground = Ink.button
    var ink = Ink.text
  }

  /// Previous, stop, play or pause, record, next, loop; in the order of the layout's places.
  ///
  /// While the record view is open nothing plays, so only stop and record answer.
  var transportButtons: [TransportButton] {
    let isGoing = snapshot.transport == .playing || snapshot.transport == .interrupted
    let recording = recordView
    let isLoaded = snapshot.track != nil && recording == nil
    let canStop = recording.map { $0.state != .saving } ?? isLoaded
    let canRecord =
      switch recording?.state {
      case .saving, .countdown: false
      default: true
      }
    let loop: Icon =
      switch snapshot.loop {
      case .off: .loopOff
      case .track: .loopTrack
      case .queue: .loopQueue
      }
    return [
      TransportButton(id: .previous, icon: .previous, isEnabled: isLoaded),
      TransportButton(id: .stop, icon: .stop, isEnabled: canStop),
      TransportButton(
        id: .playPause, icon: isGoing ? .pause : .play, isEnabled: isLoaded, ground: isLoaded ? .accent : .button,
        ink: .black),
      TransportButton(id: .record, icon: .record, isEnabled: canRecord, ink: .record),
      TransportButton(id: .next, icon: .next, isEnabled: snapshot.queue.hasNext && recording == nil),
      TransportButton(
        id: .loop, icon: loop, isEnabled: isLoaded, ink: snapshot.loop == .off ? .text : .accent),
    ]
  }

  mutating func drawTransport() {
    var panel = Panel(.transport, layout.transport)
    for (button, place) in zip(transportButtons, layout.buttons) {
      let (center, radius) = place
      let rect = layout.snap(Rect(center.x - radius, center.y - radius, 2 * radius, 2 * radius))
      let side = button.id == .playPause ? radius + 1 : radius + 2
      panel.orders += iconButton(
        button.id, button.icon, rect, radius: radius, side: side, isEnabled: button.isEnabled, ground: button.ground,
        ink: button.ink)
    }
    if let rect = layout.speed {
      let isEnabled = snapshot.track != nil && recordView == nil
      let ink: Ink = !isEnabled ? .faint : snapshot.speed == .normal ? .text : .accent
      panel.orders += buttonGround(.speed, rect, radius: rect.width / 2, isEnabled: isEnabled)
      panel.orders.append(text(snapshot.speed.text, .key, ink, x: rect.center.x, middle: rect.center.y, .center))
    }
    list.panels.append(panel)
  }

  /// Loudspeaker, slider and level.
  mutating func drawVolume() {
    var panel = Panel(.volume, layout.volume)
    let silent = snapshot.isMuted || snapshot.volume.decibels.value == -.infinity
    let icon: Icon = silent ? .speakerMuted : snapshot.volume.decibels.value < -20 ? .speakerLow : .speaker
    let square = layout.speaker
    let heat = heat(.mute)
    if heat > 0 { panel.orders.append(.fill(square.inset(-4, -4), .buttonHot, radius: 8, opacity: heat)) }
    panel.orders += focusRing(.mute, square, radius: 5)
    panel.orders.append(.icon(icon, square, snapshot.isMuted ? .dim : .text))

    let track = layout.slider
    let knob = layout.snap(track.x + VolumeScale.place(of: snapshot.volume) * track.width)
    let ink: Ink = snapshot.isMuted ? .faint : .accent
    panel.orders.append(.fill(track, .buttonHot, radius: track.height / 2))
    if knob > track.x {
      panel.orders.append(.fill(Rect(track.x, track.y, knob - track.x, track.height), ink, radius: 2))
    }
    let isHot = isHeld(.volume)
    let radius = (layout.isCompact ? 7 : 8) + (isHot ? 1 : self.heat(.volume))
    let round = Rect(knob - radius, track.center.y - radius, 2 * radius, 2 * radius)
    panel.orders.append(.fill(round, snapshot.isMuted ? .dim : .text, radius: radius))
    panel.orders += focusRing(.volume, round, radius: radius)
    if layout.hasVolumeText {
      let words = snapshot.isMuted ? "mute" : NumberText.decibels(snapshot.volume.decibels.value)
      panel.orders.append(
        text(words, .level, .dim, x: layout.volumeTextRight, middle: track.center.y, .trailing, width: 54))
    }
    list.panels.append(panel)
  }
}
