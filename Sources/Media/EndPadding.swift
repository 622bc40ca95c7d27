import CFFmpeg
internal import Sound

/// Where files say that the sound ends whose coding works in whole packets and pads the last one: MPEG-4, and ADPCM in WAV.
enum EndPadding {
  /// Codings whose packets do not tell their own padding.
  private static let padded = [AV_CODEC_ID_AAC, AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3, AV_CODEC_ID_MP3]

  /// The number of audible frames, or nil where nothing credible is said.
  ///
  /// Apple's encoders count it in the tag iTunSMPB (three hexadecimal words among many: priming, padding, length); others
  /// give it as the length of the edit list. Believed only where it lies within the last packets, as padding does.
  static func limit(frames: FrameSource, tags: Tags, rate: SampleRate) -> Int64? {
    let name = String(cString: frames.demuxer.context.pointee.iformat.pointee.name)
    if name == "wav" { return factOfBlocks(frames) }
    guard name.hasPrefix("mov") else { return nil }
    let stream = frames.stream
    guard padded.contains(stream.pointee.codecpar.pointee.codec_id), let end = packetsEnd(stream),
      stream.pointee.duration > 0, stream.pointee.start_time != shim_AV_NOPTS_VALUE
    else { return nil }
    let base = stream.pointee.time_base
    let first = frames.decoder.frame.pointee.best_effort_timestamp
    guard first != shim_AV_NOPTS_VALUE else { return nil }
    func inFrames(_ ticks: Int64) -> Int64 {
      av_rescale(ticks, Int64(base.num) * Int64(rate.hertz), Int64(base.den))
    }
    let cut = avformat_index_get_entry(stream, 0).map { inFrames(first - $0.pointee.timestamp) } ?? 0
    let decoded = inFrames(end - first)
    guard let stated = appleLength(frames.demuxer, cutInFront: cut) ?? editLength(stream, first).map(inFrames) else {
      return nil
    }
    let padding = decoded - stated
    guard padding > 0, padding <= 2 * Int64(frames.decoder.frame.frameCount) + 1024, stated > 0 else { return nil }
    // The stamps run on where packets are missing; the limit counts what is there.
    return stated - inFrames(missing(stream))
  }

  /// The number of frames in the chunk "fact", where it lies within the last block of ADPCM.
  private static func factOfBlocks(_ frames: FrameSource) -> Int64? {
    let stream = frames.stream.pointee.codecpar.pointee
    guard FormatNames.codec(stream.codec_id) == "ADPCM", stream.block_align > 0 else { return nil }
    let source = frames.demuxer.source
    var walk = ChunkWalk(source: source, isBigEndian: false)
    var fact: Int64?
    while let chunk = walk.next(sizeOf: { chunk, _ in chunk.size }) {
      if chunk.name == "fact" {
        fact = HeaderBytes(bytes: source.bytes(at: chunk.start, count: 4), isBigEndian: false).uint32(0)
      } else if chunk.name == "data" {
        let align = Int64(stream.block_align)
        let blocks = (min(chunk.size, source.size - chunk.start) + align - 1) / align
        let most = blocks * Int64(frames.decoder.frame.frameCount)
        return fact.flatMap { most - Int64(frames.decoder.frame.frameCount) < $0 && $0 < most ? $0 : nil }
      }
    }
    return nil
  }

  /// By how many ticks the packets' time stamps run ahead of their number.
  private static func missing(_ stream: UnsafeMutablePointer<AVStream>) -> Int64 {
    let count = avformat_index_get_entries_count(stream)
    guard count > 2, let first = avformat_index_get_entry(stream, 0), let second = avformat_index_get_entry(stream, 1),
      let last = avformat_index_get_entry(stream, count - 1)
    else { return 0 }
    let usual = second.pointee.timestamp - first.pointee.timestamp
    return max(last.pointee.timestamp - first.pointee.timestamp - Int64(count - 1) * usual, 0)
  }

  /// The time stamp behind the last packet, as far as the container's index knows it.
  private static func packetsEnd(_ stream: UnsafeMutablePointer<AVStream>) -> Int64? {
    let count = avformat_index_get_entries_count(stream)
    guard count > 1, let last = avformat_index_get_entry(stream, count - 1),
      let before = avformat_index_get_entry(stream, count - 2)
    else { return nil }
    return last.pointee.timestamp + (last.pointee.timestamp - before.pointee.timestamp)
  }

  /// The length of the edit list; where an empty edit delays the sound, its end is not told reliably.
  private static func editLength(_ stream: UnsafeMutablePointer<AVStream>, _ first: Int64) -> Int64? {
    stream.pointee.start_time <= 0 ? stream.pointee.start_time + stream.pointee.duration - first : nil
  }

  /// The length of Apple's tag, if the library has cut off the priming that the same tag states.
  private static func appleLength(_ demuxer: Demuxer, cutInFront: Int64) -> Int64? {
    guard let entry = av_dict_get(demuxer.context.pointee.metadata, "iTunSMPB", nil, 0) else { return nil }
    let words = String(cString: entry.pointee.value).split(separator: " ")
    guard words.count >= 4, Int64(words[1], radix: 16) == cutInFront, let length = Int64(words[3], radix: 16),
      length > 0
    else { return nil }
    return length
  }
}
