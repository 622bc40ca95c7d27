import CSDL2
internal import Control
internal import Sound
internal import System

/// What the speaker's thread does.
///
/// Everything here belongs to that thread.
final class SpeakerKeeper {
  enum Wish: Hashable, Sendable {
    case open(String?)
    case close
    case changed(OutputChange)
    case end
  }
  /// After so many late callbacks the buffer is too short for this machine.
  private static let mostLate = 2
  /// A lost device is looked for this often.
  private static let retrySeconds = 1.5

  private let feed: UnsafeMutablePointer<Feed>
  /// How many frames the device should ask for at once.
  private var bufferFrames: Int
  private let change: ((inout SpeakerBoard) -> Void) -> Void
  private var state = DeviceState()
  private var device: OutputDevice?
  /// The device that is open, by name; nil is the default.
  private var openName: String?
  private var isWanted = false
  private var lastTry = -Double.infinity
  private var watch = CallbackWatch(count: 0)
  /// How many callbacks were late when the device was opened.
  private var lateCount = 0

  /// A keeper that calls `change` to change what others see.
  init(
    feed: UnsafeMutablePointer<Feed>, bufferFrames: Int, change: @escaping ((inout SpeakerBoard) -> Void) -> Void
  ) {
    self.feed = feed
    self.bufferFrames = bufferFrames
    self.change = change
  }

  /// Obeys wishes until one is the end.
  func run(_ inbox: Inbox<Wish>) {
    SoundSystem.join()
    listNames()
    while true {
      change { $0 = SpeakerBoard(state: state) }
      let wish = inbox.take(atMost: pause)
      change { $0.busySince = Clock.seconds() }
      switch wish {
      case .open(let name): open(name)
      case .close: close()
      case .changed(let change): note(change)
      case .end:
        device = nil
        SoundSystem.leave()
        return
      case nil: look()
      }
    }
  }

  /// How long there is nothing to do by itself.
  private var pause: Double {
    if device != nil { return CallbackWatch.seconds }
    return isWanted ? max(lastTry + Self.retrySeconds - Clock.seconds(), 0.01) : .infinity
  }

  private func open(_ name: String?) {
    isWanted = true
    state.wanted = name
    if device != nil, openName == available(name) { return }
    device = nil
    tryToOpen()
  }

  private func close() {
    isWanted = false
    device = nil
    state.status = .closed
    state.problem = nil
  }

  private func note(_ change: OutputChange) {
    listNames()
    switch change {
    case .removed(let id):
      if let mine = device?.id, mine == id { lose(.removed) }
    case .added:
      guard isWanted else { return }
      if device == nil {
        // At most once a second: a sound system that starts anew tells of all its devices.
        if Clock.seconds() - lastTry > 1 { tryToOpen() }
      } else if openName != available(state.wanted) {
        device = nil
        tryToOpen()
      }
    }
  }

  /// What is due when nobody has asked for anything for a while.
  private func look() {
    guard device != nil else {
      if isWanted { tryToOpen() }
      return
    }
    if watch.isDead(at: feed.pointee.callbackCount) {
      lose(.silent)
      tryToOpen()
    } else if feed.pointee.lateCount - lateCount >= Self.mostLate, canGrow {
      // One short break more, and fewer from then on.
      bufferFrames *= 2
      device = nil
      tryToOpen()
    }
  }

  /// Not where the listener wants it prompt at any price.
  private var canGrow: Bool { OutputDevice.fewestFrames..<OutputDevice.mostFrames ~= bufferFrames }

  private func lose(_ error: SpeakerError) {
    state.status = .lost
    state.problem = error.description
    // Told before the device is closed, which may hang.
    change { $0.state = state }
    device = nil
    // The next look tries again at once.
    lastTry = Clock.seconds() - Self.retrySeconds
  }

  private func tryToOpen() {
    lastTry = Clock.seconds()
    // Without any device the sound system itself may have been missing when it was chosen.
    if SDL_GetCurrentAudioDriver() == nil || state.names.isEmpty { startSound() }
    do throws(SpeakerError) {
      guard SDL_GetCurrentAudioDriver() != nil else { throw .noSoundSystem(reason: SDLLibrary.lastError) }
      let name = available(state.wanted)
      let opened = try OutputDevice(name: name, feed: feed, wantedFrames: bufferFrames)
      state.rate = opened.rate
      state.bufferFrames = opened.bufferFrames
      device = consume opened
      openName = name
      state.status = .open
      state.problem = nil
      watch = CallbackWatch(count: feed.pointee.callbackCount)
      lateCount = feed.pointee.lateCount
    } catch {
      state.status = .lost
      state.problem = error.description
    }
  }

  /// Starts SDL's sound, anew if it runs and no microphone is open.
  private func startSound() {
    SoundSystem.restart()
    listNames()
  }

  private func listNames() { state.names = SoundSystem.names(isCapture: false) }

  /// The wanted device if it is there, else the default.
  private func available(_ name: String?) -> String? { name.flatMap { state.names.contains($0) ? $0 : nil } }
}
