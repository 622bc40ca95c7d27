/// Where everything lies in a window of some size; the numbers at 1280 x 720 are the design's.
///
/// All in logical pixels, on the device's grid. The spectrum shrinks first when it gets tight, then the head, then both give way.
struct Layout {
  var size: Size
  var scale: Float
  /// Less than 760 wide or 440 high: one line of head, smaller buttons, no meters.
  var isCompact: Bool
  var margin: Float
  var head: Rect
  var open: Rect?
  /// Right of it, the button for recording.
  var record: Rect?
  var spectrum: Rect?
  var waveform: Rect?
  /// There is room for the time ruler and the names of the lanes.
  var hasRuler = true
  var overview: Rect?
  var welcome: Rect?
  /// The clock; nil where the head shows it.
  var time: Rect?
  var transport: Rect
  /// The middle of previous, stop, play, record, next and loop (which the narrowest windows lack), and their radius.
  var buttons: [(center: Point, radius: Float)]
  /// Left of these, the button for the speed, where there is room.
  var speed: Rect?
  var meters: Rect?
  var volume: Rect
  var speaker: Rect
  /// The line on which the volume's knob runs.
  var slider: Rect
  var hasVolumeText: Bool
  /// Where the volume in figures ends.
  var volumeTextRight: Float

  init(size: Size, scale: Float, isEmpty: Bool, channelCount: Int) {
    self.size = size
    self.scale = max(scale, 0.1)
    let width = max(size.width, 320)
    let height = max(size.height, 240)
    isCompact = width < 760 || height < 440
    margin = isCompact ? 12 : 20
    let headHeight: Float = isCompact ? 38 : 78
    let transportTop = height - (isCompact ? 80 : 100)
    head = Rect(0, 0, width, headHeight)
    if !isCompact {
      open = Rect(width - margin - 176, 22, 84, 34)
      record = Rect(width - margin - 84, 22, 84, 34)
    }

    let middle = isCompact ? transportTop + 40 : transportTop + 50
    let hasLoop = !isCompact || width >= 524
    let radii: [Float] = isCompact ? [16, 16, 23, 16, 16, 16] : [19, 19, 27, 19, 19, 19]
    let offsets: [Float] = isCompact ? [38, 82, 130, 178, 222, 266] : [-112, -60, 0, 60, 112, 164]
    let origin = isCompact ? 0 : Self.middle(width)
    buttons = zip(offsets.prefix(hasLoop ? 6 : 5), radii).map { (Point(origin + $0, middle), $1) }
    let hasSpeed = !isCompact && origin - 192 >= margin + 200
    if hasSpeed { speed = Rect(origin - 164 - 19, middle - 19, 38, 38) }
    transport =
      isCompact
      ? Rect(14, transportTop + 8, hasLoop ? 276 : 232, 64)
      : Rect(origin - (hasSpeed ? 192 : 140), transportTop + 10, hasSpeed ? 384 : 332, 80)

    hasVolumeText = !isCompact || width >= 600
    let right = width - margin - (isCompact ? 8 : 0)
    let sliderRight = hasVolumeText ? right - 54 : right
    let sliderWidth: Float = isCompact ? min(144, sliderRight - (hasLoop ? 340 : 296)) : 108
    slider = Rect(sliderRight - sliderWidth, middle - 2, sliderWidth, 4)
    speaker = isCompact ? Rect(slider.x - 32, middle - 12, 24, 24) : Rect(slider.x - 37, middle - 15, 30, 30)
    volumeTextRight = right
    volume = Rect(speaker.x - 4, middle - 24, right + 16 - speaker.x, 48)

    if !isCompact {
      time = Rect(margin - 4, transportTop + 18, transport.x - margin - 4, 64)
      let left = slider.x - 198
      if left - 8 >= transport.right { meters = Rect(left - 4, transportTop + 18, 148, 64) }
    }

    let content = Rect(margin, headHeight, width - 2 * margin, transportTop - headHeight)
    if isEmpty { welcome = content } else { stack(in: content, channelCount: channelCount) }
    snapAll()
  }

  /// Spectrum, waveform and overview, one below the other.
  private mutating func stack(in content: Rect, channelCount: Int) {
    let gap: Float = isCompact ? 8 : 12
    let overviewHeight: Float = isCompact ? 44 : min(max(content.height * 0.11, 60), 96)
    overview = Rect(content.x, content.bottom - overviewHeight, content.width, overviewHeight)
    // What spectrum and waveform share, without the gap between them.
    let shared = content.height - overviewHeight - 2 * gap
    let share: Float = channelCount <= 2 ? 0.485 : channelCount <= 4 ? 0.6 : 0.68
    var waveformHeight = max((shared * share).rounded(), min(150, shared))
    let spectrumHeight = shared - waveformHeight
    if spectrumHeight >= Self.leastSpectrum {
      spectrum = Rect(content.x, content.y, content.width, spectrumHeight)
    } else {
      waveformHeight = shared + gap
    }
    waveform = Rect(content.x, content.bottom - overviewHeight - gap - waveformHeight, content.width, waveformHeight)
    hasRuler = content.width >= 560 && waveformHeight >= 120
  }

  /// Under this height the bars say nothing any more.
  private static let leastSpectrum: Float = 84

  /// Where the play button stands: in the middle, or left of it where the meters, or at least the volume, need the room.
  private static func middle(_ width: Float) -> Float {
    let besideMeters = width - 584
    return min(width / 2, besideMeters >= 356 ? besideMeters : width - 423).rounded()
  }

  func snap(_ value: Float) -> Float { (value * scale).rounded() / scale }

  /// The rectangle whose edges are the nearest edges of device pixels.
  func snap(_ rect: Rect) -> Rect {
    let x = snap(rect.x)
    let y = snap(rect.y)
    return Rect(x, y, snap(rect.right) - x, snap(rect.bottom) - y)
  }

  private mutating func snapAll() {
    head = snap(head)
    open = open.map { snap($0) }
    record = record.map { snap($0) }
    spectrum = spectrum.map { snap($0) }
    waveform = waveform.map { snap($0) }
    overview = overview.map { snap($0) }
    welcome = welcome.map { snap($0) }
    time = time.map { snap($0) }
    transport = snap(transport)
    speed = speed.map { snap($0) }
    meters = meters.map { snap($0) }
    volume = snap(volume)
    speaker = snap(speaker)
    slider = snap(slider)
    buttons = buttons.map { (Point(snap($0.center.x), snap($0.center.y)), $0.radius) }
  }
}
