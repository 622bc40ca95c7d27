import CSDL2
import CSDL2Image
internal import Scene
internal import Sound
internal import System

/// The shapes of the buttons, drawn from the SVG files of the assets at the size in which they are needed.
///
/// Main thread. A file that is missing draws nothing.
final class Icons {
  private struct Key: Hashable {
    var icon: Icon
    var width: Int
    var height: Int
  }
  private let folder: PathBytes?
  private var sources: [Icon: [UInt8]] = [:]
  private var masks = BoundedCache<Key, Mask>(limit: 1 << 20)

  /// The icons in a folder of the assets; nil for none.
  init(assets: PathBytes?) { folder = assets?.appending("icons") }

  /// The shape in device pixels; about 0.1 ms the first time.
  func mask(_ icon: Icon, width: Int, height: Int) -> Mask {
    masks.value(Key(icon: icon, width: width, height: height), cost: { $0.shares.count + 64 }) {
      guard let surface = SVG.draw(source(icon), width: width, height: height) else { return Mask() }
      defer { SDL_FreeSurface(surface) }
      return Mask(alphaOf: surface)
    }
  }

  private func source(_ icon: Icon) -> [UInt8] {
    if let source = sources[icon] { return source }
    let path = folder?.appending(icon.rawValue + ".svg")
    let source = path.flatMap { try? Files.read($0, limit: 1 << 16) } ?? []
    sources[icon] = source
    return source
  }
}

/// Vector pictures.
enum SVG {
  /// Draws an SVG document into a new surface, which the caller frees; nil when it is none.
  static func draw(_ source: [UInt8], width: Int, height: Int) -> UnsafeMutablePointer<SDL_Surface>? {
    guard !source.isEmpty, width > 0, height > 0 else { return nil }
    return source.withUnsafeBytes { bytes in
      guard let stream = SDL_RWFromConstMem(bytes.baseAddress, Int32(bytes.count)) else { return nil }
      defer { SDL_RWclose(stream) }
      return IMG_LoadSizedSVG_RW(stream, Int32(width), Int32(height))
    }
  }
}
