internal import Media
internal import Sound

/// The way of decoded sound into the feed: mixed to stereo, resampled, and stretched unless the speed is 1.
///
/// The deck's thread. Knows at which place of the ring each frame that is put in will sound, though some of them are still
/// in a filter.
final class SpeakerPath {
  private let feed: UnsafeMutablePointer<Feed>
  private(set) var rate = SampleRate(hertz: 48_000)
  private(set) var speed = 1.0
  private var stream: StereoStream?
  private var format: StreamFormat?
  private var stretcher: Stretcher?
  /// Where in the ring the unbroken sound began that is on its way; nil when none is.
  private var start: Int?
  /// Frames at the device's rate that came out of earlier streams since then, and out of this one.
  private var joined = 0
  private var resampled = 0
  /// Frames that went into this stream.
  private var taken: Int64 = 0
  /// What is in the ring from before sounds until there is enough to follow it.
  private var flushesLate = false
  /// Until there is enough to begin with, it is gathered here, interleaved; nil from then on.
  private var gathered: [Float]?

  /// So much must be ready before a change of what sounds, or a beginning at another speed: a device asks for up to 85 ms at
  /// once, and the stretcher gives a few milliseconds at a time.
  private static let enoughSeconds = 0.1

  init(feed: UnsafeMutablePointer<Feed>) { self.feed = feed }

  func setRate(_ new: SampleRate) {
    guard new != rate else { return }
    rate = new
    stream = nil
  }

  /// Forgets all that is on its way, and leaves out what is in the ring; at once, or when there is enough to follow it.
  func restart(speed: Double, late: Bool) {
    self.speed = speed
    stream?.reset()
    stretcher = nil
    start = nil
    gathered = late || speed != 1 ? [] : nil
    flushesLate = true
    if !late { flush() }
  }

  /// Leaves out what is in the ring from before, if that is not yet done.
  func flush() {
    guard flushesLate else { return }
    flushesLate = false
    feed.pointee.flush()
  }

  /// Begins with what is gathered.
  private func begin() {
    flush()
    let frames = gathered ?? []
    gathered = nil
    frames.withUnsafeBufferPointer { if let start = $0.baseAddress { write(start, $0.count / 2) } }
  }

  /// How many frames are ready to be heard.
  var ahead: Int { flushesLate ? 0 : feed.pointee.ahead }

  /// At most how much of the ring so many frames take, with what was kept back.
  func need(frames: Int, at input: SampleRate) -> Int {
    let resampled = frames * rate.hertz / input.hertz + rate.hertz / 20 + 1024
    return speed == 1 ? resampled : Int(Double(resampled) / speed) + 1024
  }

  /// Makes ready for sound of a format; what went before it comes out first, so that both join without a gap.
  func prepare(for new: StreamFormat) throws(MediaError) {
    if start == nil {
      start = feed.pointee.writePosition
      (joined, resampled, taken) = (0, 0, 0)
      stretcher = speed == 1 ? nil : Stretcher(rate: rate, speed: speed)
    }
    guard stream == nil || format?.rate != new.rate || format?.speakers != new.speakers else { return }
    drainStream()
    joined += resampled
    (resampled, taken) = (0, 0)
    stream = try StereoStream(format: new, to: rate)
    format = new
  }

  /// The place of the ring where the next frame that is put in will sound.
  var nextPosition: Int {
    guard let start else { return feed.pointee.writePosition }
    let resampled = joined + Int((Double(taken) * Double(rate.hertz) / Double(format?.rate.hertz ?? 1)).rounded())
    return start + (speed == 1 ? resampled : Int((Double(resampled) / speed).rounded()))
  }

  /// Frames of a track at this rate for each frame of the ring.
  func framesPerRingFrame(at input: SampleRate) -> Double { Double(input.hertz) * speed / Double(rate.hertz) }

  /// Puts a block in, for whose format the path is ready.
  func put(_ block: SampleBlock) {
    taken += Int64(block.frameCount)
    stream?.process(block, into: forward)
  }

  /// Gives out all that was kept back; what comes next begins anew.
  func finish() {
    drainStream()
    stretcher?.flush(into: write)
    begin()
    (stream, stretcher, start) = (nil, nil, nil)
  }

  private func drainStream() { stream?.flush(into: forward) }

  private func forward(_ frames: UnsafePointer<Float>, _ count: Int) {
    resampled += count
    if let stretcher { stretcher.process(frames, count: count, into: write) } else { write(frames, count) }
  }

  private func write(_ frames: UnsafePointer<Float>, _ count: Int) {
    guard gathered != nil else { return feed.pointee.write(frames, count: min(count, feed.pointee.room)) }
    gathered! += UnsafeBufferPointer(start: frames, count: count * 2)
    if gathered!.count >= 2 * Int(Double(rate.hertz) * Self.enoughSeconds) { begin() }
  }
}
