internal import Sound

extension Turn {
  /// The title over a line of artist and format, with the cover before them, Open and Record at the right.
  mutating func drawHead() {
    var rect = layout.head
    if layout.isCompact, let clock = timeRect { rect.width = clock.x - rect.x }
    var panel = Panel(.head, rect)
    if let recording = recordView {
      panel.orders = recordHead(recording, rect)
    } else {
      panel.orders = layout.isCompact ? compactHead(rect) : wideHead(rect)
    }
    list.panels.append(panel)
  }

  private func wideHead(_ rect: Rect) -> [Order] {
    var orders: [Order] = []
    var left = layout.margin
    if let cover = snapshot.track?.cover {
      orders.append(.image(cover, layout.snap(Rect(left, 17, 46, 46)), radius: 6))
      left += 46 + 12
    }
    let width = (layout.open?.x ?? rect.right) - 20 - left
    orders.append(text(title, .title, .text, x: left, middle: 31, width: width))
    let (line, ink) = subtitle
    orders.append(text(line, .subtitle, ink, x: left, middle: 55, width: width))
    if let open = layout.open { orders += wordButton(.open, "Open…", open) }
    if let record = layout.record { orders += wordButton(.openRecordView, "Record", record, ink: .record) }
    return orders
  }

  private func compactHead(_ rect: Rect) -> [Order] {
    let trouble = outputTrouble.map(brief)
    return [
      text(
        trouble ?? title, .compactTitle, trouble == nil ? .text : .record, x: layout.margin, middle: 21,
        width: rect.right - 12 - layout.margin)
    ]
  }

  /// What happened, without the reason in brackets and what becomes of it; there is a notice that says all.
  private func brief(_ sentences: String) -> String {
    var words = sentences.split(separator: " ").prefix { $0.first != "(" }
    if let last = words.firstIndex(where: { $0.last == "." }) { words = words[...last] }
    return words.joined(separator: " ")
  }

  private var title: String { snapshot.track?.title ?? "Swell" }

  private var subtitle: (String, Ink) {
    if let outputTrouble { return (outputTrouble, .record) }
    guard let track = snapshot.track else { return ("See the sound you play", .dim) }
    return ([track.artist, track.format].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " · "), .dim)
  }

  /// Why nothing is heard though it should be.
  private var outputTrouble: String? {
    guard snapshot.transport == .interrupted || snapshot.output.status == .lost else { return nil }
    guard let problem = snapshot.output.problem, !problem.isEmpty else { return "There is no sound device." }
    return problem
  }
}
