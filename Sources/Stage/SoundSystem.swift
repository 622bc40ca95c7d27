import CSDL2
import Synchronization

/// SDL's sound, which loudspeaker and microphone share: who needs it, and whether it may be started anew.
///
/// Any thread; a call may wait for a sound system that is just starting.
enum SoundSystem {
  private struct State {
    var users = 0
    /// Devices that are open, or being opened.
    var devices = 0
  }
  private static let state = Mutex(State())

  /// Starts sound where it does not run yet; `leave` belongs to it.
  ///
  /// Not by SDL_InitSubSystem, whose counters belong to the main thread.
  static func join() {
    state.withLock { state in
      state.users += 1
      if SDL_GetCurrentAudioDriver() == nil { SDL_AudioInit(nil) }
    }
  }

  /// Ends sound with its last user.
  static func leave() {
    state.withLock { state in
      state.users -= 1
      if state.users == 0 { SDL_AudioQuit() }
    }
  }

  /// Starts sound anew, which finds a server that has come since; not while a device is open.
  static func restart() {
    state.withLock { state in
      guard state.devices == 0 else { return }
      SDL_AudioQuit()
      SDL_AudioInit(nil)
    }
  }

  /// A device is about to be opened; `closed` belongs to it, also when it cannot be opened.
  static func opens() { state.withLock { $0.devices += 1 } }
  static func closed() { state.withLock { $0.devices -= 1 } }

  static var isRunning: Bool { state.withLock { _ in SDL_GetCurrentAudioDriver() != nil } }

  /// The name of the microphone that is opened when none is named; nil where nobody tells.
  static var defaultMicrophone: String? {
    state.withLock { _ in
      var name: UnsafeMutablePointer<CChar>?
      var spec = SDL_AudioSpec()
      guard SDL_GetDefaultAudioInfo(&name, &spec, 1) == 0, let name else { return nil }
      defer { SDL_free(name) }
      return name.pointee == 0 ? nil : String(cString: name)
    }
  }

  /// The names of the devices there are, for playing or for recording.
  static func names(isCapture: Bool) -> [String] {
    state.withLock { _ in
      guard SDL_GetCurrentAudioDriver() != nil else { return [] }
      return (0..<max(SDL_GetNumAudioDevices(isCapture ? 1 : 0), 0)).compactMap { i in
        SDL_GetAudioDeviceName(i, isCapture ? 1 : 0).map { String(cString: $0) }
      }
    }
  }
}
