internal import Control

// The keys, drawn from the table that dispatches them.
extension Turn {
  private static let rowPitch: Float = 28
  /// From one group's last line to the next group's heading, and from a heading to its first line.
  private static let groupGap: Float = 32

  private struct Column {
    var groups: [KeyBinding.Group]

    /// The height of all lines, headings and gaps.
    var height: Float {
      groups.reduce(0) { $0 + Turn.groupGap + Float(Turn.bindings($1).count) * Turn.rowPitch + 1 }
    }
  }

  private static func bindings(_ group: KeyBinding.Group) -> [KeyBinding] {
    KeyTable.bindings.filter { $0.group == group }
  }

  private var helpColumns: [Column] {
    layout.size.width >= 800
      ? [Column(groups: [.playing, .sound]), Column(groups: [.looking, .files, .window])]
      : [Column(groups: KeyBinding.Group.allCases)]
  }

  private var helpHeight: Float { helpColumns.map(\.height).max() ?? 0 }
  private var helpBox: Rect { overlayBox(helpColumns.count == 2 ? 900 : 460, helpHeight + 64 + 20) }
  private var helpList: Rect {
    layout.snap(Rect(helpBox.x + 1, helpBox.y + 62, helpBox.width - 2, helpBox.height - 62 - 12))
  }
  private var deepestHelpScroll: Float { max(helpHeight - helpList.height, 0) }

  var helpControls: [Control] { [Control(id: .overlay, rect: helpBox, takesFocus: false)] }

  mutating func scrollHelp(by distance: Float) {
    view.helpScroll = layout.snap(min(max(view.helpScroll + distance, 0), deepestHelpScroll))
  }

  /// The arrows scroll keys that do not fit; false when they all do.
  mutating func helpKey(_ key: Key) -> Bool {
    guard deepestHelpScroll > 0 else { return false }
    switch key {
    case .up: scrollHelp(by: -Self.rowPitch)
    case .down: scrollHelp(by: Self.rowPitch)
    case .pageUp: scrollHelp(by: -helpList.height)
    case .pageDown: scrollHelp(by: helpList.height)
    case .home: scrollHelp(by: -.greatestFiniteMagnitude)
    case .end: scrollHelp(by: .greatestFiniteMagnitude)
    default: return false
    }
    return true
  }

  mutating func drawHelp() {
    scrollHelp(by: 0)
    let box = helpBox
    var panel = Panel(.overlay, box)
    panel.orders = overlayGround(box) + overlayTitle("Keys", box)
    list.panels.append(panel)

    var keys = Panel(.overlayList, helpList)
    keys.orders.append(.fill(helpList, .panel, radius: 11))
    let width: Float = 440
    for (index, column) in helpColumns.enumerated() {
      keys.orders += helpColumn(column, x: box.x + 28 + Float(index) * width)
    }
    if deepestHelpScroll > 0 {
      let list = helpList
      let height = list.height * list.height / (list.height + deepestHelpScroll)
      let top = list.y + (list.height - height) * view.helpScroll / deepestHelpScroll
      keys.orders.append(.fill(layout.snap(Rect(list.right - 8, top, 5, height)), .faint, radius: 2.5))
    }
    list.panels.append(keys)
  }

  private func helpColumn(_ column: Column, x: Float) -> [Order] {
    var orders: [Order] = []
    let list = helpList
    var y = list.y - view.helpScroll
    let right = min(x + 404, helpBox.right - 16)
    for group in column.groups {
      orders.append(text(group.rawValue, .group, .faint, x: x, middle: y + 18))
      y += Self.groupGap
      for binding in Self.bindings(group) {
        // Lines that are scrolled out of sight are left out.
        if y + Self.rowPitch > list.y, y < list.bottom {
          let caption = binding.caption
          let cap = layout.snap(Rect(x, y + 2, max(measure(caption, .key) + 18, 25), 22))
          let words = max(x + 150, cap.right + 12)
          orders.append(.fill(cap, .buttonHot, radius: 6))
          orders.append(text(caption, .key, .text, x: cap.center.x, middle: cap.center.y, .center))
          orders.append(text(binding.help, .body, .dim, x: words, middle: y + 13, width: right - words))
        }
        y += Self.rowPitch
      }
    }
    return orders
  }
}
