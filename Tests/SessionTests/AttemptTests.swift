import Sound
import Synchronization
import System
import Testing

@testable import Session

@Suite struct AttemptTests {
  private func run(atMost seconds: Double?, mostWork: Double = .infinity, _ body: @escaping @Sendable () -> Int)
    -> (Attempt<Int>, seconds: Double)
  {
    let start = Clock.seconds()
    let attempt = Attempt.run(atMost: seconds, mostWork: mostWork, cancellation: Cancellation(), body)
    return (attempt, Clock.seconds() - start)
  }

  @Test func `work that is done gives its result at once`() {
    let (attempt, seconds) = run(atMost: 60) { 7 }
    guard case .done(7) = attempt else { return #expect(Bool(false), "\(attempt)") }
    #expect(seconds < 2)
  }

  @Test func `work that hangs is waited for as long as one is willing, and left behind`() {
    let gate = Monitor(false)
    let (attempt, seconds) = run(atMost: 0.3) { gate.wait { $0 ? 7 : nil }! }
    guard case .hangs = attempt else { return #expect(Bool(false), "\(attempt)") }
    #expect(seconds >= 0.3 && seconds < 5)
    gate.withLock { $0 = true }
  }

  @Test func `work without end is given up by what it costs, however long one would wait`() {
    let ends = Cancellation()
    let (attempt, _) = run(atMost: nil, mostWork: 0.1) {
      while !ends.isCancelled {}
      return 7
    }
    guard case .isEndless = attempt else { return #expect(Bool(false), "\(attempt)") }
    ends.cancel()
  }

  @Test func `work that waits for long costs nothing and is waited for`() {
    let (attempt, seconds) = run(atMost: nil, mostWork: 0.1) { Monitor(false).wait(atMost: 0.7) { $0 ? 1 : nil } ?? 7 }
    guard case .done(7) = attempt else { return #expect(Bool(false), "\(attempt)") }
    #expect(seconds >= 0.7)
  }

  @Test func `whoever is cancelled waits no longer`() {
    let gate = Monitor(false)
    let cancellation = Cancellation()
    cancellation.cancel()
    let attempt = Attempt<Int>.run(atMost: nil, mostWork: .infinity, cancellation: cancellation) {
      gate.wait { $0 ? 7 : nil }!
    }
    guard case .cancelled = attempt else { return #expect(Bool(false), "\(attempt)") }
    gate.withLock { $0 = true }
  }
}
