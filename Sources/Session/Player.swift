internal import Control
internal import Library
internal import Media
internal import Sound
import Synchronization
internal import System

/// Plays: obeys commands, keeps the queue going, and answers what there is to see and hear.
///
/// Main thread. Nothing here waits: opening, decoding and scanning happen on threads of their own, whose reports are taken
/// up in `update`. The device is somebody else's: the player says whether it wants one and is told how it is.
package final class Player {
  let feed: UnsafeMutablePointer<Feed>
  let timeline = Timeline()
  let deck: Deck
  let opener: Opener
  let closeup: Closeup
  let deckReports: Inbox<Deck.Report>
  let openReports: Inbox<Opener.Report>
  let wake: @Sendable () -> Void
  var settings: PlayerSettings

  var queue = PlayQueue()
  /// What of it could not be played, and is passed over while there is anything else.
  var unplayable: Set<PathBytes> = []
  /// The track that is heard, or that would be.
  var track: Track?
  /// Opened and handed to the deck to follow without a break, and its place in the queue.
  var follower: (track: Track, place: Int)?
  var scan: Scan?
  /// The scan of the track that follows, begun when that of this track is done.
  var nextScan: Scan?
  /// How fast every track is played, until the program ends.
  var speed = Speed.normal
  /// The flags of the track that is heard.
  var flags = RegionFlags()
  /// What the listener wants; the transport that is shown follows from it and from the device.
  var wantsPlay = false
  /// Stopped, or at the end: a pause that begins again from the start.
  var isAtRest = true

  /// The request whose reports are still wanted.
  var opening: OpenRequest?
  var requestCount = 0
  /// The last load or seek that was asked for, until it is heard.
  var pending: PendingPosition?
  var serial = 0

  var device = DeviceState()
  var isInterrupted = false
  var deckRate: SampleRate?
  var now: Int64 = 0
  /// When the gate was last open, for closing the device after a while.
  var lastWanted: Int64 = .min / 2
  /// When to begin by itself.
  var startsAt: Int64?
  var startOptions = StartOptions()

  var notices: [Notice] = []
  var noticeCount = 0
  var events: [PlayerEvent] = []
  var ear: Ear
  /// The end of the sound in the ring was heard and told.
  var endReported = false
  /// The sound in the ring ends early, because decoding failed.
  var deckFailed = false
  /// What the finished scan found out was taken up.
  var scanTaken = false
  /// The track whose follower was looked for, and whether there is none that plays.
  var followerTried: TrackID?
  var hasNoFollower = false
  /// How often the track is still to be played again; `Int.max` for ever.
  var repeats = 0
  /// What keeps the listener waiting.
  var waiting: Waiting?
  /// The queue and the place of the last time, until something of it or something else is loaded.
  var restoring: (queue: PlayQueue, position: FrameIndex)?
  /// Requests whose files join the end of the queue.
  var appends: Set<Int> = []
  /// The furthest position of the ring that was heard: the ear never goes back.
  var lastHeard = 0

  package init(feed: FeedPointer, settings: PlayerSettings, wake: @escaping @Sendable () -> Void) {
    self.feed = feed.pointer
    self.settings = settings
    speed = settings.speed
    self.wake = wake
    deckReports = Inbox(bell: wake)
    openReports = Inbox(bell: wake)
    deck = Deck(feed: feed, timeline: timeline, reports: deckReports)
    opener = Opener(reports: openReports, cache: settings.waveforms)
    closeup = Closeup(bell: wake)
    ear = Ear(scale: settings.spectrumScale)
    applyGain()
  }

  /// Ends the player's threads without waiting for any that hangs.
  package func stop() {
    opener.cancel()
    scan?.cancel()
    nextScan?.cancel()
    closeup.stop()
    deck.stop()
  }
}

/// What a request to open is for.
struct OpenRequest {
  enum Purpose: Hashable {
    /// A new queue.
    case newQueue
    /// Another place of this queue.
    case place
    /// What follows the track that plays, opened ahead of its end.
    case follower
  }
  var number: Int
  var purpose: Purpose
  /// The files and folders that were asked for.
  var asked: [PathBytes]
  /// The files that the request stands for, once known.
  var paths: [PathBytes] = []
  var options = StartOptions()
}

/// A place that was asked for and is not yet heard.
struct PendingPosition {
  var serial: Int
  var frame: FrameIndex
  /// Where in the ring it begins, once the deck has got there.
  var ringPosition: Int?
}
