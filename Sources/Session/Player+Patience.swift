internal import Control
internal import Media
internal import Sound
internal import System

/// Since when the listener waits for a disk, and whether that was told.
struct Waiting: Hashable {
  enum Reason: Hashable {
    /// The request of this number is not open yet.
    case opening(Int)
    /// The deck has nothing to play.
    case sound(TrackID)
  }
  var reason: Reason
  var since: Int64
  var isTold = false
}

extension Player {
  /// A disk that lets the listener wait for longer is told of.
  static let patienceSeconds = 2.0

  /// Tells, once each time, that a disk keeps the listener waiting.
  func watchDisk() {
    guard let reason = reasonToWait else { return waiting = nil }
    if waiting?.reason != reason { waiting = Waiting(reason: reason, since: now) }
    guard let waiting, !waiting.isTold, Double(now - waiting.since) * 1e-9 >= Self.patienceSeconds else { return }
    // The deck may hang in what was played before.
    if deck.relieve() { return self.waiting = nil }
    self.waiting?.isTold = true
    switch reason {
    case .opening: tell(.error, "\(openingName) has not opened yet: its disk does not answer. Swell goes on trying.")
    case .sound:
      tell(.error, "Nothing comes from the disk of \(playingName). It plays on as soon as something does.")
    }
  }

  /// When `watchDisk` has to be called though nothing comes in.
  var patienceEnds: Int64? {
    waiting.flatMap { $0.isTold ? nil : $0.since + Int64(Self.patienceSeconds * 1e9) }
  }

  private var reasonToWait: Waiting.Reason? {
    if let opening, opening.purpose != .follower { return .opening(opening.number) }
    guard let track, wantsPlay, !isInterrupted, device.status == .open, !endReported else { return nil }
    let isAwaited = pending.map { $0.ringPosition == nil } ?? false
    let isDry = feed.pointee.ahead <= 0 && feed.pointee.endPosition == nil
    return isAwaited || isDry ? .sound(track.id) : nil
  }

  private var openingName: String {
    let paths = opening.map { $0.paths.isEmpty ? $0.asked : $0.paths } ?? []
    return paths.count == 1 ? Self.name(paths[0]) : "What you opened"
  }

  private var playingName: String { track.map { Self.name($0.path) } ?? "the song" }

  private static func name(_ path: PathBytes) -> String { "“\(path.lastComponent.shown)”" }
}
