import CFFmpeg

/// Mends the ends of Ogg streams, of which several may follow each other in one file.
///
/// Vorbis: a stream's first packet only begins the overlap and gives no sound (Vorbis I, 4.3.8). The library counts it all
/// the same, is so many frames ahead of the stream's own count, and cuts that many too many off the end.
/// Opus: the headers of a stream behind another one come as if they were sound, and its pre-skip (RFC 7845, 5.1) is heard.
struct OggJoints {
  enum Verdict {
    case sound
    /// The first sound of a stream, for which the decoder begins anew.
    case firstSound
    /// Not for the decoder.
    case header
    /// Not for the decoder, which begins anew.
    case beginning
  }

  private let codec: AVCodecID
  /// The Vorbis packet handed in last, while nothing has come out for it.
  private var silent: (start: Int64, duration: Int64)?
  /// How many frames of Vorbis the library counts too many.
  private var surplus: Int64 = 0
  /// How many frames of Opus are to be left out in front.
  private var preSkip: UInt32 = 0

  init(demuxer: Demuxer, stream: UnsafeMutablePointer<AVStream>) {
    let isOgg = String(cString: demuxer.context.pointee.iformat.pointee.name) == "ogg"
    codec = isOgg ? stream.pointee.codecpar.pointee.codec_id : AV_CODEC_ID_NONE
  }

  /// Called before a packet goes to the decoder, whose side data this may change.
  mutating func willSend(_ packet: UnsafeMutablePointer<AVPacket>) -> Verdict {
    switch codec {
    case AV_CODEC_ID_VORBIS: mendVorbis(packet)
    case AV_CODEC_ID_OPUS: mendOpus(packet)
    default: .sound
    }
  }

  mutating func didReceive() { silent = nil }
  mutating func didSeek() {
    silent = nil
    preSkip = 0
  }

  private mutating func mendVorbis(_ packet: UnsafeMutablePointer<AVPacket>) -> Verdict {
    // The first packet of the file, or of one behind it in the same file.
    if let silent, silent.start == 0 { surplus = silent.duration }
    silent = (packet.pointee.pts, packet.pointee.duration)
    // The stream's words come with its first packet.
    if av_packet_get_side_data(packet, AV_PKT_DATA_METADATA_UPDATE, nil) != nil { return .firstSound }
    guard surplus > 0, let skips = skips(of: packet) else { return .sound }
    let cut = Int64(UInt32(littleEndian: skips.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    skips.storeBytes(of: UInt32(max(cut - surplus, 0)).littleEndian, toByteOffset: 4, as: UInt32.self)
    return .sound
  }

  private mutating func mendOpus(_ packet: UnsafeMutablePointer<AVPacket>) -> Verdict {
    let bytes = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
    if bytes.count >= 19, bytes.starts(with: "OpusHead".utf8) {
      preSkip = UInt32(bytes[10]) | UInt32(bytes[11]) << 8
      return .beginning
    }
    if bytes.starts(with: "OpusTags".utf8) { return .header }
    if preSkip > 0, let skips = skips(of: packet) ?? newSkips(of: packet) {
      skips.storeBytes(of: preSkip.littleEndian, as: UInt32.self)
      preSkip = 0
    }
    return .sound
  }

  /// Frames to leave out in front, and at the end: two numbers of 32 bits, little-endian.
  private func skips(of packet: UnsafeMutablePointer<AVPacket>) -> UnsafeMutableRawPointer? {
    var size = 0
    guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 10 else { return nil }
    return UnsafeMutableRawPointer(data)
  }

  private func newSkips(of packet: UnsafeMutablePointer<AVPacket>) -> UnsafeMutableRawPointer? {
    guard let data = av_packet_new_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, 10) else { return nil }
    data.update(repeating: 0, count: 10)
    return UnsafeMutableRawPointer(data)
  }
}
