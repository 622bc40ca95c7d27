internal import Library
internal import Media
internal import Sound
import Synchronization
internal import System

/// Opens files away from the main thread, so that no disk, pipe or monstrous file can hold up the window.
///
/// Each request has a thread of its own. A newer request cancels the older; a thread that hangs on a dead disk is left
/// behind, never waited for.
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

  private let reports: Inbox<Report>
  private let nextTrack = Atomic<Int>(1)
  private let current = Mutex<Cancellation>(Cancellation())

  private let cache: WaveformCache?

  init(reports: Inbox<Report>, cache: WaveformCache?) {
    self.reports = reports
    self.cache = cache
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

  func cancel() { current.withLock { $0.cancel() } }

  private func expand(_ paths: [PathBytes], _ cancellation: Cancellation) -> [PathBytes] {
    Folders.expand(paths, cancellation: cancellation, problem: { [reports] in reports.send(.trouble($0.description)) })
  }

  private func start(_ body: @escaping @Sendable (Cancellation) -> Void) {
    let cancellation = Cancellation()
    current.withLock { old in
      old.cancel()
      old = cancellation
    }
    Thread(name: "open") { body(cancellation) }.abandon()
  }

  private func tryPlaces(_ places: [Int], of paths: [PathBytes], request: Int, _ cancellation: Cancellation) {
    var failures: [MediaError] = []
    for place in places {
      guard !cancellation.isCancelled else { return }
      let id = TrackID(nextTrack.wrappingAdd(1, ordering: .relaxed).oldValue)
      do {
        let track = try Track(id: id, path: paths[place], cache: cache, cancellation: cancellation)
        // The file keeps its cancellation for as long as it is read; the next request must not end that.
        current.withLock { if $0 === cancellation { $0 = Cancellation() } }
        reports.send(.opened(request: request, place: place, track, failures: failures))
        return
      } catch {
        failures.append(error)
        if failures.count == Self.mostFailures { break }
      }
    }
    if !cancellation.isCancelled { reports.send(.failed(request: request, failures: failures)) }
  }
}
