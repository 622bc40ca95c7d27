internal import Control
internal import Sound

// How the browser of folders looks.
extension Turn {
  private var isLow: Bool { layout.size.height < 560 }

  var browserBox: Rect {
    let width = min(layout.size.width - 24, 820)
    let height = min(layout.size.height - 24, 560)
    let top = max((layout.size.height - height) / 2 - 6, 12)
    return layout.snap(Rect((layout.size.width - width) / 2, top, width, height))
  }

  /// The height from line to line.
  var browserPitch: Float { isLow ? 36 : 44 }

  private var browserField: Rect {
    Rect(browserBox.x + 16, browserBox.y + (isLow ? 10 : 16), browserBox.width - 32, 38)
  }
  private var browserBar: Rect { Rect(browserBox.x + 10, browserField.bottom + 4, browserBox.width - 20, 34) }
  private var browserFooter: Rect { Rect(browserBox.x, browserBox.bottom - 44, browserBox.width, 44) }

  /// Where the lines are; the rest scrolls out of it.
  var browserList: Rect {
    let top = browserBar.bottom + (isLow ? 4 : 10)
    return layout.snap(Rect(browserBox.x + 10, top, browserBox.width - 20, browserFooter.y - 4 - top))
  }

  /// The lines in sight, as places among those that match; only these cost anything.
  private var browserRows: [(row: Int, rect: Rect)] {
    let list = browserList
    let first = max(Int(view.browser.scroll / browserPitch), 0)
    let last = min(Int((view.browser.scroll + list.height) / browserPitch) + 1, view.browser.matches.count)
    guard first < last else { return [] }
    return (first..<last).map { row in
      let top = list.y + Float(row) * browserPitch - view.browser.scroll
      return (row, layout.snap(Rect(list.x, top + 1, list.width - (scrollThumb == nil ? 0 : 12), browserPitch - 2)))
    }
  }

  private var browserButtons: [(id: WidgetID, icon: Icon, rect: Rect)] {
    var places: [(WidgetID, Icon)] = [(.parent, .up), (.home, .home), (.music, .note)]
    if snapshot.recording?.folder != nil { places.append((.recordings, .microphone)) }
    return places.enumerated().map { index, place in
      (place.0, place.1, layout.snap(Rect(browserBar.x + 6 + Float(index) * 36, browserBar.y + 2, 30, 30)))
    }
  }

  var browserControls: [Control] {
    let list = browserList
    var controls = [
      Control(id: .overlay, rect: browserBox, takesFocus: false), Control(id: .filter, rect: browserField),
    ]
    controls += browserButtons.map { Control(id: $0.id, rect: $0.rect) }
    controls += browserRows.compactMap { row, rect in
      let top = max(rect.y, list.y)
      let bottom = min(rect.bottom, list.bottom)
      guard bottom > top else { return nil }
      return Control(id: .row(row), rect: Rect(rect.x, top, rect.width, bottom - top), takesFocus: false)
    }
    if view.browser.picksFolder {
      controls.append(Control(id: .useFolder, rect: useFolderRect, isEnabled: pickedFolder != nil))
    }
    if scrollThumb != nil {
      controls.append(
        Control(id: .scrollbar, rect: Rect(list.right - 12, list.y, 12, list.height), takesFocus: false))
    }
    return controls
  }

  mutating func drawBrowser() {
    settleBrowserScroll()
    var panel = Panel(.overlay, browserBox)
    panel.orders = overlayGround(browserBox) + browserTop() + browserBottom()
    list.panels.append(panel)
    drawBrowserRows()
  }

  private func browserTop() -> [Order] {
    let field = browserField
    var orders: [Order] = [.fill(field, .button, radius: 8)] + focusRing(.filter, field.inset(3, 3), radius: 5)
    let count = countLine
    let countWidth = measure(count, .body)
    orders += fieldOrders(
      view.browser.filter, hint: view.browser.picksFolder ? "Type to filter, or a path" : "Type to filter", field,
      width: field.width - 52 - countWidth)
    orders.append(text(count, .body, .dim, x: field.right - 18, middle: field.center.y, .trailing))
    for button in browserButtons {
      orders += iconButton(button.id, button.icon, button.rect, radius: 8, side: 18, ground: .panel, ink: .dim)
    }
    let left = browserBar.x + 6 + Float(browserButtons.count) * 36 + 8
    if let folder = snapshot.browser?.folder {
      let path = fit(folder.shown, .body, browserBar.right - 8 - left, keepingEnd: true)
      orders.append(text(path, .body, .dim, x: left, middle: browserBar.center.y))
    }
    let line = layout.snap(browserBar.bottom + (isLow ? 1 : 4))
    orders.append(.fill(Rect(browserBox.x + 1, line, browserBox.width - 2, 1), .line))
    return orders
  }

  private var countLine: String {
    guard let listing = snapshot.browser else { return "" }
    let all = NumberText.grouped(listing.entries.count)
    return view.browser.filter.text.isEmpty ? all : "\(NumberText.grouped(view.browser.matches.count)) of \(all)"
  }

  private var useFolderWords: String { "Record into this folder" }
  private var useFolderRect: Rect {
    let width = measure(useFolderWords, .button) + 28
    return layout.snap(Rect(browserFooter.right - 12 - width, browserFooter.center.y - 16, width, 32))
  }

  private func browserBottom() -> [Order] {
    let footer = browserFooter
    var orders: [Order] = [.fill(Rect(footer.x + 1, footer.y, footer.width - 2, 1), .line)]
    var right = footer.right - 20
    if view.browser.picksFolder {
      orders += wordButton(.useFolder, useFolderWords, useFolderRect, isEnabled: pickedFolder != nil, ink: .accent)
      right = useFolderRect.x - 12
    } else if let listing = snapshot.browser, !listing.isComplete {
      let known = listing.entries.count { $0.kind != .unknown }
      let share = Float(known) / Float(max(listing.entries.count, 1))
      orders.append(.fill(layout.snap(Rect(footer.x + 1, footer.y - 1, (footer.width - 2) * share, 2)), .accent))
      let words = "\(NumberText.grouped(known)) of \(NumberText.grouped(listing.entries.count)) looked into"
      orders.append(text(words, .level, .text, x: right, middle: footer.center.y, .trailing))
      right -= measure(words, .level) + 16
    }
    let hints =
      typedPath != nil
      ? view.browser.picksFolder ? "↵ go to this folder   Ctrl+↵ record into it" : "↵ go to this folder"
      : view.browser.picksFolder
        ? "↵ open   Ctrl+↵ record into this folder   ⌫ up   Esc back"
        : "↵ open   ⇧↵ add to queue   Ctrl+↵ play folder   ⌫ up   Esc close"
    orders.append(
      text(hints, .level, .faint, x: footer.x + 20, middle: footer.center.y, width: max(right - footer.x - 20, 0)))
    return orders
  }

  private mutating func drawBrowserRows() {
    var panel = Panel(.overlayList, browserList)
    panel.orders.append(.fill(browserList, .panel))
    if let sentence = browserSentence {
      panel.orders.append(
        text(
          sentence, .body, .dim, x: browserList.center.x, middle: browserList.y + browserPitch, .center,
          width: browserList.width - 32))
    }
    for (row, rect) in browserRows {
      if let entry = entry(at: row) { panel.orders += browserRow(entry, rect, isChosen: row == view.browser.selected) }
    }
    if let thumb = scrollThumb {
      let isHot = isHeld(.scrollbar) || view.hovered == .scrollbar
      panel.orders.append(.fill(thumb, isHot ? .dim : .faint, radius: 2.5))
    }
    list.panels.append(panel)
  }

  private var browserSentence: String? {
    guard let listing = snapshot.browser else { return "Reading the folder…" }
    if let problem = listing.problem { return problem }
    if !view.browser.matches.isEmpty { return nil }
    if !listing.entries.isEmpty { return "Nothing here has “\(view.browser.filter.text)” in its name." }
    return listing.isComplete ? "This folder is empty." : "Reading the folder…"
  }

  private func browserRow(_ entry: FolderListing.Entry, _ rect: Rect, isChosen: Bool) -> [Order] {
    var orders: [Order] = []
    if isChosen { orders.append(.fill(rect, .buttonHot, radius: 8)) }
    let isDim = entry.kind == .other || view.browser.picksFolder && entry.kind != .folder
    let icon: Icon =
      switch entry.kind {
      case .folder: .folder
      case .sound: .note
      case .unknown, .other: .file
      }
    let ink: Ink =
      switch entry.kind {
      case .folder: .dim
      case .sound: .middle
      case .unknown, .other: .faint
      }
    let square = layout.snap(Rect(rect.x + 14, rect.center.y - 10, 20, 20))
    orders.append(.icon(icon, square, ink))
    let detail = entry.kind == .folder ? "" : entry.size.map(NumberText.bytes) ?? ""
    let detailWidth = detail.isEmpty ? 0 : measure(detail, .rowDetail) + 16
    let left = rect.x + 48
    orders.append(
      text(
        entry.name, .rowTitle, isDim ? .faint : .text, x: left, middle: rect.center.y,
        width: rect.right - 18 - detailWidth - left))
    if !detail.isEmpty {
      orders.append(
        text(detail, .rowDetail, isDim ? .faint : .dim, x: rect.right - 18, middle: rect.center.y, .trailing))
    }
    return orders
  }
}
