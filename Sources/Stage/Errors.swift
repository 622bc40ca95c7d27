/// Why there is no window.
package enum WindowError: Error, Hashable, Sendable {
  /// No display server answers; the reason is SDL's.
  case noDisplay(reason: String)
  /// There is a display, but it refused the window.
  case cannotOpen(reason: String)
}

/// Why there is no sound.
package enum SpeakerError: Error, Hashable, Sendable {
  /// No sound system answers.
  case noSoundSystem(reason: String)
  /// The device of this name (nil is the default) cannot be opened.
  case cannotOpen(device: String?, reason: String)
  /// The device was taken away while in use.
  case removed
  /// The device stopped asking for sound.
  case silent
  /// A call of the sound system does not return.
  case hanging
}

/// Why nothing can be heard from a microphone.
package enum MicrophoneError: Error, Hashable, Sendable {
  /// No sound system answers.
  case noSoundSystem(reason: String)
  /// The device of this name (nil is the default) cannot be opened.
  case cannotOpen(device: String?, reason: String)
  /// The device was taken away while in use.
  case removed(device: String?)
  /// The sound server went over to another device, from one of this name that is gone; nil when it is still there.
  case moved(from: String?)
  /// The device stopped handing over sound.
  case silent
}

extension MicrophoneError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSoundSystem(let reason): "There is no microphone: no sound system answers (\(reason)). Swell tries again."
    case .cannotOpen(nil, let reason): "The microphone cannot be opened (\(reason)). Swell tries again."
    case .cannotOpen(let device?, let reason):
      "The microphone “\(device)” cannot be opened (\(reason)). Swell tries again."
    case .removed(nil): "The microphone was removed."
    case .removed(let device?): "The microphone “\(device)” was removed."
    case .moved(nil): "The sound server changed over to another microphone."
    case .moved(let device?): "The microphone “\(device)” was removed, and the sound server took another."
    case .silent: "The microphone has stopped answering."
    }
  }
}

extension WindowError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noDisplay(let reason):
      "Swell needs a display: start it in a desktop session, or set DISPLAY or WAYLAND_DISPLAY (\(reason))."
    case .cannotOpen(let reason): "The window cannot be opened: \(reason)."
    }
  }
}

extension SpeakerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSoundSystem(let reason):
      "There is no sound: no sound system answers (\(reason)). Swell goes on without and tries again."
    case .cannotOpen(nil, let reason):
      "There is no sound: the output device cannot be opened (\(reason)). Swell tries again."
    case .cannotOpen(let device?, let reason):
      "There is no sound: the output device “\(device)” cannot be opened (\(reason)). Swell tries again."
    case .removed: "The output device was removed. Swell plays on as soon as there is another."
    case .hanging: "The sound system does not answer. Swell goes on without sound until it does."
    case .silent: "The output device has stopped answering. Swell tries to open it again."
    }
  }
}
