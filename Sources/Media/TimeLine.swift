import CFFmpeg
internal import Sound

/// Tells on which frame of the track a decoded frame begins.
///
/// Four ways, the surest first: blocks of one size, counted by their place in the file; packets of one length, counted by
/// their time stamps; an entry of the index with just this time stamp; and the time stamp itself, which is exact where the
/// container counts at least in samples.
struct TimeLine {
  /// The time stamp of frame 0, or the library's "none".
  let origin: Int64
  var index = SeekIndex()
  private let base: AVRational
  private let rate: Int64
  /// Coded blocks in WAV, of which several make a packet: only a packet's first frame is told by its place. (The library
  /// reckons time stamps from the header's rounded number of bytes a second, and is far off.)
  private var blocks: (start: Int64, bytes: Int64, frames: Int64)?
  /// How far the last frame's time stamp was ahead of the count of frames, in ticks.
  private var lastDrift: Int64?
  private var packets: (ticks: Int64, frames: Int64)?

  init(first frame: UnsafeMutablePointer<AVFrame>, of frames: FrameSource, rate: SampleRate) {
    origin = frame.pointee.best_effort_timestamp
    base = frames.stream.pointee.time_base
    self.rate = Int64(rate.hertz)
    let count = Int64(frame.pointee.nb_samples)
    let container = frames.demuxer.context.pointee.iformat!
    let blockBytes = Int64(frames.stream.pointee.codecpar.pointee.block_align)
    let size = Int64(frame.pointee.pkt_size)
    let isWave = ["wav", "w64"].contains(String(cString: container.pointee.name))
    if isWave, blockBytes > 1, size % blockBytes == 0, frame.pointee.pkt_pos > 0,
      FormatNames.codec(frames.decoder.context.pointee.codec_id) == "ADPCM"
    {
      blocks = (frame.pointee.pkt_pos, blockBytes, count)
    }
    // Bare frames have no clock: the library adds up their lengths, rounded where its ticks do not fit them.
    let ticks = frame.pointee.pkt_duration
    if frames.demuxer.isBare, ticks > 0, count * Int64(base.den) % (self.rate * Int64(base.num)) != 0 {
      packets = (ticks, count)
    }
  }

  /// True where only the first frame after a jump tells its place.
  var tellsOnce: Bool { blocks != nil }

  /// True where a tick is no longer than a sample.
  private var isFine: Bool { Int64(base.num) * rate <= Int64(base.den) }

  /// The frame of the track, and whether that is certain to the sample; nil where nothing tells.
  func position(of frame: UnsafeMutablePointer<AVFrame>) -> (frame: Int64, isExact: Bool)? {
    if let blocks { return ((frame.pointee.pkt_pos - blocks.start) / blocks.bytes * blocks.frames, true) }
    let timestamp = frame.pointee.best_effort_timestamp
    guard timestamp != shim_AV_NOPTS_VALUE, origin != shim_AV_NOPTS_VALUE else { return nil }
    let entry = index.entry(atOrBefore: timestamp) ?? SeekIndex.Entry(timestamp: origin, position: 0)
    if entry.timestamp == timestamp { return (entry.position, true) }
    if let packets {
      let count = (timestamp - entry.timestamp + packets.ticks / 2) / packets.ticks
      return (entry.position + count * packets.frames, true)
    }
    return (entry.position + av_rescale(timestamp - entry.timestamp, Int64(base.num) * rate, Int64(base.den)), isFine)
  }

  /// Where to begin reading for a frame of the track; nil where nothing tells.
  func target(of position: Int64) -> SeekTarget? {
    if let blocks { return .byte(blocks.start + position / blocks.frames * blocks.bytes) }
    guard origin != shim_AV_NOPTS_VALUE else { return nil }
    let entry = index.entry(atOrBeforePosition: position) ?? SeekIndex.Entry(timestamp: origin, position: 0)
    if let packets { return .timestamp(entry.timestamp + (position - entry.position) / packets.frames * packets.ticks) }
    return .timestamp(
      entry.timestamp + av_rescale(position - entry.position, Int64(base.den), Int64(base.num) * rate))
  }

  /// Remembers where a decoded frame was met on the way from the start.
  ///
  /// Not one whose time stamp contradicts that of the frame before, which may be a single wrong one.
  mutating func note(_ frame: UnsafeMutablePointer<AVFrame>, at position: Int64) {
    let timestamp = frame.pointee.best_effort_timestamp
    guard timestamp != shim_AV_NOPTS_VALUE else { return }
    let ticksOfFrame = Int64(base.den) / (Int64(base.num) * rate)
    let drift = isFine ? timestamp - av_rescale(position, Int64(base.den), Int64(base.num) * rate) : 0
    defer { lastDrift = drift }
    if let lastDrift, abs(drift - lastDrift) > ticksOfFrame { return }
    index.add(timestamp: timestamp, position: position, spacing: rate / 4)
  }
}

/// A place in a file, as the container finds it.
enum SeekTarget {
  /// In the stream's time base.
  case timestamp(Int64)
  case byte(Int64)
}
