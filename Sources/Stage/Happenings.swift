package import Scene

/// What happened at the window since it was last asked.
package struct Happenings: Sendable {
  /// What the hands did, ready for the scene.
  package var input: Input
  /// The window was asked to close, or the program to end.
  package var wantsQuit = false
  /// Something covered or resized the window: a frame is due even if nothing else has changed.
  package var needsFrame = false
  /// Devices that came and went, for the speaker.
  package var outputs: [OutputChange] = []
  /// Devices that came and went, for the microphone.
  package var inputs: [OutputChange] = []
}

/// A sound device of the system came or went.
package enum OutputChange: Hashable, Sendable {
  case added
  /// The opened device with this number, which is SDL's; 0 for one that was not open.
  case removed(UInt32)
}
