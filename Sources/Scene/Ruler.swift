internal import Control
package import Sound

/// Where the marks of a time axis lie, and what they say.
package struct Ruler: Hashable, Sendable {
  package struct Mark: Hashable, Sendable {
    /// In columns from the view's left edge.
    package var offset: Int
    package var text: String
  }
  package var marks: [Mark] = []

  /// Steps that are easy to read, in units of 10⁻⁵ s: 1, 2 and 5 of each decimal place, then those of minutes and hours.
  private static let steps: [Int64] = {
    var steps: [Int64] = []
    for power: Int64 in [1, 10, 100, 1000, 10_000] { steps += [power, 2 * power, 5 * power] }
    let seconds: [Int64] = [
      1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 36_000, 86_400, 172_800, 432_000, 864_000,
    ]
    return steps + seconds.map { $0 * 100_000 }
  }()

  /// The marks in a lens, at least `spacing` columns apart.
  package init(_ lens: Lens, rate: SampleRate, spacing: Double, length: FrameCount?) {
    let unitsPerColumn = lens.framesPerColumn / Double(rate.hertz) * 100_000
    guard unitsPerColumn > 0, lens.count > 0 else { return }
    let step = Self.steps.first { Double($0) / unitsPerColumn >= spacing } ?? Self.steps.last!
    var decimals = 0
    var unit: Int64 = 100_000
    while step % unit != 0 {
      unit /= 10
      decimals += 1
    }
    var index = max(Int64((Double(lens.first) * unitsPerColumn / Double(step)).rounded(.up)), 0)
    let end = length.map { Double($0.rawValue) } ?? .infinity
    while true {
      let frame = (Double(index) * Double(step) * Double(rate.hertz) / 100_000).rounded()
      // Where samples stand apart, a time may lie between two of them.
      let exact = Double(index) * Double(step) * Double(rate.hertz) / 100_000 / lens.framesPerColumn
      let offset =
        lens.framesPerColumn < 1
        ? Int(Int64(exact.rounded(.down)) - lens.first) : lens.offset(of: FrameIndex(Int64(frame)))
      guard offset < lens.count, frame <= end else { return }
      if offset >= 0 {
        marks.append(Mark(offset: offset, text: TimeText.ruler(units: index * (step / unit), decimals: decimals)))
      }
      index += 1
    }
  }
}
