import Scene
import Sound
import Stage
import TestSupport
import Testing

extension StageTests {
  @Suite struct Painting {
    private func painter() -> Painter { Painter(fonts: Fonts(), assets: Place.assets, covers: nil) }

    @Test(arguments: 0..<24)
    func `painting what changed gives the same pixels as painting all`(seed: Int) {
      var source = Noise(seed: UInt64(seed))
      let scale = ([1, 1.25, 1.5, 2, 3] as [Float])[seed % 5]
      let size = Size(160, 120)
      let (width, height) = (Int(size.width * scale), Int(size.height * scale))
      let painter = painter()
      var list = RandomPicture.list(size, &source)
      var image = Image(width: width, height: height, filled: 0xFF00FF)
      image.paint(list, with: painter, scale: scale)
      for _ in 0..<6 {
        RandomPicture.change(&list, size, &source)
        let before = image
        let damage = image.paint(list, with: painter, scale: scale)
        painter.forget()
        var whole = Image(width: width, height: height, filled: 0x00FF00)
        whole.paint(list, with: painter, scale: scale)
        #expect(image == whole)
        for y in 0..<height {
          for x in 0..<width where image[x, y] != before[x, y] {
            let isTold = damage.contains { $0.left <= x && x < $0.right && $0.top <= y && y < $0.bottom }
            #expect(isTold, "(\(x), \(y)) changed unsaid")
          }
        }
      }
    }

    @Test func `nothing is painted when nothing has changed`() {
      let painter = painter()
      var source = Noise(seed: 7)
      let list = RandomPicture.list(Size(160, 120), &source)
      var image = Image(width: 160, height: 120)
      #expect(image.paint(list, with: painter) == [PixelRect(0, 0, 160, 120)])
      #expect(image.paint(list, with: painter) == [])
    }

    @Test func `only the panel that changed is painted`() {
      let painter = painter()
      var list = DrawList(Size(100, 100), [])
      var panel = Panel(.head, Rect(10, 20, 30, 40))
      panel.orders = [.fill(panel.rect, .panel)]
      list.panels.append(panel)
      var image = Image(width: 100, height: 100)
      image.paint(list, with: painter)
      list.panels[1].orders = [.fill(panel.rect, .accent)]
      #expect(image.paint(list, with: painter) == [PixelRect(10, 20, 40, 60)])
      list.panels.removeLast()
      #expect(image.paint(list, with: painter) == [PixelRect(10, 20, 40, 60)])
      #expect(image[20, 30] == image[5, 5])
    }

    @Test func `a panel's orders stay within it`() {
      var list = DrawList(Size(60, 60), [])
      var panel = Panel(.head, Rect(20, 20, 20, 20))
      panel.orders = [
        .fill(Rect(0, 0, 60, 60), .text), .text("WWWWWWWW", at: Point(0, 22), TextStyle(20), .accent),
        .polyline([Point(0, 0), Point(60, 60)], width: 5, .low), .icon(.play, Rect(0, 0, 60, 60), .high),
        .waveform(
          Rect(0, 0, 60, 60), [WaveColumn](repeating: WaveColumn(low: -1, high: 1, rms: 1), count: 60), split: 60, .low),
      ]
      list.panels.append(panel)
      var image = Image(width: 60, height: 60)
      image.paint(list, with: painter())
      for y in 0..<60 {
        for x in 0..<60 where !(20..<40 ~= x && 20..<40 ~= y) { #expect(image[x, y] == image[0, 0]) }
      }
    }

    @Test(arguments: [1, 1.25, 1.5, 1.75, 2, 3] as [Float])
    func `a line of one pixel is as thick and as strong wherever it stands`(scale: Float) {
      let orders = (0..<20).map { Order.fill(Rect(0, Float($0) * 5, 20, 1), .text) }
      let size = Size(20, 100)
      var image = Image(width: Int(20 * scale), height: Int(100 * scale))
      image.paint(DrawList(size, orders), with: painter(), scale: scale)
      let thickness = Int(scale.rounded())
      let lit = (0..<image.height).filter { image[5, $0] == Theme.dark.colour(.text) }
      let dark = (0..<image.height).filter { image[5, $0] == Theme.dark.colour(.background) }
      #expect(lit.count == 20 * thickness)
      #expect(dark.count == image.height - lit.count)
    }

    @Test(arguments: [0, 3, 8, 20] as [Float])
    func `a rounded corner covers what fine sampling says`(radius: Float) {
      var image = Image(width: 50, height: 50)
      let rect = Rect(4.25, 5, 40, 38.5)
      let arc = min(radius, 38.5 / 2)
      image.paint(
        DrawList(Size(50, 50), [.fill(Rect(0, 0, 50, 50), .black), .fill(rect, .text, radius: radius)]), with: painter()
      )
      let full = Double(Theme.dark.colour(.text) >> 16)
      for y in 0..<50 {
        for x in 0..<50 {
          let exact = Reference.coverage(x, y) { px, py in
            let dx = max(rect.x + arc - px, px - (rect.right - arc), 0)
            let dy = max(rect.y + arc - py, py - (rect.bottom - arc), 0)
            let inside = rect.contains(Point(px, py))
            return inside && (dx == 0 || dy == 0 || dx * dx + dy * dy <= arc * arc)
          }
          // A circle's edge by the distance of the pixel's centre is right within a tenth.
          #expect(abs(Double(image.red(x, y)) / full - exact) < 0.11, "(\(x), \(y))")
        }
      }
    }

    @Test func `a slanted line covers what fine sampling says`() {
      var image = Image(width: 50, height: 50)
      let (a, b, width) = (Point(8.5, 10), Point(40, 31.25), Float(3))
      image.paint(
        DrawList(Size(50, 50), [.fill(Rect(0, 0, 50, 50), .black), .polyline([a, b], width: width, .text)]),
        with: painter())
      let full = Double(Theme.dark.colour(.text) >> 16)
      for y in 0..<50 {
        for x in 0..<50 {
          let exact = Reference.coverage(x, y) { px, py in Reference.distance(Point(px, py), a, b) <= width / 2 }
          #expect(abs(Double(image.red(x, y)) / full - exact) < 0.15, "(\(x), \(y))")
        }
      }
    }

    @Test func `waveform columns cover what their numbers say`() {
      var source = Noise(seed: 3)
      let rect = Rect(3, 4, 37, 50)
      let columns = (0..<37).map { i -> WaveColumn in
        if i == 5 { return WaveColumn(low: .infinity, high: -.infinity, rms: 0) }
        if i == 6 { return WaveColumn(low: .nan, high: .nan, rms: .nan) }
        let (a, b) = (Float.random(in: -1...1, using: &source), Float.random(in: -1...1, using: &source))
        return WaveColumn(low: min(a, b), high: max(a, b), rms: Float.random(in: 0...0.5, using: &source))
      }
      var image = Image(width: 44, height: 60)
      image.paint(
        DrawList(Size(44, 60), [.fill(Rect(0, 0, 44, 60), .black), .waveform(rect, columns, split: 20, .text)]),
        with: painter())
      let full = Double(Theme.dark.colour(.text) >> 16)
      for (i, column) in columns.enumerated() {
        for y in 0..<60 {
          var exact = 0.0
          if column.low <= column.high {
            func rows(_ high: Float, _ low: Float) -> Double {
              let (top, bottom) = (29 - high * 25, 29 - low * 25)
              return Double(max(min(bottom, Float(y) + 1) - max(top, Float(y)), 0))
            }
            guard (column.high - column.low) * 25 >= 1 else {
              continue
            }
            let (outline, body) = i < 20 ? (108.0, 256.0) : (76.0, 187.0)
            let loud = rows(min(column.rms, column.high), max(-column.rms, column.low))
            exact = (rows(column.high, column.low) * outline + loud * (body - outline)) / 256
          }
          #expect(abs(Double(image.red(3 + i, y)) / full - exact) < 0.02, "column \(i), row \(y)")
        }
      }
    }

    @Test func `a silent column is a line of one whole pixel`() {
      for height in [40, 41, 40.5] as [Float] {
        var image = Image(width: 20, height: 60)
        let columns = [WaveColumn](repeating: WaveColumn(low: 0, high: 0, rms: 0), count: 20)
        image.paint(
          DrawList(Size(20, 60), [.waveform(Rect(0, 5, 20, height), columns, split: 20, .text)]), with: painter())
        for x in 0..<20 {
          #expect((0..<60).filter { image[x, $0] == Theme.dark.colour(.text) }.count == 1)
          #expect((0..<60).filter { image[x, $0] != Theme.dark.colour(.background) }.count == 1)
        }
      }
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, 1e30, -1e30, 0])
    func `no number, however odd, stops the painter`(odd: Float) {
      let rect = Rect(odd, 5, 20, odd)
      let orders: [Order] = [
        .fill(rect, .text, radius: odd, opacity: odd), .stroke(rect, .text, radius: odd, width: odd),
        .dashes(rect, .text, radius: 4), .text("x", at: Point(odd, odd), TextStyle(13), .text),
        .icon(.play, rect, .text),
        .waveform(rect, [WaveColumn(low: -odd, high: odd, rms: odd)], split: 1, .spectral(odd)),
        .polyline([Point(odd, 3), Point(5, odd)], width: 2, .text),
        .triangle(Point(odd, 0), Point(5, 5), Point(0, odd), .text),
      ]
      var image = Image(width: 40, height: 40)
      image.paint(DrawList(Size(40, 40), orders), with: painter())
    }
  }
}

/// Shapes by counting fine points.
enum Reference {
  static func coverage(_ x: Int, _ y: Int, _ isInside: (Float, Float) -> Bool) -> Double {
    let steps = 16
    var count = 0
    for i in 0..<steps {
      for j in 0..<steps
      where isInside(Float(x) + (Float(i) + 0.5) / Float(steps), Float(y) + (Float(j) + 0.5) / Float(steps)) {
        count += 1
      }
    }
    return Double(count) / Double(steps * steps)
  }

  static func distance(_ point: Point, _ a: Point, _ b: Point) -> Float {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let along = max(min(((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy), 1), 0)
    let (ox, oy) = (point.x - a.x - along * dx, point.y - a.y - along * dy)
    return (ox * ox + oy * oy).squareRoot()
  }
}
