internal import Sound

// What the waveform and the overview share: its extent, and which frames lie under which pixels.
extension Turn {
  /// The track's length as far as one can tell; nil when nobody can.
  var length: FrameCount? {
    guard recordView == nil, let track = snapshot.track else { return nil }
    if let pyramid = snapshot.pyramid, pyramid.isComplete { return pyramid.length }
    guard let length = track.length else { return nil }
    return track.lengthIsEstimate ? max(length, reached) : length
  }

  /// How far the track is known to go: what was scanned and what was heard.
  private var reached: FrameCount {
    max(subject?.pyramid?.length ?? .zero, (subject?.position ?? .zero) - FrameIndex.zero)
  }

  /// The frames that the overview shows: the whole track, and room to grow while its length is unknown.
  ///
  /// It grows by quarters, so that the picture is not squeezed anew at every step of the scan; a recording's begins with a
  /// minute and doubles.
  var extent: FrameCount {
    if let length { return max(length, FrameCount(1)) }
    let isLive = subject?.isLive == true
    var extent = Double(max((subject?.rate.hertz ?? 1) * (isLive ? 60 : 10), 1))
    while extent < Double(reached.rawValue) { extent *= isLive ? 2 : 1.25 }
    return FrameCount(Int64(extent))
  }

  /// Where the columns of the waveform lie, from the top of the first lane to the bottom of the last.
  var waveformField: Rect? {
    layout.waveform.map { panel in
      layout.hasRuler
        ? layout.snap(Rect(panel.x + 44, panel.y + 24, panel.width - 58, panel.height - 30))
        : layout.snap(Rect(panel.x + 12, panel.y + 4, panel.width - 24, panel.height - 8))
    }
  }

  var overviewField: Rect? {
    layout.overview.map { layout.snap($0.inset(layout.isCompact ? 12 : 14, 4)) }
  }

  func columns(_ rect: Rect) -> Int { max(Int((rect.width * layout.scale).rounded()), 0) }

  /// The frames of a column at the closest zoom: a recording's are no finer than its bins, a track's samples stand apart.
  private func closest(_ subject: Subject) -> Double {
    guard subject.isLive else { return 1 / Double(Self.closestSamples * layout.scale) }
    return Double(subject.pyramid?.baseFrames ?? PyramidBuilder.finestFrames)
  }

  var lensGround: LensGround? {
    guard let subject, let field = waveformField else { return nil }
    return LensGround(
      rate: subject.rate, scale: Double(layout.scale), count: columns(field),
      finest: closest(subject), total: Double(extent.rawValue))
  }

  /// What the waveform shows now.
  var lens: Lens? {
    guard let subject, let ground = lensGround, ground.count > 0 else { return nil }
    let frames = ground.framesPerColumn(secondsPerPoint: view.secondsPerPoint)
    var lens = Lens(framesPerColumn: frames, first: 0, count: ground.count)
    switch view.scroll {
    case .following: lens.first = lens.column(of: subject.position) - Int64(ground.count / 2)
    case .free(let origin): lens.first = Int64((origin / frames).rounded())
    }
    return lens
  }

  /// The whole track in the overview.
  var overviewLens: Lens? {
    guard subject != nil, let field = overviewField else { return nil }
    let count = columns(field)
    guard count > 0 else { return nil }
    return Lens(framesPerColumn: Double(extent.rawValue) / Double(count), first: 0, count: count)
  }

  /// The frame under a point of a field, kept on the track.
  func frame(at point: Point, in field: Rect, _ lens: Lens) -> FrameIndex {
    let frame = lens.frame(at: Double(point.x - field.x) * Double(layout.scale))
    return min(max(frame, .zero), .zero + (length ?? reached))
  }

  /// The left edge of a frame's column, in logical pixels.
  func x(of frame: FrameIndex, in field: Rect, _ lens: Lens) -> Float {
    field.x + Float(min(max(lens.offset(of: frame), -1 << 20), 1 << 20)) / layout.scale
  }
}
