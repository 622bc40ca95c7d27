import Glibc
package import Media
package import Sound
internal import System

/// A note of each take that is being recorded, from which the next start learns what a crash has left unfinished.
///
/// One small file a take, in the program's XDG state folder; it holds the take's path, and whoever records holds a lock on
/// it, which the kernel opens when the program dies. So a note without a lock is a take without an owner.
package struct TakeJournal: Sendable {
  private let folder: PathBytes?
  private static let ending = ".unfinished"

  /// The journal in the XDG state folder, or elsewhere for tests.
  package init(folder: PathBytes? = nil) {
    self.folder = folder ?? Environment.Folder.state.path?.appending("takes")
  }

  /// The note of one take, which goes on until it is removed.
  ///
  /// One thread at a time.
  package final class Note {
    private let descriptor: Int32
    private let place: PathBytes

    fileprivate init(descriptor: Int32, place: PathBytes) {
      self.descriptor = descriptor
      self.place = place
    }

    deinit { close(descriptor) }

    /// Says that the take is whole.
    package func remove() { _ = place.withCPath { unlink($0) } }

    /// Notes that the take lies elsewhere now.
    package func move(to take: PathBytes) {
      _ = take.bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress!, $0.count, 0) }
      ftruncate(descriptor, off_t(take.bytes.count))
      fdatasync(descriptor)
    }
  }

  /// Notes that a take is being recorded; nil where notes cannot be kept, and the take has to do without.
  package func note(_ take: PathBytes) -> Note? {
    guard let folder, (try? Files.makeFolder(folder)) != nil else { return nil }
    let place = folder.appending("\(getpid())-\(Clock.nanoseconds())" + Self.ending)
    // Under another name until it is locked and written, so that nobody takes it for abandoned.
    let draft = PathBytes(bytes: place.bytes + Array(".new".utf8))
    let descriptor = draft.withCPath { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { return nil }
    let note = Note(descriptor: descriptor, place: place)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    note.move(to: Files.absolute(take))
    guard (try? Files.rename(draft, to: place)) != nil else { return nil }
    return note
  }

  /// What became of a take that had no end.
  package enum Recovery: Hashable, Sendable {
    case completed(PathBytes, MendedTake)
    case failed(TakeError)
  }

  /// Completes every take that has no owner; those that are still being recorded are left alone.
  ///
  /// A note stays while its disk is away, or there is no room to complete the take.
  package func recover() -> [Recovery] {
    guard let folder, let names = try? Files.names(in: folder) else { return [] }
    let ending = Array(Self.ending.utf8)
    return NaturalOrder.sorted(names.filter { $0.bytes.suffix(ending.count).elementsEqual(ending) })
      .compactMap { recover(folder.appending($0)) }
  }

  private func recover(_ place: PathBytes) -> Recovery? {
    let descriptor = place.withCPath { open($0, O_RDWR | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    let note = Note(descriptor: descriptor, place: place)
    var info = stat()
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &info) == 0, info.st_nlink > 0 else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX) * 2)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let take = PathBytes(bytes: Array(bytes.prefix(max(count, 0))))
    do throws(TakeError) {
      guard !take.bytes.isEmpty else { throw .cannotComplete(take) }
      let mended = try TakeMending.complete(take)
      note.remove()
      return .completed(take, mended)
    } catch {
      switch error {
      case .cannotWrite(_, let reason) where reason.code == ENOENT || reason.code == ENOTDIR:
        // Moved or deleted, unless its whole disk is away.
        if (try? Files.status(of: take.parent)) != nil { note.remove() }
        return nil
      case .cannotWrite: return .failed(error)
      default:
        note.remove()
        return take.bytes.isEmpty ? nil : .failed(error)
      }
    }
  }
}
