package import Sound

/// The stretch of a track that a row of pixel columns shows.
///
/// Column `k` covers the frames `[k * framesPerColumn, (k + 1) * framesPerColumn)`, counted from the track's start and not from
/// the view's edge, so a column looks the same wherever it is seen, and the picture moves by whole columns.
package struct Lens: Hashable, Sendable {
  /// A column is one device pixel wide.
  package var framesPerColumn: Double
  /// The column at the view's left edge; negative before the track's start.
  package var first: Int64
  package var count: Int

  package init(framesPerColumn: Double, first: Int64, count: Int) {
    self.framesPerColumn = framesPerColumn
    self.first = first
    self.count = count
  }

  /// The column in which a frame lies.
  package func column(of frame: FrameIndex) -> Int64 {
    Int64((Double(frame.rawValue) / framesPerColumn).rounded(.down))
  }

  /// The first frame of a column.
  package func start(of column: Int64) -> Int64 { Int64((Double(column) * framesPerColumn).rounded(.up)) }

  /// How many columns right of the view's left edge a frame lies; negative to the left of it.
  package func offset(of frame: FrameIndex) -> Int { Int(column(of: frame) - first) }

  package func contains(_ frame: FrameIndex) -> Bool { (0..<count).contains(offset(of: frame)) }

  /// The frame that lies this many columns right of the view's left edge.
  package func frame(at offset: Double) -> FrameIndex {
    FrameIndex(Int64(((Double(first) + offset) * framesPerColumn).rounded(.down)))
  }
}

/// How the waveform's zoom is bounded and the view placed, for one track in a view of some width.
struct LensGround {
  var rate: SampleRate
  /// Device pixels for one logical pixel.
  var scale: Double
  var count: Int
  /// The frames of a column at the closest zoom.
  var finest: Double
  /// The frames of the whole track as far as one can tell.
  var total: Double

  /// From the closest to the whole track in one view.
  var limits: ClosedRange<Double> { finest...max(finest, total / Double(max(count, 1))) }

  /// The zoom in frames; what a damaged state brought and is no zoom gives the closest.
  func framesPerColumn(secondsPerPoint: Double) -> Double {
    let frames = secondsPerPoint * Double(rate.hertz) / scale
    return frames.isNaN ? limits.lowerBound : clamp(frames)
  }

  func secondsPerPoint(framesPerColumn: Double) -> Double { framesPerColumn * scale / Double(rate.hertz) }

  func clamp(_ framesPerColumn: Double) -> Double {
    min(max(framesPerColumn, limits.lowerBound), limits.upperBound)
  }

  /// The left edge of a free view, such that the middle of the view stays on the track.
  func clamp(origin: Double, framesPerColumn: Double) -> Double {
    let half = Double(count) * framesPerColumn / 2
    return min(max(origin, -half), max(total - half, -half))
  }
}
