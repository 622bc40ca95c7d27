package import Control

/// What the speaker's thread lets others see.
package struct SpeakerBoard: Sendable {
  /// A call of the sound system that takes longer is not waited for any more.
  private static let patienceSeconds = 3.0

  package var state: DeviceState
  /// Since when the thread has been busy with the sound system; nil while it waits for wishes.
  package var busySince: Double?

  package init(state: DeviceState = DeviceState(), busySince: Double? = nil) {
    self.state = state
    self.busySince = busySince
  }

  /// The state as others should see it at this time.
  package func state(at seconds: Double) -> DeviceState {
    guard let busySince, seconds - busySince > Self.patienceSeconds else { return state }
    var state = state
    state.status = .lost
    state.problem = state.problem ?? SpeakerError.hanging.description
    return state
  }
}
