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
  private var timeLine: TimeLine
  private let places: SharedPlaces
  /// Whether nothing but counting has led here.
  private var isFromStart = true
  private var marks: [SeekMark] = []
  /// Whether whoever reads here takes the marks itself; else those that were counted from the start are shared at once.
  var keepsMarks = false
  /// Whether `position` was counted from the start, or found again to the sample.
  private var isCounted = true
  /// True between a jump and its target, while `position` follows the time stamps.
  private var isSeeking = false
  /// By how much the last time stamp after a jump contradicted the count; nil where it did not.
  private var doubt: Int64?
  private var hasEnded = false
  /// A frame has come out since the last jump: the first may be cut.
  private var hasDecoded = false
  /// Where the container says that the sound ends before the coding does (padding); nil where it does not.
  private let limit: Int64?

  init(source: ByteSource, container: UnsafePointer<AVInputFormat>, places: SharedPlaces) throws(MediaError) {
    self.source = source
    self.container = container
    self.places = places
    let opened = try Self.open(source, container)
    self.frames = opened
    try Self.findFirstFrame(opened, &skips)
    let frame = opened.decoder.frame
    tags = Tags(demuxer: opened.demuxer, stream: opened.stream)
    format = try StreamFormat(frames: opened, path: source.path)
    timeLine = TimeLine(first: frame, of: opened, rate: format.rate, places: places)
    limit = EndPadding.limit(frames: opened, tags: tags, rate: format.rate)
    remaining = frame.frameCount
    note(frame)
    if opened.demuxer.isBare, ["mp3", "aac"].contains(String(cString: container.pointee.name)),
      let entry = avformat_index_get_entry(opened.stream, 0)
    {
      places.begin(
        FrameWalk(
          from: entry.pointee.pos, timestamp: entry.pointee.timestamp,
          ticksOfSecond: Int64(opened.stream.pointee.time_base.den / opened.stream.pointee.time_base.num),
          ticks: frame.pointee.pkt_duration, in: source))
    }
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
      let count = min(remaining, block.capacity - done)
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
        if hasDecoded { timeLine.learn(frames.decoder.frame) }
        hasDecoded = true
        try take()
        if isSeeking { followTimeStamp() }
        cutPadding()
        if remaining > 0 { return true }
      case .skipped(let status, _):
        if !isSeeking { skips.note(status.reason, at: position) }
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

  /// Leaves out what the container says is only filling.
  private func cutPadding() {
    guard let limit, position + Int64(remaining) > limit else { return }
    remaining = Int(max(limit - position, 0))
    hasEnded = true
  }

  /// Makes the decoder's frame the one that is given out, in the format that the file began with.
  private func take() throws(MediaError) {
    let frame = frames.decoder.frame
    offset = 0
    guard frame.hertz != format.rate.hertz || frame.channelCount != format.channelCount else {
      isConverted = false
      remaining = frame.frameCount
      if isCounted, !isSeeking { note(frame) }
      return
    }
    if converter == nil { converter = FormatConverter(to: format, path: source.path) }
    remaining = try converter!.convert(frame)
    isConverted = true
  }
}

// MARK: - marks

extension StreamReader {
  /// The marks made since this was last asked, if they are kept.
  func takeMarks() -> [SeekMark] {
    defer { marks = [] }
    return marks
  }

  private func note(_ frame: UnsafeMutablePointer<AVFrame>) {
    guard keepsMarks || isFromStart, let mark = timeLine.mark(of: frame, at: position) else { return }
    if keepsMarks { marks.append(mark) } else { places.add([mark]) }
  }
}

// MARK: - seeking

extension StreamReader {
  func seek(to target: Int64) throws(MediaError) {
    // As at the start, for which the file would be opened anew: a tenth of a second for ten hours in an MPEG-4 file.
    if target == position, isCounted { return }
    var preroll = prerollSeconds
    for _ in 0..<2 {
      let start = target - Int64(preroll * Double(format.rate.hertz))
      guard start > 0, let place = timeLine.target(of: start) else { break }
      if try jump(to: place, before: target) { return }
      preroll *= 4
    }
    try restart()
    try discard(until: target)
  }

  /// Half a second fills the bit reservoir of MP3 and the filters of all codecs but those of speech, whose memory is longer
  /// and which cost little; the pages of Ogg are up to one second long.
  var prerollSeconds: Double {
    if format.rate.hertz <= 16_000 { return 2 }
    return String(cString: container.pointee.name) == "ogg" ? 1.5 : 0.5
  }

  /// Moves the demuxer and decodes up to the target; false if that did not lead there.
  private func jump(to place: SeekTarget, before target: Int64) throws(MediaError) -> Bool {
    if frames.demuxer.isBare, case .timestamp(let time) = place {
      // Told the places, the library need not go through all that lies between.
      for mark in places.places(around: time, in: source) {
        av_add_index_entry(frames.stream, mark.byte, mark.timestamp, 0, 0, AVINDEX_KEYFRAME)
      }
    }
    learnBlocks()
    do { try frames.seek(to: place) } catch { return false }
    beginAnew()
    isSeeking = true
    isFromStart = false
    isCounted = false
    doubt = nil
    // Not a number that any time stamp gives: the first frame must tell.
    position = .max / 2
    guard try decodeNext(), position <= target else { return false }
    try discard(until: target)
    isSeeking = false
    return position == target || hasEnded && position < target
  }

  /// Decodes on until the length of the blocks is known: a few frames, before the first jump.
  private func learnBlocks() {
    while timeLine.wantsToLearn, !hasEnded, case .frame = frames.step() { timeLine.learn(frames.decoder.frame) }
  }

  private func beginAnew() {
    hasEnded = false
    hasDecoded = false
    offset = 0
    remaining = 0
    isConverted = false
    converter = nil
  }

  /// Sets `position` by the frame just decoded: a later time stamp is trusted more than an earlier one, since the first
  /// after a jump is often guessed, but none more than one that is certain.
  ///
  /// One that contradicts the count of frames must be borne out by the next: in Ogg Vorbis the library stamps a short block
  /// behind a long one too late.
  private func followTimeStamp() {
    guard !isConverted, !(isCounted && timeLine.tellsOnce), let place = timeLine.position(of: frames.decoder.frame),
      place.isExact || !isCounted
    else { return }
    let contradiction = isCounted && place.frame != position ? place.frame - position : nil
    defer { doubt = contradiction }
    if let contradiction, contradiction != doubt { return }
    isCounted = place.isExact
    position = place.frame
  }

  /// Decodes and throws away, so that the next frame given out is the target, or until the end.
  private func discard(until target: Int64) throws(MediaError) {
    while position < target {
      if remaining == 0 {
        guard try decodeNext() else { return }
        if position > target { return }
      }
      advance(Int(min(Int64(remaining), target - position)))
    }
  }

  /// Opens the file anew and stands at frame 0.
  private func restart() throws(MediaError) {
    frames = try Self.open(source, container)
    timeLine.follow(frames)
    var ignored = SkipLog()
    beginAnew()
    isSeeking = false
    isCounted = true
    isFromStart = true
    position = 0
    try Self.findFirstFrame(frames, &ignored)
    try take()
  }
}

// MARK: - words and pictures

extension StreamReader {
  func coverBytes() -> [UInt8]? { frames.demuxer.coverBytes() }

  var streamIndex: Int { Int(frames.stream.pointee.index) }
  var cutRule: CutRule {
    CutRule(container: container.pointee.name, codec: frames.decoder.context.pointee.codec_id)
  }
  var place: Int64 { frames.decoder.frame.pointee.pkt_pos }
  var indexBytes: Int {
    Int(avformat_index_get_entries_count(frames.stream)) * MemoryLayout<AVIndexEntry>.stride
  }
}
