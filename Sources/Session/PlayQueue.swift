package import Control
package import Sound

/// What is to be played, in order, and which of it is loaded.
package struct PlayQueue: Hashable, Sendable {
  package private(set) var paths: [PathBytes]
  /// The place of the loaded file; nil when the queue is empty or nothing of it was loaded yet.
  package var index: Int?

  package init(paths: [PathBytes] = [], index: Int? = nil) {
    self.paths = paths
    self.index = index.flatMap { paths.indices.contains($0) ? $0 : nil }
  }

  package mutating func append(_ more: [PathBytes]) { paths += more }

  /// Takes a file out; when it was the loaded one, none is loaded.
  package mutating func remove(_ path: PathBytes) {
    let loaded = index.map { paths[$0] }
    let before = paths[..<(index ?? 0)].count { $0 == path }
    paths.removeAll { $0 == path }
    index = loaded == path ? nil : index.map { $0 - before }
  }

  /// A file has another name now.
  package mutating func rename(_ path: PathBytes, to other: PathBytes) {
    for place in paths.indices where paths[place] == path { paths[place] = other }
  }

  /// The place after `place` (by default the loaded one, and the first while none is); nil at the end, unless the queue goes round.
  package func next(after place: Int? = nil, loop: LoopMode) -> Int? {
    guard !paths.isEmpty else { return nil }
    guard let place = place ?? index else { return 0 }
    if place + 1 < paths.count { return place + 1 }
    return loop == .queue ? 0 : nil
  }

  /// The place before the loaded one; nil at the start, unless the queue goes round.
  package func previous(loop: LoopMode) -> Int? {
    guard let index, !paths.isEmpty else { return nil }
    if index > 0 { return index - 1 }
    return loop == .queue ? paths.count - 1 : nil
  }

  /// The places to try from `start` on in one direction, each once: what cannot be played is passed over.
  package func places(from start: Int, forward: Bool, loop: LoopMode) -> [Int] {
    guard paths.indices.contains(start) else { return [] }
    let before = Array(paths[..<start].indices)
    let after = Array(paths.indices[start...])
    if forward { return after + (loop == .queue ? before : []) }
    return [start] + before.reversed() + (loop == .queue ? Array(after.dropFirst().reversed()) : [])
  }

  package func summary(loop: LoopMode) -> QueueSummary {
    var summary = QueueSummary()
    summary.count = paths.count
    summary.index = index
    summary.hasNext = next(loop: loop) != nil
    summary.hasPrevious = previous(loop: loop) != nil
    return summary
  }
}
