package import Control
internal import Sound

/// What one turn of the crank gives: the picture, what was asked for, and when to turn it again though nothing new comes.
package struct FrameResult: Sendable {
  package var list = DrawList()
  /// In the order in which they were asked for.
  package var commands: [Command] = []
  /// When the picture changes by itself (easing, a tooltip's delay, a toast's end), on the clock of `Input.time`.
  ///
  /// A time that has passed means at the next beat of the display. Nil: not before something new comes.
  package var nextFrame: Double?

  package init() {}
}

/// Draws a snapshot and turns what the hands did into commands.
///
/// Pure: everything it knows comes in through its arguments. Main thread. Call it for every beat of the display while playing,
/// for every batch of input, for every new snapshot, and at `nextFrame`.
package func frame(
  snapshot: Snapshot, input: Input, view: inout ViewState, measure: @escaping TextMeasure
) -> FrameResult {
  var turn = Turn(snapshot: snapshot, input: input, view: consume view, measure: measure)
  turn.run()
  var result = FrameResult()
  result.list = turn.list
  result.commands = turn.commands
  result.nextFrame = turn.wake
  view = turn.view
  return result
}

/// One turn of the crank while it is being made: first the hands, then the picture.
struct Turn {
  let snapshot: Snapshot
  let input: Input
  let measure: TextMeasure
  /// Where things lie, by what is shown; `settle` sees to it.
  private(set) var layout: Layout
  /// What is shown; nil for the empty window.
  private(set) var subject: Subject?
  var view: ViewState
  var commands: [Command] = []
  var list = DrawList()
  var wake: Double?
  /// Where a drag over the overview has got to in this batch: one seek a frame, however many moves.
  var scrub: Command?

  init(snapshot: Snapshot, input: Input, view: consuming ViewState, measure: @escaping TextMeasure) {
    self.snapshot = snapshot
    self.input = input
    self.measure = measure
    self.view = view
    layout = Layout(size: input.size, scale: input.scale, isEmpty: true, channelCount: 0)
    settle()
  }

  var time: Double { input.time }

  /// Goes by whether the track or the microphone is to be seen.
  mutating func settle() {
    subject = recordView.map { Subject($0) } ?? snapshot.track.map { Subject($0, snapshot) }
    layout = Layout(
      size: input.size, scale: input.scale, isEmpty: subject == nil, channelCount: subject?.channelCount ?? 0)
  }

  mutating func run() {
    noticeRecording()
    noticeTrack()
    noticeJump()
    noticeListing()
    for event in input.events { handle(event) }
    if let scrub { ask(scrub) }
    askForSamples()
    noticeToasts()
    point()
    draw()
  }

  mutating func ask(_ command: Command) { commands.append(command) }
  mutating func ask(_ command: PlayerCommand) { commands.append(.player(command)) }

  /// Asks for another frame at this time at the latest.
  mutating func wake(at time: Double) { wake = min(wake ?? .infinity, time) }

  /// Panels from back to front.
  private mutating func draw() {
    var ground = Panel(.background, Rect(0, 0, input.size.width, input.size.height))
    ground.orders = [.fill(ground.rect, .background)]
    list.panels = [ground]
    drawHead()
    if subject == nil {
      drawWelcome()
    } else {
      drawSpectrum()
      drawWaveform()
      drawOverview()
    }
    drawTime()
    drawTransport()
    drawMeters()
    drawVolume()
    drawOverlay()
    drawTake()
    drawToasts()
    drawTooltip()
  }

  /// A new track starts with the playhead in the middle.
  private mutating func noticeTrack() {
    guard view.track != subject?.id else { return }
    view.track = subject?.id
    view.scroll = .following
    view.beforeWhole = nil
    view.lastHeard = nil
    view.grip = nil
  }

  /// A seek that leads out of sight brings following back; a loop's return or a playhead that leaves does not.
  private mutating func noticeJump() {
    guard let subject, !subject.isLive else { return view.lastHeard = nil }
    defer { view.lastHeard = (subject.position, time) }
    guard view.seekExpires > time, let last = view.lastHeard, let ground = lensGround else { return }
    let seconds = (time - last.time) * snapshot.speed.ratio
    let elapsed = subject.isRunning ? ground.rate.frames(inSeconds: seconds) : FrameCount.zero
    let expected: FrameIndex = last.position + elapsed
    let jump = (subject.position - expected).rawValue.magnitude
    guard Double(jump) > 0.1 * Double(ground.rate.hertz) else { return }
    if let lens, !lens.contains(subject.position) { view.scroll = .following }
  }
}
