import Glibc

/// A date and time of day where the user is.
package struct LocalTime: Hashable, Sendable {
  package var year, month, day, hour, minute, second: Int

  package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The time now.
  package static var now: LocalTime {
    var seconds = Glibc.time(nil)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return LocalTime(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday), hour: Int(parts.tm_hour),
      minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }

  /// Such as "2026-11-30".
  package var date: String { Self.padded(year, 4) + "-" + Self.padded(month) + "-" + Self.padded(day) }

  /// Such as "18:20:05", with another separator where asked for.
  package func time(separator: String = ":") -> String {
    [hour, minute, second].map { Self.padded($0) }.joined(separator: separator)
  }

  private static func padded(_ number: Int, _ digits: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(digits - text.count, 0)) + text
  }
}
