import CFFmpeg

/// Gives Ogg Vorbis its last frames back.
///
/// A stream's first packet only begins the overlap and gives no sound (Vorbis I, 4.3.8). The library counts it all the same,
/// is so many frames ahead of the stream's own count, and cuts that many too many off the end.
struct VorbisEnds {
  private let isOggVorbis: Bool
  /// The packet handed in last, while nothing has come out for it.
  private var silent: (start: Int64, duration: Int64)?
  /// How many frames the library counts too many.
  private var surplus: Int64 = 0

  init(demuxer: Demuxer, stream: UnsafeMutablePointer<AVStream>) {
    isOggVorbis =
      stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_VORBIS
      && String(cString: demuxer.context.pointee.iformat.pointee.name) == "ogg"
  }

  /// Called before a packet goes to the decoder.
  mutating func willSend(_ packet: UnsafeMutablePointer<AVPacket>) {
    guard isOggVorbis else { return }
    // The first packet of the file, or of one behind it in the same file.
    if let silent, silent.start == 0 { surplus = silent.duration }
    silent = (packet.pointee.pts, packet.pointee.duration)
    var size = 0
    guard surplus > 0, let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 8
    else { return }
    // Two numbers of 32 bits, little-endian: frames to leave out in front, frames to leave out at the end.
    let place = UnsafeMutableRawPointer(data) + 4
    let cut = Int64(UInt32(littleEndian: place.loadUnaligned(as: UInt32.self)))
    place.storeBytes(of: UInt32(max(cut - surplus, 0)).littleEndian, as: UInt32.self)
  }

  mutating func didReceive() { silent = nil }
  mutating func didSeek() { silent = nil }
}
