import Scene
import Sound
import TestSupport

/// Draw lists by chance.
enum RandomPicture {
  private static let panels: [PanelID] = [.head, .spectrum, .waveform, .time, .shade, .overlay, .toasts]
  private static let inks: [Ink] = [.panel, .text, .accent, .low, .high, .spectral(0.3), .black]

  static func list(_ size: Size, _ source: inout Noise) -> DrawList {
    var list = DrawList(size, [])
    for id in panels where Bool.random(using: &source) { list.panels.append(panel(id, size, &source)) }
    return list
  }

  /// Changes, adds or takes away some panels.
  static func change(_ list: inout DrawList, _ size: Size, _ source: inout Noise) {
    for id in panels {
      let place = list.panels.firstIndex { $0.id == id }
      switch (Int.random(in: 0..<6, using: &source), place) {
      case (0, let place?): list.panels.remove(at: place)
      case (1, let place?): list.panels[place] = panel(id, size, &source)
      case (2, let place?): list.panels[place].orders.append(order(size, &source))
      case (3, nil): list.panels.append(panel(id, size, &source))
      case (4, nil):
        list.panels.insert(panel(id, size, &source), at: Int.random(in: 1...list.panels.count, using: &source))
      default: break
      }
    }
  }

  private static func panel(_ id: PanelID, _ size: Size, _ source: inout Noise) -> Panel {
    var panel = Panel(id, rect(size, &source))
    for _ in 0..<Int.random(in: 1...5, using: &source) { panel.orders.append(order(size, &source)) }
    return panel
  }

  private static func number(_ range: ClosedRange<Float>, _ source: inout Noise) -> Float {
    // Whole numbers and quarters, as layouts have them.
    (Float.random(in: range, using: &source) * 4).rounded() / 4
  }

  private static func rect(_ size: Size, _ source: inout Noise) -> Rect {
    Rect(
      number(-20...size.width, &source), number(-20...size.height, &source), number(1...size.width, &source),
      number(1...size.height, &source))
  }

  private static func point(_ size: Size, _ source: inout Noise) -> Point {
    Point(number(-20...size.width + 20, &source), number(-20...size.height + 20, &source))
  }

  private static func order(_ size: Size, _ source: inout Noise) -> Order {
    let ink = inks.randomElement(using: &source)!
    let opacity = Float.random(in: 0...1, using: &source)
    switch Int.random(in: 0..<8, using: &source) {
    case 0: return .fill(rect(size, &source), ink, radius: number(0...20, &source), opacity: opacity)
    case 1: return .stroke(rect(size, &source), ink, radius: number(0...20, &source), width: number(1...4, &source))
    case 2: return .dashes(rect(size, &source), ink, radius: 8)
    case 3: return .text("Áy 12:34.5", at: point(size, &source), TextStyle(15, tabular: true), ink, opacity: opacity)
    case 4: return .icon(Icon.allCases.randomElement(using: &source)!, rect(size, &source), ink, opacity: opacity)
    case 5:
      let columns = (0..<200).map { _ in
        let peak = Float.random(in: 0...1, using: &source)
        return WaveColumn(low: -peak, high: peak * 0.7, rms: peak * 0.4)
      }
      return .waveform(rect(size, &source), columns, split: 50, ink)
    case 6:
      let points = (0..<6).map { _ in point(size, &source) }
      return .polyline(points, width: number(0.5...5, &source), ink, opacity: opacity)
    default: return .triangle(point(size, &source), point(size, &source), point(size, &source), ink)
    }
  }
}
