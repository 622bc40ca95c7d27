import Glibc

/// The monotonic clock, which no change of the date moves.
package enum Clock {
  /// Nanoseconds of CLOCK_MONOTONIC.
  ///
  /// Any thread; about 20 ns.
  package static func nanoseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  package static func seconds() -> Double { Double(nanoseconds()) * 1e-9 }
}
