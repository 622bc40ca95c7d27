import Foundation
import Scene
import Sound
import Stage
import Testing

extension StageTests {
  /// Pictures of record, painted by the very code that paints the window.
  @Suite struct Golden {
    @Test(arguments: Sheet.allCases, [1, 2])
    func `a picture looks as it was approved`(_ sheet: Sheet, scale: Int) throws {
      let image = try sheet.painted(scale: scale)
      let file = sheet.file(scale: scale)
      if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
        try image.write(to: file)
        Issue.record("recorded \(file.lastPathComponent); look at it, and run again without RECORD_GOLDEN")
        return
      }
      #expect(try image.differences(from: Image(file: file), threshold: 3) == 0)
    }

    @Test(arguments: Sheet.allCases)
    func `a picture is no longer the same when one of its parts moves by two pixels`(_ sheet: Sheet) throws {
      let approved = try Image(file: sheet.file(scale: 1))
      for index in sheet.list.panels[0].orders.indices.dropFirst() {
        var list = sheet.list
        list.panels[0].orders[index] = list.panels[0].orders[index].moved(2)
        let differences = try #require(try sheet.painted(list, scale: 1).differences(from: approved, threshold: 3))
        #expect(differences > 0, "order \(index) of \(sheet)")
      }
    }
  }
}

/// What the pictures of record show.
enum Sheet: String, CaseIterable, Sendable {
  case shapes, lines, waveform, text, icons

  var size: Size { self == .text ? Size(360, 200) : Size(240, 160) }

  var list: DrawList {
    switch self {
    case .shapes: DrawList(size, shapes)
    case .lines: DrawList(size, lines)
    case .waveform: DrawList(size, waveforms)
    case .text: DrawList(size, texts)
    case .icons: DrawList(size, icons)
    }
  }

  func file(scale: Int) -> URL { Place.tests.appendingPathComponent("Golden/\(rawValue)@\(scale)x.png") }

  func painted(_ list: DrawList? = nil, scale: Int) throws -> Image {
    let fonts = Fonts()
    if self == .text {
      try #require(fonts.family == "Inter", "this picture is of the font Inter: install the package fonts-inter")
    }
    let painter = Painter(fonts: fonts, assets: Place.assets, covers: nil)
    var image = Image(width: Int(size.width) * scale, height: Int(size.height) * scale)
    image.paint(list ?? self.list, with: painter, scale: Float(scale))
    return image
  }

  private var shapes: [Order] {
    [
      .fill(Rect(8, 8, 100, 60), .panel, radius: 10), .fill(Rect(120, 8, 84, 34), .button, radius: 8),
      .fill(Rect(20, 80, 54, 54), .accent, radius: 27), .fill(Rect(90, 80, 15.5, 60.25), .low, radius: 2),
      .fill(Rect(110.25, 92.5, 15.5, 47.75), .spectral(0.5), radius: 2), .fill(Rect(130, 100, 60, 1), .line),
      .fill(Rect(130, 110, 60, 7), .meterGreen, radius: 3.5), .fill(Rect(150, 20, 60, 90), .text, opacity: 0.15),
      .stroke(Rect(130, 122, 60, 24), .accent, radius: 8, width: 2), .stroke(Rect(12, 12, 40, 20), .faint),
      .dashes(Rect(200, 50, 36, 100), .dim, radius: 10),
    ]
  }

  private var lines: [Order] {
    let wave = (0..<90).map { Point(10 + Float($0) * 2.4, 40 + 25 * Float(sin(Double($0) * 0.35))) }
    return [
      .polyline(wave, width: 1.5, .accent),
      .polyline([Point(10, 150), Point(60, 90), Point(110, 150)], width: 4, .middle),
      .polyline([Point(120.5, 90), Point(120.5, 150)], width: 1, .text), .polyline([Point(140, 120)], width: 6, .low),
      .polyline([Point(150, 90), Point(230, 130), Point(150, 130), Point(230, 90)], width: 3, .record, opacity: 0.5),
      .triangle(Point(160, 140), Point(176, 140), Point(168, 152), .text),
      .triangle(Point(190, 156), Point(182, 138), Point(230, 150), .meterGreen),
    ]
  }

  private var waveforms: [Order] {
    func column(_ i: Int) -> WaveColumn {
      if 100..<120 ~= i { return WaveColumn(low: 0, high: 0, rms: 0) }
      if 120..<130 ~= i { return WaveColumn(low: .infinity, high: -.infinity, rms: 0) }
      let peak = Float(0.5 + 0.5 * sin(Double(i) * 0.2)) * (i % 3 == 0 ? 1 : 0.8)
      return WaveColumn(low: -peak * 0.9, high: peak, rms: peak * 0.4)
    }
    return [
      .waveform(Rect(8, 8, 220, 70), (0..<220).map(column), split: 110, .middle),
      .waveform(Rect(8.5, 90.25, 220, 60.5), (0..<200).map { column($0 + 7) }, split: 0, .high),
      .waveform(Rect(60, 40, 30, 80), (0..<30).map { _ in WaveColumn(low: -3, high: 2, rms: 1) }, split: 30, .low),
    ]
  }

  private var texts: [Order] {
    [
      .text("Low Tide, Morning", at: Point(10, 8), TextStyle(19, .semibold), .text),
      .text("Harbour Lights · FLAC · 44.1 kHz · 24-bit · stereo", at: Point(10, 36), TextStyle(13), .dim),
      .text("1:38.4", at: Point(10, 60), TextStyle(28, .semibold, tabular: true), .text),
      .text("of 3:57.0 · −2:18.6", at: Point(10, 100), TextStyle(13, tabular: true), .dim),
      .text("Open…", at: Point(150, 68), TextStyle(13, .medium), .text, opacity: 0.5),
      .text("−20", at: Point(230, 68), TextStyle(11, tabular: true), .faint),
      .text("Ångström, Žižek, jç — “f” fi AVATAR", at: Point(10.25, 130), TextStyle(15), .accent),
      .text("11111.1\n0000", at: Point(10, 160), TextStyle(15, tabular: true), .record),
    ]
  }

  private var icons: [Order] {
    Icon.allCases.enumerated().map { place, icon in
      .icon(icon, Rect(8 + Float(place % 6) * 38, 8 + Float(place / 6) * 38, 28, 28), .text, opacity: 1)
    }
  }
}

extension Order {
  /// The same, further to the right.
  func moved(_ x: Float) -> Order {
    func move(_ rect: Rect) -> Rect { Rect(rect.x + x, rect.y, rect.width, rect.height) }
    func move(_ point: Point) -> Point { Point(point.x + x, point.y) }
    return switch self {
    case .fill(let rect, let ink, let radius, let opacity): .fill(move(rect), ink, radius: radius, opacity: opacity)
    case .stroke(let rect, let ink, let radius, let width, let opacity):
      .stroke(move(rect), ink, radius: radius, width: width, opacity: opacity)
    case .dashes(let rect, let ink, let radius): .dashes(move(rect), ink, radius: radius)
    case .text(let text, let at, let style, let ink, let opacity):
      .text(text, at: move(at), style, ink, opacity: opacity)
    case .icon(let icon, let rect, let ink, let opacity): .icon(icon, move(rect), ink, opacity: opacity)
    case .waveform(let rect, let columns, let split, let ink): .waveform(move(rect), columns, split: split, ink)
    case .polyline(let points, let width, let ink, let opacity):
      .polyline(points.map(move), width: width, ink, opacity: opacity)
    case .triangle(let a, let b, let c, let ink): .triangle(move(a), move(b), move(c), ink)
    case .image(let image, let rect, let radius): .image(image, move(rect), radius: radius)
    }
  }
}
