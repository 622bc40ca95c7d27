internal import Control
internal import Sound

extension Turn {
  /// The whole track in one lane of all channels, the stretch that the waveform shows, and the playhead.
  ///
  /// A recording ends at its playhead, so neither is drawn while it is followed.
  mutating func drawOverview() {
    guard let rect = layout.overview, let field = overviewField, let lens = overviewLens, let subject
    else { return }
    var panel = Panel(.overview, rect)
    panel.orders.append(.fill(rect, .panel, radius: 10))
    let middle = layout.snap(field.center.y)
    if let pyramid = subject.pyramid {
      view.overview.update(pyramid, of: subject.id, lanes: [0..<pyramid.channelCount], through: lens)
      let split = subject.isLive ? lens.count : min(max(lens.offset(of: subject.position), 0), lens.count)
      let lane = layout.snap(field.inset(0, 4))
      let columns = heard(view.overview.lanes[0], lens, subject)
      panel.orders.append(.waveform(lane, columns, split: split, .middle))
    } else {
      panel.orders.append(.fill(Rect(field.x, middle, field.width, 1), .line))
    }
    panel.orders += marks(field, lens)
    panel.orders += regionInOverview(field, lens)
    defer { list.panels.append(panel) }
    guard !subject.isLive || view.scroll != .following else { return }
    if let shown = self.lens, let stretch = stretch(of: shown, field, lens) {
      panel.orders.append(.fill(stretch, .text, radius: 4, opacity: 0.14))
    }
    let x = self.x(of: subject.position, in: field, lens)
    panel.orders.append(.fill(layout.snap(Rect(min(x, field.right - 1) - 1, field.y, 2, field.height)), .text))
  }

  /// What the waveform shows, as a frame in the overview; nil when that is no part of the track.
  private func stretch(of shown: Lens, _ field: Rect, _ lens: Lens) -> Rect? {
    let start = FrameIndex(max(shown.start(of: shown.first), 0))
    let end = FrameIndex(min(shown.start(of: shown.first + Int64(shown.count)), extent.rawValue))
    guard end > start else { return nil }
    let left = x(of: start, in: field, lens)
    let width = max(x(of: end, in: field, lens) - left, 4)
    return layout.snap(Rect(min(left, field.right - width), field.y, width, field.height))
  }
}
