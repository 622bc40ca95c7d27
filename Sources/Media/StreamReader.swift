import CFFmpeg
internal import Sound

/// Sound through the codec library, in frames counted from the first audible one.
///
/// One thread at a time.
final class StreamReader: SoundReader {
  let source: ByteSource
  private let container: UnsafePointer<AVInputFormat>
  private var frames: FrameSource
  let format: StreamFormat
  let tags: Tags
  private(set) var position: Int64 = 0
  private(set) var skips = SkipLog()

  /// How much of `frames.decoder.frame`, or of `converted`, was given out and is left.
  private var offset = 0
  private var remaining = 0
  /// In use while the file's rate or channels differ from those it began with.
  private var converter: FormatConverter?
  private var isConverted = false
  /// The time stamp of frame 0.
  private let origin: Int64
  private var index = SeekIndex()
  /// True while `position` was counted from the start, or found again exactly.
  private var isCounted = true
  private var hasEnded = false
  /// Where the container says that the sound ends before the coding does (padding); nil where it does not.
  private let limit: Int64?

  init(source: ByteSource, container: UnsafePointer<AVInputFormat>) throws(MediaError) {
    self.source = source
    self.container = container
    let opened = try Self.open(source, container)
    self.frames = opened
    try Self.findFirstFrame(opened, &skips)
    let frame = opened.decoder.frame
    origin = frame.pointee.best_effort_timestamp
    tags = Tags(demuxer: opened.demuxer, stream: opened.stream)
    format = try StreamFormat(frames: opened, path: source.path)
    limit = EndPadding.limit(frames: opened, tags: tags, rate: format.rate)
    remaining = frame.frameCount
    noteTimestamp()
  }

  private static func open(_ source: ByteSource, _ container: UnsafePointer<AVInputFormat>) throws(MediaError)
    -> FrameSource
  {
    var opened: Demuxer?
    do throws(FFmpegStatus) {
      let demuxer = try Demuxer(source: source, format: container)
      opened = demuxer
      try demuxer.findStreamInformation()
      guard let (stream, codec) = demuxer.chooseAudio() else { throw .noStream }
      return try FrameSource(demuxer: demuxer, stream: stream, codec: codec)
    } catch {
      if source.cancellation.isCancelled { throw .cancelled(source.path) }
      if let failure = source.failure { throw .unreadable(source.path, reason: failure.reason) }
      throw MediaError(opening: error, container: container, demuxer: opened, path: source.path)
    }
  }

  /// Decodes until there is sound, so that rate and channels are those of the decoder and not of a header.
  private static func findFirstFrame(_ frames: FrameSource, _ skips: inout SkipLog) throws(MediaError) {
    let path = frames.demuxer.source.path
    while true {
      switch frames.step() {
      case .frame: return
      case .skipped(let status, _):
        skips.note(status.reason, at: 0)
        guard skips.count < 10_000 else { fallthrough }
      case .end: throw .nothingDecodes(path, codec: FormatNames.codec(frames.decoder.context))
      case .cancelled: throw .cancelled(path)
      case .failed(let status):
        throw .unreadable(path, reason: frames.demuxer.source.failure?.reason ?? status.reason)
      }
    }
  }
}

// MARK: - reading

extension StreamReader {
  func read(into block: SampleBlock) throws(MediaError) {
    block.frameCount = 0
    block.start = FrameIndex(position)
    var done = 0
    while done < block.capacity {
      if remaining == 0 {
        guard try decodeNext() else { break }
      }
      var count = min(remaining, block.capacity - done)
      if let limit { count = min(count, Int(max(limit - position, 0))) }
      guard count > 0 else {
        hasEnded = true
        remaining = 0
        break
      }
      copy(count, into: block, at: done)
      done += count
      advance(count)
    }
    block.frameCount = done
  }

  private func copy(_ count: Int, into block: SampleBlock, at place: Int) {
    if isConverted, let converter {
      converter.copy(from: offset, count: count, into: block, at: place)
    } else {
      frames.decoder.frame.copy(from: offset, count: count, into: block, at: place)
    }
  }

  private func advance(_ count: Int) {
    offset += count
    remaining -= count
    position += Int64(count)
  }

  /// Decodes until `remaining` is above 0; false at the end.
  private func decodeNext() throws(MediaError) -> Bool {
    while !hasEnded {
      switch frames.step() {
      case .frame:
        try take()
        if remaining > 0 { return true }
      case .skipped(let status, _):
        if isCounted { skips.note(status.reason, at: position) }
      case .end:
        hasEnded = true
        if let converter, isConverted {
          // What the change of format still holds back.
          remaining = try converter.drain()
          offset = 0
          if remaining > 0 { return true }
        }
      case .cancelled: throw .cancelled(source.path)
      case .failed(let status): throw .unreadable(source.path, reason: source.failure?.reason ?? status.reason)
      }
    }
    return false
  }

  /// Makes the decoder's frame the one that is given out, in the format that the file began with.
  private func take() throws(MediaError) {
    let frame = frames.decoder.frame
    offset = 0
    guard frame.hertz != format.rate.hertz || frame.channelCount != format.channelCount else {
      isConverted = false
      remaining = frame.frameCount
      noteTimestamp()
      return
    }
    if converter == nil { converter = FormatConverter(to: format, path: source.path) }
    remaining = try converter!.convert(frame)
    isConverted = true
  }

  private func noteTimestamp() {
    let timestamp = frames.decoder.frame.pointee.best_effort_timestamp
    guard isCounted, timestamp != shim_AV_NOPTS_VALUE else { return }
    index.add(timestamp: timestamp, position: position, spacing: Int64(format.rate.hertz / 4))
  }
}

// MARK: - seeking

extension StreamReader {
  func seek(to target: Int64) throws(MediaError) {
    var preroll = prerollSeconds
    for _ in 0..<2 {
      guard let start = startTimestamp(for: target, preroll: preroll) else { break }
      if try land(at: start, before: target) { return try discard(until: target) }
      preroll *= 4
    }
    try restart()
    try discard(until: target)
  }

  /// Half a second fills the bit reservoir of MP3 and the filters of all codecs; the pages of Ogg are up to one second long.
  private var prerollSeconds: Double { String(cString: container.pointee.name) == "ogg" ? 1.5 : 0.5 }

  /// Where to begin so that the decoder is in full swing at the target; nil for "at the very start".
  private func startTimestamp(for target: Int64, preroll: Double) -> Int64? {
    let start = target - Int64(preroll * Double(format.rate.hertz))
    guard start > 0, origin != shim_AV_NOPTS_VALUE else { return nil }
    let base = frames.stream.pointee.time_base
    if let entry = index.entry(atOrBeforePosition: start) {
      return entry.timestamp + rescale(start - entry.position, 1, Int64(format.rate.hertz), base.den, base.num)
    }
    return origin + rescale(start, 1, Int64(format.rate.hertz), base.den, base.num)
  }

  private func rescale(_ value: Int64, _ numerator: Int64, _ denominator: Int64, _ by: Int32, _ over: Int32) -> Int64 {
    av_rescale(value, numerator * Int64(by), denominator * Int64(over))
  }

  /// Moves the demuxer and decodes one frame; false if that did not land before the target.
  private func land(at timestamp: Int64, before target: Int64) throws(MediaError) -> Bool {
    do { try frames.seek(before: timestamp) } catch { return false }
    beginAnew(counted: false)
    guard try decodeNext() else { return false }
    guard let place = place(of: frames.decoder.frame) else { return false }
    position = place.position
    return position <= target
  }

  private func beginAnew(counted: Bool) {
    hasEnded = false
    offset = 0
    remaining = 0
    isConverted = false
    converter = nil
    isCounted = counted
  }

  /// The frame of the track at which a decoded frame begins, and whether that is certain to the sample.
  private func place(of frame: UnsafeMutablePointer<AVFrame>) -> (position: Int64, isExact: Bool)? {
    let timestamp = frame.pointee.best_effort_timestamp
    guard timestamp != shim_AV_NOPTS_VALUE, origin != shim_AV_NOPTS_VALUE else { return nil }
    let base = frames.stream.pointee.time_base
    let isFine = Int64(base.num) * Int64(format.rate.hertz) <= Int64(base.den)
    let entry = index.entry(atOrBefore: timestamp) ?? SeekIndex.Entry(timestamp: origin, position: 0)
    let distance = av_rescale(
      timestamp - entry.timestamp, Int64(base.num) * Int64(format.rate.hertz), Int64(base.den))
    return (entry.position + distance, isFine || entry.timestamp == timestamp)
  }

  /// Decodes and throws away, so that the next frame given out is the target.
  ///
  /// On the way a later time stamp is trusted more than an earlier one: the first after a jump is often guessed.
  private func discard(until target: Int64) throws(MediaError) {
    var isCertain = false
    while position < target {
      if remaining == 0 {
        guard try decodeNext() else { break }
        if !isCounted, !isConverted, let place = place(of: frames.decoder.frame), place.isExact || !isCertain {
          isCertain = isCertain || place.isExact
          position = place.position
          if position > target { break }
        }
      }
      advance(Int(min(Int64(remaining), target - position)))
    }
  }

  /// Opens the file anew and stands at frame 0.
  private func restart() throws(MediaError) {
    frames = try Self.open(source, container)
    var ignored = SkipLog()
    beginAnew(counted: true)
    try Self.findFirstFrame(frames, &ignored)
    position = 0
    try take()
  }
}

// MARK: - words and pictures

extension StreamReader {
  func coverBytes() -> [UInt8]? { frames.demuxer.coverBytes() }
}
