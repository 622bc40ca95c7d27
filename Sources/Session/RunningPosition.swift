internal import Sound

/// How far a recording has got, running on from frame to frame of the display though it is told only now and then.
///
/// It runs at the sound's own pace, a little behind what is known, so that it neither jerks nor goes ahead of the
/// waveform. Pure: the time is handed in.
struct RunningPosition {
  /// It begins so far behind what is known: two callbacks and the beat at which the waveform is published, in seconds.
  static let distance = 0.08
  /// Closer than the one it slows down, further than the other it hurries, in seconds.
  static let comfort = 0.03...0.14
  /// By so much of its pace.
  static let haste = 0.1
  /// Further behind than this it jumps, in seconds.
  static let reach = 0.5

  private var frames = 0.0
  private var last: Int64?

  /// Where it is at `nanoseconds`, when so much is `known`; at rest it runs up to that.
  mutating func move(to nanoseconds: Int64, known: FrameCount, rate: SampleRate, isRunning: Bool) -> FrameCount {
    let hertz = Double(max(rate.hertz, 1))
    let end = Double(known.rawValue)
    let elapsed = Double(nanoseconds - (last ?? nanoseconds)) * 1e-9
    last = nanoseconds
    let behind = (end - frames) / hertz
    if behind < 0 || behind > Self.reach {
      frames = isRunning ? max(end - Self.distance * hertz, 0) : end
    } else {
      var pace = hertz
      if isRunning, behind < Self.comfort.lowerBound { pace *= 1 - Self.haste }
      if behind > Self.comfort.upperBound { pace *= 1 + Self.haste }
      frames = min(frames + elapsed * pace, end)
    }
    return FrameCount(Int64(frames))
  }
}
