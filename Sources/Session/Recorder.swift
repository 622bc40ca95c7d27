package import Control
package import Library
package import Sound
internal import System

/// Records: obeys commands, keeps the take going, and answers what there is to see.
///
/// Main thread. Nothing here waits but `finish`: sound is drained and written on threads of their own. The microphone is
/// somebody else's: the recorder says which one it wants and is told how it is.
package final class Recorder {
  let drain: DrainThread
  let headphones: Headphones?
  let writer: TakeWriter
  let reports: Inbox<TakeWriter.Report>
  /// What is kept from one run to the next.
  package internal(set) var options: RecorderOptions

  /// Where the next takes go when not to the folder of the recordings.
  private let file: PathBytes?
  var isArmed = false
  var input = InputState()
  var view = Drain.View()
  var ear = InputEar()
  var now: Int64 = 0
  private(set) var position = FrameCount.zero
  private var running = RunningPosition()

  /// The take that is open or being saved, by its number.
  var take: Int?
  var takeCount = 0
  var takePath: PathBytes?
  /// The last sound was ordered to be the last.
  var isEnding = false
  /// When a take begins by itself.
  var startsAt: Int64?
  var isInterrupted = false
  var lastTake: TakeSummary?
  var hasToldDeadChannel = false
  var hasToldDropouts = 0
  /// Where takes are kept; nil without a home folder.
  private(set) var folder: PathBytes?
  /// The one that was set before the last choice, which may turn out to be none.
  var folderBefore: PathBytes?
  /// When the writer was last asked for the free space.
  var lastWatch: Int64 = .min / 2

  private var notices: [RecorderNotice] = []
  var events: [RecorderEvent] = []

  /// A recorder of what comes into `intake`, which must live until `finish` has returned.
  ///
  /// Takes that an earlier run left unfinished are completed at once, on the writer's thread. With `file` the take goes
  /// there and not to the recordings. `headphones` is fed while monitoring is on. `wake` is called on other threads when `update` has something to take up.
  package init(
    intake: IntakePointer, options: RecorderOptions, file: PathBytes? = nil, journal: TakeJournal = TakeJournal(),
    headphones: FeedPointer? = nil, wake: @escaping @Sendable () -> Void = {}
  ) {
    self.options = options
    self.file = file
    reports = Inbox(bell: wake)
    writer = TakeWriter(reports: reports, journal: journal)
    self.headphones = headphones.map { Headphones(feed: $0) }
    drain = DrainThread(Drain(intake: intake.pointer, queue: writer.queue, headphones: self.headphones))
    writer.queue.push(.recover)
    settingsChanged()
    watchDisk()
  }

  // MARK: commands

  /// Does what is asked, at once or as soon as the other threads have done their part.
  ///
  /// What concerns sound holds from this moment on: `nanoseconds`, on the monotonic clock.
  package func obey(_ command: RecorderCommand, at nanoseconds: Int64 = Clock.nanoseconds()) {
    now = max(now, nanoseconds)
    switch command {
    case .arm: arm()
    case .disarm: if take == nil { disarm() }
    case .start: start()
    case .pause: if take != nil, !isEnding { drain.drain.order(.pause, at: nanoseconds) }
    case .resume: if take != nil, !isEnding { drain.drain.order(.resume, at: nanoseconds) }
    case .startOrPause: startOrPause()
    case .stop: stop()
    case .renameTake(let path, let name): writer.queue.push(.rename(path, to: name))
    case .deleteTake(let path): writer.queue.push(.trash(path))
    default: change(command)
    }
  }

  private func change(_ command: RecorderCommand) {
    switch command {
    case .setDevice(let name): options.device = name
    case .setCoding(let coding): options.coding = coding
    case .setWidth(let width): options.width = width
    case .setRate(let rate): options.rate = rate
    case .setChannels(let channels): options.channels = channels
    case .setBuffer(let milliseconds):
      if let refusal = options.refusal(ofBuffer: milliseconds) { return tell(.error, refusal) }
      options.bufferMilliseconds = milliseconds
    case .setPreRoll(let seconds):
      options.preRollSeconds = min(max(seconds, 0), RecorderOptions.longestPreRoll)
    case .setTrigger(let trigger): options.trigger = trigger
    case .setTimer(let timer): options.timer = timer
    case .setMonitoring(let monitors): options.isMonitoring = monitors
    case .setFolder(let folder):
      folderBefore = options.folder
      options.folder = folder
      if let folder { writer.queue.push(.check(folder)) }
      watchDisk()
    default: break
    }
    settingsChanged()
  }

  private func settingsChanged() {
    drain.drain.order(
      .settings(
        DrainSettings(channels: options.channels, preRollSeconds: options.preRollSeconds, trigger: options.trigger)),
      at: now)
  }

  func watchDisk() {
    lastWatch = now
    folder = file?.parent ?? Recordings(folder: options.folder)?.folder
    writer.queue.push(.watch(folder))
  }

  private func arm() {
    guard !isArmed else { return }
    isArmed = true
    hasToldDeadChannel = false
    drain.setListening(true)
  }

  func disarm() {
    isArmed = false
    startsAt = nil
    drain.drain.order(.rest, at: now)
    drain.setListening(false)
  }

  private func start() {
    arm()
    if take != nil { return drain.drain.order(.resume, at: now) }
    guard startsAt == nil else { return }
    if options.timer.startInSeconds > 0 {
      startsAt = now + Int64(options.timer.startInSeconds * 1e9)
    } else {
      begin()
    }
  }

  private func startOrPause() {
    guard take != nil else { return start() }
    guard !isEnding else { return }
    drain.drain.order(view.mode == .paused ? .resume : .pause, at: now)
  }

  /// Begins a take with the sound from now on, or from the end of the countdown.
  func begin() {
    let time = startsAt ?? now
    startsAt = nil
    let place: TakeOrder.Place
    if let file {
      place = .file(file)
    } else if let recordings = Recordings(folder: options.folder) {
      place = .recordings(recordings)
    } else {
      return tell(.error, "There is no home folder to record to; choose a folder for recordings.")
    }
    takeCount += 1
    take = takeCount
    takePath = nil
    isEnding = false
    hasToldDropouts = 0
    drain.drain.order(
      .begin(
        TakeOrder(
          number: takeCount, coding: options.coding, width: options.width, place: place,
          device: input.device ?? options.device ?? "the default microphone", time: .now,
          stopAfterSeconds: options.timer.stopAfterSeconds)),
      at: time)
  }

  private func stop() {
    startsAt = nil
    guard take != nil, !isEnding else { return }
    isEnding = true
    drain.drain.order(.end, at: now)
  }

  /// Ends the take, waits until its file is whole, and ends the threads; false when the disk does not answer in time.
  ///
  /// Once, when the program ends. Usually done in a tenth of a second.
  package func finish(patience seconds: Double = 5) -> Bool {
    obey(.stop)
    let deadline = Clock.seconds() + seconds
    if take != nil {
      drain.setListening(true)
      while let number = take, Clock.seconds() < deadline {
        // Without a microphone there never was any sound for it, and no report will come.
        if drain.drain.takeView().withdrawn == number {
          take = nil
        } else if let report = reports.take(atMost: min(deadline - Clock.seconds(), 2 * Drain.beat)) {
          take(report)
        }
      }
    }
    drain.stop()
    return writer.stop(patience: max(deadline - Clock.seconds(), 0.1)) && take == nil
  }

  /// Moves what is shown on to now.
  func runOn() {
    guard let history = view.history else { return position = .zero }
    position = running.move(
      to: now, known: take != nil && view.take == take ? view.elapsed : view.pyramid?.length ?? .zero,
      rate: history.rate, isRunning: view.mode == .listening || view.mode == .recording)
  }

  func tell(_ kind: Notice.Kind, _ text: String) { notices.append(RecorderNotice(kind: kind, text: text)) }

  /// What is to be told to the user since the last time this was asked.
  package func takeNotices() -> [RecorderNotice] {
    defer { notices = [] }
    return notices
  }

  /// What has happened since the last time this was asked.
  package func takeEvents() -> [RecorderEvent] {
    defer { events = [] }
    return events
  }
}

/// Something to tell, for whoever numbers the notices.
package struct RecorderNotice: Hashable, Sendable {
  package var kind: Notice.Kind
  package var text: String
}
