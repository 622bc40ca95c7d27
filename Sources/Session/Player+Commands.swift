package import Control
internal import Library
internal import Media
package import Sound
internal import System

extension Player {
  /// Does what is asked, at once or as soon as a worker has done its part.
  package func obey(_ command: PlayerCommand) {
    switch command {
    case .open([]): tell(.error, "That is no file: Swell opens files and folders of this computer.")
    case .open(let paths): open(paths, StartOptions())
    case .enqueue(let paths): enqueue(paths)
    case .openDemo: if let demo = settings.demo { open([demo], StartOptions()) }
    case .play: play()
    case .pause: pause()
    case .playPause: if wantsPlay { pause() } else { play() }
    case .stop: stopPlaying()
    case .seek(let frame): seek(to: frame)
    case .seekBy(seconds: let seconds):
      if let track { seek(to: position + track.format.rate.frames(inSeconds: seconds)) }
    case .seekByFrames(let frames): seek(to: position + frames)
    case .seekToFraction(let share): seek(toShare: share)
    case .next: step(forward: true)
    case .previous: previous()
    case .setVolume(let volume): setVolume(volume)
    case .stepVolume(let steps): setVolume(settings.volume.stepped(steps))
    case .toggleMute:
      settings.isMuted.toggle()
      applyGain()
    case .setLoop(let loop): setLoop(loop)
    case .cycleLoop: setLoop(settings.loop.following)
    case .setSpeed(let speed): setSpeed(speed)
    case .stepSpeed(let steps): setSpeed(speed.stepped(steps))
    case .setFlagA: setFlag(isB: false)
    case .setFlagB: setFlag(isB: true)
    case .setFlags(let flags): setFlags(flags)
    case .setDevice(let name): settings.device = name
    case .setSpectrumScale(let scale):
      settings.spectrumScale = scale
      ear.scale = scale
    case .dismissNotice(let id): notices.removeAll { $0.id == id }
    case .showSamples(let range): closeup.show(range, of: track)
    }
  }

  /// Opens files as the command line asks.
  package func open(_ paths: [PathBytes], _ options: StartOptions) {
    request(.newQueue, asked: paths, options: options) { opener, number in opener.open(request: number, paths) }
  }

  /// Shows the queue of the last time, paused where it was left.
  package func restore(queue paths: [PathBytes], index: Int, position: FrameIndex) {
    guard paths.indices.contains(index) else { return }
    queue = PlayQueue(paths: paths, index: nil)
    restoring = (PlayQueue(paths: paths, index: index), position)
    var options = StartOptions()
    options.startFrame = position
    options.plays = false
    open(places: [index], options)
  }

  private func enqueue(_ paths: [PathBytes]) {
    guard track != nil else { return open(paths, StartOptions()) }
    requestCount += 1
    appends.insert(requestCount)
    opener.expand(request: requestCount, paths)
  }

  // MARK: playing

  private func play() {
    guard let track else {
      if !queue.paths.isEmpty { open(places: queue.places(from: 0, forward: true, loop: .off), StartOptions()) }
      return
    }
    startsAt = nil
    if let region = flags.region, position == region.upperBound {
      seek(to: region.lowerBound)
    } else if isAtRest, let length = length(of: track), position >= .zero + length {
      seek(to: .zero)
    }
    isAtRest = false
    guard !wantsPlay else { return }
    wantsPlay = true
    events.append(.started(track.id))
    applyGate()
  }

  private func pause() {
    startsAt = nil
    guard wantsPlay, let track else { return }
    wantsPlay = false
    events.append(.paused(track.id))
    applyGate()
  }

  private func stopPlaying() {
    startsAt = nil
    guard track != nil else { return }
    wantsPlay = false
    isAtRest = true
    applyGate()
    seek(to: flags.a ?? .zero)
  }

  private func seek(to frame: FrameIndex) {
    guard let track else { return }
    var target = max(frame, .zero)
    if let length = length(of: track), !lengthIsEstimate(of: track) { target = min(target, .zero + length) }
    position(track, at: target)
  }

  private func seek(toShare share: Double) {
    guard let track, let length = length(of: track) else { return }
    seek(to: FrameIndex(Int64((Double(length.rawValue) * min(max(share, 0), 1)).rounded())))
  }

  /// Sends the deck to a frame of a track; what is shown goes there at once.
  func position(_ track: Track, at frame: FrameIndex, repeats: Int? = nil, isSmooth: Bool = false) {
    serial += 1
    pending = PendingPosition(serial: serial, frame: frame, ringPosition: nil)
    endReported = false
    deckFailed = false
    let repeats = repeats ?? self.repeats
    self.repeats = repeats
    deck.order { [serial, region = flags.region, speed = speed.ratio] in
      $0.position = .init(
        serial: serial, track: track, frame: frame, repeats: repeats, region: region, speed: speed, isSmooth: isSmooth)
    }
    ear.jumped()
  }

  /// Has the deck begin anew where the ear is, since what it has decoded ahead is no longer what is to come.
  ///
  /// What was given to the device is not heard twice, and sound goes on while the new is prepared.
  func goOnAnew(_ track: Track) {
    guard pending == nil, isSounding else { return position(track, at: position) }
    let lead = Int(Self.leadSeconds * Double(device.rate?.hertz ?? 0))
    let place = timeline.place(at: feed.pointee.readPosition + lead)
    guard let place, place.track == track.id else { return position(track, at: position) }
    position(track, at: place.frame, isSmooth: true)
  }

  // MARK: the queue

  private func step(forward: Bool) {
    guard let place = forward ? queue.next(loop: settings.loop) : queue.previous(loop: settings.loop) else { return }
    var options = StartOptions()
    options.plays = wantsPlay
    if track == nil { options.plays = true }
    open(places: queue.places(from: place, forward: forward, loop: settings.loop), options)
  }

  private func previous() {
    guard let track else { return }
    let isIn = track.format.rate.seconds(at: position) > Self.restartSeconds
    if isIn || queue.previous(loop: settings.loop) == nil { seek(to: .zero) } else { step(forward: false) }
  }

  /// Opens the first of these places of the queue that plays.
  func open(places: [Int], _ options: StartOptions) {
    let paths = queue.paths
    let places = worthTrying(places)
    request(.place, asked: places.first.map { [paths[$0]] } ?? [], options: options) { opener, number in
      opener.open(request: number, places: places, of: paths)
    }
  }

  /// Of places of the queue those that have not failed; all, when all have.
  func worthTrying(_ places: [Int]) -> [Int] {
    let fresh = places.filter { !unplayable.contains(queue.paths[$0]) }
    return fresh.isEmpty ? places : fresh
  }

  func request(
    _ purpose: OpenRequest.Purpose, asked: [PathBytes], options: StartOptions, _ start: (Opener, Int) -> Void
  ) {
    requestCount += 1
    opening = OpenRequest(number: requestCount, purpose: purpose, asked: asked, options: options)
    start(opener, requestCount)
  }

  // MARK: level and loop

  private func setVolume(_ volume: Volume) {
    settings.volume = volume
    settings.isMuted = false
    applyGain()
  }

  func applyGain() {
    feed.pointee.setGain(settings.isMuted ? 0 : Float(settings.volume.decibels.amplitude))
  }

  private func setSpeed(_ new: Speed) {
    guard new != speed else { return }
    speed = new
    if let track { goOnAnew(track) }
  }

  private func setLoop(_ loop: LoopMode) {
    settings.loop = loop
    repeats = loop == .track ? Int.max : 0
    follower = nil
    followerTried = nil
    if opening?.purpose == .follower { opening = nil }
    deck.order { [repeats] in
      $0.repeats = repeats
      $0.follower = .some(nil)
    }
    // The deck may already be beyond the end, in what would have followed: it comes back to what is heard.
    if let track, pending == nil, deckIsAhead { goOnAnew(track) }
  }
}
