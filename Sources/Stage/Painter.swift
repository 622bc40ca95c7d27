package import Scene
package import Sound

/// Paints draw lists into 32-bit pixels, and only where they differ from the list before.
///
/// Main thread. Needs no window: golden pictures are painted into plain memory by the same code.
package final class Painter {
  private let fonts: Fonts
  private let icons: Icons
  private let covers: Covers?
  private let theme: Theme
  private let scratch = CoverageScratch()
  private var last: DrawList?
  private var lastCanvas = PixelRect(0, 0, 0, 0)
  private var lastScale: Float = 0
  private var lastArrivals = 0

  /// A painter with these fonts; `assets` is the folder that holds `icons`, `covers` brings the pictures.
  package init(fonts: Fonts, assets: PathBytes?, covers: Covers?, theme: Theme = .dark) {
    self.fonts = fonts
    icons = Icons(assets: assets)
    self.covers = covers
    self.theme = theme
  }

  /// Makes the next list be painted whole: the old pixels are gone.
  package func forget() { last = nil }

  /// Brings the pixels from the last list to this one and tells which parts changed, apart from each other.
  ///
  /// `scale` is device pixels for a logical one. A whole window of 1280 x 720 takes about 1 ms, what moves while playing
  /// about a third of that.
  package func paint(_ list: DrawList, on canvas: Canvas, scale: Float) -> [PixelRect] {
    if scale != lastScale || canvas.bounds != lastCanvas { last = nil }
    fonts.scale = scale
    let arrivals = covers?.arrivals ?? 0
    let damage = damage(list, canvas, scale, coversCame: arrivals != lastArrivals)
    let pen = Pen(fonts: fonts, icons: icons, covers: covers, theme: theme, scratch: scratch, scale: scale)
    for rect in damage {
      let part = canvas.clipped(to: rect)
      if !isCovered(rect, list, scale) { part.fill(rect, theme.background) }
      for panel in list.panels {
        let within = part.clipped(to: pen.pixels(panel.rect))
        guard !within.clip.isEmpty else { continue }
        for order in panel.orders { pen.draw(order, on: within) }
      }
    }
    last = list
    lastScale = scale
    lastCanvas = canvas.bounds
    lastArrivals = arrivals
    return damage
  }

  /// True when the list's ground hides what lay there before.
  private func isCovered(_ rect: PixelRect, _ list: DrawList, _ scale: Float) -> Bool {
    guard let ground = list.panels.first, case .fill(let fill, _, 0, 1)? = ground.orders.first else { return false }
    let covered = Edges(fill, scale).rounded.intersection(Edges(ground.rect, scale).rounded)
    return covered.intersection(rect) == rect
  }

  /// The parts of the picture in which the two lists differ, joined where they touch.
  private func damage(_ list: DrawList, _ canvas: Canvas, _ scale: Float, coversCame: Bool) -> [PixelRect] {
    guard let last else { return [canvas.bounds] }
    var parts: [PixelRect] = []
    func add(_ panel: Panel) {
      let rect = Edges(panel.rect, scale).rounded.intersection(canvas.bounds)
      if !rect.isEmpty { parts.append(rect) }
    }
    if last.panels.map(\.id) == list.panels.map(\.id) {
      for (old, new) in zip(last.panels, list.panels) where old != new || coversCame && new.hasImage {
        add(old)
        if old.rect != new.rect { add(new) }
      }
    } else {
      // Panels came, went or changed places: whatever is not the same at the same height of the pile is painted anew.
      let old = Dictionary(last.panels.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
      let new = Dictionary(list.panels.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
      let common = Set(old.keys).intersection(new.keys)
      let sameOrder = last.panels.map(\.id).filter(common.contains) == list.panels.map(\.id).filter(common.contains)
      guard sameOrder, old.count == last.panels.count, new.count == list.panels.count else { return [canvas.bounds] }
      for panel in last.panels where new[panel.id] != panel { add(panel) }
      for panel in list.panels where old[panel.id] != panel || coversCame && panel.hasImage { add(panel) }
    }
    return Self.joined(parts)
  }

  /// Overlapping rectangles become the one around them.
  private static func joined(_ rects: [PixelRect]) -> [PixelRect] {
    var result: [PixelRect] = []
    for rect in rects {
      var rect = rect
      while let i = result.firstIndex(where: { $0.intersects(rect) }) {
        rect = rect.union(result.remove(at: i))
      }
      result.append(rect)
    }
    return result
  }
}

extension Panel {
  fileprivate var hasImage: Bool {
    orders.contains { if case .image = $0 { true } else { false } }
  }
}
