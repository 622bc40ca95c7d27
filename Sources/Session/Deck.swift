internal import Media
package import Sound
import Synchronization
internal import System

/// The decoding thread: turns the loaded track into stereo in the feed, and into history for the analysis.
///
/// It keeps the feed's ring filled ahead of the ear, and goes from one track to the next, or round a loop, without a
/// break: what follows is known before it is needed. The player gives orders; the deck reports.
final class Deck: Sendable {
  enum Report: Sendable {
    /// A load or seek of this serial number has taken effect: its first frame lies at this place of the ring.
    case positioned(serial: Int, ringPosition: Int)
    /// All there is to decode is in the ring.
    case ended(TrackID)
    /// Decoding had to be given up; what was decoded until then is still heard.
    case failed(TrackID, at: FrameIndex, MediaError)
  }

  /// What is asked of the thread; each field is taken once, so that of many seeks only the last is done.
  struct Orders: Sendable {
    struct Position: Sendable {
      var serial: Int
      var track: Track
      var frame: FrameIndex
      var repeats: Int
      var region: Range<FrameIndex>?
      var speed: Double
      /// What sounds goes on until the new sound is there, which is much the same.
      var isSmooth: Bool
    }
    /// A track that follows, with the region that is played round and round in it.
    struct Follower: Sendable {
      var track: Track
      var region: Range<FrameIndex>?
    }
    var position: Position?
    var follower: Follower??
    /// Changes the region of a track where neither the old nor the new one has been decoded past its end.
    var region: (track: TrackID, frames: Range<FrameIndex>?)?
    var repeats: Int?
    var rate: SampleRate?
    var isRunning = false
    var quits = false
    /// Something here was changed since the thread last looked.
    var isNew = false

    // What else the thread and those who give orders have to agree about.
    /// The rate that was asked for last.
    var lastRate: SampleRate?
    /// The tracks that the thread may be reading.
    var held: Set<TrackID> = []
    /// It is reading, which may hang; it does not touch the feed meanwhile.
    var isAway = false
    /// Another thread has taken over.
    var isRelieved = false
  }

  /// The ring is filled to 0.6 s ahead: enough to outlast a busy machine, little enough to be decoded in an instant.
  static let aheadSeconds = 0.6
  /// A block lasts 50 ms, at most 8192 frames.
  static func blockFrames(at rate: SampleRate) -> Int { min(max(rate.hertz / 20, 16), 8192) }

  private let feed: FeedPointer
  private let timeline: Timeline
  private let reports: Inbox<Report>
  /// Those of the thread that is at work.
  private let orders: Mutex<Monitor<Orders>>

  init(feed: FeedPointer, timeline: Timeline, reports: Inbox<Report>) {
    self.feed = feed
    self.timeline = timeline
    self.reports = reports
    orders = Mutex(Monitor(Orders()))
    start(orders.withLock { $0 })
  }

  /// The thread is never waited for: it may hang on a dead disk.
  private func start(_ orders: Monitor<Orders>) {
    Thread(name: "decode") { [feed, timeline, reports] in
      DeckWorker(feed: feed, timeline: timeline, reports: reports, orders: orders).run()
    }.abandon()
  }

  /// Gives an order.
  func order(_ change: @Sendable (inout Orders) -> Void) {
    orders.withLock { $0 }.withLock {
      change(&$0)
      if let rate = $0.rate { $0.lastRate = rate }
      $0.isNew = true
    }
  }

  /// Has another thread go on where this one hangs in the file of a track that is no longer wanted; false where it does not.
  func relieve() -> Bool {
    let old = orders.withLock { $0 }
    let left = old.withLock { orders -> Orders? in
      guard orders.isAway, let wanted = orders.position?.track.id, !orders.held.contains(wanted) else { return nil }
      var left = orders
      left.rate = orders.lastRate
      (left.held, left.isAway) = ([], false)
      (orders.isRelieved, orders.position, orders.follower) = (true, nil, nil)
      return left
    }
    guard let left else { return false }
    let new = Monitor(left)
    orders.withLock { $0 = new }
    start(new)
    return true
  }

  /// Ends the thread.
  func stop() { order { $0.quits = true } }
}

/// The feed's fixed address, which may cross threads.
package struct FeedPointer: @unchecked Sendable {
  package let pointer: UnsafeMutablePointer<Feed>
  package init(_ pointer: UnsafeMutablePointer<Feed>) { self.pointer = pointer }
}
