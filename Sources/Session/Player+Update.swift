package import Control
internal import Library
internal import Media
internal import Sound
internal import System

extension Player {
  /// A device is closed after 2 s of silence: a paused one costs 1 % of a core, opening one takes a millisecond.
  static let idleSeconds = 2.0
  /// More than 3 s into a track, Previous goes to its start.
  static let restartSeconds = 3.0
  /// What follows is opened when so much of the track is left.
  static let followerSeconds = 20.0
  /// What lies further ahead of the ear than this, in seconds of the track, is not decoded yet.
  static let horizonSeconds = 2 * Deck.aheadSeconds
  /// The share of its buffer by which a device is behind its callback (measured on PulseAudio and PipeWire).
  static let latencyOfBuffer = 0.65
  /// About how long the deck takes to begin anew.
  static let leadSeconds = 0.02

  /// Takes up what has happened since the last time; `nanoseconds` is the monotonic clock.
  package func update(at nanoseconds: Int64, device: DeviceState) {
    now = nanoseconds
    take(device)
    openReports.takeAll().forEach(take)
    deckReports.takeAll().forEach(take)
    if let due = startsAt, nanoseconds >= due { obey(.play) }
    followEar()
    takeScan()
    openFollower()
    scanFollower()
    watchDisk()
    if wantsPlay { lastWanted = nanoseconds }
    ear.listen(
      at: nanoseconds, hertz: settings.analysisHertz, to: isSounding ? timeline.place(at: heardPosition) : nil)
  }

  /// Waits at most `seconds` for the file that is being opened, so that its sound can start before there is a window.
  package func awaitOpening(atMost seconds: Double) {
    let deadline = Clock.seconds() + seconds
    while opening != nil, Clock.seconds() < deadline {
      openReports.waitForAny(atMost: deadline - Clock.seconds())
      update(at: Clock.nanoseconds(), device: device)
    }
  }

  /// True while the device should be open.
  package var wantsDevice: Bool {
    if let due = startsAt, due - now < 1_000_000_000 { return true }
    return track != nil && Double(now - lastWanted) * 1e-9 < Self.idleSeconds
  }

  /// The name of the device to open; nil is the system's default.
  package var wantedDevice: String? { settings.device }

  /// When `update` is needed next though nothing comes in: at once while something moves, later, or never.
  package var nextUpdate: Int64? {
    if isSounding || pending != nil || !ear.isAtRest { return now }
    if wantsPlay { return now + 100_000_000 }
    let start = startsAt.map { min($0, $0 - 1_000_000_000 > now ? $0 - 1_000_000_000 : $0) }
    let close = startsAt == nil && wantsDevice ? lastWanted + Int64(Self.idleSeconds * 1e9) : nil
    return [start, close, patienceEnds].compactMap(\.self).min()
  }

  /// What has happened since the last time this was asked.
  package func takeEvents() -> [PlayerEvent] {
    defer { events = [] }
    return events
  }

  // MARK: the device

  private func take(_ state: DeviceState) {
    let old = device
    device = state
    if let rate = state.rate, rate != deckRate {
      let isFirst = deckRate == nil
      deckRate = rate
      feed.pointee.setRate(rate)
      deck.order { $0.rate = rate }
      if !isFirst || rate.hertz != 48_000, let track { position(track, at: position) }
    }
    if state.status == .lost, old.status != .lost, let problem = state.problem { tell(.error, problem) }
    let interrupts = state.status == .lost && wantsPlay
    if interrupts != isInterrupted {
      isInterrupted = interrupts
      events.append(interrupts ? .interruptionBegan : .interruptionEnded)
      applyGate()
    }
    if state.status != .open { feed.pointee.skipWhileClosed() }
  }

  /// Opens or closes the feed's gate and tells the deck whether to keep the ring filled.
  func applyGate() {
    let opens = wantsPlay && !isInterrupted
    feed.pointee.setOpen(opens)
    deck.order { $0.isRunning = opens }
  }

  // MARK: reports

  private func take(_ report: Opener.Report) {
    switch report {
    case .expanded(let request, let paths):
      if appends.remove(request) != nil { return append(paths) }
      guard opening?.number == request else { return }
      opening?.paths = paths
    case .opened(let request, let place, let opened, let failures):
      guard let opening, opening.number == request else { return }
      self.opening = nil
      noteFailures(failures)
      begin(opened, place: place, opening)
    case .failed(let request, let failures):
      guard let opening, opening.number == request else { return }
      self.opening = nil
      couldNotOpen(opening, failures)
    case .trouble(let sentence): tell(.error, sentence)
    }
  }

  private func append(_ paths: [PathBytes]) {
    queue.append(paths)
    if !paths.isEmpty {
      tell(.information, paths.count == 1 ? "Added 1 file to the queue." : "Added \(paths.count) files to the queue.")
    }
  }

  private func begin(_ opened: Track, place: Int, _ request: OpenRequest) {
    switch request.purpose {
    case .follower:
      guard place != queue.index || settings.loop == .queue else { return }
      follower = (opened, place)
      deck.order { [region = keptRegion(of: opened)] in $0.follower = .some(.init(track: opened, region: region)) }
      return
    case .newQueue:
      queue = PlayQueue(paths: request.paths, index: place)
      unplayable.formIntersection(request.paths[..<place])
    case .place: queue.index = place
    }
    unplayable.remove(opened.path)
    let options = request.options
    restoring = nil
    follower = nil
    let frame = opened.format.rate.frames(inSeconds: options.startSeconds)
    let rounds = options.repeats ?? (settings.loop == .track ? Int.max : 0)
    if wantsPlay, let track { events.append(.finished(track.id, successfully: true)) }
    show(opened)
    position(opened, at: options.startFrame + frame, repeats: rounds)
    deck.order { $0.follower = .some(nil) }
    startsAt = options.delaySeconds > 0 ? now + Int64(options.delaySeconds * 1e9) : nil
    wantsPlay = options.plays && startsAt == nil
    isAtRest = !wantsPlay
    if wantsPlay { events.append(.started(opened.id)) }
    applyGate()
  }

  /// Makes a track the one that is shown and scans it.
  private func show(_ new: Track) {
    scan?.cancel()
    closeup.show(nil, of: nil)
    track = new
    ear.expect(channelCount: new.format.channelCount)
    scanTaken = false
    hasNoFollower = false
    recallFlags(of: new)
    if nextScan?.track != new.id {
      nextScan?.cancel()
      nextScan = Scan(track: new, cache: settings.waveforms, bell: wake)
    }
    (scan, nextScan) = (nextScan, nil)
    remember(new)
  }

  private func take(_ report: Deck.Report) {
    switch report {
    case .positioned(let serial, let ringPosition):
      if pending?.serial == serial { pending?.ringPosition = ringPosition }
    case .ended: break
    case .failed(let id, let frame, let error):
      guard id == track?.id || id == follower?.track.id else { return }
      deckFailed = true
      if id == follower?.track.id { follower = nil }
      events.append(.decodingError(path: error.path, at: frame, reason: "\(error)"))
      tell(.error, "\(error)")
    }
  }

  // MARK: the ear

  /// Notices when the ear has come to a place that was asked for, into the next track, or to the end.
  private func followEar() {
    let heard = heardPosition
    if let place = pending?.ringPosition, feed.pointee.readPosition >= place { pending = nil }
    guard pending == nil else { return }
    timeline.prune(before: heard - 1_000_000)
    if let place = timeline.place(at: heard), let next = follower, place.track == next.track.id {
      if let old = track { events.append(.finished(old.id, successfully: !deckFailed)) }
      deckFailed = false
      follower = nil
      queue.index = next.place
      repeats = 0
      show(next.track)
      events.append(.started(next.track.id))
    }
    // With a follower in the deck, this end is only the moment before it goes on.
    if wantsPlay, follower == nil, let end = feed.pointee.endPosition, heard >= end, !endReported { reachEnd() }
  }

  private func reachEnd() {
    endReported = true
    guard let track else { return }
    events.append(.finished(track.id, successfully: !deckFailed))
    if let opening {
      // What was to follow comes late and is played as soon as it is open; so is what the listener has just asked for.
      if opening.purpose == .follower { self.opening?.purpose = .place }
      return
    }
    goOn()
  }

  /// Plays what comes after the track that has ended, if anything does.
  func goOn() {
    if let next = queue.next(loop: settings.loop), repeats == 0, !hasNoFollower {
      open(places: queue.places(from: next, forward: true, loop: settings.loop), StartOptions())
    } else {
      comeToRest()
    }
  }

  func comeToRest() {
    wantsPlay = false
    isAtRest = true
    applyGate()
  }

  /// Opens what follows while the end is near, so that the deck can go on without a break.
  private func openFollower() {
    guard let track, wantsPlay, follower == nil, opening == nil, repeats == 0, pending == nil, !endReported,
      !isLooping, let length = length(of: track), let next = queue.next(loop: settings.loop),
      track.format.rate.seconds(of: .zero + length - position) < Self.followerSeconds * speed.ratio,
      followerTried != track.id
    else { return }
    followerTried = track.id
    hasNoFollower = false
    let places = worthTrying(queue.places(from: next, forward: true, loop: settings.loop))
    let paths = queue.paths
    request(.follower, asked: [paths[next]], options: StartOptions()) { opener, number in
      opener.open(request: number, places: places, of: paths)
    }
  }

  /// Scans what follows as soon as nothing else is scanned, so that its waveform is there when it is heard.
  private func scanFollower() {
    guard let next = follower?.track, nextScan?.track != next.id, scan?.current.isDone ?? true else { return }
    nextScan?.cancel()
    nextScan = Scan(track: next, cache: settings.waveforms, bell: wake)
  }

  /// Takes up, once, what the finished scan has found out.
  private func takeScan() {
    guard let scan, let track, scan.track == track.id, !scanTaken else { return }
    let state = scan.current
    guard state.isDone else { return }
    scanTaken = true
    remember(track)
    fitFlags()
    guard state.skippedStretches > 0 else { return }
    let name = track.path.lastComponent.shown
    let count = state.skippedStretches
    tell(
      .information,
      count == 1
        ? "A stretch of “\(name)” is damaged and was left out."
        : "\(count) stretches of “\(name)” are damaged and were left out.")
  }
}
