internal import System

/// The drain at work: its thread.
final class DrainThread: Sendable {
  private struct Switch {
    var isListening = false
    var isEnding = false
  }
  let drain: Drain
  private let state = Monitor(Switch())
  private let thread: Thread

  init(_ drain: Drain) {
    self.drain = drain
    let state = state
    thread = Thread(name: "drain") {
      while true {
        let now = state.withLock { $0 }
        drain.step(at: Clock.nanoseconds())
        if now.isEnding { return }
        _ = state.wait(atMost: now.isListening ? Drain.beat : .infinity) { new in
          new.isEnding || new.isListening != now.isListening ? true : nil
        }
      }
    }
  }

  /// Looks after the intake from now on, or rests.
  func setListening(_ listening: Bool) { state.withLock { $0.isListening = listening } }

  func stop() {
    state.withLock { $0.isEnding = true }
    thread.join()
  }
}
