internal import Library
internal import Media
internal import Sound
import Synchronization
internal import System

/// Opens files away from the main thread, so that no disk, pipe or monstrous file can hold up the window.
///
/// Each request has a thread of its own, and so has each file that it opens. A newer request cancels the older; a thread that
/// hangs on a dead disk is left behind: it keeps those files waiting for some seconds that come after it, and no newer request.
final class Opener: Sendable {
  /// What a request leads to, in order: perhaps the queue it stands for, then its end.
  enum Report: Sendable {
    /// The files that the request stands for.
    case expanded(request: Int, paths: [PathBytes])
    /// The first of the places that could be opened, and what went wrong with those before it.
    case opened(request: Int, place: Int, Track, failures: [MediaError])
    /// None could be opened.
    case failed(request: Int, failures: [MediaError])
    /// Something to tell about the folders of a request, as a sentence.
    case trouble(String)
  }

  /// After so many failures in a row the queue stops and says so.
  static let mostFailures = 5

  /// How long a file is waited for, and what opening it may cost.
  struct Patience: Sendable {
    /// So long it may keep others waiting; the last one may take as long as its disk.
    var seconds = 10
    /// In seconds of the processor: a day of sound in an MPEG-4 file takes one.
    var work = 20.0
  }

  private let reports: Inbox<Report>
  private let nextTrack = Atomic<Int>(1)
  /// What a newer request cancels.
  private let current = Mutex<[Cancellation]>([])
  private let cache: WaveformCache?
  private let patience: Patience

  init(reports: Inbox<Report>, cache: WaveformCache?, patience: Patience = Patience()) {
    self.reports = reports
    self.cache = cache
    self.patience = patience
  }

  /// Turns files and folders into a queue and opens the first that plays.
  func open(request: Int, _ paths: [PathBytes]) {
    start { [self] cancellation in
      let files = expand(paths, cancellation)
      guard !cancellation.isCancelled else { return }
      reports.send(.expanded(request: request, paths: files))
      tryPlaces(Array(files.indices), of: files, request: request, cancellation)
    }
  }

  /// Turns files and folders into a list and opens none of it.
  func expand(request: Int, _ paths: [PathBytes]) {
    Thread(name: "open") { [self] in
      reports.send(.expanded(request: request, paths: expand(paths, Cancellation())))
    }.abandon()
  }

  /// Opens the first that plays of these places of a list.
  func open(request: Int, places: [Int], of paths: [PathBytes]) {
    start { [self] cancellation in tryPlaces(places, of: paths, request: request, cancellation) }
  }

  func cancel() { current.withLock { $0.forEach { $0.cancel() } } }

  /// Those whose disk does not answer stay what they are.
  private func expand(_ paths: [PathBytes], _ cancellation: Cancellation) -> [PathBytes] {
    func answering(_ paths: [PathBytes]) -> [PathBytes] {
      Folders.expand(
        paths, cancellation: cancellation, problem: { [reports] in reports.send(.trouble($0.description)) })
    }
    let silent = paths.count > 1 ? silent(paths, cancellation) : []
    if silent.isEmpty { return answering(paths) }
    return paths.flatMap { silent.contains($0) ? [$0] : answering([$0]) }
  }

  /// The paths whose disk does not say in time what they are; those behind `mostFailures` of them count as such unasked.
  private func silent(_ paths: [PathBytes], _ cancellation: Cancellation) -> Set<PathBytes> {
    var silent: Set<PathBytes> = []
    let reached = Monitor(0)
    while !cancellation.isCancelled {
      let begin = reached.withLock { $0 }
      let attempt = Attempt<Void>.run(
        atMost: Double(patience.seconds), mostWork: .infinity, cancellation: cancellation
      ) {
        for index in begin..<paths.count {
          _ = try? Files.status(of: paths[index])
          reached.withLock { $0 = max($0, index + 1) }
        }
      }
      guard case .hangs = attempt else { break }
      // It may have been many that took some time each.
      let place = reached.withLock { $0 }
      guard place == begin, place < paths.count else { continue }
      silent.insert(paths[place])
      if silent.count == Self.mostFailures { return silent.union(paths[place...]) }
      reached.withLock { $0 = place + 1 }
    }
    return silent
  }

  private func start(_ body: @escaping @Sendable (Cancellation) -> Void) {
    let cancellation = Cancellation()
    current.withLock { old in
      old.forEach { $0.cancel() }
      old = [cancellation]
    }
    Thread(name: "open") { body(cancellation) }.abandon()
  }

  private func tryPlaces(_ places: [Int], of paths: [PathBytes], request: Int, _ cancellation: Cancellation) {
    var failures: [MediaError] = []
    for place in places {
      guard !cancellation.isCancelled else { return }
      do {
        let track = try open(paths[place], isLast: place == places.last, cancellation)
        reports.send(.opened(request: request, place: place, track, failures: failures))
        return
      } catch {
        failures.append(error)
        if failures.count == Self.mostFailures { break }
      }
    }
    if !cancellation.isCancelled { reports.send(.failed(request: request, failures: failures)) }
  }

  /// Opens a file, or gives it up.
  private func open(_ path: PathBytes, isLast: Bool, _ request: Cancellation) throws(MediaError) -> Track {
    let id = TrackID(nextTrack.wrappingAdd(1, ordering: .relaxed).oldValue)
    // The file keeps its cancellation for as long as it is read; the next request must not end that.
    let own = Cancellation()
    current.withLock { if $0.contains(where: { $0 === request }) { $0.append(own) } else { own.cancel() } }
    defer { current.withLock { $0.removeAll { $0 === own } } }
    let attempt = Attempt<Result<Track, MediaError>>.run(
      atMost: isLast ? nil : Double(patience.seconds), mostWork: patience.work, cancellation: own
    ) { [cache] in
      Result { () throws(MediaError) in try Track(id: id, path: path, cache: cache, cancellation: own) }
    }
    switch attempt {
    case .done(let result): return try result.get()
    case .cancelled: throw .cancelled(path)
    case .hangs:
      own.cancel()
      throw .noAnswer(path, seconds: patience.seconds)
    case .isEndless:
      own.cancel()
      throw .endless(path)
    }
  }
}
