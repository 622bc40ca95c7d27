internal import Control

extension Turn {
  /// Where the bars stand: 0 dB at the top edge, the floor at the bottom.
  private func spectrumField(_ panel: Rect) -> Rect {
    let left: Float = layout.isCompact ? 36 : 44
    return layout.snap(Rect(panel.x + left, panel.y + 14, panel.width - left - 14, panel.height - 42))
  }

  /// The strip under the bars where the frequencies are written.
  func spectrumAxis(_ panel: Rect) -> Rect { Rect(panel.x, panel.bottom - 28, panel.width, 28) }

  /// 64 bars with their hold marks over the grid of levels, and what lies under the pointer.
  mutating func drawSpectrum() {
    guard let rect = layout.spectrum else { return }
    var panel = Panel(.spectrum, rect)
    let field = spectrumField(rect)
    panel.orders = [.fill(rect, .panel, radius: 10)] + levelLines(field)
    if let reading = subject?.spectrum, reading.levels.count + 1 == reading.edges.count {
      panel.orders += bars(reading, field)
      panel.orders += frequencyLabels(reading, field, middle: rect.bottom - 13)
      panel.orders += spectrumReadout(reading, field)
    }
    list.panels.append(panel)
  }

  private func height(_ level: Float, _ field: Rect) -> Float {
    min(max(level / SpectrumReading.floor, 0), 1) * field.height
  }

  private func levelLines(_ field: Rect) -> [Order] {
    let step: Float = field.height / 4.5 >= 15 ? 20 : 40
    var orders: [Order] = []
    var level: Float = 0
    while level > SpectrumReading.floor {
      let y = layout.snap(field.y + height(level, field))
      orders.append(.fill(Rect(field.x, y, field.width, 1 / max(layout.scale.rounded(.down), 1)), .line))
      orders.append(
        text(NumberText.fixed(Double(level), decimals: 0), .axis, .faint, x: field.x - 8, middle: y, .trailing))
      level -= step
    }
    return orders
  }

  private func bars(_ reading: SpectrumReading, _ field: Rect) -> [Order] {
    let count = reading.levels.count
    let pitch = field.width / Float(count)
    let gap: Float = pitch >= 12 ? 3 : pitch >= 6 ? 2 : 1
    var orders: [Order] = []
    for band in 0..<count {
      let ink = Ink.spectral(Float(band) / Float(max(count - 1, 1)))
      let left = layout.snap(field.x + Float(band) * pitch)
      let width = max(layout.snap(field.x + Float(band + 1) * pitch - gap) - left, 1 / layout.scale)
      let top = layout.snap(field.y + height(reading.levels[band], field))
      if top < field.bottom {
        orders.append(.fill(Rect(left, top, width, field.bottom - top), ink, radius: min(2, (field.bottom - top) / 2)))
      }
      let hold = layout.snap(field.y + height(reading.holds[band], field))
      if hold < field.bottom - 2 { orders.append(.fill(Rect(left, hold, width, 2), ink, opacity: 0.7)) }
    }
    return orders
  }

  private func frequencyLabels(_ reading: SpectrumReading, _ field: Rect, middle: Float) -> [Order] {
    let axis = SpectrumAxis(reading)
    let labels = axis.labels(room: 64 / Double(max(field.width, 1)))
    var orders: [Order] = []
    var free = field.right + 12
    // From the right, so that the last one, which names the unit, is never left out.
    for (index, hertz) in labels.enumerated().reversed() {
      guard let place = axis.place(of: min(hertz, Double(reading.edges.last ?? 0))) else { continue }
      let words = NumberText.axisHertz(hertz) + (index == labels.count - 1 ? " Hz" : "")
      let width = measure(words, .axis)
      let middleX = field.x + Float(place) * field.width
      let left = min(middleX - width / 2, field.right - width)
      guard left >= field.x - 8, left + width <= free - 12 else { continue }
      orders.append(text(words, .axis, .faint, x: left, middle: middle))
      free = left
    }
    return orders
  }

  private func spectrumReadout(_ reading: SpectrumReading, _ field: Rect) -> [Order] {
    guard view.overlay == .none, view.grip == nil, let pointer = view.pointer, field.contains(pointer),
      let (hertz, band) = SpectrumAxis(reading).frequency(at: Double((pointer.x - field.x) / field.width))
    else { return [] }
    let level = reading.levels[band]
    let words = [
      NumberText.hertz(hertz), NoteText.name(hertz: hertz),
      level > SpectrumReading.floor
        ? NumberText.decibels(Double(level))
        : "below \(NumberText.fixed(Double(SpectrumReading.floor), decimals: 0)) dB",
    ].compactMap { $0 }.joined(separator: " · ")
    // In steps, so that the box does not tremble with the figures.
    let width = ((measure(words, .readout) + 20) / 8).rounded(.up) * 8
    let x = layout.snap(pointer.x)
    let left = x + 8 + width <= field.right ? x + 8 : max(x - 8 - width, field.x)
    let box = layout.snap(Rect(left, field.y + 6, width, 26))
    return [
      .fill(Rect(x, field.y, 1, field.height), .text, opacity: 0.4),
      .fill(box, .buttonHot, radius: 6),
      text(words, .readout, .text, x: box.x + 10, middle: box.center.y),
    ]
  }
}
