internal import Sound

enum Alignment {
  case leading, center, trailing
}

/// The sizes and weights of the design's letters.
extension TextStyle {
  static let title = TextStyle(19, .semibold)
  static let compactTitle = TextStyle(15, .semibold)
  static let subtitle = TextStyle(12.5)
  static let clock = TextStyle(26, .semibold, tabular: true)
  static let clockDetail = TextStyle(12.5, tabular: true)
  static let axis = TextStyle(11)
  static let meter = TextStyle(11, tabular: true)
  static let label = TextStyle(11)
  static let flag = TextStyle(10, .semibold)
  static let button = TextStyle(13, .medium)
  static let level = TextStyle(12)
  static let levelLarge = TextStyle(13, .medium, tabular: true)
  static let readout = TextStyle(11, .medium)
  static let chip = TextStyle(12, .semibold)
  static let heading = TextStyle(20, .semibold)
  static let hint = TextStyle(13.5)
  static let group = TextStyle(11.5, .semibold)
  static let rowTitle = TextStyle(13.5, .medium)
  static let rowDetail = TextStyle(12.5)
  static let body = TextStyle(13)
  static let key = TextStyle(12, .medium)
  static let field = TextStyle(15)

  /// The height of the box in which the stage sets a line.
  var boxHeight: Float { (size * 1.2).rounded(.up) }
}

// Small parts of which the views are made.
extension Turn {
  /// A line of text whose middle lies at a height, and which begins, is centred or ends at `x`; cut with an ellipsis to `width`.
  func text(
    _ string: String, _ style: TextStyle, _ ink: Ink, x: Float, middle: Float, _ alignment: Alignment = .leading,
    width: Float = .infinity, opacity: Float = 1
  ) -> Order {
    let shown = fit(string, style, width)
    let left =
      switch alignment {
      case .leading: x
      case .center: x - measure(shown, style) / 2
      case .trailing: x - measure(shown, style)
      }
    // Half a pixel up: capitals and digits have no descender, so their middle lies above the box's.
    let top = middle - style.boxHeight / 2 - 0.5
    return .text(shown, at: Point(layout.snap(left), layout.snap(top)), style, ink, opacity: opacity)
  }

  /// As much of a text as fits, with an ellipsis where it was cut.
  func fit(_ string: String, _ style: TextStyle, _ width: Float, keepingEnd: Bool = false) -> String {
    guard width < .infinity, measure(string, style) > width else { return string }
    let letters = Array(string)
    var low = 0
    var high = letters.count
    func cut(_ count: Int) -> String {
      if keepingEnd { return "…" + String(letters.suffix(count)) }
      var kept = letters.prefix(count)
      while kept.last == " " { kept.removeLast() }
      return String(kept) + "…"
    }
    while low < high {
      let middle = (low + high + 1) / 2
      if measure(cut(middle), style) <= width { low = middle } else { high = middle - 1 }
    }
    return low == 0 && measure("…", style) > width ? "" : cut(low)
  }

  /// The ring around the control that the keyboard would press.
  func focusRing(_ id: WidgetID, _ rect: Rect, radius: Float) -> [Order] {
    guard view.focus == id else { return [] }
    return [.stroke(rect.inset(-3, -3), .accent, radius: radius + 3, width: 2)]
  }

  /// The ground of a button, by what the hands do to it.
  func buttonGround(_ id: WidgetID, _ rect: Rect, radius: Float, isEnabled: Bool = true, ink: Ink = .button) -> [Order]
  {
    var orders: [Order] = [.fill(rect, ink, radius: radius)]
    let heat = isEnabled ? heat(id) : 0
    if heat > 0 {
      let isAccent = ink == .accent
      orders.append(.fill(rect, isAccent ? .text : .buttonHot, radius: radius, opacity: isAccent ? heat * 0.18 : heat))
    }
    if isEnabled, isHeld(id), view.hovered == id { orders.append(.fill(rect, .black, radius: radius, opacity: 0.25)) }
    return orders + focusRing(id, rect, radius: radius)
  }

  /// A button with a word on it.
  func wordButton(
    _ id: WidgetID, _ word: String, _ rect: Rect, isChosen: Bool = false, isEnabled: Bool = true, ink: Ink = .text
  ) -> [Order] {
    let isLit = isChosen && isEnabled
    let ground: Ink = isLit ? .accent : isChosen ? .buttonHot : .button
    return buttonGround(id, rect, radius: 8, isEnabled: isEnabled, ink: ground) + [
      text(
        word, .button, !isEnabled ? .faint : isLit ? .black : ink, x: rect.center.x, middle: rect.center.y, .center,
        width: rect.width - 12)
    ]
  }

  /// A button with a picture on it; `side` is that of the icon's square.
  func iconButton(
    _ id: WidgetID, _ icon: Icon, _ rect: Rect, radius: Float, side: Float, isEnabled: Bool = true,
    ground: Ink = .button,
    ink: Ink = .text
  ) -> [Order] {
    let square = layout.snap(Rect(rect.center.x - side / 2, rect.center.y - side / 2, side, side))
    return buttonGround(id, rect, radius: radius, isEnabled: isEnabled, ink: ground) + [
      .icon(icon, square, isEnabled ? ink : .faint)
    ]
  }

  /// A text field's words with the caret, and a hint while it is empty.
  func fieldOrders(_ field: TextField, hint: String, _ rect: Rect, ink: Ink = .text, width: Float) -> [Order] {
    let style = TextStyle.field
    let before = measure(field.beforeCaret, style)
    // The caret stays in sight: a long text moves left under it.
    let shift = max(before - width + 4, 0)
    var orders: [Order] = []
    if field.isChosen {
      let chosen = Rect(rect.x + 16, rect.center.y - 12, min(measure(field.text, style), width) + 4, 24)
      orders.append(.fill(layout.snap(chosen), .accent, radius: 4, opacity: 0.3))
    }
    if field.text.isEmpty {
      orders.append(text(hint, style, .faint, x: rect.x + 21, middle: rect.center.y, width: width))
    } else if shift == 0 {
      orders.append(text(field.text, style, ink, x: rect.x + 18, middle: rect.center.y, width: width))
    } else {
      let tail = fit(field.beforeCaret, style, width - 4, keepingEnd: true)
      orders.append(text(tail, style, ink, x: rect.x + 18, middle: rect.center.y))
      orders.append(caret(at: rect.x + 18 + measure(tail, style), rect))
      return orders
    }
    orders.append(caret(at: rect.x + 18 + before, rect))
    return orders
  }

  private func caret(at x: Float, _ rect: Rect) -> Order {
    .fill(layout.snap(Rect(x - 1, rect.center.y - 9, 2, 18)), .accent)
  }
}
