import CFFmpeg

/// The lengths of Vorbis blocks as their packets go to the decoder, and on which frames of the track they may begin.
///
/// A block sounds together with half of the one before it, for a quarter of both their lengths (Vorbis I, 1.3.2 and 4.3.8). So the
/// block k begins a quarter of the blocks 0 and k − 1 behind the start, and a half of each block between them: but for
/// multiples of half a short block, that is told by two blocks. One time stamp of whole milliseconds then tells the rest.
final class VorbisBlocks {
  private let parser: OpaquePointer
  private let short: Int64
  private let long: Int64
  /// The packets handed in last; nil behind a jump.
  private var last: Int64?
  private(set) var beforeLast: Int64?
  /// Where the packet before lay: several that share a place (lacing) have one time stamp of their own between them.
  private var lastPlace: Int64 = -1
  private var isStamped = false

  /// Nil unless the stream is Vorbis with its setup in order.
  init?(_ stream: UnsafeMutablePointer<AVStream>) {
    let parameters = stream.pointee.codecpar.pointee
    let setup = UnsafeBufferPointer(start: parameters.extradata, count: Int(max(parameters.extradata_size, 0)))
    // The block lengths stand at the end of the first header (Vorbis I, 4.2.2), as exponents.
    let mark = [1] + Array("vorbis".utf8)
    guard parameters.codec_id == AV_CODEC_ID_VORBIS, setup.count > 30,
      let start = (0..<min(setup.count - 30, 1024)).first(where: { setup[$0...].starts(with: mark) })
    else { return nil }
    (short, long) = (1 << Int64(setup[start + 28] & 15), 1 << Int64(setup[start + 28] >> 4))
    guard 64...8192 ~= short, short...8192 ~= long,
      let parser = av_vorbis_parse_init(setup.baseAddress, Int32(setup.count))
    else { return nil }
    self.parser = parser
  }

  deinit {
    var freed: OpaquePointer? = parser
    av_vorbis_parse_free(&freed)
  }

  func willSend(_ packet: UnsafeMutablePointer<AVPacket>) {
    // A short block is told to follow at most another short one then; a long one knows which one it follows.
    av_vorbis_parse_reset(parser)
    let quarter = Int64(av_vorbis_parse_frame(parser, packet.pointee.data, packet.pointee.size))
    isStamped = packet.pointee.pos < 0 || packet.pointee.pos != lastPlace
    lastPlace = packet.pointee.pos
    beforeLast = last
    last = quarter <= 0 ? nil : quarter <= short / 2 ? short : long
  }

  func didSeek() { (last, beforeLast, lastPlace) = (nil, nil, -1) }

  /// How many frames the packet handed in last gives; nil where that is not known.
  var lastFrames: Int64? {
    guard let last, let beforeLast else { return nil }
    return (last + beforeLast) / 4
  }

  /// The one frame, among those on which the packet handed in last may begin, that lies so near; nil where none or several do.
  ///
  /// `first` is the block before the one that gave the first frames of the track, `cut` how many of those were left out.
  func place(near position: Int64, within doubt: Int64, first: Int64, cut: Int64) -> Int64? {
    guard let beforeLast, isStamped, short / 2 > 2 * doubt else { return nil }
    let unit = short / 2
    let offset = (first + beforeLast) / 4 - cut
    let steps = Double(position - offset) / Double(unit)
    let nearest = offset + Int64(steps.rounded()) * unit
    return abs(nearest - position) <= doubt ? nearest : nil
  }
}
