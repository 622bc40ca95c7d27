import CFFmpeg
internal import Sound

/// Tells on which frame of the track a decoded frame begins.
///
/// Six ways, the surest first: blocks of one size, counted by their place in the file; a mark that somebody made who had
/// counted from the start; packets of one length, counted by their number in the file's index or by their time stamps; the
/// time stamp itself, which is exact where the container counts at least in samples; and where it counts more coarsely, the one
/// multiple of the coding's block length that lies near enough, or the one place that the lengths of Vorbis' blocks allow. (They
/// allow several above 60 kHz: there a seek may be 2 ms off until the scan has been there.)
struct TimeLine {
  /// The time stamp of frame 0, or the library's "none".
  let origin: Int64
  private let places: SharedPlaces
  private let base: AVRational
  private let rate: Int64
  /// Coded blocks in WAV: only a packet's first frame is told by its place, as several blocks may make a packet. (The library
  /// reckons time stamps from the header's number of bytes a second, which is rounded or wrong, and is far off.)
  private var blocks: (start: Int64, bytes: Int64, frames: Int64)?
  /// What is heard depends on all that came before.
  private let remembersAll: Bool
  private var packets: (ticks: Int64, frames: Int64)?
  /// Packets of one length, counted by their number in the container's index: in MPEG-4 files, whose clock runs on where
  /// sound is missing.
  private var table: PacketTable?
  private let isBare: Bool
  private var grid: FrameGrid
  /// False for Vorbis, whose blocks change their length.
  private let hasBlocks: Bool
  /// Its blocks in a container with a coarse clock, the one before the first frames of the track, and what was left out of those.
  private var vorbis: (blocks: VorbisBlocks, first: Int64, cut: Int64)?
  /// How far the last frame's time stamp was ahead of the count of frames, in ticks.
  private var lastDrift: Int64?
  private var lastMark: SeekMark?

  init(first frame: UnsafeMutablePointer<AVFrame>, of frames: FrameSource, rate: SampleRate, places: SharedPlaces) {
    origin = frame.pointee.best_effort_timestamp
    self.places = places
    base = frames.stream.pointee.time_base
    self.rate = Int64(rate.hertz)
    isBare = frames.demuxer.isBare
    let count = Int64(frame.pointee.nb_samples)
    grid = FrameGrid(firstFrames: count)
    hasBlocks = frames.decoder.context.pointee.codec_id != AV_CODEC_ID_VORBIS
    if let blocks = frames.vorbis, let before = blocks.beforeLast, let whole = blocks.lastFrames {
      vorbis = (blocks, before, whole - count)
    }
    let container = frames.demuxer.context.pointee.iformat!
    let codec = frames.decoder.context.pointee.codec_id
    remembersAll = codec == AV_CODEC_ID_ADPCM_YAMAHA
    let isWave = ["wav", "w64"].contains(String(cString: container.pointee.name))
    let bytes = Self.blockBytes(of: frames)
    if isWave, bytes > 0, frame.pointee.pkt_pos > 0, FormatNames.codec(codec) == "ADPCM" {
      blocks = (frame.pointee.pkt_pos, bytes, count)
    }
    table = PacketTable(first: frame, of: frames)
    // Bare frames have no clock: the library adds up their lengths, rounded where its ticks do not fit them.
    let ticks = frame.pointee.pkt_duration
    if isBare, ticks > 0, count * Int64(base.den) % (self.rate * Int64(base.num)) != 0 { packets = (ticks, count) }
  }

  /// The bytes of which the decoder makes one frame: a block, or all of a packet.
  private static func blockBytes(of frames: FrameSource) -> Int64 {
    let codec = frames.decoder.context.pointee.codec_id
    let inBlocks = [
      AV_CODEC_ID_ADPCM_IMA_WAV, AV_CODEC_ID_ADPCM_MS, AV_CODEC_ID_ADPCM_IMA_DK3, AV_CODEC_ID_ADPCM_IMA_DK4,
    ]
    let size = Int64(frames.decoder.frame.pointee.pkt_size)
    guard inBlocks.contains(codec) else { return size }
    let block = Int64(frames.stream.pointee.codecpar.pointee.block_align)
    return block > 0 && size % block == 0 ? block : 0
  }

  /// The file was opened anew.
  mutating func follow(_ frames: FrameSource) {
    table?.stream = frames.stream
    if let blocks = frames.vorbis { vorbis?.blocks = blocks }
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
    let mark = places.mark(atOrBefore: timestamp) ?? SeekMark(timestamp: origin, position: 0)
    if mark.timestamp == timestamp { return (mark.position, true) }
    if let place = table?.position(of: frame, unit: grid.unit) { return (place, true) }
    if let packets {
      let count = (timestamp - mark.timestamp + packets.ticks / 2) / packets.ticks
      return (mark.position + count * packets.frames, true)
    }
    let stamped = mark.position + frames(timestamp - mark.timestamp)
    if isFine { return (stamped, true) }
    // Both stamps are rounded.
    if let vorbis {
      let doubt = frames(1) + 1
      return vorbis.blocks.place(near: stamped, within: doubt, first: vorbis.first, cut: vorbis.cut)
        .map { ($0, true) } ?? (stamped, false)
    }
    return grid.place(near: stamped, within: frames(1)).map { ($0, true) } ?? (stamped, false)
  }

  /// Where to begin reading for a frame of the track; nil where nothing tells.
  func target(of position: Int64) -> SeekTarget? {
    if remembersAll { return nil }
    if let blocks { return .byte(blocks.start + position / blocks.frames * blocks.bytes) }
    guard origin != shim_AV_NOPTS_VALUE else { return nil }
    if let time = table?.timestamp(of: position, unit: grid.unit) { return .timestamp(time) }
    let mark = places.mark(atOrBeforePosition: position) ?? SeekMark(timestamp: origin, position: 0)
    if let packets { return .timestamp(mark.timestamp + (position - mark.position) / packets.frames * packets.ticks) }
    return .timestamp(mark.timestamp + ticks(position - mark.position))
  }

  /// The length of the blocks would tell a place for sure, and is not known yet.
  var wantsToLearn: Bool { hasBlocks && (!isFine || table != nil) && grid.wantsMore }

  /// Looks at the length of a frame that was decoded behind another.
  mutating func learn(_ frame: UnsafeMutablePointer<AVFrame>) {
    if wantsToLearn { grid.learn(frame.frameCount) }
  }

  /// The mark to be kept of a decoded frame that was met by counting from the start, if it tells more than those before.
  ///
  /// None of a time stamp that contradicts that of the frame before, which may be a single wrong one.
  mutating func mark(of frame: UnsafeMutablePointer<AVFrame>, at position: Int64) -> SeekMark? {
    let timestamp = frame.pointee.best_effort_timestamp
    guard timestamp != shim_AV_NOPTS_VALUE, origin != shim_AV_NOPTS_VALUE, blocks == nil else { return nil }
    let drift = isFine ? timestamp - origin - ticks(position) : 0
    defer { lastDrift = drift }
    if let lastDrift, abs(drift - lastDrift) > ticks(1) { return nil }
    let last = lastMark ?? SeekMark(timestamp: origin, position: 0)
    let isNews = isFine && last.position + frames(timestamp - last.timestamp) != position
    // (The first frame's byte belongs to an earlier time stamp where the encoder's delay was cut off.)
    let isDue = isBare ? position - last.position >= rate : !isFine && position - last.position >= rate / 4
    guard isNews || isDue || !isFine && lastMark == nil else { return nil }
    lastMark = SeekMark(timestamp: timestamp, position: position, byte: isBare ? frame.pointee.pkt_pos : -1)
    return lastMark
  }

  private func frames(_ ticks: Int64) -> Int64 { av_rescale(ticks, Int64(base.num) * rate, Int64(base.den)) }
  private func ticks(_ frames: Int64) -> Int64 { av_rescale(frames, Int64(base.den), Int64(base.num) * rate) }
}

/// A place in a file, as the container finds it.
enum SeekTarget {
  /// In the stream's time base.
  case timestamp(Int64)
  case byte(Int64)
}
