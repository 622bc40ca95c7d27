internal import System

/// Work that may hang, on a disk that does not answer, or never end, on a file made for that; each on a thread of its own, which is
/// waited for with measure.
enum Attempt<Value: Sendable> {
  case done(Value)
  /// Nothing came for as long as one was willing to wait.
  case hangs
  /// It reckons and reckons; the thread goes on only where no other wants the processor.
  case isEndless
  case cancelled

  /// Does `body` and waits for it, at most `seconds` if that is given; a thread that is given up is left behind.
  ///
  /// `mostWork`, in seconds of the processor, ends the waiting for one that does not wait itself.
  static func run(
    atMost seconds: Double?, mostWork: Double, cancellation: Cancellation, _ body: @escaping @Sendable () -> Value
  ) -> Attempt {
    let result = Monitor<Value?>(nil)
    let thread = Thread(name: "open") {
      let value = body()
      result.withLock { $0 = value }
    }
    let start = Clock.seconds()
    while true {
      if let value = result.wait(atMost: lookSeconds, { $0 }) { return .done(value) }
      if cancellation.isCancelled { return .cancelled }
      if thread.workSeconds > mostWork {
        thread.makeIdle()
        return .isEndless
      }
      if let seconds, Clock.seconds() - start > seconds { return .hangs }
    }
  }

  /// How often it is looked whether to go on waiting.
  private static var lookSeconds: Double { 0.2 }
}
