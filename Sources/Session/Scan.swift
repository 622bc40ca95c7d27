internal import Library
internal import Media
internal import Sound
import Synchronization
internal import System

/// Finds out the waveform and the true length of a file: at once where they are known, else by decoding all of it as fast as
/// it goes.
///
/// On threads of its own, of lower priority, as many as there are cores and stretches; see `StretchBoard`.
final class Scan: Sendable {
  /// How often the growing waveform is published.
  static let publishSeconds = 0.1

  struct State: Sendable {
    var pyramid: PeakPyramid?
    var isDone = false
    /// How many stretches could not be decoded and were left out.
    var skippedStretches = 0
    /// Why the scan had to be given up before the end.
    var failure: MediaError?
    /// When the next publication is due.
    fileprivate var due = 0.0
  }

  let track: TrackID
  private let source: Track
  /// Where the finished waveform is kept.
  private let cache: WaveformCache?
  private let cores: Int
  private let state = Mutex(State())
  private let board = Mutex<StretchBoard?>(nil)
  /// Told by whoever has no more use for the result.
  private let cancellation = Cancellation()
  /// Ends the reads of all workers, also when all is done.
  private let reading = Cancellation()
  private let bell: @Sendable () -> Void

  /// Starts scanning; `bell` rings at each publication, on one of the scan's threads.
  init(track: Track, cache: WaveformCache?, cores: Int = Processors.count, bell: @escaping @Sendable () -> Void) {
    self.track = track.id
    source = track
    self.cache = cache
    self.cores = cores
    self.bell = bell
    if let known = track.known {
      state.withLock {
        $0.pyramid = known.pyramid
        $0.skippedStretches = known.skippedStretches
        $0.isDone = true
      }
    }
    // Abandoned, not joined: it may hang on a dead disk, and holds nothing that must be put in order.
    Thread(name: "scan", niceness: Self.niceness) { [self] in run() }.abandon()
  }

  /// So much lower than what plays.
  private static let niceness: Int32 = 10

  var current: State { state.withLock { $0 } }

  /// Asks the threads to give up; they do so at their next block.
  func cancel() {
    cancellation.cancel()
    board.withLock { $0?.stop() }
    reading.cancel()
  }

  private func run() {
    if source.known != nil { return source.file.findPlaces(cancellation: reading) }
    let key = Track.key(of: source.file)
    do {
      try StretchScan(file: source.file, cores: cores, niceness: Self.niceness, reading: reading).run { [self] board in
        self.board.withLock { $0 = board }
        if cancellation.isCancelled { board.stop() }
      } publish: { [self] in
        publish(&$0, skipped: $1, isDone: $2, failure: $3)
      }
    } catch {
      fail(error)
    }
    board.withLock { $0 = nil }
    if let key { keep(key) }
    // What the scan took is not needed again soon.
    Memory.giveBack()
  }

  /// Keeps the finished waveform, unless the file has changed meanwhile.
  private func keep(_ key: WaveformKey) {
    let state = current
    guard let cache, let pyramid = state.pyramid, pyramid.isComplete, !cancellation.isCancelled,
      Track.key(of: source.file) == key
    else { return }
    cache.store(Waveform(pyramid: pyramid, skippedStretches: state.skippedStretches), key)
  }

  private func publish(_ builder: inout PyramidBuilder, skipped: Int, isDone: Bool, failure: MediaError?) {
    let now = Clock.seconds()
    let isPublished = state.withLock { state in
      guard isDone || now >= state.due else { return false }
      state.pyramid = builder.snapshot()
      state.skippedStretches = skipped
      state.failure = failure
      state.isDone = isDone
      state.due = now + Self.publishSeconds
      return true
    }
    if isPublished { bell() }
  }

  private func fail(_ error: MediaError) {
    state.withLock {
      $0.failure = error
      $0.isDone = true
    }
    if !cancellation.isCancelled { bell() }
  }
}
