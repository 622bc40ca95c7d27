package import Control

/// What one turn of the crank gives: the picture, what was asked for, and when to turn it again though nothing new comes.
package struct FrameResult: Sendable {
  package var list = DrawList()
  /// In the order in which they were asked for.
  package var commands: [Command] = []
  /// When the picture changes by itself (easing, a tooltip's delay, a toast's end), on the clock of `Input.time`.
  ///
  /// A time that has passed means at the next beat of the display. Nil: not before something new comes.
  package var nextFrame: Double?
  /// A text field is open: typed text should come as `InputEvent.text`.
  package var wantsText = false

  package init() {}
}

/// Draws a snapshot and turns what the hands did into commands.
///
/// Pure: everything it knows comes in through its arguments. Main thread. Call it for every beat of the display while playing,
/// for every batch of input, for every new snapshot, and at `nextFrame`.
package func frame(snapshot: Snapshot, input: Input, view: inout ViewState, measure: TextMeasure) -> FrameResult {
  var result = FrameResult()
  var ground = Panel(.background, Rect(0, 0, input.size.width, input.size.height))
  ground.orders = [.fill(ground.rect, .background)]
  result.list.panels = [ground]
  return result
}
