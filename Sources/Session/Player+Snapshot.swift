package import Control
internal import Library
internal import Media
package import Sound
internal import System

extension Player {
  /// All that there is to see of the player now, as of the last `update`.
  package var snapshot: Snapshot {
    var seen = Snapshot()
    seen.transport = transport
    seen.position = position
    seen.track = summary
    // The scan may have told the true length only just now.
    if let track = seen.track, !track.lengthIsEstimate, let length = track.length {
      seen.position = min(seen.position, .zero + length)
    }
    let state = scan?.track == track?.id ? scan?.current : nil
    seen.pyramid = state?.pyramid
    seen.samples = closeup.current.flatMap { $0.track == track?.id ? $0 : nil }
    seen.isScanning = state.map { !$0.isDone } ?? false
    seen.spectrum = track == nil ? nil : ear.reading
    seen.meters = track == nil ? [] : ear.meters
    seen.volume = settings.volume
    seen.isMuted = settings.isMuted
    seen.loop = settings.loop
    seen.flags = flags
    seen.speed = speed
    seen.queue = queue.summary(loop: settings.loop)
    seen.output = device
    seen.notices = notices
    seen.recents = settings.recents
    seen.isOpening = opening != nil && opening?.purpose != .follower && track == nil
    seen.hasDemo = settings.demo != nil
    return seen
  }

  /// What is to be kept until the next time.
  package var kept: (settings: PlayerSettings, queue: PlayQueue, position: FrameIndex) {
    if track == nil, let restoring { return (settings, restoring.queue, restoring.position) }
    return (settings, queue, position)
  }

  private var transport: Transport {
    guard track != nil else { return .empty }
    if wantsPlay { return isInterrupted ? .interrupted : .playing }
    return isAtRest ? .stopped : .paused
  }

  /// The track's frame that is heard now, or that would be: between zero and the length.
  package var position: FrameIndex {
    guard let track else { return .zero }
    var frame = FrameIndex.zero
    if let pending {
      frame = pending.frame
    } else if let place = timeline.place(at: heardPosition), place.track == track.id {
      frame = place.frame
    }
    if let length = length(of: track), !lengthIsEstimate(of: track) { frame = min(frame, .zero + length) }
    return max(frame, .zero)
  }

  /// The position of the ring that is heard now; it never goes back.
  var heardPosition: Int {
    var heard = feed.pointee.readPosition
    if device.status == .open, let rate = device.rate {
      let latency = Int(Double(device.bufferFrames) * Self.latencyOfBuffer)
      heard = feed.pointee.heardPosition(at: now, rate: rate, latencyFrames: latency)
    }
    lastHeard = max(lastHeard, heard)
    return lastHeard
  }

  /// Sound is going out, and it is the sound that was asked for.
  var isSounding: Bool { wantsPlay && !isInterrupted && device.status == .open && pending == nil && !endReported }

  /// The deck has gone on beyond what is heard: to the end, round it, or into the next track.
  var deckIsAhead: Bool {
    !endReported && (timeline.hasAnchor(after: heardPosition) || feed.pointee.endPosition != nil)
  }

  /// The track's length in frames: counted by the scan, else what the file says; nil while nobody can tell.
  func length(of track: Track) -> FrameCount? {
    if let pyramid = scannedPyramid(of: track) { return pyramid.length }
    return track.format.estimatedLength
  }

  func lengthIsEstimate(of track: Track) -> Bool {
    scannedPyramid(of: track) == nil && !track.format.lengthIsExact
  }

  private func scannedPyramid(of track: Track) -> PeakPyramid? {
    guard let scan, scan.track == track.id, let pyramid = scan.current.pyramid, pyramid.isComplete else { return nil }
    return pyramid
  }

  private var summary: TrackSummary? {
    guard let track else { return nil }
    var summary = track.summary
    summary.length = length(of: track)
    summary.lengthIsEstimate = lengthIsEstimate(of: track)
    return summary
  }

  /// Puts a track in front of those played before.
  func remember(_ track: Track) {
    guard track.path != settings.demo else { return }
    var detail = track.format.codec
    if let length = length(of: track), !lengthIsEstimate(of: track) {
      let tenths = TimeText.tenths(frames: length.rawValue, rate: track.format.rate)
      detail = "\(TimeText.clock(seconds: tenths / 10)) · \(detail)"
    }
    let item = RecentItem(path: track.path, title: track.summary.title, detail: detail)
    settings.recents.removeAll { $0.path == item.path }
    settings.recents.insert(item, at: 0)
    settings.recents.removeLast(max(settings.recents.count - StoredState.recentsLimit, 0))
  }
}
