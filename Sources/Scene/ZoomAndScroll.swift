import CMath
internal import Control
internal import Sound

extension Turn {
  /// The factor of one notch of the wheel: ten make a factor of ten.
  private static let notch = 1.2589254117941673
  /// The factor of one press of a key: two double.
  private static let keyStep = 2.0.squareRoot()

  mutating func zoom(keySteps: Int) {
    let pointer = view.pointer.flatMap { point in isOverWaveform(point) ? point : nil }
    zoom(by: pow(Self.keyStep, -Double(keySteps)), at: pointer)
  }

  mutating func zoom(notches: Float, at point: Point) { zoom(by: pow(Self.notch, -Double(notches)), at: point) }

  /// Makes a column `factor` times as many frames wide.
  ///
  /// About the playhead while it is followed through a playing track, else about the pointer.
  private mutating func zoom(by factor: Double, at point: Point?) {
    guard let ground = lensGround, let lens, let field = waveformField else { return }
    let old = lens.framesPerColumn
    let new = ground.clamp(old * factor)
    guard new != old else { return }
    view.secondsPerPoint = ground.secondsPerPoint(framesPerColumn: new)
    let pointed = point.map { Double($0.x - field.x) * ground.scale }
    let origin: Double
    let anchor: Double
    switch view.scroll {
    case .following:
      guard subject?.isRunning != true, let pointed else { return }
      (origin, anchor) = (Double(lens.first) * old, pointed)
    case .free(let left):
      let playhead = subject.flatMap { lens.contains($0.position) ? Double(lens.offset(of: $0.position)) + 0.5 : nil }
      (origin, anchor) = (left, pointed ?? playhead ?? Double(lens.count) / 2)
    }
    // The anchor's frame stays under it; the view keeps at least a column of the track in sight.
    let left = origin + anchor * (old - new)
    view.scroll = .free(origin: min(max(left, -Double(lens.count - 1) * new), max(ground.total - new, 0)))
  }

  /// The frame at the view's left edge, with its part.
  var leftEdge: Double {
    if case .free(let origin) = view.scroll { return origin }
    return lens.map { Double($0.first) * $0.framesPerColumn } ?? 0
  }

  /// Moves a free view's left edge to a frame, keeping the track in at least half of the view.
  mutating func scroll(to origin: Double) {
    guard let ground = lensGround, let lens else { return }
    let now = Double(lens.first) * lens.framesPerColumn
    let half = Double(lens.count) * lens.framesPerColumn / 2
    let lowest = min(-half, now)
    let highest = max(ground.total - half, now)
    view.scroll = .free(origin: min(max(origin, lowest), highest))
  }

  /// Scrolls by notches of the wheel, a tenth of the view each.
  mutating func scroll(notches: Float) {
    guard let lens else { return }
    scroll(to: leftEdge - Double(notches) * Double(lens.count) * lens.framesPerColumn / 10)
  }

  /// The whole song in one view, or back to the view before.
  mutating func toggleWholeSong() {
    guard let ground = lensGround, let lens else { return }
    if let before = view.beforeWhole, view.scroll == .free(origin: 0), lens.framesPerColumn == ground.limits.upperBound
    {
      (view.secondsPerPoint, view.scroll) = before
      view.beforeWhole = nil
    } else {
      view.beforeWhole = (view.secondsPerPoint, view.scroll)
      view.secondsPerPoint = ground.secondsPerPoint(framesPerColumn: ground.limits.upperBound)
      view.scroll = .free(origin: 0)
    }
  }

  func isOverWaveform(_ point: Point) -> Bool { control(at: point)?.id == .waveform }
}
