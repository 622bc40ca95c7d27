import CFFmpeg
internal import Sound

/// Where MPEG-4 files say that the sound ends: their coding works in whole packets and pads the last one.
enum EndPadding {
  /// The number of audible frames, or nil where nothing credible is said.
  ///
  /// Apple's encoders count it in the tag iTunSMPB (three hexadecimal words among many: priming, padding, length); others
  /// give it as the length of the edit list. Believed only where it lies within the last packets, as padding does.
  static func limit(frames: FrameSource, tags: Tags, rate: SampleRate) -> Int64? {
    let name = String(cString: frames.demuxer.context.pointee.iformat.pointee.name)
    guard name.hasPrefix("mov") else { return nil }
    let stream = frames.stream
    guard let end = packetsEnd(stream), stream.pointee.duration > 0 else { return nil }
    let base = stream.pointee.time_base
    let first = frames.decoder.frame.pointee.best_effort_timestamp
    guard first != shim_AV_NOPTS_VALUE else { return nil }
    func inFrames(_ ticks: Int64) -> Int64 {
      av_rescale(ticks, Int64(base.num) * Int64(rate.hertz), Int64(base.den))
    }
    let decoded = inFrames(end - first)
    let stated = appleLength(frames.demuxer) ?? inFrames(stream.pointee.duration - first)
    let padding = decoded - stated
    return padding > 0 && padding <= 2 * Int64(frames.decoder.frame.frameCount) + 1024 && stated > 0 ? stated : nil
  }

  /// The time stamp behind the last packet, as far as the container's index knows it.
  private static func packetsEnd(_ stream: UnsafeMutablePointer<AVStream>) -> Int64? {
    let count = avformat_index_get_entries_count(stream)
    guard count > 1, let last = avformat_index_get_entry(stream, count - 1),
      let before = avformat_index_get_entry(stream, count - 2)
    else { return nil }
    return last.pointee.timestamp + (last.pointee.timestamp - before.pointee.timestamp)
  }

  private static func appleLength(_ demuxer: Demuxer) -> Int64? {
    guard let entry = av_dict_get(demuxer.context.pointee.metadata, "iTunSMPB", nil, 0) else { return nil }
    let words = String(cString: entry.pointee.value).split(separator: " ")
    guard words.count >= 4, let length = Int64(words[3], radix: 16), length > 0 else { return nil }
    return length
  }
}
