import CFFmpeg

/// The index of an MPEG-4 file, in which packets of one length are counted.
///
/// Its time stamps run on where an edit list or a fragment leaves a gap; what is heard are the packets, one behind the other.
struct PacketTable {
  /// Belongs to the container that is open.
  var stream: UnsafeMutablePointer<AVStream>
  /// The number of the packet that is heard first, and how much of it is heard.
  private let first: Int32
  private let firstFrames: Int64
  /// How many packets there were at the opening: where more have come since, the index does not count all of them.
  private let count: Int32

  /// The table of a file that has one.
  init?(first frame: UnsafeMutablePointer<AVFrame>, of frames: FrameSource) {
    let name = String(cString: frames.demuxer.context.pointee.iformat.pointee.name)
    let codec = frames.stream.pointee.codecpar.pointee.codec_id
    guard name.hasPrefix("mov"), [AV_CODEC_ID_AAC, AV_CODEC_ID_ALAC].contains(codec) else { return nil }
    stream = frames.stream
    first = av_index_search_timestamp(stream, frame.pointee.best_effort_timestamp, AVSEEK_FLAG_BACKWARD)
    firstFrames = Int64(frame.frameCount)
    count = avformat_index_get_entries_count(stream)
    guard first >= 0 else { return nil }
  }

  private var isWhole: Bool { avformat_index_get_entries_count(stream) == count }

  /// The frame of the track on which a decoded frame begins, where its packets are `unit` frames long; nil for the first ones.
  func position(of frame: UnsafeMutablePointer<AVFrame>, unit: Int64?) -> Int64? {
    let timestamp = frame.pointee.best_effort_timestamp
    let number = av_index_search_timestamp(stream, timestamp, AVSEEK_FLAG_BACKWARD)
    guard let unit, isWhole, number > first, avformat_index_get_entry(stream, number)?.pointee.timestamp == timestamp
    else { return nil }
    return firstFrames + Int64(number - first - 1) * unit
  }

  /// The time stamp of the packet in which a frame of the track lies; nil where that is not known.
  func timestamp(of position: Int64, unit: Int64?) -> Int64? {
    guard let unit, isWhole, position >= firstFrames else { return nil }
    let number = Int64(first) + 1 + (position - firstFrames) / unit
    guard number < Int64(count) else { return nil }
    return avformat_index_get_entry(stream, Int32(number))?.pointee.timestamp
  }
}
