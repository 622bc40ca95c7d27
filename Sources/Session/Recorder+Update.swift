package import Control
internal import Library
internal import Sound
internal import System

extension Recorder {
  /// The free space is asked for this often while the microphone is open, in nanoseconds; a take asks more often.
  private static let watchNanoseconds: Int64 = 5_000_000_000

  /// Takes up what has happened since the last time; `nanoseconds` is the monotonic clock.
  package func update(at nanoseconds: Int64, input state: InputState) {
    now = nanoseconds
    take(state)
    reports.takeAll().forEach(take)
    view = drain.drain.takeView()
    if take == nil, let due = startsAt, nanoseconds >= due { begin() }
    // The timer has ended it.
    if view.hasEnded, view.take == take { isEnding = true }
    if isArmed, take == nil, nanoseconds - lastWatch > Self.watchNanoseconds { watchDisk() }
    if let take, view.withdrawn == take {
      self.take = nil
      isEnding = false
      events.append(.finished(nil, successfully: false))
    }
    runOn()
    ear.listen(at: nanoseconds, to: isArmed && input.status == .open ? view.history : nil, peaks: view.peaks)
    tellOfTrouble()
  }

  /// The microphone to open; nil for none.
  package var wantedInput: InputWish? {
    guard isArmed else { return nil }
    // A take keeps the rate with which it began.
    let rate = take == nil ? options.rate : view.format?.rate ?? options.rate
    return InputWish(device: options.device, rate: rate, bufferMilliseconds: options.bufferMilliseconds)
  }

  /// What comes in should be heard: a loudspeaker that plays the headphones' feed is to be open.
  package var wantsHeadphones: Bool { isArmed && options.isMonitoring }

  /// Takes note of how that loudspeaker is.
  package func follow(headphones device: DeviceState) {
    headphones?.follow(device, isWanted: wantsHeadphones)
  }

  /// A take is open, or not yet whole on the disk: the program should not end without `finish`.
  package var isBusy: Bool { take != nil }

  /// When `update` is needed next though nothing comes in: at once while the microphone is open, later, or never.
  package var nextUpdate: Int64? {
    if isArmed { return now }
    if take != nil { return now + 100_000_000 }
    return nil
  }

  private func take(_ state: InputState) {
    let old = input
    input = state
    let isTaking = take != nil && takePath != nil
    if isTaking, state.losses > old.losses || state.status == .lost && old.status != .lost {
      if !isInterrupted { events.append(.interruptionBegan) }
      isInterrupted = true
      let reason = state.lossReason ?? state.problem ?? "The microphone was lost."
      if state.status == .open {
        tell(.error, "\(reason) \(goesOn)")
      } else {
        tell(.error, "\(reason) What was recorded is safe; it goes on when there is a microphone again.")
      }
    } else if !isTaking, state.status == .lost, old.status != .lost, isArmed {
      if let problem = state.problem { tell(.error, problem) }
      // Nothing has come yet, so there is nothing to go on with.
      if take != nil { obey(.stop, at: now) }
    }
    if isInterrupted, state.status == .open {
      isInterrupted = false
      events.append(.interruptionEnded)
      if isTaking, old.status != .open { tell(.information, goesOn) }
    }
  }

  private var goesOn: String {
    "The recording goes on with \(input.device.map { "“\($0)”" } ?? "the default microphone")."
  }

  func take(_ report: TakeWriter.Report) {
    switch report {
    case .began(let number, let path):
      guard number == take else { return }
      takePath = path
      events.append(.started(path))
    case .finished(let number, let summary, let problem): finished(number, summary, problem)
    case .warned(let text): tell(.error, text)
    case .recovered(let summary):
      events.append(.recovered(summary))
      tell(.information, "The recording “\(summary.path.lastComponent.shown)”, which was cut off, is whole again.")
    case .notRecovered(let text), .refused(let text): tell(.error, text)
    case .folderRefused(let folder, let text):
      tell(.error, text)
      guard options.folder == folder else { return }
      options.folder = folderBefore
      watchDisk()
    case .renamed(let old, let new):
      if lastTake?.path == old { lastTake?.path = new }
      events.append(.renamed(old, to: new))
    case .trashed(let path):
      if lastTake?.path == path { lastTake = nil }
      events.append(.trashed(path))
      tell(.information, "“\(path.lastComponent.shown)” is in the trash.")
    }
  }

  private func finished(_ number: Int, _ summary: TakeSummary?, _ problem: String?) {
    if let problem {
      events.append(.encodingError(path: summary?.path, reason: problem))
      tell(.error, problem)
    }
    if summary == nil, problem == nil { tell(.information, "Nothing was recorded, so no file is kept.") }
    events.append(.finished(summary, successfully: problem == nil))
    if let summary { lastTake = summary }
    guard number == take else { return }
    // When the writer had to give up, the drain does not know yet.
    if !isEnding { drain.drain.order(.end, at: now) }
    take = nil
    isEnding = false
    isInterrupted = false
  }

  private func tellOfTrouble() {
    if take != nil, view.take == take, view.dropouts > hasToldDropouts {
      hasToldDropouts = view.dropouts
      let rate = view.format?.rate ?? SampleRate(hertz: 48_000)
      let tenths = Int((rate.seconds(of: view.dropoutFrames) * 10).rounded(.up))
      tell(
        .error,
        "Sound was lost on its way from the microphone (\(tenths / 10).\(tenths % 10) s in all); silence keeps its place."
      )
    }
    if isArmed, !view.deadChannels.isEmpty, !hasToldDeadChannel {
      hasToldDeadChannel = true
      let name = view.deadChannels == [0] ? "left" : view.deadChannels == [1] ? "right" : "second"
      tell(
        .information,
        "Nothing comes from the \(name) channel of the microphone; choose Mono, Left or Right to leave it out.")
    }
  }
}
