import CFFmpeg
import Glibc
internal import Sound
internal import System

/// An open container: its streams, its words, its packets.
///
/// One thread at a time. Reads through our own byte source, so that no format can open a second file or the network.
final class Demuxer {
  let source: ByteSource
  private(set) var context: UnsafeMutablePointer<AVFormatContext>
  private var input: UnsafeMutablePointer<AVIOContext>?

  /// 64 KiB: few calls into the kernel, and still little to throw away after a seek.
  private static let bufferSize: Int32 = 1 << 16

  /// The most that the library may allocate at once: several times the index of 24 h in an MP4, which is 90 MB.
  ///
  /// A damaged header may ask for gigabytes.
  private static let mostMemory = 256 << 20

  /// Opens the container that `format` says lies at `source`.
  init(source: ByteSource, format: UnsafePointer<AVInputFormat>) throws(FFmpegStatus) {
    av_log_set_level(AV_LOG_QUIET)
    av_max_alloc(Self.mostMemory)
    source.cursor = 0
    source.allowance = nil
    let opaque = Unmanaged.passUnretained(source).toOpaque()
    guard let buffer = av_malloc(Int(Self.bufferSize)) else { throw .noMemory }
    var input = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0, opaque, readBytes, nil, seekBytes)
    guard input != nil, let made = avformat_alloc_context() else {
      Self.free(&input)
      throw .noMemory
    }
    made.pointee.pb = input
    made.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    made.pointee.interrupt_callback = AVIOInterruptCB(callback: isInterrupted, opaque: opaque)
    made.pointee.io_open = refuseToOpen
    // Demuxers that bring their own context ask this list instead of the callback.
    av_opt_set(made, "protocol_whitelist", "none", 0)
    var opened: UnsafeMutablePointer<AVFormatContext>? = made
    let status = avformat_open_input(&opened, "", format, nil)
    guard status >= 0, let opened else {
      Self.free(&input)
      throw FFmpegStatus(code: status)
    }
    self.source = source
    self.input = input
    context = opened
  }

  deinit {
    var closing: UnsafeMutablePointer? = context
    avformat_close_input(&closing)
    Self.free(&input)
  }

  private static func free(_ input: inout UnsafeMutablePointer<AVIOContext>?) {
    guard input != nil else { return }
    av_free(input!.pointee.buffer)
    avio_context_free(&input)
  }

  var streams: UnsafeMutableBufferPointer<UnsafeMutablePointer<AVStream>?> {
    UnsafeMutableBufferPointer(start: context.pointee.streams, count: Int(context.pointee.nb_streams))
  }

  /// So much of bare frames is searched for the next one: a tail of zeros would else be gathered as one frame of gigabytes.
  static let patienceBytes: Int64 = 32 << 20

  /// A single stream of frames without a container.
  var isBare: Bool { context.pointee.iformat.pointee.flags & AVFMT_GENERIC_INDEX != 0 }

  private func renewAllowance() {
    source.allowance = isBare ? source.bytesRead + Self.patienceBytes : nil
  }

  /// Reads ahead for what the header does not tell, at most a few seconds' worth.
  func findStreamInformation() throws(FFmpegStatus) {
    renewAllowance()
    try check(avformat_find_stream_info(context, nil))
  }

  /// The track to be heard: one flagged as default before others, one for all ears before one for the blind or with
  /// comments, else the first; never a picture, and no coding without a decoder.
  func chooseAudio() -> (stream: UnsafeMutablePointer<AVStream>, decoder: UnsafePointer<AVCodec>)? {
    var best: (stream: UnsafeMutablePointer<AVStream>, decoder: UnsafePointer<AVCodec>)?
    var bestRank = -1
    for case let stream? in streams {
      stream.pointee.discard = AVDISCARD_ALL
      let parameters = stream.pointee.codecpar.pointee
      guard parameters.codec_type == AVMEDIA_TYPE_AUDIO, let decoder = avcodec_find_decoder(parameters.codec_id)
      else { continue }
      let rank = rank(stream.pointee.disposition)
      if rank > bestRank { (best, bestRank) = ((stream, decoder), rank) }
    }
    best?.stream.pointee.discard = AVDISCARD_DEFAULT
    return best
  }

  private func rank(_ disposition: Int32) -> Int {
    let special = AV_DISPOSITION_HEARING_IMPAIRED | AV_DISPOSITION_VISUAL_IMPAIRED | AV_DISPOSITION_COMMENT
    return (disposition & AV_DISPOSITION_DEFAULT != 0 ? 2 : 0) + (disposition & special == 0 ? 1 : 0)
  }

  /// The next packet of any stream that is not discarded.
  func read(into packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegStatus) {
    renewAllowance()
    try check(av_read_frame(context, packet))
  }

  /// Goes to the last place from which everything at the target can be decoded.
  func seek(stream: Int32, to target: SeekTarget) throws(FFmpegStatus) {
    source.allowance = nil
    switch target {
    case .timestamp(let time): try check(avformat_seek_file(context, stream, Int64.min, time, time, 0))
    case .byte(let place): try check(av_seek_frame(context, stream, place, AVSEEK_FLAG_BYTE))
    }
  }
}

// MARK: - what libavformat calls

private func readBytes(_ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32)
  -> Int32
{
  let source = Unmanaged<ByteSource>.fromOpaque(opaque!).takeUnretainedValue()
  if source.cancellation.isCancelled { return shim_AVERROR_EXIT }
  if let allowance = source.allowance, source.bytesRead >= allowance { return shim_AVERROR_EOF }
  let got = source.read(buffer!, Int(count), at: source.cursor)
  source.cursor += Int64(got)
  if got > 0 { return Int32(got) }
  return source.failure == nil ? shim_AVERROR_EOF : shim_AVERROR_EIO
}

private func seekBytes(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
  let source = Unmanaged<ByteSource>.fromOpaque(opaque!).takeUnretainedValue()
  if whence & AVSEEK_SIZE != 0 { return source.size }
  let base: Int64
  switch whence & ~AVSEEK_FORCE {
  case SEEK_SET: base = 0
  case SEEK_CUR: base = source.cursor
  case SEEK_END: base = source.size
  default: return Int64(shim_AVERROR_INVALIDDATA)
  }
  let (place, overflow) = base.addingReportingOverflow(offset)
  guard !overflow, place >= 0 else { return Int64(shim_AVERROR_INVALIDDATA) }
  source.cursor = place
  return place
}

private func isInterrupted(_ opaque: UnsafeMutableRawPointer?) -> Int32 {
  Unmanaged<ByteSource>.fromOpaque(opaque!).takeUnretainedValue().cancellation.isCancelled ? 1 : 0
}

private func refuseToOpen(
  _ context: UnsafeMutablePointer<AVFormatContext>?,
  _ input: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?, _ address: UnsafePointer<CChar>?, _ flags: Int32,
  _ options: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 { shim_AVERROR_EPERM }
