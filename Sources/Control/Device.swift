package import Sound

/// An output device: what is wanted, what there is, and whether it was lost.
package struct DeviceState: Hashable, Sendable {
  package enum Status: Hashable, Sendable {
    /// Not open, because nothing plays.
    case closed
    case open
    /// It went away while in use, or none could be opened.
    case lost
  }
  package var status = Status.closed
  /// The name of the device that was asked for; nil is the system's default.
  package var wanted: String?
  /// The names of the devices there are.
  package var names: [String] = []
  /// The rate at which the device runs, once it was opened.
  package var rate: SampleRate?
  /// The frames of one callback.
  package var bufferFrames = 0
  /// Why it could not be opened, as a sentence.
  package var problem: String?

  package init() {}
}
