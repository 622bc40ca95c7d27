internal import Control

extension Turn {
  /// The heights of the bars of the sign, in logical pixels.
  private static let sign: [Float] = [
    16, 18, 22, 24, 28, 28, 28, 22, 22, 36, 52, 64, 68, 62, 44, 18, 50, 82, 102, 108, 96, 68, 32, 36, 66, 82, 84, 74,
    56, 34,
    18, 32, 38, 38, 34, 28, 22, 18, 18, 20, 20,
  ]

  /// The heights at which the parts of the empty window lie.
  private struct Places {
    var zoom: Float
    var sign, heading, hint, list: Float

    init(_ rect: Rect) {
      zoom = min(max(rect.height / 460, 0.45), 1)
      sign = rect.y + rect.height * 0.34
      heading = sign + max(97 * zoom, 50)
      hint = heading + max(30 * zoom, 22)
      list = hint + 59
    }
  }

  /// The lines of the recents that fit.
  var welcomeRows: [Rect] {
    guard let rect = layout.welcome, !snapshot.isOpening else { return [] }
    let width = min(rect.width - 60, 684)
    let top = Places(rect).list + 16
    return (0..<min(snapshot.recents.count, 5)).map { index in
      layout.snap(Rect(rect.center.x - width / 2, top + Float(index) * 38, width, 34))
    }.filter { $0.bottom <= rect.bottom - 24 }
  }

  /// Nothing is loaded: where to drop, what to press, what was played before.
  mutating func drawWelcome() {
    guard let rect = layout.welcome else { return }
    var panel = Panel(.empty, rect)
    let inset: Float = layout.isCompact ? 8 : 18
    panel.orders = [.fill(rect, .panel, radius: 10), .dashes(rect.inset(inset, inset), .line, radius: 10)]
    let places = Places(rect)
    let pitch = (10 * places.zoom).rounded()
    let left = rect.center.x - pitch * Float(Self.sign.count) / 2
    for (index, height) in Self.sign.enumerated() {
      let tall = height * places.zoom
      let bar = Rect(left + Float(index) * pitch, places.sign - tall / 2, pitch / 2, tall)
      let ink = Ink.spectral(Float(index) / Float(Self.sign.count - 1))
      panel.orders.append(.fill(layout.snap(bar), ink, radius: pitch / 4))
    }
    let heading = snapshot.isOpening ? "Opening…" : "Drop audio files or a folder here"
    let style: TextStyle = layout.isCompact ? .compactTitle : .heading
    let width = rect.width - 48
    panel.orders.append(text(heading, style, .text, x: rect.center.x, middle: places.heading, .center, width: width))
    if !snapshot.isOpening {
      let hint =
        snapshot.hasDemo ? "or press O to open, R to record, D to play the demo" : "or press O to open, R to record"
      panel.orders.append(text(hint, .hint, .dim, x: rect.center.x, middle: places.hint, .center, width: width))
      panel.orders += recents(places.list)
    }
    list.panels.append(panel)
  }

  private func recents(_ top: Float) -> [Order] {
    let rows = welcomeRows
    guard let first = rows.first else { return [] }
    var orders = [text("Recent", .group, .faint, x: first.x + 12, middle: top)]
    for (index, (row, item)) in zip(rows, snapshot.recents).enumerated() {
      let heat = heat(.recent(index))
      if heat > 0 { orders.append(.fill(row, .button, radius: 8, opacity: heat)) }
      orders += focusRing(.recent(index), row.inset(3, 3), radius: 5)
      let detail = measure(item.detail, .rowDetail)
      let room = row.width - 24 - detail - 16
      orders.append(text(item.title, .rowTitle, .text, x: row.x + 12, middle: row.center.y, width: room))
      orders.append(text(item.detail, .rowDetail, .dim, x: row.right - 12, middle: row.center.y, .trailing))
    }
    return orders
  }
}
