import Foundation

/// A stretch of what came out of the loudspeaker: 48,000 frames a second, two sides.
struct Stretch {
  static let rate = 48_000.0
  var left: [Float]
  var right: [Float]

  var frames: Int { left.count }
  var seconds: Double { Double(frames) / Self.rate }

  /// The frames from `start` to `end`, in seconds from the stretch's beginning.
  func part(from start: Double, to end: Double = .infinity) -> Stretch {
    let first = min(max(Int(start * Self.rate), 0), frames)
    let last = end.isFinite ? min(max(Int(end * Self.rate), first), frames) : frames
    return Stretch(left: Array(left[first..<last]), right: Array(right[first..<last]))
  }

  /// The first and the last frame at which either side is louder than `level`, in dBFS; nil in silence.
  func loudRange(above level: Double = -60) -> ClosedRange<Int>? {
    let threshold = Float(pow(10, level / 20))
    func isLoud(_ i: Int) -> Bool { abs(left[i]) > threshold || abs(right[i]) > threshold }
    guard let first = (0..<frames).first(where: isLoud), let last = (0..<frames).last(where: isLoud) else { return nil }
    return first...last
  }

  /// The longest time without sound in it, in seconds.
  var longestGap: Double {
    var (gap, longest) = (0, 0)
    for i in 0..<frames {
      gap = abs(left[i]) < 0.001 && abs(right[i]) < 0.001 ? gap + 1 : 0
      longest = max(longest, gap)
    }
    return Double(longest) / Self.rate
  }

  var leftTone: Tone { Tone(of: left) }
  var rightTone: Tone { Tone(of: right) }
}

/// What one side of a stretch would be if it were a single sine.
struct Tone: CustomStringConvertible {
  /// From the time between the first and the last upward crossing of zero; 0 where there are none.
  var hertz = 0.0
  /// The peak level in dBFS of a sine of this power; minus infinity in silence.
  var level = -Double.infinity
  /// The level of all that is not this sine, in decibels below it: how clean it is.
  var impurity = 0.0

  init(of samples: [Float]) {
    guard samples.count > 16 else { return }
    let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    level = 10 * log10(2 * power)
    guard level > -100 else { return }
    let crossings = (1..<samples.count).compactMap { i -> Double? in
      let (before, after) = (samples[i - 1], samples[i])
      guard before < 0, after >= 0 else { return nil }
      return Double(i - 1) + Double(before / (before - after))
    }
    guard let first = crossings.first, let last = crossings.last, crossings.count > 2 else { return }
    let periods = Double(crossings.count - 1)
    hertz = periods / (last - first) * Stretch.rate
    impurity = 10 * log10(max(residual(samples, from: first, to: last) / power, 1e-20))
  }

  /// The power that is left when the best sine of this frequency is taken away.
  private func residual(_ samples: [Float], from first: Double, to last: Double) -> Double {
    let range = Int(first)..<Int(last)
    let step = 2 * Double.pi * hertz / Stretch.rate
    var (power, sine, cosine, sines, cosines, mixed) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in range {
      let (value, s, c) = (Double(samples[i]), sin(step * Double(i)), cos(step * Double(i)))
      power += value * value
      sine += value * s
      cosine += value * c
      sines += s * s
      cosines += c * c
      mixed += s * c
    }
    // The two normal equations of the least squares.
    let determinant = sines * cosines - mixed * mixed
    let a = (sine * cosines - cosine * mixed) / determinant
    let b = (cosine * sines - sine * mixed) / determinant
    return (power - a * sine - b * cosine) / Double(range.count)
  }

  /// How loud one frequency is in some samples, in dBFS of a sine's peak (Goertzel 1958), whatever else sounds.
  static func level(of hertz: Double, in samples: [Float]) -> Double {
    let turn = 2 * cos(2 * .pi * hertz / Stretch.rate)
    var (one, two) = (0.0, 0.0)
    for sample in samples { (one, two) = (Double(sample) + turn * one - two, one) }
    let power = one * one + two * two - turn * one * two
    return 10 * log10(max(4 * power, 1e-30)) - 20 * log10(Double(samples.count))
  }

  /// What is wrong with it, if it should be this tone and nothing else.
  func complaints(_ what: String, hertz: Double, level: Double, purity: Double = 60) -> [String] {
    let isRight = abs(self.hertz - hertz) < 0.2 && abs(self.level - level) < 0.1 && impurity < -purity
    return isRight ? [] : ["\(what): \(self) instead of \(hertz) Hz at \(level) dBFS"]
  }

  var description: String {
    String(format: "%.2f Hz at %.2f dBFS, the rest %.1f dB below", hertz, level, -impurity)
  }
}
