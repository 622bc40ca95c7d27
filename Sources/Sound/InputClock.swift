/// Keeps a microphone's time: notices by the clock that frames are missing which nobody has counted.
///
/// Each callback brings frames late by what the buffers hold; that lateness wavers, but its lowest value stays. When it
/// has risen for good, frames were lost on the way, as many as it has risen by. It may also creep, since no two clocks
/// agree. Pure: times are handed in.
package struct InputClock: Hashable, Sendable {
  /// How far the lateness may rise before it is suspicious, beside two buffers: what a busy machine does, in nanoseconds.
  static let leeway: Int64 = 80_000_000
  /// How long frames are waited for that may only be late, in nanoseconds.
  package static let patience: Int64 = 700_000_000
  /// The creep that two clocks may have, one against the other: 1 ‰, ten times a quartz's.
  static let creep: Int64 = 1000
  /// How often the lowest lateness is taken anew, in nanoseconds.
  static let window: Int64 = 1_000_000_000

  /// What is to be done with the next callback's frames.
  package enum Verdict: Hashable, Sendable {
    /// They follow those before.
    case follows
    /// So many frames are missing before them.
    case missing(Int)
    /// What comes after them will tell.
    case wait
  }

  private let rate: Int64
  /// The frames that came, and those found missing.
  private var frames: Int64 = 0
  private var baseline: Int64?
  private var windowStart: Int64 = 0
  private var windowLowest: Int64 = .max

  package init(rate: SampleRate) { self.rate = Int64(max(rate.hertz, 1)) }

  /// Judges the first of `arrivals`, the callbacks that wait, at the time `now`.
  ///
  /// An arrival is a number of frames and the time at which they came. The first is counted in unless the verdict is
  /// `wait`.
  package mutating func judge(
    _ count: Int, _ arrival: (Int) -> (frames: Int, nanoseconds: Int64), now: Int64
  ) -> Verdict {
    let first = arrival(0)
    let late = lateness(after: frames + Int64(first.frames), at: first.nanoseconds)
    guard let base = baseline else {
      baseline = late
      windowStart = first.nanoseconds
      countIn(first.frames, late, first.nanoseconds)
      return .follows
    }
    let limit = base + Self.leeway + 2 * nanoseconds(of: Int64(first.frames))
    if late <= limit {
      countIn(first.frames, late, first.nanoseconds)
      return .follows
    }
    var lowest = late
    var end = frames + Int64(first.frames)
    var last = first.nanoseconds
    for index in 1..<max(count, 1) {
      let next = arrival(index)
      end += Int64(next.frames)
      lowest = min(lowest, lateness(after: end, at: next.nanoseconds))
      last = next.nanoseconds
      if lowest <= limit {
        frames += Int64(first.frames)
        return .follows
      }
    }
    guard last - first.nanoseconds >= Self.patience || now - first.nanoseconds >= 2 * Self.patience else {
      return .wait
    }
    let missing = Int((Double(lowest - base) * 1e-9 * Double(rate)).rounded())
    frames += Int64(missing)
    countIn(first.frames, lateness(after: frames + Int64(first.frames), at: first.nanoseconds), first.nanoseconds)
    return .missing(missing)
  }

  /// Takes note of frames that the intake has counted as lost.
  package mutating func skip(_ lost: Int) { frames += Int64(lost) }

  private mutating func countIn(_ count: Int, _ late: Int64, _ now: Int64) {
    frames += Int64(count)
    baseline = min(baseline!, late)
    windowLowest = min(windowLowest, late)
    guard now - windowStart >= Self.window else { return }
    let most = (now - windowStart) / Self.creep
    baseline = min(windowLowest, baseline! + most)
    windowStart = now
    windowLowest = .max
  }

  private func nanoseconds(of count: Int64) -> Int64 { Int64(Double(count) * 1e9 / Double(rate)) }

  private func lateness(after count: Int64, at time: Int64) -> Int64 {
    // In whole seconds and a rest, since 24 h of nanoseconds times frames do not fit a word.
    time - (count / rate * 1_000_000_000 + count % rate * 1_000_000_000 / rate)
  }
}
