import Glibc
package import Sound
internal import System

/// Keeps the state on disk, in `state.json` of the program's XDG state folder.
///
/// Made, asked and closed by one thread; writing happens on a thread of its own.
package final class StateStore: Sendable {
  /// What the writer is told.
  private struct Orders {
    var state: StoredState?
    var isClosing = false
    var hasEnded = false
  }

  /// A larger file is not ours.
  private static let sizeLimit = 16 << 20
  private let file: PathBytes?
  private let patience: Double
  private let orders: Monitor<Orders>
  private let writer: System.Thread

  /// Nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - file: Another place, for tests.
  ///   - delay: The least time between two writes, in seconds.
  ///   - patience: How long the last write is waited for at the end, in seconds.
  ///   - tell: Called once, on the writer's thread, with a sentence when the state cannot be kept.
  package init(
    file: PathBytes? = nil, delay: Double = 1, patience: Double = 1,
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    let file = file ?? Environment.Folder.state.path?.appending("state.json")
    self.file = file
    self.patience = patience
    let orders = Monitor(Orders())
    self.orders = orders
    writer = System.Thread(name: "state") {
      var writer = Writer(file: file, tell: tell)
      writer.run(orders: orders, delay: delay)
    }
  }

  /// The state of the last run, or that of a first run with a sentence when it was damaged.
  ///
  /// Once, at start; the damaged file is kept as `state.json.damaged`.
  package func load() -> (state: StoredState, notice: String?) {
    guard let file else { return (StoredState(), nil) }
    do {
      let bytes = try Files.read(file, limit: Self.sizeLimit + 1)
      if bytes.count <= Self.sizeLimit, let state = try? StoredState(decoding: bytes) { return (state, nil) }
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return (StoredState(), nil) }
    }
    let aside = PathBytes(bytes: file.bytes + Array(".damaged".utf8))
    let isAside = (try? Files.rename(file, to: aside)) != nil
    return (StoredState(), LibraryError.damagedState(file, aside: isAside ? aside : nil).description)
  }

  /// The state of the last run as far as it can be read; nothing on the disk is changed.
  ///
  /// For a program beside the one that keeps it. Waits for the disk.
  package static func peek() -> StoredState {
    guard let file = Environment.Folder.state.path?.appending("state.json"),
      let bytes = try? Files.read(file, limit: sizeLimit), let state = try? StoredState(decoding: bytes)
    else { return StoredState() }
    return state
  }

  /// Keeps this state from now on; of several within the delay the last is written.
  package func save(_ state: StoredState) {
    orders.withLock { $0.state = state }
  }

  /// Writes what is not written yet and ends; a disk that hangs is waited for no longer than `patience`.
  package func close() {
    orders.withLock { $0.isClosing = true }
    let hasEnded = orders.wait(atMost: patience) { $0.hasEnded ? true : nil } ?? false
    if hasEnded { writer.join() } else { writer.abandon() }
  }

  /// The writer's thread.
  private struct Writer {
    let file: PathBytes?
    let tell: @Sendable (String) -> Void
    var written: StoredState?
    var hasTold = false

    init(file: PathBytes?, tell: @escaping @Sendable (String) -> Void) {
      self.file = file
      self.tell = tell
    }

    mutating func run(orders: Monitor<Orders>, delay: Double) {
      var isClosing = false
      while !isClosing {
        let state: StoredState?
        (state, isClosing) = orders.wait { orders in
          guard orders.state != nil || orders.isClosing else { return nil }
          defer { orders.state = nil }
          return (orders.state, orders.isClosing)
        }!
        if let state { write(state) }
        if !isClosing { _ = orders.wait(atMost: delay) { $0.isClosing ? true : nil } }
      }
      orders.withLock { $0.hasEnded = true }
    }

    private mutating func write(_ state: StoredState) {
      guard state != written else { return }
      guard let file else { return fail(.noHome) }
      do throws(SystemError) {
        guard let bytes = try? state.encoded() else { return }
        try Files.makeFolder(file.parent)
        try Files.replace(file, with: bytes)
        written = state
      } catch {
        fail(.cannotSaveState(file, error))
      }
    }

    private mutating func fail(_ error: LibraryError) {
      if !hasTold { tell(error.description) }
      hasTold = true
    }
  }
}
