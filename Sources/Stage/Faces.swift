import CSDL2
import CSDL2TTF

/// A font at one size.
///
/// Letters are drawn four times as wide as they are, and made narrow again: so they stand and are measured to a quarter of a
/// pixel, which keeps the rhythm of small type, and a moving label moves smoothly. Main thread, as all of SDL_ttf.
final class Face {
  /// Steps in which a pen moves, to a device pixel.
  static let steps = 4

  private let font: OpaquePointer
  /// Its letters have colours of their own.
  let isColoured: Bool
  /// Steps for one of the font's pixels across: 1 but for fonts in colours.
  private let stride: Double
  /// Device pixels for one of the font's pixels down: 1 but for fonts of fixed pictures (emoji).
  private let shrink: Double
  /// From the top of the font's box to the baseline, in the font's pixels.
  private let ownAscent: Int

  /// In device pixels above the baseline.
  var ascent: Int { Int((Double(ownAscent) * shrink).rounded()) }
  /// In device pixels below the baseline.
  var descent: Int { Int((Double(-TTF_FontDescent(font)) * shrink).rounded()) }

  /// Opens a font of the system's with an em of `pixels` device pixels; nil when it cannot be read.
  init?(_ file: FontFile, pixels: Float, isColoured: Bool) {
    // At a size of one point the resolution is 72 times the em, which lets the em be a fraction.
    let resolution = UInt32(max(pixels * 72, 72).rounded())
    let across = isColoured ? resolution : resolution * UInt32(Self.steps)
    guard let font = TTF_OpenFontIndexDPI(file.path, 1, file.index, across, resolution) else { return nil }
    self.font = font
    self.isColoured = isColoured
    ownAscent = Int(TTF_FontAscent(font))
    let height = Double(TTF_FontHeight(font))
    // A font of fixed pictures comes in one size, much larger than asked for; its box is 1.17 em high.
    let isFixed = isColoured && height > Double(pixels) * 2
    shrink = isFixed ? Double(pixels) * 1.17 / height : 1
    stride = isColoured ? shrink * Double(Self.steps) : 1
    TTF_SetFontHinting(font, Int32(TTF_HINTING_LIGHT))
  }

  deinit { TTF_CloseFont(font) }

  func has(_ scalar: Unicode.Scalar) -> Bool { TTF_GlyphIsProvided32(font, scalar.value) != 0 }

  /// How far the pen moves over a run, in steps.
  func width(_ text: String, _ script: Script?) -> Int {
    prepare(script)
    var width: Int32 = 0
    guard TTF_SizeUTF8(font, text, &width, nil) == 0 else { return 0 }
    return Int((Double(width) * stride).rounded())
  }

  /// The run's picture for a pen that stands `phase` steps right of a pixel's edge.
  func draw(_ text: String, _ script: Script?, phase: Int) -> GlyphRun {
    prepare(script)
    guard let surface = TTF_RenderUTF8_Blended(font, text, SDL_Color(r: 255, g: 255, b: 255, a: 255)) else {
      return GlyphRun(image: .mask(Mask()), left: 0, top: 0)
    }
    defer { SDL_FreeSurface(surface) }
    if isColoured {
      let picture = Picture(surface)
      func shrunk(_ length: Int) -> Int { max(Int((Double(length) * shrink).rounded()), 1) }
      let fitted = shrink == 1 ? picture : picture.filling(width: shrunk(picture.width), height: shrunk(picture.height))
      return GlyphRun(image: .picture(fitted), left: 0, top: -ascent)
    }
    let beyond = reach(text)
    let start = phase - beyond.left
    let left = start >> 2
    let mask = Mask(alphaOf: surface, narrowedFrom: start - left * Self.steps)
    return GlyphRun(image: .mask(mask), left: left, top: -ownAscent - beyond.above)
  }

  private func prepare(_ script: Script?) {
    TTF_SetFontDirection(font, script?.isRightToLeft == true ? TTF_DIRECTION_RTL : TTF_DIRECTION_LTR)
    TTF_SetFontScriptName(font, script?.tag ?? "Latn")
  }

  /// How far letters reach left of the pen and above the font's ascent: SDL_ttf moves its picture by that much.
  private func reach(_ text: String) -> (left: Int, above: Int) {
    var left: Int32 = 0
    var above: Int32 = 0
    for (i, scalar) in text.unicodeScalars.enumerated() {
      var low: Int32 = 0
      var high: Int32 = 0
      guard TTF_GlyphMetrics32(font, scalar.value, &low, nil, nil, &high, nil) == 0 else { continue }
      if i == 0 { left = max(-low, 0) }
      above = max(above, high - Int32(ownAscent))
    }
    return (Int(left), Int(above))
  }
}

/// The picture of a run of letters of one font.
struct GlyphRun {
  enum Image {
    case mask(Mask)
    case picture(Picture)
  }
  var image: Image
  /// Where the picture's top left pixel lies, seen from the pixel in which the pen stands on the baseline.
  var left: Int
  var top: Int

  /// In bytes.
  var cost: Int {
    switch image {
    case .mask(let mask): mask.shares.count + 128
    case .picture(let picture): picture.pixels.count * 4 + 128
    }
  }
}
