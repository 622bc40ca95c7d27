/// A part of a picture in whole device pixels; half-open.
package struct PixelRect: Hashable, Sendable {
  package var left: Int
  package var top: Int
  package var right: Int
  package var bottom: Int

  package init(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  package var isEmpty: Bool { left >= right || top >= bottom }
  package var area: Int { isEmpty ? 0 : (right - left) * (bottom - top) }

  package func intersection(_ other: Self) -> Self {
    Self(max(left, other.left), max(top, other.top), min(right, other.right), min(bottom, other.bottom))
  }

  /// The smallest rectangle that holds both.
  package func union(_ other: Self) -> Self {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return Self(min(left, other.left), min(top, other.top), max(right, other.right), max(bottom, other.bottom))
  }

  package func intersects(_ other: Self) -> Bool { !intersection(other).isEmpty }
}

/// An opaque colour as it lies in the picture: 0x00RRGGBB.
package typealias Pixel = UInt32

/// A view of somebody's pixels, and the part of them that may be changed.
///
/// Each pixel's new value depends on its place and its old value alone, never on the clip: a picture repainted in parts is
/// the same as one painted whole.
package struct Canvas {
  let pixels: UnsafeMutablePointer<Pixel>
  let width: Int
  let height: Int
  /// From one row to the next, in pixels.
  let pitch: Int
  /// Never beyond the picture.
  private(set) var clip: PixelRect

  /// A view of `height` rows of `width` pixels, `pitch` pixels apart.
  package init(pixels: UnsafeMutablePointer<Pixel>, width: Int, height: Int, pitch: Int) {
    self.pixels = pixels
    self.width = width
    self.height = height
    self.pitch = pitch
    clip = PixelRect(0, 0, width, height)
  }

  var bounds: PixelRect { PixelRect(0, 0, width, height) }

  func clipped(to rect: PixelRect) -> Canvas {
    var canvas = self
    canvas.clip = clip.intersection(rect)
    return canvas
  }

  @inline(__always)
  func row(_ y: Int) -> UnsafeMutablePointer<Pixel> { pixels + y &* pitch }

  /// Puts `ink` over the pixels of one row, `alpha` 256ths of it; the span must lie within the clip.
  @inline(__always)
  func cover(_ y: Int, _ left: Int, _ right: Int, _ ink: Pixel, _ alpha: UInt32) {
    guard left < right, alpha > 0 else { return }
    let row = row(y)
    var x = left
    if alpha >= 256 {
      let inks = SIMD8<Pixel>(repeating: ink)
      while x &+ 8 <= right {
        UnsafeMutableRawPointer(row + x).storeBytes(of: inks, as: SIMD8<Pixel>.self)
        x &+= 8
      }
      if x < right, right &- left >= 8 {
        // The last few by eight that overlap those before.
        UnsafeMutableRawPointer(row + right - 8).storeBytes(of: inks, as: SIMD8<Pixel>.self)
        x = right
      }
      while x < right {
        row[x] = ink
        x &+= 1
      }
    } else {
      let brush = Brush(ink)
      let alphas = SIMD16<UInt16>(repeating: UInt16(truncatingIfNeeded: alpha))
      while x &+ 8 <= right {
        brush.blend(row + x, alphas)
        x &+= 8
      }
      while x < right {
        row[x] = blend(row[x], ink, alpha)
        x &+= 1
      }
    }
  }

  /// Fills a rectangle of whole pixels.
  func fill(_ rect: PixelRect, _ ink: Pixel, alpha: UInt32 = 256) {
    let part = rect.intersection(clip)
    guard !part.isEmpty else { return }
    for y in part.top..<part.bottom { cover(y, part.left, part.right, ink, alpha) }
  }
}

/// `over` laid on `under`, `alpha` 256ths of it.
@inline(__always)
func blend(_ under: Pixel, _ over: Pixel, _ alpha: UInt32) -> Pixel {
  let rest = 256 &- alpha
  let redBlue = ((under & 0xFF00FF) &* rest &+ (over & 0xFF00FF) &* alpha) >> 8 & 0xFF00FF
  let green = ((under & 0x00FF00) &* rest &+ (over & 0x00FF00) &* alpha) >> 8 & 0x00FF00
  return redBlue | green
}

/// A colour ready to be laid on eight pixels at once.
///
/// In lanes of 16 bits, which every x86-64 multiplies in one step: a pixel's red and blue in one vector, its green in another.
struct Brush {
  private let redBlue: SIMD16<UInt16>
  private let green: SIMD16<UInt16>

  init(_ ink: Pixel) {
    redBlue = unsafeBitCast(SIMD8<UInt32>(repeating: ink & 0xFF00FF), to: SIMD16<UInt16>.self)
    green = unsafeBitCast(SIMD8<UInt32>(repeating: ink >> 8 & 0xFF), to: SIMD16<UInt16>.self)
  }

  /// Lays it on the eight pixels at `place`, exactly as `blend` does; each alpha, 0 to 256, stands twice.
  @inline(__always)
  func blend(_ place: UnsafeMutablePointer<Pixel>, _ alphas: SIMD16<UInt16>) {
    let raw = UnsafeMutableRawPointer(place)
    let under = raw.loadUnaligned(as: SIMD8<UInt32>.self)
    let rest = 256 &- alphas
    let mask = SIMD8<UInt32>(repeating: 0xFF00FF)
    let underRedBlue = unsafeBitCast(under & mask, to: SIMD16<UInt16>.self)
    let underGreen = unsafeBitCast(under &>> 8 & mask, to: SIMD16<UInt16>.self)
    let mixedRedBlue = (underRedBlue &* rest &+ redBlue &* alphas) &>> 8
    let mixedGreen = (underGreen &* rest &+ green &* alphas) &>> 8
    let result =
      unsafeBitCast(mixedRedBlue, to: SIMD8<UInt32>.self)
      | unsafeBitCast(mixedGreen, to: SIMD8<UInt32>.self) &<< 8
    raw.storeBytes(of: result & 0xFFFFFF, as: SIMD8<UInt32>.self)
  }
}

/// A share from 0 to 1 in 256ths.
@inline(__always)
func alpha(_ share: Float) -> UInt32 { share >= 1 ? 256 : (share > 0 ? UInt32(share * 256 + 0.5) : 0) }
