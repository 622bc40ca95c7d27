internal import Control
internal import Sound

// The two flags and the region between them, in the waveform and in the overview.
extension Turn {
  private static let flagSize = Size(16, 14)
  private static let tint: Float = 0.13

  /// The flags as they are, or as a hand is just setting them.
  var shownFlags: RegionFlags {
    guard recordView == nil, snapshot.track != nil else { return RegionFlags() }
    guard let pointer = view.pointer, let lens, let field = waveformField else { return snapshot.flags }
    switch view.grip {
    case .region(let from, _, isDragging: true): return RegionFlags(a: from, b: frame(at: pointer, in: field, lens))
    case .flag(let isB, let offset):
      let frame = frame(at: pointer, in: field, lens) + offset
      var flags = snapshot.flags
      if isB { flags.setB(frame) } else { flags.setA(frame) }
      return flags
    default: return snapshot.flags
    }
  }

  /// Asks for what the hand has set, when it lets go.
  mutating func dropFlags() {
    let flags = shownFlags
    view.grip = nil
    if flags != snapshot.flags { ask(.setFlags(flags)) }
  }

  /// Takes a flag, which from there on follows the pointer.
  mutating func takeFlag(isB: Bool, at point: Point) {
    guard let frame = isB ? snapshot.flags.b : snapshot.flags.a, let lens, let field = waveformField else { return }
    view.grip = .flag(isB: isB, offset: frame - self.frame(at: point, in: field, lens))
  }

  var flagControls: [Control] {
    guard let field = waveformField else { return [] }
    return flagPlaces(field).map { Control(id: .flag(isB: $0.isB), rect: $0.rect.inset(-3, -3), takesFocus: false) }
  }

  /// The flags in sight: inside the region, or outside of one in which they would cover each other.
  private func flagPlaces(_ field: Rect) -> [(isB: Bool, line: Float, rect: Rect)] {
    guard let lens else { return [] }
    let flags = shownFlags
    let size = Self.flagSize
    let isNarrow =
      flags.region.map {
        x(of: $0.upperBound, in: field, lens) - x(of: $0.lowerBound, in: field, lens) < 2 * size.width + 4
      } ?? false
    var places: [(isB: Bool, line: Float, rect: Rect)] = []
    for (isB, frame) in [(false, flags.a), (true, flags.b)] {
      guard let frame, lens.contains(frame) || lens.offset(of: frame) == lens.count else { continue }
      let line = layout.snap(x(of: frame, in: field, lens))
      let isLeft = isB != isNarrow
      let rect = Rect(isLeft ? line - size.width : line, field.y - 2, size.width, size.height)
      places.append((isB, line, layout.snap(rect)))
    }
    return places
  }

  /// Under the playhead of the waveform.
  func region(_ field: Rect, _ lens: Lens) -> [Order] {
    let top = field.y - 2
    var orders = tint(field, lens, top: top)
    for place in flagPlaces(field) {
      let line = Rect(place.isB ? place.line - 2 : place.line, top, 2, field.bottom - top)
      orders.append(.fill(layout.snap(line), .accent))
      let heat = heat(.flag(isB: place.isB))
      orders.append(.fill(place.rect, .accent))
      if heat > 0 { orders.append(.fill(place.rect, .text, opacity: 0.25 * heat)) }
      let center = place.rect.center
      orders.append(text(place.isB ? "B" : "A", .flag, .black, x: center.x, middle: center.y + 0.5, .center))
    }
    return orders
  }

  /// In the overview lines stand for the flags.
  func regionInOverview(_ field: Rect, _ lens: Lens) -> [Order] {
    let flags = shownFlags
    var orders = tint(field, lens, top: field.y)
    for (isB, frame) in [(false, flags.a), (true, flags.b)] {
      guard let frame else { continue }
      let x = min(x(of: frame, in: field, lens), field.right)
      orders.append(.fill(layout.snap(Rect(isB ? x - 1 : x, field.y, 1, field.height)), .accent))
    }
    return orders
  }

  private func tint(_ field: Rect, _ lens: Lens, top: Float) -> [Order] {
    guard let region = shownFlags.region else { return [] }
    let left = max(x(of: region.lowerBound, in: field, lens), field.x)
    let right = min(x(of: region.upperBound, in: field, lens), field.right)
    guard right > left else { return [] }
    return [.fill(layout.snap(Rect(left, top, right - left, field.bottom - top)), .accent, opacity: Self.tint)]
  }
}
