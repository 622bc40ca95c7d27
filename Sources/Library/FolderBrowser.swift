package import Control
internal import Media
package import Sound
internal import System

/// Lists folders for choosing a file, without ever making its caller wait for a disk.
///
/// Main thread. Each folder is read on a thread of its own; one that hangs on a dead disk is left to itself.
package final class FolderBrowser {
  /// So many threads may hang before no further one is started.
  private static let threadLimit = 32
  /// How long threads are waited for at the end, in seconds.
  private static let patience = 0.25

  private struct Worker {
    let thread: System.Thread
    let cancellation: Cancellation
    let hasEnded: Monitor<Bool>
  }

  private let holdsSound: @Sendable (PathBytes) -> Bool
  private let bell: @Sendable () -> Void
  /// The newest listing of the newest worker.
  private let shown = Monitor<FolderListing?>(nil)
  private var workers: [Worker] = []
  private let music: PathBytes?

  /// The folder of the last listing that was closed.
  private var last: PathBytes?

  /// The folder that was listed last, to be remembered and to be begun with.
  package var folder: PathBytes? { listing?.folder ?? last }

  /// Nothing is listed yet.
  ///
  /// - Parameters:
  ///   - folder: Where the browser was in the last run.
  ///   - holdsSound: Whether a file can be played, by its content; called on a worker.
  ///   - bell: Called on a worker when the listing changed, at most about ten times a second.
  package init(
    folder: PathBytes? = nil, holdsSound: @escaping @Sendable (PathBytes) -> Bool = { Sniffer.holdsSound($0) },
    bell: @escaping @Sendable () -> Void
  ) {
    last = folder
    self.holdsSound = holdsSound
    self.bell = bell
    music = MusicFolder.path
  }

  /// What there is to see of the folder; nil when closed.
  ///
  /// It grows: first the names, with folders known, then what is in the files, from the top down.
  package var listing: FolderListing? { shown.withLock { $0 } }

  /// Does what the library is asked for, as far as it concerns folders.
  package func obey(_ command: LibraryCommand) {
    switch command {
    case .list(let path?): list(Files.absolute(path), orAbove: false)
    case .listNearest(let path): list(Files.absolute(path), orAbove: true)
    case .listTyped(let text): list(typed(text), orAbove: false)
    case .list(nil): list(folder ?? music ?? home, orAbove: true)
    case .listHome: list(home, orAbove: true)
    case .listMusic: list(music ?? home, orAbove: true)
    case .listParent: list((folder ?? home).parent, orAbove: true)
    case .closeBrowser: close()
    case .forgetRecents: break
    }
  }

  /// Ends the workers, waiting at most a quarter of a second for them.
  package func stop() {
    close()
    let deadline = Clock.seconds() + Self.patience
    for worker in workers {
      let hasEnded = worker.hasEnded.wait(atMost: max(0, deadline - Clock.seconds())) { $0 ? true : nil } ?? false
      if hasEnded { worker.thread.join() } else { worker.thread.abandon() }
    }
    workers = []
  }

  /// The folder that somebody means by what was typed.
  private func typed(_ text: String) -> PathBytes {
    var text = text
    while text.count > 1, text.last == "/" || text.last == " " { text.removeLast() }
    guard text.first == "~" else { return Files.absolute(PathBytes(text)) }
    let rest = text.dropFirst().drop { $0 == "/" }
    return rest.isEmpty ? home : home.appending(PathBytes(String(rest)))
  }

  private var home: PathBytes { Environment.home ?? PathBytes("/") }

  private func close() {
    for worker in workers { worker.cancellation.cancel() }
    last = folder
    shown.withLock { $0 = nil }
  }

  /// Begins to list a folder; with `orAbove`, one that is gone gives way to the nearest above it that is there.
  private func list(_ folder: PathBytes, orAbove: Bool) {
    close()
    joinEnded()
    var first = FolderListing(folder: folder, entries: [], isComplete: false)
    guard workers.count < Self.threadLimit else {
      first.problem = LibraryError.noAnswer(folder).description
      first.isComplete = true
      shown.withLock { $0 = first }
      return bell()
    }
    shown.withLock { $0 = first }
    let cancellation = Cancellation()
    let hasEnded = Monitor(false)
    let (shown, bell, holdsSound) = (shown, bell, holdsSound)
    let thread = System.Thread(name: "folder") {
      let reader = FolderReader(cancellation: cancellation, holdsSound: holdsSound) { listing in
        // Under the lock, so that nothing of a cancelled listing can come after its successor's.
        let isNews = shown.withLock { shown in
          guard !cancellation.isCancelled else { return false }
          shown = listing
          return true
        }
        if isNews { bell() }
      }
      reader.list(folder, orAbove: orAbove)
      hasEnded.withLock { $0 = true }
    }
    workers.append(Worker(thread: thread, cancellation: cancellation, hasEnded: hasEnded))
  }

  private func joinEnded() {
    workers.removeAll { worker in
      guard worker.hasEnded.withLock({ $0 }) else { return false }
      worker.thread.join()
      return true
    }
  }
}
