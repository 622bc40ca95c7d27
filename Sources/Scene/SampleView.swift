internal import Control
internal import Sound

// The waveform closer than the scan's finest bins: drawn from a stretch that is decoded for it, down to each sample.
extension Turn {
  /// The closest zoom, in logical pixels from sample to sample.
  static let closestSamples: Float = 24
  /// From so many logical pixels apart each sample has its dot.
  private static let dotSpacing: Float = 4
  /// What is asked for beyond the view, in frames: enough that playing on or scrolling seldom waits.
  private static let margins: ClosedRange<Int64> = 1 << 15...1 << 19

  /// The frames in view that the track has, if they are finer than the pyramid's.
  private var closeRange: Range<FrameIndex>? {
    guard let subject, !subject.isLive, let lens else { return nil }
    let base = subject.pyramid?.baseFrames ?? PyramidBuilder.finestFrames
    guard lens.framesPerColumn < Double(base) else { return nil }
    let end = length.map { $0.rawValue } ?? .max
    // A sample on either side, to which the curve leads out of the view.
    let from = min(max(lens.start(of: lens.first) - 2, 0), end)
    let to = min(max(lens.start(of: lens.first + Int64(lens.count)) + 2, 0), end)
    return from < to ? FrameIndex(from)..<FrameIndex(to) : nil
  }

  /// Asks for the stretch around the view, before the one that is there comes to its end.
  mutating func askForSamples() {
    guard let track = subject?.id, let range = closeRange else {
      if view.askedSamples != nil { ask(.showSamples(nil)) }
      view.askedSamples = nil
      return
    }
    let count = (range.upperBound - range.lowerBound).rawValue
    let margin = min(max(count, Self.margins.lowerBound), Self.margins.upperBound)
    let end = max(length.map { $0.rawValue } ?? .max, range.upperBound.rawValue)
    let from = FrameIndex(max(range.lowerBound.rawValue - margin / 2, 0))
    let to = FrameIndex(min(range.upperBound.rawValue + margin / 2, end))
    let grid = SampleWindow.alignment
    let first = max(range.lowerBound.rawValue - margin, 0) / grid * grid
    let last = (range.upperBound.rawValue + 3 * margin + grid - 1) / grid * grid
    if let asked = view.askedSamples, asked.track == track, asked.range.lowerBound <= from,
      asked.range.upperBound >= to,
      !isTooCoarse(asked.range, shortest: last - first)
    {
      return
    }
    let wanted = FrameIndex(first)..<FrameIndex(last)
    view.askedSamples = (track, wanted)
    ask(.showSamples(wanted))
  }

  /// Whether what came is so long that its samples were left out, a shorter stretch would do, and samples are needed now.
  private func isTooCoarse(_ asked: Range<FrameIndex>, shortest: Int64) -> Bool {
    guard let lens, let window = snapshot.samples, window.start == asked.lowerBound else { return false }
    return Double(window.baseFrames) > lens.framesPerColumn
      && (asked.upperBound - asked.lowerBound).rawValue > shortest
  }

  /// What was decoded, if all that is in view is in it.
  func samples(through lens: Lens, _ subject: Subject, lanes: Int) -> SampleWindow? {
    guard let range = closeRange, let window = snapshot.samples, window.track == subject.id,
      window.channelCount >= lanes, window.start <= range.lowerBound
    else { return nil }
    // At the end of a track whose length is a guess the stretch may be shorter than the view.
    let isEnd = view.askedSamples.map { window.end < $0.range.upperBound } ?? false
    return window.end >= range.upperBound || isEnd ? window : nil
  }

  /// One channel's samples joined by lines, those to come dimmed, with dots where they stand far enough apart.
  func curve(_ window: SampleWindow, channel: Int, in rect: Rect, _ lens: Lens, _ position: FrameIndex) -> [Order] {
    let place = SamplePlaces(rect: rect, lens: lens, scale: layout.scale)
    let first = max(lens.start(of: lens.first) - 1, window.start.rawValue)
    let last = min(lens.start(of: lens.first + Int64(lens.count)) + 1, window.end.rawValue - 1)
    guard first <= last else { return [] }
    var points: [Point] = []
    points.reserveCapacity(Int(last - first) + 1)
    for frame in first...last {
      guard let sample = window.sample(channel: channel, at: FrameIndex(frame)) else { continue }
      points.append(Point(place.x(of: frame), place.y(of: sample)))
    }
    // The line from the last sample that was heard to the next belongs to what is to come.
    let heard = min(max(Int(clamping: position.rawValue - first + 1), 0), points.count)
    return curve(points[max(heard - 1, 0)...], dots: points[heard...], place, opacity: Self.comingOpacity)
      + curve(points[..<heard], dots: points[..<heard], place, opacity: 1)
  }

  private func curve(_ line: ArraySlice<Point>, dots: ArraySlice<Point>, _ place: SamplePlaces, opacity: Float)
    -> [Order]
  {
    var orders: [Order] = []
    let line = place.cut(line)
    if line.count > 1 { orders.append(.polyline(line, width: 1.5, .middle, opacity: opacity)) }
    guard place.spacing >= Self.dotSpacing else { return orders }
    let size: Float = place.spacing >= 2 * Self.dotSpacing ? 5 : 4
    for point in dots where place.contains(point) {
      let dot = Rect(point.x - size / 2, point.y - size / 2, size, size)
      orders.append(.fill(dot, .middle, radius: size / 2, opacity: opacity))
    }
    return orders
  }

  /// As columns are that are still to come.
  private static let comingOpacity: Float = 0.73

  /// The sample nearest to the pointer: its frame, channel, value and level.
  func sampleReadout(_ field: Rect, _ lens: Lens, _ subject: Subject) -> [Order] {
    guard view.overlay == .none, view.grip == nil, let pointer = view.pointer, field.contains(pointer),
      lens.framesPerColumn <= 1, let window = snapshot.samples, window.track == subject.id
    else { return [] }
    let lanes = min(max(subject.channelCount, 1), Self.mostLanes)
    let lane = min(max(Int((pointer.y - field.y) / field.height * Float(lanes)), 0), lanes - 1)
    let column = Double(lens.first) + Double(pointer.x - field.x) * Double(layout.scale)
    let frame = FrameIndex(Int64((column * lens.framesPerColumn).rounded()))
    guard lane < window.channelCount, let sample = window.sample(channel: lane, at: frame) else { return [] }
    let name = subject.channelNames.indices.contains(lane) ? subject.channelNames[lane] : "\(lane + 1)"
    let level = Decibels(amplitude: Double(abs(sample))).value
    let words = [
      "frame \(NumberText.spaced(frame.rawValue))", "\(name) \(NumberText.fixed(Double(sample), decimals: 4))",
      "\(NumberText.fixed(level, decimals: 1)) dBFS",
    ].joined(separator: " · ")
    // In steps, so that the box does not tremble with the figures.
    let width = ((measure(words, .readout) + 20) / 8).rounded(.up) * 8
    let left = pointer.x + 12 + width <= field.right ? pointer.x + 12 : max(pointer.x - 12 - width, field.x)
    let top = field.y + Float(lane) * field.height / Float(lanes) + 6
    let box = layout.snap(Rect(left, top, width, 26))
    return [
      .fill(box, .buttonHot, radius: 6), text(words, .readout, .text, x: box.x + 10, middle: box.center.y),
    ]
  }
}

/// Where samples lie in a lane.
struct SamplePlaces {
  private let rect: Rect
  private let lens: Lens
  private let scale: Float

  init(rect: Rect, lens: Lens, scale: Float) {
    self.rect = rect
    self.lens = lens
    self.scale = scale
  }

  /// Logical pixels from sample to sample.
  var spacing: Float { Float(1 / lens.framesPerColumn) / scale }

  /// Reckoned in double precision from the view's left edge, so that hours into a track nothing is rounded.
  func x(of frame: Int64) -> Float {
    rect.x + Float(Double(frame) / lens.framesPerColumn - Double(lens.first)) / scale
  }

  /// Full scale is the lane's edge; what lies beyond is drawn there.
  func y(of sample: Float) -> Float { rect.y + rect.height / 2 * (1 - min(max(sample, -1), 1)) }

  func contains(_ point: Point) -> Bool { point.x >= rect.x && point.x <= rect.right }

  /// A line of rising x without what lies left or right of the lane.
  func cut(_ points: ArraySlice<Point>) -> [Point] {
    var line: [Point] = []
    var before: Point?
    for point in points {
      if let before {
        if before.x < rect.x, point.x > rect.x { line.append(Self.crossing(before, point, x: rect.x)) }
        if before.x < rect.right, point.x > rect.right { line.append(Self.crossing(before, point, x: rect.right)) }
      }
      if contains(point) { line.append(point) }
      before = point
    }
    return line
  }

  private static func crossing(_ a: Point, _ b: Point, x: Float) -> Point {
    Point(x, a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x))
  }
}
