internal import Control
internal import Sound

// What the browser of folders does; how it looks is in BrowserView.
extension Turn {
  /// The lines that match, as they stand in the snapshot.
  func entry(at row: Int) -> FolderListing.Entry? {
    guard let listing = snapshot.browser, view.browser.matches.indices.contains(row) else { return nil }
    let index = view.browser.matches[row]
    return listing.entries.indices.contains(index) ? listing.entries[index] : nil
  }

  mutating func openBrowser() {
    open(.browser)
    view.browser.filter.clear()
    refilter()
    ask(.library(.list(nil)))
  }

  mutating func browse(_ command: LibraryCommand) {
    view.browser.filter.clear()
    view.browser.cameFrom = nil
    refilter()
    ask(.library(command))
  }

  /// Lists the folder in which recordings are kept.
  mutating func showRecordings() {
    guard let folder = snapshot.recording?.folder, !hasTake else { return }
    if view.overlay != .browser { open(.browser) }
    browse(.list(folder))
  }

  // MARK: choosing the folder for recordings

  /// Looks for a folder to record into, from the one that is set on.
  mutating func pickFolder() {
    guard !hasTake else { return }
    open(.browser)
    view.browser.picksFolder = true
    browse(snapshot.recording?.folder.map { .listNearest($0) } ?? .listHome)
  }

  /// The folder that is shown, when it can be chosen.
  var pickedFolder: PathBytes? {
    guard view.browser.picksFolder, let listing = snapshot.browser, listing.problem == nil else { return nil }
    return listing.folder
  }

  /// Takes the folder that is shown, or the one whose whole path was typed.
  mutating func useFolder() {
    // What “~” stands for shows when it is listed.
    if let path = typedPath, !path.hasPrefix("/") { return browse(.listTyped(path)) }
    guard let folder = typedPath.map({ PathBytes($0) }) ?? pickedFolder else { return }
    ask(.recorder(.setFolder(folder)))
    leavePicker()
  }

  /// Back to the settings from which it was opened.
  mutating func leavePicker() { open(.recordSettings) }

  /// A path was typed, and not a part of a name.
  var typedPath: String? {
    let text = view.browser.filter.text
    return text.hasPrefix("/") || text == "~" || text.hasPrefix("~/") ? text : nil
  }

  mutating func browseParent() {
    let left = snapshot.browser?.folder
    browse(.listParent)
    view.browser.cameFrom = left
  }

  /// Follows a listing that has come or grown: the chosen line stays the same entry, wherever it is now.
  mutating func noticeListing() {
    guard let listing = snapshot.browser, view.overlay == .browser else { return }
    let isOther = listing.folder != view.browser.folder
    guard isOther || listing.entries != view.browser.entries else { return }
    let old = view.browser
    let chosen = old.matches.indices.contains(old.selected) ? old.entries[old.matches[old.selected]].path : nil
    view.browser.folder = listing.folder
    view.browser.entries = listing.entries
    view.browser.keys = listing.entries.map { Array($0.name.lowercased().utf8) }
    refilter()
    if isOther {
      view.browser.selected = 0
      view.browser.scroll = 0
    }
    // A folder that was left for its parent is looked for until its line has come.
    if let from = view.browser.cameFrom, from.parent == listing.folder, select(from) {
      view.browser.cameFrom = nil
    } else if !isOther, let chosen, old.selected > 0 {
      let scroll = view.browser.scroll
      if select(chosen) { view.browser.scroll = scroll }
    }
  }

  /// Chooses the line of this path; false when there is none.
  private mutating func select(_ path: PathBytes) -> Bool {
    let browser = view.browser
    guard let row = browser.matches.firstIndex(where: { browser.entries[$0].path == path }) else { return false }
    view.browser.selected = row
    view.browser.revealsSelection = true
    return true
  }

  /// The lines whose names hold what was typed, upper or lower case.
  ///
  /// About 1 ms for 10,000 names.
  mutating func refilter() {
    let wanted = typedPath != nil ? [] : Array(view.browser.filter.text.lowercased().utf8)
    let keys = view.browser.keys
    view.browser.matches = wanted.isEmpty ? Array(keys.indices) : keys.indices.filter { keys[$0].holds(wanted) }
    view.browser.selected = 0
    view.browser.scroll = 0
  }

  /// A key while the browser is open; false when it means nothing here.
  mutating func browserKey(_ key: Key, _ modifiers: Modifiers, isRepeat: Bool) -> Bool {
    let page = max(Int(browserList.height / browserPitch) - 1, 1)
    switch key {
    case .up: choose(view.browser.selected - 1)
    case .down: choose(view.browser.selected + 1)
    case .pageUp: choose(view.browser.selected - page)
    case .pageDown: choose(view.browser.selected + page)
    // With a filter typed, Home and End move in it.
    case .home where view.browser.filter.text.isEmpty: choose(0)
    case .end where view.browser.filter.text.isEmpty: choose(view.browser.matches.count - 1)
    // Held down, these would run through folder after folder.
    case .enter where isRepeat, .backspace where isRepeat && view.browser.filter.text.isEmpty: break
    case .enter:
      if let focus = view.focus, focus != .filter {
        activate(focus)
      } else if let path = typedPath, !modifiers.contains(.control) {
        browse(.listTyped(path))
      } else {
        openRow(view.browser.selected, modifiers)
      }
    case .backspace where view.browser.filter.text.isEmpty: browseParent()
    default:
      let before = view.browser.filter.text
      guard view.browser.filter.edit(key, modifiers) else { return false }
      if view.browser.filter.text != before { refilter() }
    }
    return true
  }

  private mutating func choose(_ row: Int) {
    view.browser.selected = min(max(row, 0), max(view.browser.matches.count - 1, 0))
    view.browser.revealsSelection = true
    view.focus = nil
  }

  /// Opens a line: a folder is shown, or with Control made the queue; a sound is played, or with Shift added to the queue.
  mutating func openRow(_ row: Int, _ modifiers: Modifiers) {
    if view.browser.picksFolder, modifiers.contains(.control) { return useFolder() }
    guard let entry = entry(at: row) else { return }
    view.browser.selected = row
    if view.browser.picksFolder {
      if entry.kind == .folder { browse(.list(entry.path)) }
    } else if modifiers.contains(.shift), entry.kind != .other {
      open(.enqueue([entry.path]))
    } else if modifiers.contains(.control) {
      // The chosen folder, or the one that holds the chosen file.
      let folder = entry.kind == .folder ? entry.path : snapshot.browser?.folder ?? entry.path
      closeOverlay()
      open(.open([folder]))
    } else if entry.kind == .folder {
      browse(.list(entry.path))
    } else if entry.kind != .other {
      closeOverlay()
      open(.open([entry.path]))
    }
  }

  // MARK: Scrolling

  private var deepestScroll: Float {
    max(Float(view.browser.matches.count) * browserPitch - browserList.height, 0)
  }

  mutating func scrollBrowser(notches: Float) { scrollBrowser(to: view.browser.scroll - notches * 3 * browserPitch) }

  private mutating func scrollBrowser(to offset: Float) {
    view.browser.scroll = layout.snap(min(max(offset, 0), deepestScroll))
  }

  /// Keeps the scroll within the lines, and the chosen line in sight after a key.
  mutating func settleBrowserScroll() {
    if view.browser.revealsSelection {
      view.browser.revealsSelection = false
      let top = Float(view.browser.selected) * browserPitch
      let bottom = top + browserPitch
      if top < view.browser.scroll { view.browser.scroll = top }
      if bottom > view.browser.scroll + browserList.height { view.browser.scroll = bottom - browserList.height }
    }
    scrollBrowser(to: view.browser.scroll)
  }

  /// The part of the scroll bar that is held; nil when all lines are in sight.
  var scrollThumb: Rect? {
    let deepest = deepestScroll
    guard deepest > 0 else { return nil }
    let list = browserList
    let height = max(list.height * list.height / (list.height + deepest), 24)
    let top = list.y + (list.height - height) * min(view.browser.scroll / deepest, 1)
    return layout.snap(Rect(list.right - 7, top, 5, height))
  }

  mutating func gripScrollbar(at point: Point) {
    guard let thumb = scrollThumb else { return }
    let isOnThumb = point.y >= thumb.y && point.y < thumb.bottom
    let offset = isOnThumb ? point.y - thumb.y : thumb.height / 2
    view.grip = .scrollbar(offset: offset)
    dragScrollbar(to: point, offset: offset)
  }

  mutating func dragScrollbar(to point: Point, offset: Float) {
    guard let thumb = scrollThumb else { return }
    let room = browserList.height - thumb.height
    scrollBrowser(to: room > 0 ? (point.y - offset - browserList.y) / room * deepestScroll : 0)
  }

  /// The pointer chooses the line it moves over.
  mutating func hoverRow(at point: Point) {
    guard view.overlay == .browser, case .row(let row) = control(at: point)?.id else { return }
    view.browser.selected = row
  }
}

extension [UInt8] {
  /// Whether `other`, which is not empty, is found in this.
  fileprivate func holds(_ other: [UInt8]) -> Bool {
    guard count >= other.count else { return false }
    return (0...(count - other.count)).contains { start in
      self[start] == other[0] && self[start..<(start + other.count)].elementsEqual(other)
    }
  }
}
