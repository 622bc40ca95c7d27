import Synchronization

/// A flag by which one thread asks another to give up what it is doing.
package final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  package init() {}
  package func cancel() { flag.store(true, ordering: .releasing) }
  package var isCancelled: Bool { flag.load(ordering: .acquiring) }
}
