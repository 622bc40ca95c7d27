/// How fast a track is played, with its pitch kept: 1 is as it was made.
///
/// From 0.25 to 4, in whole hundredths.
package struct Speed: Hashable, Comparable, Sendable {
  package static let slowest = Speed(hundredths: 25)
  package static let fastest = Speed(hundredths: 400)
  package static let normal = Speed(hundredths: 100)

  package let hundredths: Int

  /// The nearest speed that there is.
  package init(clamping ratio: Double) {
    self.init(hundredths: ratio.isNaN ? 100 : Int((min(max(ratio, 0.25), 4) * 100).rounded()))
  }

  private init(hundredths: Int) { self.hundredths = hundredths }

  package var ratio: Double { Double(hundredths) / 100 }

  package static func < (a: Self, b: Self) -> Bool { a.hundredths < b.hundredths }

  /// So many steps of a key faster or slower: 0.05 each, above 2 a quarter.
  package func stepped(_ steps: Int) -> Speed {
    var speed = hundredths
    for _ in 0..<abs(steps) {
      // A speed between two steps goes to the next one.
      let step = steps > 0 ? (speed >= 200 ? 25 : 5) : (speed > 200 ? 25 : 5)
      speed = steps > 0 ? speed / step * step + step : (speed + step - 1) / step * step - step
    }
    return Speed(hundredths: min(max(speed, Self.slowest.hundredths), Self.fastest.hundredths))
  }

  /// Such as "1.25×".
  package var text: String {
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)×" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)×" : "\(whole).\(rest < 10 ? "0" : "")\(rest)×"
  }
}
