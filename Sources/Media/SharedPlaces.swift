import Synchronization

/// What the readers of one open file have found out about where its frames lie: each helps all others to seek.
///
/// Any thread.
final class SharedPlaces: Sendable {
  private let index = Mutex(SeekIndex())
  private let walk = Mutex<FrameWalk?>(nil)

  /// Adds what was counted from the start on, or is proven to be as if.
  func add(_ marks: [SeekMark]) {
    guard !marks.isEmpty else { return }
    index.withLock { index in marks.forEach { index.add($0) } }
  }

  func mark(atOrBefore timestamp: Int64) -> SeekMark? { index.withLock { $0.mark(atOrBefore: timestamp) } }
  func mark(atOrBeforePosition position: Int64) -> SeekMark? {
    index.withLock { $0.mark(atOrBeforePosition: position) }
  }

  /// Says where bare frames begin; only the first word counts.
  func begin(_ new: @autoclosure () -> FrameWalk?) {
    walk.withLock { if $0 == nil { $0 = new() } }
  }

  /// True where bare frames can be followed.
  var canWalk: Bool { walk.withLock { $0 != nil } }

  /// Follows the frames to the end of the file, or until that is cancelled; waits for the disk.
  func walkThrough(_ source: ByteSource) {
    while !source.cancellation.isCancelled, walk.withLock({ $0?.advance(in: source) ?? false }) {}
  }

  /// The bytes at which frames around a time stamp begin, one before or at it and one after it; none where nobody knows.
  ///
  /// Follows the frames as far as that needs.
  func places(around timestamp: Int64, in source: ByteSource) -> [SeekMark] {
    if let walked = walked(around: timestamp, in: source) { return walked }
    return index.withLock { index in
      guard let before = index.mark(atOrBefore: timestamp), let after = index.mark(after: timestamp), before.byte >= 0,
        after.byte >= 0
      else { return [] }
      return [before, after]
    }
  }

  private func walked(around timestamp: Int64, in source: ByteSource) -> [SeekMark]? {
    while !source.cancellation.isCancelled {
      // Step by step, so that several walk it together.
      let (found, goesOn) = walk.withLock { walk -> ([SeekMark]?, Bool) in
        guard walk != nil else { return (nil, false) }
        if let found = walk!.places(around: timestamp) ?? walk!.guess(around: timestamp, in: source) {
          return (found, false)
        }
        return (nil, walk!.advance(in: source))
      }
      if found != nil || !goesOn { return found }
    }
    return nil
  }
}
