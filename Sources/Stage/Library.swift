import CSDL2
import Synchronization
internal import System

/// SDL itself: what every part of the stage needs before it starts.
enum SDLLibrary {
  private static let hasEvents = Mutex(false)

  /// Starts SDL's event queue, which window and loudspeaker share; later calls do nothing.
  ///
  /// Main thread. A few microseconds.
  static func startEvents() {
    hasEvents.withLock { started in
      guard !started else { return }
      shim_silence_alsa()
      SDL_SetHint(SDL_HINT_APP_NAME, "Swell")
      SDL_SetHint(SDL_HINT_AUDIO_DEVICE_APP_NAME, "Swell")
      SDL_SetHint(SDL_HINT_AUDIO_DEVICE_STREAM_NAME, "Swell")
      SDL_SetHint(SDL_HINT_AUDIO_DEVICE_STREAM_ROLE, "music")
      started = SDL_InitSubSystem(SDL_INIT_EVENTS) == 0
    }
  }

  /// What SDL says about its last failure on this thread, without a full stop.
  static var lastError: String {
    let text = String(cString: SDL_GetError())
    return text.isEmpty ? "no reason given" : (text.hasSuffix(".") ? String(text.dropLast()) : text)
  }
}
