/// A box into which any thread drops messages for one thread, which takes them out all at once or waits for them.
package final class Inbox<Message: Sendable>: Sendable {
  private let messages = Monitor<[Message]>([])
  /// Called after each message, to wake a receiver that does not wait here (the main loop).
  private let bell: @Sendable () -> Void

  package init(bell: @escaping @Sendable () -> Void = {}) { self.bell = bell }

  package func send(_ message: Message) {
    messages.withLock { $0.append(message) }
    bell()
  }

  /// Everything that has come, in order, without waiting.
  package func takeAll() -> [Message] {
    messages.withLock { list in
      let taken = list
      list = []
      return taken
    }
  }

  /// The first message, waiting at most `seconds` for it.
  package func take(atMost seconds: Double = .infinity) -> Message? {
    messages.wait(atMost: seconds) { $0.isEmpty ? nil : $0.removeFirst() }
  }

  /// Waits at most `seconds` until something has come, and leaves it there.
  package func waitForAny(atMost seconds: Double) { _ = messages.wait(atMost: seconds) { $0.isEmpty ? nil : () } }
}
