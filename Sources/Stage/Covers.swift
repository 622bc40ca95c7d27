import CSDL2
import CSDL2Image
internal import Control
internal import Sound
import Synchronization
internal import System

/// Cover pictures, decoded and made to fit on a thread of their own.
///
/// A picture that is asked for is nil until it has been decoded; then `arrivals` has risen and the bell has rung. What
/// cannot be decoded, or is beyond the limits, stays nil. The last few are kept.
package final class Covers: Sendable {
  /// Larger files are no covers.
  static let byteLimit = 16 << 20
  /// Neither side may be longer, in pixels.
  static let sideLimit = 8192

  struct Key: Hashable, Sendable {
    var track: TrackID
    var width: Int
    var height: Int
  }
  private struct Job: Sendable {
    var key: Key
    var image: CoverImage
  }
  private struct Shelf {
    var jobs: [Job] = []
    var asked: Set<Key> = []
    var pictures: [(key: Key, picture: Picture)] = []
    var isEnding = false
  }
  /// How many pictures are kept: a track's at two sizes, and the next track's.
  private static let kept = 4

  private let shelf = Monitor(Shelf())
  private let count = Atomic<Int>(0)
  private let bell: @Sendable () -> Void
  private let thread = Mutex<Thread?>(nil)

  /// Covers whose arrival rings `bell`, on their thread.
  package init(bell: @escaping @Sendable () -> Void) { self.bell = bell }

  /// How many pictures have come so far.
  package var arrivals: Int { count.load(ordering: .acquiring) }

  /// The picture at a size in device pixels, filling it; nil while there is none.
  ///
  /// Never waits for the decoder.
  func picture(_ image: CoverImage, width: Int, height: Int) -> Picture? {
    guard width > 0, height > 0, width <= Self.sideLimit, height <= Self.sideLimit else { return nil }
    let key = Key(track: image.track, width: width, height: height)
    let found = shelf.withLock { shelf -> Picture? in
      if let found = shelf.pictures.first(where: { $0.key == key }) { return found.picture }
      if shelf.asked.insert(key).inserted { shelf.jobs.append(Job(key: key, image: image)) }
      return nil
    }
    if found == nil { start() }
    return found
  }

  /// Ends the thread, which may still finish the picture that it is at.
  package func end() {
    shelf.withLock { $0.isEnding = true }
    thread.withLock { $0?.join() }
  }

  private func start() {
    thread.withLock { thread in
      if thread == nil { thread = Thread(name: "covers", niceness: 5) { [self] in work() } }
    }
  }

  private func work() {
    while true {
      let job = shelf.wait { shelf -> Job?? in
        if shelf.isEnding { return .some(nil) }
        return shelf.jobs.isEmpty ? nil : .some(shelf.jobs.removeLast())
      }
      guard let job, let job else { return }
      guard let picture = Self.decode(job.image.bytes)?.filling(width: job.key.width, height: job.key.height) else {
        continue
      }
      shelf.withLock { shelf in
        shelf.pictures.append((job.key, picture))
        while shelf.pictures.count > Self.kept { shelf.asked.remove(shelf.pictures.removeFirst().key) }
      }
      count.add(1, ordering: .releasing)
      bell()
    }
  }

  /// The picture in a JPEG or PNG file, whose size is looked up before anything is decoded.
  package static func decode(_ bytes: [UInt8]) -> Picture? {
    guard bytes.count <= byteLimit, let size = PictureHeader.size(of: bytes),
      1...sideLimit ~= size.width, 1...sideLimit ~= size.height
    else { return nil }
    return bytes.withUnsafeBytes { buffer in
      guard let stream = SDL_RWFromConstMem(buffer.baseAddress, Int32(buffer.count)) else { return nil }
      let type = bytes[0] == 0x89 ? "PNG" : "JPG"
      guard let surface = IMG_LoadTyped_RW(stream, 1, type) else { return nil }
      defer { SDL_FreeSurface(surface) }
      let picture = Picture(surface)
      return picture.pixels.isEmpty ? nil : picture
    }
  }
}
