internal import Control
internal import Sound

// The level that starts a recording by itself: a line across the meters, to be drawn along them.
extension Turn {
  /// The levels there are, in dBFS; steps are of 1 dB.
  private static let levels: ClosedRange<Float> = -60...0

  /// What the recorder listens for; nil where nothing starts by sound.
  var trigger: SoundTrigger? { recordView?.options.trigger }

  /// What is to be seen and held of the line.
  var threshold: (line: Rect, handle: Rect)? {
    guard let trigger, let bars = meterBars else { return nil }
    let x = place(of: trigger.threshold, bars.x, bars.width)
    let line = layout.snap(Rect(x - 1, bars.y - 3, 2, bars.height + 6))
    return (line, Rect(bars.x - 8, bars.y - 6, bars.width + 16, bars.height + 14))
  }

  /// The line is held, looked at or has the focus: the meters then say its level and not theirs.
  private var isTouched: Bool {
    view.hovered == .threshold || view.focus == .threshold || view.grip == .threshold
      || view.recorder.thresholdEnds > time
  }

  /// Such as "starts at −37 dB"; nil while nobody touches the line.
  var thresholdWords: String? {
    guard let trigger, isTouched else { return nil }
    return "starts at " + NumberText.fixed(Double(trigger.threshold), decimals: 0) + " dB"
  }

  func thresholdOrders() -> [Order] {
    guard let (line, _) = threshold else { return [] }
    let tip = Point(line.center.x, line.bottom + 1)
    let side: Float = isTouched ? 6 : 5
    var orders: [Order] = [
      .fill(line, .accent),
      .triangle(tip, Point(tip.x + side, tip.y + side + 1), Point(tip.x - side, tip.y + side + 1), .accent),
    ]
    orders += focusRing(.threshold, line.inset(-6, -4), radius: 4)
    return orders
  }

  mutating func dragThreshold(to point: Point) {
    guard let bars = meterBars else { return }
    setThreshold(Self.levels.lowerBound * (1 - (point.x - bars.x) / bars.width))
  }

  /// So many decibels up or down; says why where nothing starts by sound.
  mutating func stepThreshold(_ steps: Int) {
    guard recordView != nil else { return }
    guard let trigger else { return say("Nothing starts by sound; the settings (Ctrl+,) have levels to choose from.") }
    setThreshold(trigger.threshold.rounded() + Float(steps))
  }

  mutating func stepThreshold(notches: Float) {
    view.wheelRest += notches
    let steps = Int(view.wheelRest)
    guard steps != 0 else { return }
    view.wheelRest -= Float(steps)
    stepThreshold(steps)
  }

  private mutating func setThreshold(_ level: Float) {
    guard let trigger else { return }
    let level = min(max(level.rounded(), Self.levels.lowerBound), Self.levels.upperBound)
    view.recorder.thresholdEnds = time + 1.5
    wake(at: view.recorder.thresholdEnds)
    guard level != trigger.threshold else { return }
    ask(.recorder(.setTrigger(SoundTrigger(threshold: level, holdSeconds: trigger.holdSeconds))))
  }

  /// The arrows move the line while it has the focus; false for other keys.
  mutating func thresholdKey(_ key: Key, _ modifiers: Modifiers) -> Bool {
    guard view.overlay == .none, view.focus == .threshold, modifiers.isEmpty else { return false }
    switch key {
    case .left, .down: stepThreshold(-1)
    case .right, .up: stepThreshold(1)
    default: return false
    }
    return true
  }
}
