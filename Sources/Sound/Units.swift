import CMath

/// A number of frames; one frame is one sample of every channel.
package struct FrameCount: Hashable, Comparable, Sendable {
  package var rawValue: Int64
  package init(_ rawValue: Int64) { self.rawValue = rawValue }
  package init(_ rawValue: Int) { self.rawValue = Int64(rawValue) }

  package static let zero = FrameCount(Int64(0))
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  package static func + (a: Self, b: Self) -> Self { Self(a.rawValue + b.rawValue) }
  package static func - (a: Self, b: Self) -> Self { Self(a.rawValue - b.rawValue) }
}

/// A position on a track's time line, in frames from its first audible frame.
///
/// Signed, since a decoder's priming frames lie before zero.
package struct FrameIndex: Hashable, Comparable, Sendable {
  package var rawValue: Int64
  package init(_ rawValue: Int64) { self.rawValue = rawValue }
  package init(_ rawValue: Int) { self.rawValue = Int64(rawValue) }

  package static let zero = FrameIndex(Int64(0))
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  package static func + (start: Self, count: FrameCount) -> Self { Self(start.rawValue + count.rawValue) }
  package static func - (start: Self, count: FrameCount) -> Self { Self(start.rawValue - count.rawValue) }
  package static func - (end: Self, start: Self) -> FrameCount { FrameCount(end.rawValue - start.rawValue) }
}

/// Frames per second.
package struct SampleRate: Hashable, Comparable, Sendable {
  package var hertz: Int
  package init(hertz: Int) { self.hertz = hertz }

  package static func < (a: Self, b: Self) -> Bool { a.hertz < b.hertz }
  package func seconds(of count: FrameCount) -> Double { Double(count.rawValue) / Double(hertz) }
  package func seconds(at index: FrameIndex) -> Double { Double(index.rawValue) / Double(hertz) }

  /// The nearest whole number of frames; out-of-range times give the largest or smallest count, no number zero.
  package func frames(inSeconds seconds: Double) -> FrameCount {
    guard !seconds.isNaN else { return .zero }
    let frames = (seconds * Double(hertz)).rounded()
    guard frames.isFinite, abs(frames) < 4e18 else { return FrameCount(seconds > 0 ? Int64.max / 4 : -(Int64.max / 4)) }
    return FrameCount(Int64(frames))
  }
}

/// A level relative to full scale (dBFS) or a gain; silence is minus infinity.
package struct Decibels: Hashable, Comparable, Sendable {
  package var value: Double
  package init(_ value: Double) { self.value = value }

  /// 20·log10 of an amplitude; zero and less give minus infinity.
  package init(amplitude: Double) { value = amplitude > 0 ? 20 * log10(amplitude) : -.infinity }

  package static let silence = Decibels(-.infinity)
  package static func < (a: Self, b: Self) -> Bool { a.value < b.value }
  package var amplitude: Double { value == -.infinity ? 0 : pow(10, value / 20) }
}

/// Which file on its way through the program: unique within one run, never used again.
package struct TrackID: Hashable, Sendable {
  package var rawValue: Int
  package init(_ rawValue: Int) { self.rawValue = rawValue }
}
