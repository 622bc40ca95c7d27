import CFFmpeg

/// A codec at work: packets in, frames out.
///
/// One thread at a time.
final class Decoder {
  private(set) var context: UnsafeMutablePointer<AVCodecContext>
  /// The frame given out last; its contents are valid until the next `receive`.
  let frame: UnsafeMutablePointer<AVFrame>

  init(stream: UnsafeMutablePointer<AVStream>, codec: UnsafePointer<AVCodec>) throws(FFmpegStatus) {
    var made = avcodec_alloc_context3(codec)
    var frame = av_frame_alloc()
    do throws(FFmpegStatus) {
      guard let made, frame != nil else { throw .noMemory }
      try check(avcodec_parameters_to_context(made, stream.pointee.codecpar))
      // Without this the decoder cannot tell how much to trim at both ends.
      made.pointee.pkt_timebase = stream.pointee.time_base
      // One thread for each file: whoever wants more opens the file more than once.
      made.pointee.thread_count = 1
      made.pointee.request_sample_fmt = AV_SAMPLE_FMT_FLTP
      try check(avcodec_open2(made, codec, nil))
    } catch {
      avcodec_free_context(&made)
      av_frame_free(&frame)
      throw error
    }
    context = made!
    self.frame = frame!
  }

  deinit {
    var closing: UnsafeMutablePointer? = context
    avcodec_free_context(&closing)
    var freed: UnsafeMutablePointer? = frame
    av_frame_free(&freed)
  }

  /// Hands in a packet, or nil at the end of the stream.
  func send(_ packet: UnsafeMutablePointer<AVPacket>?) throws(FFmpegStatus) {
    try check(avcodec_send_packet(context, packet))
  }

  /// Takes the next frame out into `frame`; throws `.again` when a packet is wanted first, `.endOfFile` when all is out.
  func receive() throws(FFmpegStatus) { try check(avcodec_receive_frame(context, frame)) }

  /// Forgets what was handed in, for a new beginning elsewhere.
  func flush() { avcodec_flush_buffers(context) }
}
