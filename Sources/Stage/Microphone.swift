import CSDL2
package import Control
package import Sound
import Synchronization
internal import System

/// The microphone: opens and closes the input device on a thread of its own and keeps looking for one that was lost.
///
/// No call waits for the sound system, which may hang. Whoever calls polls `state`; the bell rings when it has changed.
package final class Microphone: Sendable {
  private let inbox = Inbox<MicrophoneKeeper.Wish>()
  private let board: Monitor<InputState>
  private let hasEnded = Monitor(false)
  /// How long a sound system may take to close at the end; one that hangs must not hold up quitting.
  private static let endingSeconds = 0.3
  private let lastWish = Mutex<InputWish?>(nil)
  private let thread: Thread

  /// A microphone that fills `intake`; starts looking for devices at once, but opens none.
  ///
  /// Main thread. `bell` is rung on the microphone's thread. The intake must live until `end` has returned true.
  package init(intake: IntakePointer, bell: @escaping @Sendable () -> Void) {
    SDLLibrary.startEvents()
    let inbox = inbox
    let board = Monitor(InputState())
    let hasEnded = hasEnded
    self.board = board
    thread = Thread(name: "microphone") {
      let keeper = MicrophoneKeeper(intake: intake.pointer) { state in
        let isNew = board.withLock { old in
          defer { old = state }
          return old != state
        }
        if isNew { bell() }
      }
      keeper.run(inbox)
      hasEnded.withLock { $0 = true }
    }
  }

  /// What there is, how it runs, and whether it was lost.
  package var state: InputState { board.withLock { $0 } }

  /// Waits at most so long until the devices are known.
  package func waitForNames(atMost seconds: Double) {
    _ = board.wait(atMost: seconds) { $0.names.isEmpty ? nil : true }
  }

  /// Opens what is wished, or closes for nil; the default while there is no device of the name.
  ///
  /// Does nothing when that was wished last; so it may be called at every turn.
  package func follow(_ wish: InputWish?) {
    let isNew = lastWish.withLock { last in
      defer { last = wish }
      return last != wish
    }
    if isNew { inbox.send(.follow(wish)) }
  }

  /// Takes note of an input device that came or went.
  package func handle(_ change: OutputChange) { inbox.send(.changed(change)) }

  /// Input devices that came or went, for a program without a window, which would tell.
  ///
  /// Main thread.
  package static func pollChanges() -> [OutputChange] {
    var changes: [OutputChange] = []
    var event = SDL_Event()
    while SDL_PollEvent(&event) != 0 {
      if let change = OutputChange(input: event) { changes.append(change) }
    }
    return changes
  }

  /// Closes the device and ends the thread; false when the sound system hangs, and the callback may then still run.
  package func end() -> Bool {
    inbox.send(.end)
    guard hasEnded.wait(atMost: Self.endingSeconds, { $0 ? true : nil }) == true else {
      thread.abandon()
      return false
    }
    thread.join()
    return true
  }
}

extension OutputChange {
  /// What SDL tells of an input device; nil for other events.
  init?(input event: SDL_Event) {
    guard event.adevice.iscapture == 1 else { return nil }
    switch SDL_EventType(event.type) {
    case SDL_AUDIODEVICEADDED: self = .added
    case SDL_AUDIODEVICEREMOVED: self = .removed(event.adevice.which)
    default: return nil
    }
  }
}

/// What the microphone's thread does.
///
/// Everything here belongs to that thread.
final class MicrophoneKeeper {
  enum Wish: Sendable {
    case follow(InputWish?)
    case changed(OutputChange)
    case end
  }
  /// A device that fails is tried so often before anybody is told.
  private static let tries = 3
  private static let quickRetrySeconds = 0.3
  /// A lost device is looked for this often.
  private static let retrySeconds = 1.5
  /// The callback is looked at this often while a device is open.
  private static let watchSeconds = 0.5
  /// When the callback has stood still so many times in a row the device is dead: 2 s, as some servers take to start.
  private static let patience = 4

  private let intake: UnsafeMutablePointer<Intake>
  private let publish: (InputState) -> Void
  private var state = InputState()
  private var device: InputDevice?
  /// How the open device was asked for, with the name it has.
  private var openWish: InputWish?
  private var wish: InputWish?
  private var failures = 0
  private var lastTry = -Double.infinity
  private var lastCount = 0
  private var stillness = 0
  /// The moves of the sound server that were seen.
  private var lastMoves = 0

  /// A keeper that tells `publish` each state.
  init(intake: UnsafeMutablePointer<Intake>, publish: @escaping (InputState) -> Void) {
    self.intake = intake
    self.publish = publish
  }

  /// Obeys wishes until one is the end.
  func run(_ inbox: Inbox<Wish>) {
    SoundSystem.join()
    listNames()
    publish(state)
    while true {
      switch inbox.take(atMost: pause) {
      case .follow(let wish): follow(wish)
      case .changed(let change): note(change)
      case .end:
        device = nil
        SoundSystem.leave()
        return
      case nil: look()
      }
      publish(state)
    }
  }

  /// How long there is nothing to do by itself.
  private var pause: Double {
    if device != nil { return Self.watchSeconds }
    guard wish != nil else { return .infinity }
    let wait = failures < Self.tries ? Self.quickRetrySeconds : Self.retrySeconds
    return max(lastTry + wait - Clock.seconds(), 0.01)
  }

  private func follow(_ new: InputWish?) {
    let isNew = new != wish
    wish = new
    guard let new else {
      device = nil
      state.status = .closed
      state.problem = nil
      return
    }
    if device != nil, fits(new) { return }
    guard device != nil || isNew else { return }
    device = nil
    failures = 0
    tryToOpen()
  }

  /// The open device is the one that is wished, and runs as it is wished.
  private func fits(_ wish: InputWish) -> Bool {
    guard let open = openWish else { return false }
    return open.device == available(wish.device) && open.bufferMilliseconds == wish.bufferMilliseconds
      && (wish.rate == open.rate || wish.rate == state.rate)
  }

  private func note(_ change: OutputChange) {
    listNames()
    noticeMove()
    switch change {
    case .removed(let id):
      if let mine = device?.id, mine == id { lose(.removed(device: state.device)) }
    case .added:
      guard let wish else { return }
      if device == nil {
        if Clock.seconds() - lastTry > 1 { tryToOpen() }
      } else if openWish?.device != available(wish.device), state.rate != nil {
        device = nil
        tryToOpen()
      }
    }
  }

  /// What is due when nobody has asked for anything for a while.
  private func look() {
    guard device != nil else {
      if wish != nil { tryToOpen() }
      return
    }
    let count = intake.pointee.callbackCount
    stillness = count == lastCount ? stillness + 1 : 0
    lastCount = count
    if stillness >= Self.patience { lose(.silent) }
    noticeMove()
  }

  /// The sound server went over to another microphone: that one is opened, as what it is.
  private func noticeMove() {
    let moves = pulseMoves.load(ordering: .relaxed)
    defer { lastMoves = moves }
    guard device != nil, moves != lastMoves else { return }
    lose(.moved(from: state.names.contains { $0 == state.device } ? nil : state.device))
    tryToOpen()
  }

  private func lose(_ error: MicrophoneError) {
    device = nil
    failures = Self.tries
    state.status = .lost
    state.problem = error.description
    state.losses += 1
    state.lossReason = error.description
    publish(state)
    // The next look tries again; at once when others are there.
    lastTry = Clock.seconds() - Self.retrySeconds
  }

  private func tryToOpen() {
    guard let wish else { return }
    lastTry = Clock.seconds()
    // Without any device the sound system itself may have been missing when it was chosen.
    if !SoundSystem.isRunning || state.names.isEmpty {
      SoundSystem.restart()
      listNames()
    }
    do throws(MicrophoneError) {
      guard SoundSystem.isRunning else { throw .noSoundSystem(reason: SDLLibrary.lastError) }
      let name = available(wish.device)
      let opened = try InputDevice(name: name, wish: wish, intake: intake)
      state.rate = opened.rate
      state.channelCount = opened.channelCount
      state.bufferFrames = opened.bufferFrames
      device = consume opened
      openWish = InputWish(device: name, rate: wish.rate, bufferMilliseconds: wish.bufferMilliseconds)
      state.device = name ?? SoundSystem.defaultMicrophone
      state.status = .open
      state.problem = nil
      failures = 0
      stillness = 0
      lastCount = intake.pointee.callbackCount
      lastMoves = pulseMoves.load(ordering: .relaxed)
    } catch {
      failures += 1
      guard failures >= Self.tries else {
        if state.status != .lost { state.status = .opening }
        return
      }
      state.status = .lost
      state.problem = error.description
    }
  }

  private func listNames() { state.names = SoundSystem.names(isCapture: true) }

  /// The wanted device if it is there, else the default.
  private func available(_ name: String?) -> String? { name.flatMap { state.names.contains($0) ? $0 : nil } }
}
