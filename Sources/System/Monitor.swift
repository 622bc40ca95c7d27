import Glibc

/// A value behind a lock, with a bell: threads change it, and wait until it is as they want it.
package final class Monitor<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Looks at or changes the value and wakes whoever waits.
  @discardableResult
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Waits until `body` gives a result, at most `seconds`; nil when the time is up.
  ///
  /// `body` is asked at once, and again whenever the value was changed. With its result it may have changed the value
  /// itself, so the others that wait are woken then.
  package func wait<Result>(atMost seconds: Double = .infinity, _ body: (inout Value) -> Result?) -> Result? {
    // A billion seconds are for ever, and fit.
    let deadline = seconds < 1e9 ? Clock.nanoseconds() + Int64(max(seconds, 0) * 1e9) : Int64.max
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    var isLate = false
    while true {
      if let result = body(&value) {
        pthread_cond_broadcast(condition)
        return result
      }
      if isLate { return nil }
      if deadline == Int64.max {
        pthread_cond_wait(condition, mutex)
      } else {
        var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
        isLate = pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT
      }
    }
  }
}
