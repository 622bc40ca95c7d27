internal import Control
import Glibc
internal import Sound
internal import System

/// Reads one folder: its names, and then into its files, telling what is known as it grows.
///
/// Worker thread; waits for the disk.
struct FolderReader {
  /// More names than this are of no use to the eye.
  static let nameLimit = 100_000
  /// The least time between two tellings, in nanoseconds.
  private static let interval: Int64 = 100_000_000

  let cancellation: Cancellation
  let holdsSound: (PathBytes) -> Bool
  let publish: (FolderListing) -> Void

  /// Lists a folder; with `orAbove`, one that is gone gives way to the nearest above it that is there.
  func list(_ wanted: PathBytes, orAbove: Bool) {
    var folder = wanted
    while orAbove, folder.parent != folder, (try? Files.status(of: folder))?.kind != .folder { folder = folder.parent }
    var listing = FolderListing(folder: folder, entries: [], isComplete: false)
    do throws(SystemError) {
      listing.entries = try names(in: folder)
      if listing.entries.count >= Self.nameLimit {
        listing.problem = LibraryError.tooManyNames(folder, limit: Self.nameLimit).description
      }
    } catch {
      listing.problem = LibraryError.cannotReadFolder(folder, error).description
    }
    lookIntoFiles(of: &listing)
  }

  /// In natural order; hidden ones are left out.
  private func names(in folder: PathBytes) throws(SystemError) -> [FolderListing.Entry] {
    var kinds: [PathBytes: FolderListing.Entry.Kind] = [:]
    try Files.visit(folder) { entry in
      if !entry.isHidden {
        kinds[entry.name] =
          switch entry.kind {
          case .folder: .folder
          case .other: .other
          case .regular, nil: .unknown
          }
      }
      return kinds.count < Self.nameLimit && !cancellation.isCancelled
    }
    return NaturalOrder.sorted(Array(kinds.keys)).map { name in
      FolderListing.Entry(path: folder.appending(name), name: name.shown, kind: kinds[name]!, size: nil)
    }
  }

  /// Tells the names, and then what becomes known of the files.
  private func lookIntoFiles(of listing: inout FolderListing) {
    tell(listing)
    var told = Clock.nanoseconds()
    for index in listing.entries.indices where listing.entries[index].kind == .unknown {
      if cancellation.isCancelled { return }
      look(into: &listing.entries[index])
      guard Clock.nanoseconds() - told >= Self.interval else { continue }
      told = Clock.nanoseconds()
      tell(listing)
    }
    listing.isComplete = true
    tell(listing)
  }

  /// Publishes the folders and then the rest; which is which can change while looking, as links are followed.
  private func tell(_ listing: FolderListing) {
    var listing = listing
    let folders = listing.entries.filter { $0.kind == .folder }
    listing.entries = folders + listing.entries.filter { $0.kind != .folder }
    publish(listing)
  }

  private func look(into entry: inout FolderListing.Entry) {
    guard let status = try? Files.status(of: entry.path) else { return entry.kind = .other }
    switch status.kind {
    case .folder: entry.kind = .folder
    case .other: entry.kind = .other
    case .regular:
      entry.size = status.size
      entry.kind = holdsSound(entry.path) ? .sound : .other
    }
  }
}
