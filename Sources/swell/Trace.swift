import System

/// Time stamps for measuring, printed where the environment asks for them with SWELL_TRACE=1.
enum Trace {
  static let isOn = Environment.variable("SWELL_TRACE")?.bytes == Array("1".utf8)

  /// Prints `trace NAME NANOSECONDS`, of the monotonic clock.
  static func mark(_ name: String, at nanoseconds: Int64 = Clock.nanoseconds()) {
    guard isOn else { return }
    Terminal.write("trace \(name) \(nanoseconds)\n", toErrors: true)
  }
}
