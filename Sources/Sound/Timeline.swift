import Synchronization

/// A place where a stretch of sound begins in the feed's ring: which frame of which track lies there.
package struct Anchor: Sendable {
  /// The frame of the ring, counted from the start of the program.
  package var ringPosition: Int
  package var track: TrackID
  /// The track's frame that lies there.
  package var frame: FrameIndex
  /// Frames of the track for each frame of the ring: the ratio of the rates, times the speed.
  package var framesPerRingFrame: Double
  /// Where the same frame lies in the history, and in which.
  package var historyPosition: Int
  package var history: History
  /// The frames that follow each other round and round once their end is reached; nil when it simply goes on.
  package var loop: Range<FrameIndex>?

  package init(
    ringPosition: Int, track: TrackID, frame: FrameIndex, framesPerRingFrame: Double, historyPosition: Int,
    history: History, loop: Range<FrameIndex>? = nil
  ) {
    self.ringPosition = ringPosition
    self.track = track
    self.frame = frame
    self.framesPerRingFrame = framesPerRingFrame
    self.historyPosition = historyPosition
    self.history = history
    self.loop = loop
  }

  /// The frame that lies `offset` frames of the track, counted along the way, behind the anchor's.
  fileprivate func frame(after offset: Int64) -> FrameIndex {
    let frame = self.frame + FrameCount(offset)
    guard let loop, frame >= loop.upperBound else { return frame }
    let beyond = (frame - loop.upperBound).rawValue
    return loop.lowerBound + FrameCount(beyond % (loop.upperBound - loop.lowerBound).rawValue)
  }
}

/// What lies at one position of the ring.
package struct Place: Sendable {
  package var track: TrackID
  package var frame: FrameIndex
  package var historyPosition: Int
  package var history: History
}

/// The map from positions in the feed's ring to frames of tracks.
///
/// The decoding thread adds anchors; a seek, a loop or a join adds one and rewrites nothing. A region that is played round
/// and round needs only one, however short it is. Any thread may ask.
package final class Timeline: Sendable {
  private let anchors = Mutex<[Anchor]>([])

  package init() {}

  /// Adds an anchor; those that a flush made unreachable (at or after its ring position) are dropped.
  package func add(_ anchor: Anchor) {
    anchors.withLock { list in
      while let last = list.last, last.ringPosition >= anchor.ringPosition { list.removeLast() }
      list.append(anchor)
    }
  }

  /// What is heard when the reader stands at `ringPosition`; nil before the first anchor.
  package func place(at ringPosition: Int) -> Place? {
    anchors.withLock { list in
      guard let anchor = list.last(where: { $0.ringPosition <= ringPosition }) else { return nil }
      let offset = Int64((Double(ringPosition - anchor.ringPosition) * anchor.framesPerRingFrame).rounded())
      return Place(
        track: anchor.track, frame: anchor.frame(after: offset),
        historyPosition: anchor.historyPosition + Int(offset), history: anchor.history)
    }
  }

  /// True when a stretch begins beyond `ringPosition`.
  package func hasAnchor(after ringPosition: Int) -> Bool {
    anchors.withLock { list in list.last.map { $0.ringPosition > ringPosition } ?? false }
  }

  /// Forgets the anchors that no position from `ringPosition` on needs.
  package func prune(before ringPosition: Int) {
    anchors.withLock { list in
      guard let keep = list.lastIndex(where: { $0.ringPosition <= ringPosition }), keep > 0 else { return }
      list.removeFirst(keep)
    }
  }
}
