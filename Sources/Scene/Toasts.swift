internal import Control

// What the notices of the snapshot look like, and how long they stay.
extension Turn {
  private static let mostToasts = 3
  private static let width: Float = 600
  private static let lineHeight: Float = 20

  /// Seconds that a notice stays: time to see it, and to read it.
  static func stay(_ notice: Notice) -> Double {
    let reading = Double(max(notice.text.count - 60, 0)) * 0.05
    return (notice.kind == .error ? 6 : 4) + reading
  }

  /// Shows what has come while there is room, and lets go what has had its time.
  mutating func noticeToasts() {
    let known = Set(snapshot.notices.map(\.id))
    view.toasts.removeAll { !known.contains($0.id) }
    for index in view.toasts.indices where !view.toasts[index].isOver && view.toasts[index].deadline <= time {
      dismissToast(view.toasts[index].id)
    }
    for notice in snapshot.notices where !view.toasts.contains(where: { $0.id == notice.id }) {
      guard shownToasts.count < Self.mostToasts else { break }
      view.toasts.append(Toast(id: notice.id, shownAt: time, deadline: time + Self.stay(notice)))
    }
    if let next = shownToasts.map(\.deadline).min() { wake(at: next) }
    if shownToasts.contains(where: { time < $0.shownAt + Ease.duration }) { wake(at: time) }
  }

  mutating func dismissToast(_ id: Int) {
    guard let index = view.toasts.firstIndex(where: { $0.id == id && !$0.isOver }) else { return }
    view.toasts[index].isOver = true
    ask(.dismissNotice(id))
  }

  private var shownToasts: [Toast] { view.toasts.filter { !$0.isOver } }

  private struct Place {
    var toast: Toast
    var notice: Notice
    var lines: [String]
    var rect: Rect
    var dismiss: Rect
  }

  /// The newest lies lowest, just above what is most needed.
  private var toastPlaces: [Place] {
    let width = min(Self.width, input.size.width - 24)
    let dismissWidth = measure("Dismiss", .rowTitle)
    var bottom = toastBottom
    var places: [Place] = []
    for toast in shownToasts.reversed() {
      guard let notice = snapshot.notices.first(where: { $0.id == toast.id }) else { continue }
      let lines = wrap(notice.text, .rowTitle, width - 20 - 24 - dismissWidth - 20)
      let height = Float(lines.count) * Self.lineHeight + 24
      guard bottom - height >= 0 else { break }
      let rect = layout.snap(Rect((input.size.width - width) / 2, bottom - height, width, height))
      let dismiss = Rect(rect.right - 20 - dismissWidth - 8, rect.center.y - 16, dismissWidth + 16, 32)
      places.append(Place(toast: toast, notice: notice, lines: lines, rect: rect, dismiss: layout.snap(dismiss)))
      bottom = rect.y - 8
    }
    return places.reversed()
  }

  var toastControls: [Control] {
    toastPlaces.flatMap { place in
      [
        Control(id: .overlay, rect: place.rect, takesFocus: false),
        Control(id: .dismiss(place.notice.id), rect: place.dismiss),
      ]
    }
  }

  mutating func drawToasts() {
    let places = toastPlaces
    guard let first = places.first, let last = places.last else { return }
    var panel = Panel(.toasts, Rect(first.rect.x, first.rect.y, first.rect.width, last.rect.bottom - first.rect.y))
    for place in places { panel.orders += toast(place) }
    list.panels.append(panel)
  }

  private func toast(_ place: Place) -> [Order] {
    let opacity = Float(min(max((time - place.toast.shownAt) / Ease.duration, 0), 1))
    let rect = place.rect
    let edge: Ink = place.notice.kind == .error ? .record : .accent
    var orders: [Order] = [
      .fill(rect, .buttonHot, radius: 8, opacity: opacity),
      .fill(Rect(rect.x, rect.y, 4, rect.height), edge, radius: 2, opacity: opacity),
    ]
    for (index, line) in place.lines.enumerated() {
      let middle = rect.y + 12 + (Float(index) + 0.5) * Self.lineHeight
      orders.append(text(line, .rowTitle, .text, x: rect.x + 20, middle: middle, opacity: opacity))
    }
    let id = WidgetID.dismiss(place.notice.id)
    let heat = heat(id)
    if heat > 0 { orders.append(.fill(place.dismiss, .button, radius: 6, opacity: heat)) }
    orders += focusRing(id, place.dismiss.inset(3, 3), radius: 5)
    orders.append(
      text(
        "Dismiss", .rowTitle, .accent, x: place.dismiss.center.x, middle: place.dismiss.center.y, .center,
        opacity: opacity))
    return orders
  }

  /// A text in lines of at most this width, broken between words, and inside words that are wider than a line.
  func wrap(_ string: String, _ style: TextStyle, _ width: Float) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in string.split(separator: " ") {
      let longer = line.isEmpty ? String(word) : line + " " + word
      if measure(longer, style) <= width {
        line = longer
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = String(word)
      while measure(line, style) > width, line.count > 1 {
        var part = line
        while measure(part, style) > width, part.count > 1 { part.removeLast(max(part.count / 16, 1)) }
        lines.append(part)
        line = String(line.dropFirst(part.count))
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
