internal import Control

// The settings of recording: lines of choices, which scroll where they do not fit.
extension Turn {
  private static let chipHeight: Float = 30
  private static let gap: Float = 6
  private static let headingWidth: Float = 140

  private struct Places {
    var chips: [(line: Int, index: Int, rect: Rect)] = []
    /// The middle of each line's heading.
    var headings: [Float] = []
    var folder: Rect
    /// Back to the standard folder; there while another is set.
    var standard: Rect?
    var choose: Rect
    var show: Rect
    /// The height of all lines.
    var height: Float
  }

  private var recordLines: [RecordLine] { RecordLine.all(snapshot.recording ?? RecordingSnapshot()) }

  private func recordSettingsBox(_ height: Float) -> Rect { overlayBox(760, height + 62 + 20) }

  private var isStacked: Bool { layout.size.width < 640 }

  /// Where everything lies when nothing is scrolled, from the top of the list at zero.
  private func places(_ lines: [RecordLine], width: Float) -> Places {
    let left: Float = isStacked ? 20 : 28 + Self.headingWidth
    let right = width - 24
    var places = Places(folder: .init(0, 0, 0, 0), choose: .init(0, 0, 0, 0), show: .init(0, 0, 0, 0), height: 0)
    var y: Float = 4
    for (line, content) in lines.enumerated() {
      places.headings.append(y + (isStacked ? 10 : Self.chipHeight / 2))
      if isStacked { y += 22 }
      var x = left
      for (index, choice) in content.choices.enumerated() {
        let wide = min(measure(choice.word, .button) + 24, right - left)
        if x > left, x + wide > right {
          x = left
          y += Self.chipHeight + Self.gap
        }
        places.chips.append((line, index, Rect(x, y, wide, Self.chipHeight)))
        x += wide + Self.gap
      }
      y += Self.chipHeight + 10
    }
    places.headings.append(y + (isStacked ? 10 : Self.chipHeight / 2))
    if isStacked { y += 22 }
    places.folder = Rect(left, y, right - left, Self.chipHeight)
    y += Self.chipHeight
    var x = left
    func button(_ word: String) -> Rect {
      defer { x += measure(word, .button) + 24 + Self.gap }
      return Rect(x, y, measure(word, .button) + 24, Self.chipHeight)
    }
    places.choose = button("Choose…")
    if snapshot.recording?.options.folder != nil { places.standard = button("Standard") }
    places.show = button("Show")
    places.height = y + Self.chipHeight + 8
    return places
  }

  /// The box, the part of it that scrolls, and what lies where in the window.
  private func laidOut(_ lines: [RecordLine]) -> (box: Rect, list: Rect, places: Places) {
    let width = overlayBox(760, 100).width
    var places = places(lines, width: width)
    let box = recordSettingsBox(places.height)
    let list = layout.snap(Rect(box.x + 1, box.y + 62, box.width - 2, box.height - 62 - 12))
    let deepest = max(places.height - list.height, 0)
    let top = list.y - layout.snap(min(max(view.recorder.scroll, 0), deepest))
    func moved(_ rect: Rect) -> Rect { layout.snap(Rect(box.x + rect.x, top + rect.y, rect.width, rect.height)) }
    places.chips = places.chips.map { ($0.line, $0.index, moved($0.rect)) }
    places.headings = places.headings.map { top + $0 }
    places.folder = moved(places.folder)
    places.choose = moved(places.choose)
    places.standard = places.standard.map(moved)
    places.show = moved(places.show)
    return (box, list, places)
  }

  var recordSettingsControls: [Control] {
    let lines = recordLines
    let (box, list, places) = laidOut(lines)
    // What is out of sight can still be focused, and is then scrolled to.
    func seen(_ rect: Rect) -> Rect {
      let top = max(rect.y, list.y)
      return Rect(rect.x, top, rect.width, max(min(rect.bottom, list.bottom) - top, 0))
    }
    var controls = [Control(id: .overlay, rect: box, takesFocus: false)]
    controls += places.chips.map {
      Control(id: .choice(line: $0.line, index: $0.index), rect: seen($0.rect), isEnabled: lines[$0.line].isEnabled)
    }
    controls.append(Control(id: .chooseFolder, rect: seen(places.choose), isEnabled: !hasTake))
    if let standard = places.standard {
      controls.append(Control(id: .standardFolder, rect: seen(standard), isEnabled: !hasTake))
    }
    if canShowRecordings { controls.append(Control(id: .recordings, rect: seen(places.show))) }
    return controls
  }

  private var canShowRecordings: Bool { snapshot.recording?.folder != nil && !hasTake }

  mutating func choose(_ index: Int, ofLine line: Int) {
    let lines = recordLines
    guard lines.indices.contains(line), lines[line].choices.indices.contains(index) else { return }
    ask(.recorder(lines[line].choices[index].command))
  }

  mutating func scrollRecordSettings(by distance: Float) {
    let (_, list, places) = laidOut(recordLines)
    view.recorder.scroll = min(max(view.recorder.scroll + distance, 0), max(places.height - list.height, 0))
  }

  /// The arrows scroll settings that do not fit; false when they all do.
  mutating func recordSettingsKey(_ key: Key) -> Bool {
    let (_, list, places) = laidOut(recordLines)
    guard places.height > list.height else { return false }
    switch key {
    case .up: scrollRecordSettings(by: -36)
    case .down: scrollRecordSettings(by: 36)
    case .pageUp: scrollRecordSettings(by: -list.height)
    case .pageDown: scrollRecordSettings(by: list.height)
    default: return false
    }
    return true
  }

  /// Scrolls so far that the focused choice is in sight.
  mutating func revealFocusedChoice() {
    guard view.overlay == .recordSettings, let focus = view.focus else { return }
    let (_, list, places) = laidOut(recordLines)
    let chip = places.chips.first { .choice(line: $0.line, index: $0.index) == focus }?.rect
    let button: Rect? =
      switch focus {
      case .recordings: places.show
      case .chooseFolder: places.choose
      case .standardFolder: places.standard
      default: nil
      }
    guard let rect = chip ?? button else { return }
    if rect.y < list.y { scrollRecordSettings(by: rect.y - list.y - 8) }
    if rect.bottom > list.bottom { scrollRecordSettings(by: rect.bottom - list.bottom + 8) }
  }

  mutating func drawRecordSettings() {
    let recording = snapshot.recording ?? RecordingSnapshot()
    let lines = recordLines
    scrollRecordSettings(by: 0)
    let (box, list, places) = laidOut(lines)
    var panel = Panel(.overlay, box)
    panel.orders = overlayGround(box) + overlayTitle("Recording", box)
    if !isStacked, recording.bytesPerSecond > 0 {
      let left = box.x + 28 + measure("Recording", .title) + 20
      let right = box.right - 28 - measure("Esc closes", .body) - 20
      panel.orders.append(text(data(recording), .body, .dim, x: left, middle: box.y + 39, width: right - left))
    }
    self.list.panels.append(panel)

    var content = Panel(.overlayList, list)
    content.orders.append(.fill(list, .panel, radius: 11))
    for (heading, middle) in zip(lines.map(\.heading) + ["Folder"], places.headings) {
      guard middle > list.y - 10, middle < list.bottom + 10 else { continue }
      let x = box.x + (isStacked ? 20 : 28)
      content.orders.append(text(heading, .group, .faint, x: x, middle: middle, width: Self.headingWidth - 8))
    }
    for chip in places.chips where chip.rect.intersects(list) {
      let line = lines[chip.line]
      let choice = line.choices[chip.index]
      content.orders += wordButton(
        .choice(line: chip.line, index: chip.index), choice.word, chip.rect, isChosen: choice.isChosen,
        isEnabled: line.isEnabled)
    }
    if places.folder.intersects(list) || places.show.intersects(list) {
      let shown = recording.folder?.shown ?? "There is no home folder"
      let path = fit(shown, .body, places.folder.width, keepingEnd: true)
      content.orders.append(text(path, .body, .text, x: places.folder.x, middle: places.folder.center.y))
      content.orders += wordButton(.chooseFolder, "Choose…", places.choose, isEnabled: !hasTake)
      if let standard = places.standard {
        content.orders += wordButton(.standardFolder, "Standard", standard, isEnabled: !hasTake)
      }
      content.orders += wordButton(.recordings, "Show", places.show, isEnabled: canShowRecordings)
    }
    content.orders += scrollMark(list, places.height)
    self.list.panels.append(content)
  }

  private func scrollMark(_ list: Rect, _ height: Float) -> [Order] {
    guard height > list.height else { return [] }
    let length = max(list.height * list.height / height, 16)
    let top = list.y + (list.height - length) * view.recorder.scroll / (height - list.height)
    return [.fill(layout.snap(Rect(list.right - 8, top, 5, length)), .faint, radius: 2.5)]
  }

  /// "288 kB/s · 1.04 GB an hour".
  private func data(_ recording: RecordingSnapshot) -> String {
    "\(RecordText(recording).pace) · \(RecordText.size(Int64(recording.bytesPerSecond) * 3600)) an hour"
  }
}
