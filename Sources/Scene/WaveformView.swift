internal import Control
internal import Sound

extension Turn {
  /// The most lanes that are drawn; the channels after them are heard and not seen.
  static let mostLanes = 8

  /// The track, or the recording, around the playhead: time ruler, a lane a channel, playhead, Follow chip.
  mutating func drawWaveform() {
    guard let rect = layout.waveform, let field = waveformField, let lens, let subject else { return }
    var panel = Panel(.waveform, rect)
    panel.orders.append(.fill(rect, .panel, radius: 10))
    if layout.hasRuler { panel.orders += ruler(field, lens, subject.rate) }
    panel.orders += lanes(field, lens, subject)
    panel.orders += marks(field, lens)
    panel.orders += region(field, lens)
    if lens.contains(subject.position) { panel.orders += playhead(field, lens, subject.position) }
    panel.orders += sampleReadout(field, lens, subject)
    if let chip = followChip {
      panel.orders += buttonGround(.follow, chip, radius: 13, ink: .accent)
      panel.orders.append(text("Follow C", .chip, .black, x: chip.center.x, middle: chip.center.y, .center))
    }
    list.panels.append(panel)
  }

  /// There while the view is free: the way back.
  var followChip: Rect? {
    guard case .free = view.scroll, let panel = layout.waveform else { return nil }
    return layout.snap(Rect(panel.right - 104, panel.bottom - 36, 88, 26))
  }

  private func ruler(_ field: Rect, _ lens: Lens, _ rate: SampleRate) -> [Order] {
    let ruler = Ruler(lens, rate: rate, spacing: Double(92 * layout.scale), length: length)
    var orders: [Order] = []
    for mark in ruler.marks {
      let x = field.x + Float(mark.offset) / layout.scale
      orders.append(.fill(Rect(x, field.y - 6, 1, 6), .faint))
      let half = measure(mark.text, .axis) / 2
      guard x - half >= field.x - 40, x + half <= field.right + 12 else { continue }
      orders.append(text(mark.text, .axis, .faint, x: x, middle: field.y - 14, .center))
    }
    return orders
  }

  private mutating func lanes(_ field: Rect, _ lens: Lens, _ subject: Subject) -> [Order] {
    let count = min(max(subject.channelCount, 1), Self.mostLanes)
    let pyramid = subject.pyramid.flatMap { $0.channelCount >= count ? $0 : nil }
    let ranges = (0..<count).map { $0..<($0 + 1) }
    let window = samples(through: lens, subject, lanes: count)
    // Where samples stand further apart than pixels they are joined by lines.
    let curve = window.flatMap { $0.hasSamples && lens.framesPerColumn <= 1 ? $0 : nil }
    if curve == nil {
      if let window {
        view.waveform.update(window, of: subject.id, lanes: ranges, through: lens)
      } else if let pyramid {
        view.waveform.update(pyramid, of: subject.id, lanes: ranges, through: lens)
      }
    }
    let hasColumns = curve == nil && (window != nil || pyramid != nil)
    let split = subject.isLive ? lens.count : min(max(lens.offset(of: subject.position), 0), lens.count)
    let height = field.height / Float(count)
    let gap: Float = height >= 40 ? 2 : height >= 16 ? 1 : 0
    var orders: [Order] = []
    for lane in 0..<count {
      let top = layout.snap(field.y + Float(lane) * height + gap)
      let bottom = layout.snap(field.y + Float(lane + 1) * height - gap)
      let middle = layout.snap((top + bottom) / 2)
      orders.append(.fill(Rect(field.x, middle, field.width, 1), .line))
      let rect = Rect(field.x, top, field.width, bottom - top)
      if let curve { orders += self.curve(curve, channel: lane, in: rect, lens, subject.position) }
      if hasColumns {
        let columns = heard(view.waveform.lanes[lane], lens, subject)
        orders.append(.waveform(rect, columns, split: split, .middle))
      }
      if layout.hasRuler, count > 1, height >= 14 {
        let name = subject.channelNames.indices.contains(lane) ? subject.channelNames[lane] : "\(lane + 1)"
        orders.append(text(name, .label, .dim, x: field.x - 20, middle: middle, .center, width: 36))
      }
    }
    return orders
  }

  /// The columns up to the playhead of a recording, whose last sound is known before it is there; of a track all.
  func heard(_ columns: [WaveColumn], _ lens: Lens, _ subject: Subject) -> [WaveColumn] {
    let end = lens.offset(of: subject.position) + 1
    guard subject.isLive, end < columns.count else { return columns }
    return Array(columns.prefix(max(end, 0))) + repeatElement(ColumnCache.blank, count: columns.count - max(end, 0))
  }

  private func playhead(_ field: Rect, _ lens: Lens, _ position: FrameIndex) -> [Order] {
    let x = self.x(of: position, in: field, lens)
    guard layout.hasRuler else { return [.fill(layout.snap(Rect(x - 1, field.y, 2, field.height)), .text)] }
    let line = layout.snap(Rect(x - 1, field.y - 2, 2, field.height + 2))
    let tip = Point(x, field.y)
    return [.fill(line, .text), .triangle(Point(x - 6, field.y - 8), Point(x + 6, field.y - 8), tip, .text)]
  }
}
