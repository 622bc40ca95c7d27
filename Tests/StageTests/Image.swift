import CSDL2
import CSDL2Image
import Foundation
import Scene
import Sound
import Stage
import Testing

/// Painted pixels, 0x00RRGGBB, for comparing.
struct Image: Equatable {
  var width: Int
  var height: Int
  var pixels: [UInt32]

  init(width: Int, height: Int, filled pixel: UInt32 = 0) {
    self.width = width
    self.height = height
    pixels = [UInt32](repeating: pixel, count: width * height)
  }

  subscript(x: Int, y: Int) -> UInt32 { pixels[y * width + x] }

  /// The red of a pixel, 0 to 255: of white on black, how much is covered.
  func red(_ x: Int, _ y: Int) -> Int { Int(self[x, y] >> 16 & 255) }

  /// Paints a list upon these pixels and tells what the painter says it changed.
  @discardableResult
  mutating func paint(_ list: DrawList, with painter: Painter, scale: Float = 1) -> [PixelRect] {
    let (width, height) = (width, height)
    return pixels.withUnsafeMutableBufferPointer { buffer in
      painter.paint(
        list, on: Canvas(pixels: buffer.baseAddress!, width: width, height: height, pitch: width), scale: scale)
    }
  }

  /// The pixels that differ in any channel by more than `threshold` of 255; nil when the sizes differ.
  func differences(from other: Image, threshold: Int = 0) -> Int? {
    guard width == other.width, height == other.height else { return nil }
    func differs(_ a: UInt32, _ b: UInt32, _ shift: UInt32) -> Bool {
      abs(Int(a >> shift & 255) - Int(b >> shift & 255)) > threshold
    }
    return zip(pixels, other.pixels).count { a, b in differs(a, b, 16) || differs(a, b, 8) || differs(a, b, 0) }
  }
}

extension Image {
  /// Reads a picture file.
  init(file: URL) throws {
    let surface = try #require(IMG_Load(file.path), "\(file.lastPathComponent) cannot be read")
    defer { SDL_FreeSurface(surface) }
    let converted = try #require(SDL_ConvertSurfaceFormat(surface, SDL_PIXELFORMAT_RGB888.rawValue, 0))
    defer { SDL_FreeSurface(converted) }
    self.init(width: Int(converted.pointee.w), height: Int(converted.pointee.h))
    for y in 0..<height {
      let row = (converted.pointee.pixels + y * Int(converted.pointee.pitch)).assumingMemoryBound(to: UInt32.self)
      for x in 0..<width { pixels[y * width + x] = row[x] & 0xFFFFFF }
    }
  }

  /// Writes the pixels as PNG.
  func write(to file: URL) throws {
    var copy = pixels
    let status = try copy.withUnsafeMutableBytes { bytes in
      let surface = try #require(
        SDL_CreateRGBSurfaceWithFormatFrom(
          bytes.baseAddress, Int32(width), Int32(height), 32, Int32(width * 4), SDL_PIXELFORMAT_RGB888.rawValue))
      defer { SDL_FreeSurface(surface) }
      return IMG_SavePNG(surface, file.path)
    }
    #expect(status == 0)
  }
}

/// Where the repository's own files lie.
enum Place {
  static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  static let root = tests.deletingLastPathComponent().deletingLastPathComponent()
  static let assets = PathBytes(root.appendingPathComponent("Assets").path)
}

extension DrawList {
  /// One panel with these orders on the window's ground.
  init(_ size: Size, _ orders: [Order]) {
    self.init()
    var panel = Panel(.background, Rect(0, 0, size.width, size.height))
    panel.orders = [.fill(panel.rect, .background)] + orders
    panels = [panel]
  }
}
