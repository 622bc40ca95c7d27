internal import Media
internal import Sound
internal import System

/// What the decoding thread holds; nobody else touches it.
final class DeckWorker {
  let feed: UnsafeMutablePointer<Feed>
  let timeline: Timeline
  let reports: Inbox<Deck.Report>
  let orders: Monitor<Deck.Orders>
  /// Another thread has taken over: nothing here may touch the feed or report any more.
  var isRelieved = false

  let path: SpeakerPath
  var isRunning = false
  var current: LoopedSound?
  /// Decoded to its end, and perhaps still heard.
  var previous: LoopedSound?
  var follower: Deck.Orders.Follower?
  var repeats = 0
  /// All of the current track is in the ring.
  var hasEnded = true

  var block: SampleBlock?
  var history: History?
  /// The next block does not follow what the timeline knows.
  var needsAnchor = true
  /// The order that waits for its first block.
  var pendingSerial: Int?
  /// The region that the last anchor tells of.
  var anchoredLoop: Range<FrameIndex>?
  /// Frames decoded since the track last began: a loop of nothing is no loop.
  var framesThisRound = 0

  init(feed: FeedPointer, timeline: Timeline, reports: Inbox<Deck.Report>, orders: Monitor<Deck.Orders>) {
    self.feed = feed.pointer
    path = SpeakerPath(feed: feed.pointer)
    self.timeline = timeline
    self.reports = reports
    self.orders = orders
  }

  func run() {
    var pause = Double.infinity
    while !isRelieved {
      let (current, follower) = (current?.track.id, follower?.track.id)
      let taken = orders.wait(atMost: pause) { orders -> Deck.Orders? in
        guard orders.isNew else { return nil }
        let taken = orders
        let next: TrackID? = if case .some(.some(let new)) = orders.follower { new.track.id } else { nil }
        orders.held = Set([current, follower, orders.position?.track.id, next].compactMap(\.self))
        orders.position = nil
        orders.follower = nil
        orders.region = nil
        orders.repeats = nil
        orders.rate = nil
        orders.isNew = false
        return taken
      }
      if let taken {
        if taken.quits { return }
        obey(taken)
      }
      pause = fill()
    }
  }

  /// Reads or seeks, which may hang on a dead disk; throws when another thread has taken over meanwhile.
  private func away<Result>(_ sound: LoopedSound, _ body: (LoopedSound) throws(MediaError) -> Result) throws(MediaError)
    -> Result
  {
    orders.withLock { $0.isAway = true }
    defer {
      isRelieved = orders.withLock {
        $0.isAway = false
        return $0.isRelieved
      }
    }
    return try body(sound)
  }

  private func obey(_ orders: Deck.Orders) {
    isRunning = orders.isRunning
    if let rate = orders.rate { path.setRate(rate) }
    if !isRunning { path.flush() }
    if let position = orders.position { move(to: position) }
    if let region = orders.region, let current, current.track.id == region.track { current.setRegion(region.frames) }
    if let repeats = orders.repeats { self.repeats = repeats }
    if let follower = orders.follower {
      self.follower = follower
      if follower != nil, hasEnded, current != nil { _ = goToFollower() }
    }
  }

  /// Goes to a frame of a track, leaving out whatever was decoded ahead.
  private func move(to position: Deck.Orders.Position) {
    if position.track !== current?.track {
      // Back into the track that is still heard: what came after it will follow again.
      follower = nil
      if position.track === previous?.track { follower = current.map { .init(track: $0.track, region: $0.region) } }
      previous = nil
      current = LoopedSound(position.track, region: nil)
    }
    current?.setRegion(position.region)
    repeats = position.repeats
    path.restart(speed: position.speed, late: position.isSmooth && isRunning)
    history?.cut()
    needsAnchor = true
    hasEnded = false
    pendingSerial = position.serial
    do {
      if let current { try away(current) { sound throws(MediaError) in try sound.seek(to: position.frame) } }
      // Whoever seeks to the end of a loop goes on at its start.
      framesThisRound = Int(clamping: current?.position.rawValue ?? 0)
    } catch {
      if isRelieved { return }
      reports.send(.failed(position.track.id, at: position.frame, error))
      // The place counts as reached, with no sound behind it: the player waits to hear of it.
      if !goToFollower() { finish(at: position.frame) }
    }
  }

  /// Decodes until the ring is full enough, one block at a call; returns how long it can wait, in seconds.
  private func fill() -> Double {
    guard let sound = current, !hasEnded, !isRelieved else { return .infinity }
    let target = Int(Double(path.rate.hertz) * Deck.aheadSeconds)
    if path.ahead >= target { return isRunning ? Deck.aheadSeconds / 3 : .infinity }
    let format = sound.track.format
    let frames = Deck.blockFrames(at: format.rate)
    if feed.pointee.room < path.need(frames: frames, at: format.rate) { return 0.005 }
    if block?.channelCount != format.channelCount || block?.capacity != frames {
      block = SampleBlock(channelCount: format.channelCount, capacity: frames)
    }
    do {
      let block = block!
      let isThere = try away(sound) { sound throws(MediaError) in try sound.read(into: block) }
      if isRelieved { return 0 }
      if isThere { try deliver(block, of: sound) } else { try followOn() }
    } catch {
      if isRelieved { return 0 }
      reports.send(.failed(sound.track.id, at: sound.position, error))
      if !goToFollower() { finish() }
    }
    return 0
  }

  private func deliver(_ block: SampleBlock, of sound: LoopedSound) throws(MediaError) {
    framesThisRound += block.frameCount
    try path.prepare(for: sound.track.format)
    let history = history(for: sound.track.format)
    let historyPosition = history.append(block)
    if needsAnchor || sound.loop != anchoredLoop {
      addAnchor(sound, frame: block.start, historyPosition: historyPosition, history)
    }
    path.put(block)
    // Only now: a feed that hoped for more without having it would fade out.
    if let end = feed.pointee.endPosition, feed.pointee.writePosition > end { feed.pointee.goOn() }
  }

  /// The history that blocks of a format go into; at a high speed more of the track lies between the deck and the ear.
  private func history(for format: StreamFormat) -> History {
    let seconds = max(3, 1.2 * path.speed)
    if let history, history.channelCount == format.channelCount, history.rate == format.rate,
      history.capacity >= Int(Double(format.rate.hertz) * seconds)
    {
      return history
    }
    let new = History(channelCount: format.channelCount, rate: format.rate, seconds: seconds)
    history = new
    return new
  }

  private func addAnchor(_ sound: LoopedSound, frame: FrameIndex, historyPosition: Int, _ history: History) {
    let ringPosition = path.nextPosition
    timeline.add(
      Anchor(
        ringPosition: ringPosition, track: sound.track.id, frame: frame,
        framesPerRingFrame: path.framesPerRingFrame(at: sound.track.format.rate),
        historyPosition: historyPosition, history: history, loop: sound.loop))
    needsAnchor = false
    anchoredLoop = sound.loop
    if let serial = pendingSerial { reports.send(.positioned(serial: serial, ringPosition: ringPosition)) }
    pendingSerial = nil
  }

  /// The current track is decoded to its end: round again, on to what follows, or to the end.
  private func followOn() throws(MediaError) {
    if repeats > 0, framesThisRound > 0 {
      if repeats != Int.max { repeats -= 1 }
      framesThisRound = 0
      try away(current!) { sound throws(MediaError) in try sound.seek(to: .zero) }
      needsAnchor = true
      return
    }
    if !goToFollower() { finish() }
  }

  /// Takes up the track that follows; false when there is none.
  private func goToFollower() -> Bool {
    guard let follower, current != nil else { return false }
    let next = LoopedSound(follower.track, region: follower.region)
    do {
      if next.position != .zero {
        try away(next) { sound throws(MediaError) in try sound.seek(to: .zero) }
        if isRelieved { return true }
      }
    } catch {
      if isRelieved { return true }
      reports.send(.failed(next.track.id, at: .zero, error))
      return false
    }
    previous = current
    current = next
    self.follower = nil
    repeats = 0
    framesThisRound = 0
    needsAnchor = true
    hasEnded = false
    return true
  }

  /// Ends the sound in the ring; `frame` is where that is in the track when the file does not know.
  private func finish(at frame: FrameIndex? = nil) {
    if needsAnchor, let sound = current {
      let format = sound.track.format
      let history = history ?? History(channelCount: format.channelCount, rate: format.rate)
      addAnchor(sound, frame: frame ?? sound.position, historyPosition: history.end, history)
    }
    path.finish()
    hasEnded = true
    feed.pointee.end()
    if let current { reports.send(.ended(current.track.id)) }
  }
}
