import CSDL2

/// A shape without colour: how much of each pixel it covers, in 255ths.
struct Mask {
  var width = 0
  var height = 0
  var shares: [UInt8] = []
}

/// A picture in colours: 0xAARRGGBB, with the colours already multiplied by their alpha.
package struct Picture: Sendable {
  package var width = 0
  package var height = 0
  package var pixels: [UInt32] = []
}

extension Mask {
  /// The alpha of a surface of SDL's.
  init(alphaOf surface: UnsafeMutablePointer<SDL_Surface>) {
    let picture = Picture(surface)
    width = picture.width
    height = picture.height
    shares = picture.pixels.map { UInt8($0 >> 24) }
  }

  /// The alpha of a surface of 32-bit pixels that is `Face.steps` times too wide, moved right by `shift` steps: each pixel is
  /// the mean of those that it takes the place of.
  init(alphaOf surface: UnsafeMutablePointer<SDL_Surface>, narrowedFrom shift: Int) {
    let steps = Face.steps
    let wide = Int(surface.pointee.w)
    guard surface.pointee.format.pointee.BytesPerPixel == 4, let start = surface.pointee.pixels else { return }
    width = (wide + shift + steps - 1) / steps
    height = Int(surface.pointee.h)
    shares = [UInt8](repeating: 0, count: width * height)
    for y in 0..<height {
      let row = (start + y * Int(surface.pointee.pitch)).assumingMemoryBound(to: UInt32.self)
      for x in 0..<width {
        var sum: UInt32 = 0
        for i in max(x * steps - shift, 0)..<min((x + 1) * steps - shift, wide) { sum += row[i] >> 24 }
        shares[y * width + x] = UInt8(sum / UInt32(steps))
      }
    }
  }
}

extension Picture {
  /// A copy of a surface of SDL's, of any format; empty when memory is short.
  init(_ surface: UnsafeMutablePointer<SDL_Surface>) {
    guard let converted = SDL_ConvertSurfaceFormat(surface, SDL_PIXELFORMAT_ARGB8888.rawValue, 0) else { return }
    defer { SDL_FreeSurface(converted) }
    width = Int(converted.pointee.w)
    height = Int(converted.pointee.h)
    pixels = [UInt32](unsafeUninitializedCapacity: width * height) { target, count in
      for y in 0..<height {
        let row = (converted.pointee.pixels + y * Int(converted.pointee.pitch)).assumingMemoryBound(to: UInt32.self)
        for x in 0..<width { target[y * width + x] = Self.multiplied(row[x]) }
      }
      count = width * height
    }
  }

  private static func multiplied(_ pixel: UInt32) -> UInt32 {
    let share = pixel >> 24
    if share == 255 { return pixel }
    return share << 24 | blend(0, pixel, share + share >> 7)
  }

  /// The middle of the picture that has the proportions of the new size, made larger or smaller to fill it.
  ///
  /// Each new pixel is the mean of those that it covers. About 2 ns a pixel of the old picture.
  func filling(width newWidth: Int, height newHeight: Int) -> Picture {
    guard width > 0, height > 0, newWidth > 0, newHeight > 0 else { return Picture() }
    let scale = min(Double(width) / Double(newWidth), Double(height) / Double(newHeight))
    let left = (Double(width) - Double(newWidth) * scale) / 2
    let top = (Double(height) - Double(newHeight) * scale) / 2
    var result = Picture(width: newWidth, height: newHeight, pixels: [])
    result.pixels.reserveCapacity(newWidth * newHeight)
    for y in 0..<newHeight {
      let rows = Self.cell(top, scale, y, height)
      for x in 0..<newWidth {
        result.pixels.append(mean(rows: rows, columns: Self.cell(left, scale, x, width)))
      }
    }
    return result
  }

  /// The old pixels under one new pixel; at least one.
  private static func cell(_ start: Double, _ scale: Double, _ index: Int, _ count: Int) -> Range<Int> {
    let from = min(max(Int(start + Double(index) * scale), 0), count - 1)
    return from..<min(max(Int(start + Double(index + 1) * scale), from + 1), count)
  }

  private func mean(rows: Range<Int>, columns: Range<Int>) -> UInt32 {
    var sums = SIMD4<UInt32>()
    for y in rows {
      for x in columns {
        let pixel = pixels[y * width + x]
        sums &+= SIMD4(pixel >> 24, pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
      }
    }
    let count = UInt32(rows.count * columns.count)
    let mean = (sums &+ SIMD4(repeating: count / 2)) / SIMD4(repeating: count)
    return mean[0] << 24 | mean[1] << 16 | mean[2] << 8 | mean[3]
  }
}

extension Canvas {
  /// Lays `ink` through a mask whose top left pixel comes to (x, y).
  func stamp(_ mask: Mask, x: Int, y: Int, _ ink: Pixel, opacity: Float) {
    let part = PixelRect(x, y, x + mask.width, y + mask.height).intersection(clip)
    guard !part.isEmpty else { return }
    let strength = alpha(opacity)
    mask.shares.withUnsafeBufferPointer { shares in
      for row in part.top..<part.bottom {
        let target = self.row(row)
        let from = (row - y) * mask.width - x
        for column in part.left..<part.right {
          let share = shares[from + column]
          guard share > 0 else { continue }
          target[column] = blend(target[column], ink, (widened(share) &* strength) >> 8)
        }
      }
    }
  }

  /// Lays a picture whose top left pixel comes to (x, y), cut to a rounded rectangle.
  func lay(_ picture: Picture, x: Int, y: Int, within shape: RoundedRect? = nil, opacity: Float = 1) {
    let part = PixelRect(x, y, x + picture.width, y + picture.height).intersection(clip)
    guard !part.isEmpty else { return }
    picture.pixels.withUnsafeBufferPointer { pixels in
      for row in part.top..<part.bottom {
        let target = self.row(row)
        let from = (row - y) * picture.width - x
        for column in part.left..<part.right {
          let over = pixels[from + column]
          let strength = alpha((shape?.share(column, row) ?? 1) * opacity)
          let share = (widened(UInt8(over >> 24)) &* strength) >> 8
          target[column] = blend(target[column], 0, share) &+ blend(0, over, strength)
        }
      }
    }
  }
}
