import CSDL2

/// Where the painter's pixels lie and how they come to the screen.
///
/// Main thread.
protocol Screen: AnyObject {
  /// The window in device pixels.
  var size: (width: Int, height: Int) { get }
  /// The pixels for the next frame; nil while the window has none. `isNew` when they no longer hold the last frame.
  func canvas() -> (canvas: Canvas, isNew: Bool)?
  /// Shows these parts.
  func present(_ parts: [PixelRect])
}

/// The window's own surface, of which only what changed is sent to the server.
final class SurfaceScreen: Screen {
  private let window: OpaquePointer
  private var surface: UnsafeMutablePointer<SDL_Surface>?
  /// Where the window's surface is not of 32-bit pixels in our order, those that are.
  private var shadow: UnsafeMutablePointer<SDL_Surface>?

  init(_ window: OpaquePointer) { self.window = window }

  deinit { SDL_FreeSurface(shadow) }

  var size: (width: Int, height: Int) {
    var width: Int32 = 0
    var height: Int32 = 0
    SDL_GetWindowSize(window, &width, &height)
    return (Int(width), Int(height))
  }

  func canvas() -> (canvas: Canvas, isNew: Bool)? {
    guard let current = SDL_GetWindowSurface(window) else { return nil }
    let size = (width: Int(current.pointee.w), height: Int(current.pointee.h))
    var isNew = current != surface
    surface = current
    var target = current
    if !Self.isOurs(current.pointee.format.pointee) {
      if shadow.map({ (Int($0.pointee.w), Int($0.pointee.h)) == size }) != true {
        SDL_FreeSurface(shadow)
        shadow = SDL_CreateRGBSurfaceWithFormat(
          0, current.pointee.w, current.pointee.h, 32, SDL_PIXELFORMAT_RGB888.rawValue)
        isNew = true
      }
      guard let shadow else { return nil }
      target = shadow
    }
    guard let pixels = target.pointee.pixels else { return nil }
    let canvas = Canvas(
      pixels: pixels.assumingMemoryBound(to: Pixel.self), width: size.width, height: size.height,
      pitch: Int(target.pointee.pitch) / 4)
    return (canvas, isNew)
  }

  func present(_ parts: [PixelRect]) {
    guard !parts.isEmpty, let surface else { return }
    var rects = parts.map { SDL_Rect($0) }
    if !Self.isOurs(surface.pointee.format.pointee) {
      for rect in rects {
        var from = rect
        var to = rect
        _ = shim_SDL_BlitSurface(shadow, &from, surface, &to)
      }
    }
    SDL_UpdateWindowSurfaceRects(window, &rects, Int32(rects.count))
  }

  private static func isOurs(_ format: SDL_PixelFormat) -> Bool {
    format.BytesPerPixel == 4 && format.Rmask == 0xFF0000 && format.Gmask == 0xFF00 && format.Bmask == 0xFF
  }
}

/// A texture that is drawn over the whole window: for Wayland, where a surface would be of logical pixels.
final class TextureScreen: Screen {
  private let renderer: OpaquePointer
  private var texture: OpaquePointer?
  private var pixels: [Pixel] = []
  private var held = (width: 0, height: 0)

  /// Nil where the window can have no renderer.
  init?(_ window: OpaquePointer) {
    guard let renderer = SDL_CreateRenderer(window, -1, 0) else { return nil }
    self.renderer = renderer
  }

  deinit {
    if let texture { SDL_DestroyTexture(texture) }
    SDL_DestroyRenderer(renderer)
  }

  var size: (width: Int, height: Int) {
    var width: Int32 = 0
    var height: Int32 = 0
    SDL_GetRendererOutputSize(renderer, &width, &height)
    return (Int(width), Int(height))
  }

  func canvas() -> (canvas: Canvas, isNew: Bool)? {
    let size = size
    guard size.width > 0, size.height > 0 else { return nil }
    var isNew = false
    if held != size || texture == nil {
      if let texture { SDL_DestroyTexture(texture) }
      texture = SDL_CreateTexture(
        renderer, SDL_PIXELFORMAT_RGB888.rawValue, Int32(SDL_TEXTUREACCESS_STREAMING.rawValue), Int32(size.width),
        Int32(size.height))
      pixels = [Pixel](repeating: 0, count: size.width * size.height)
      held = size
      isNew = true
    }
    guard texture != nil else { return nil }
    // The array is not touched by anyone else while the canvas is in use, and not moved until the size changes.
    let start = pixels.withUnsafeMutableBufferPointer { $0.baseAddress! }
    return (Canvas(pixels: start, width: size.width, height: size.height, pitch: size.width), isNew)
  }

  func present(_ parts: [PixelRect]) {
    guard !parts.isEmpty, let texture else { return }
    pixels.withUnsafeBufferPointer { buffer in
      for part in parts {
        var rect = SDL_Rect(part)
        SDL_UpdateTexture(
          texture, &rect, buffer.baseAddress! + part.top * held.width + part.left, Int32(held.width * 4))
      }
    }
    SDL_RenderCopy(renderer, texture, nil, nil)
    SDL_RenderPresent(renderer)
  }
}

extension SDL_Rect {
  init(_ rect: PixelRect) {
    self.init(
      x: Int32(rect.left), y: Int32(rect.top), w: Int32(rect.right - rect.left), h: Int32(rect.bottom - rect.top))
  }
}
