import Control
import Library
import Scene
import Session
import Sound
import Stage
import System

/// The program with its window: opens the rooms, carries things between them, and turns the crank.
///
/// Main thread.
final class Program {
  /// 2¹⁸ frames: at every rate up to 192 kHz room for the 0.6 s that are kept ahead and for what the slowest speed adds.
  private static let feedFrames = 1 << 18
  /// How long the window waits for the first file to open, in seconds.
  private static let openingSeconds = 0.02
  /// The beat of the display while something moves, in seconds.
  private static let beatSeconds = 1.0 / 60
  /// How often what is to survive a restart is handed to its keeper while the program runs, in seconds.
  private static let keepSeconds = 5.0

  private let options: WindowOptions
  private let feed = Feed.make(capacity: Program.feedFrames)
  private let store: StateStore
  private var kept: StoredState
  /// Sentences from the store's thread.
  private let troubles: Inbox<String>
  private let speaker: Speaker
  private let player: Player
  private let browser: FolderBrowser
  private let recording: RecordingDesk
  private var view = ViewState()
  private var frames = FrameTracer()
  private var isQuitting = false
  private var lastKept = Clock.seconds()
  private var lastShown = 0.0
  /// The scale that the command line asked for, as the window took it: for this once.
  private var givenScale: Float?
  /// What the loudspeaker was last asked for.
  private var lastWish: DeviceWish?

  private enum DeviceWish: Equatable {
    case closed
    case open(String?)
  }

  init(_ options: WindowOptions) {
    self.options = options
    let troubles = Inbox<String>(bell: Window.wake)
    self.troubles = troubles
    store = StateStore { troubles.send($0) }
    let (state, notice) = store.load()
    kept = state
    // The sound starts before the window: it is what is waited for most.
    speaker = Speaker(feed: feed, bell: Window.wake)
    speaker.open(state.deviceName)
    var settings = PlayerSettings()
    settings.volume = state.volume
    settings.isMuted = state.isMuted
    settings.loop = state.loop
    settings.device = state.deviceName
    settings.spectrumScale = state.spectrumScale
    settings.speed = options.speed
    settings.analysisHertz = options.analysisHertz
    settings.recents = state.recents
    settings.flags = state.flags
    settings.demo = Demo.path
    settings.waveforms = .standard
    player = Player(feed: FeedPointer(feed), settings: settings, wake: Window.wake)
    browser = FolderBrowser(folder: state.browserFolder, bell: Window.wake)
    recording = RecordingDesk(options: state.recording, wake: Window.wake)
    if let seconds = state.secondsPerPoint { view.secondsPerPoint = seconds }
    if let notice { player.tell(.error, notice) }
    if Environment.assets == nil {
      player.tell(
        .error, "Swell’s own files were not found, so its buttons have no icons: keep share/swell beside bin/swell.")
    }
    openFirst()
    // Most files open in a few milliseconds; the window takes ten times as long, and the sound need not wait for it.
    player.awaitOpening(atMost: Self.openingSeconds)
  }

  /// What the command line names, else the queue of the last time.
  private func openFirst() {
    guard options.paths.isEmpty else {
      var start = StartOptions()
      start.startSeconds = options.startSeconds
      start.repeats = options.repeats
      start.delaySeconds = options.delaySeconds
      return player.open(options.paths.map(Files.absolute), start)
    }
    if let index = kept.queueIndex { player.restore(queue: kept.queue, index: index, position: kept.position) }
  }

  /// Runs until the listener quits; the status for the shell.
  func run() -> Int32 {
    let window: Window
    do {
      window = try Window(
        title: "Swell", geometry: kept.window.map(WindowGeometry.init),
        scale: (options.scale ?? kept.interfaceScale).map { Float($0) }, assets: Environment.assets)
    } catch {
      Terminal.write("\(error)\n", toErrors: true)
      end()
      return 1
    }
    if options.scale != nil { givenScale = window.chosenScale }
    var next = turn(window, window.wait(until: 0))
    // What cannot be kept shall be told at once, and not when there is something to lose.
    store.save(kept)
    // Known once something was drawn; without a font the window cannot say so itself.
    if let problem = window.fontProblem { Terminal.write("\(problem)\n", toErrors: true) }
    while !isQuitting {
      let happened = window.wait(until: next)
      next = turn(window, happened)
    }
    keep(window)
    end()
    return 0
  }

  /// One turn of the crank; returns when the next is due though nothing happens, if ever.
  private func turn(_ window: Window, _ happened: Happenings) -> Double? {
    happened.outputs.forEach(speaker.handle)
    if happened.wantsQuit || Signals.wantsQuit { isQuitting = true }
    let started = Clock.nanoseconds()
    player.update(at: started, device: speaker.state)
    recording.update(at: started, happened: happened, player: player)
    troubles.takeAll().forEach { player.tell(.error, $0) }
    var snapshot = player.snapshot
    snapshot.browser = browser.listing
    snapshot.recording = recording.snapshot
    snapshot.isFullScreen = window.isFullScreen
    let result = frame(snapshot: snapshot, input: happened.input, view: &view, measure: window.measure)
    if window.isVisible { window.present(result.list) }
    lastShown = happened.input.time
    frames.shown(took: Clock.nanoseconds() - started)
    window.title = title(snapshot)
    result.commands.forEach { obey($0, window) }
    followPlayer()
    if Clock.seconds() - lastKept > Self.keepSeconds { keep(window) }
    return nextTurn(result, window)
  }

  private func title(_ snapshot: Snapshot) -> String {
    if view.isRecordViewOpen { return "Recording – Swell" }
    // The desktop draws it, and must not be led to write backwards.
    return snapshot.track.map { "\(PathBytes($0.title).shown) – Swell" } ?? "Swell"
  }

  private func nextTurn(_ result: FrameResult, _ window: Window) -> Double? {
    // What was asked for may look different at once.
    if !result.commands.isEmpty { return 0 }
    let player = self.player.nextUpdate.map { Double($0) * 1e-9 }
    let recording = self.recording.nextUpdate.map { Double($0) * 1e-9 }
    guard let soonest = [result.nextFrame, player, recording].compactMap(\.self).min() else { return nil }
    // Nobody sees a hidden window; the player is looked after all the same.
    return max(soonest, lastShown + (window.isVisible ? Self.beatSeconds : 0.1))
  }

  /// Gives the loudspeaker what the player wants, and tells what happened.
  private func followPlayer() {
    let wish = player.wantsDevice ? DeviceWish.open(player.wantedDevice) : .closed
    if wish != lastWish {
      if case .open(let name) = wish { speaker.open(name) } else { speaker.close() }
      lastWish = wish
    }
    frames.watch(feed)
    for event in player.takeEvents() { Trace.event(event) }
  }

  private func obey(_ command: Command, _ window: Window) {
    switch command {
    case .player(let command):
      Trace.command(command)
      player.obey(command)
    case .recorder(let command): recording.obey(command, player: player)
    case .library(let command): browser.obey(command)
    case .window(.quit): isQuitting = true
    case .window(.toggleFullScreen): window.isFullScreen.toggle()
    case .window(.leaveFullScreen): window.isFullScreen = false
    case .window(.stepScale(let steps)): window.stepScale(steps)
    }
  }

  /// Hands what is to survive a restart to the store.
  private func keep(_ window: Window) {
    lastKept = Clock.seconds()
    let now = player.kept
    kept.volume = now.settings.volume
    kept.isMuted = now.settings.isMuted
    kept.loop = now.settings.loop
    kept.deviceName = now.settings.device
    kept.spectrumScale = now.settings.spectrumScale
    kept.recents = now.settings.recents
    kept.flags = now.settings.flags
    kept.queue = now.queue.paths
    kept.queueIndex = now.queue.index
    kept.position = now.position
    kept.browserFolder = browser.folder
    kept.recording = recording.options
    kept.secondsPerPoint = view.secondsPerPoint
    if givenScale == nil || window.chosenScale != givenScale {
      givenScale = nil
      kept.interfaceScale = window.chosenScale.map { Double($0) }
    }
    if let geometry = window.geometry { kept.window = StoredState.Window(geometry) }
    store.save(kept)
  }

  private func end() {
    recording.end()
    browser.stop()
    player.stop()
    store.close()
    _ = speaker.end()
    frames.report(feed)
    // The feed stays: a hanging sound system may still read it, and the process ends now.
  }
}

extension WindowGeometry {
  init(_ window: StoredState.Window) {
    self.init(x: window.x, y: window.y, width: window.width, height: window.height, isMaximized: window.isMaximised)
  }
}

extension StoredState.Window {
  init(_ geometry: WindowGeometry) {
    self.init(
      x: geometry.x, y: geometry.y, width: geometry.width, height: geometry.height, isMaximised: geometry.isMaximized)
  }
}
