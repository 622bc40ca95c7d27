import CFFmpeg
internal import Sound

/// Blocks of sound into the packets of a coding.
///
/// One thread at a time. Blocks may have any length; they are resampled where the coding cannot have their rate.
final class PacketEncoder {
  /// What comes out: the bytes of one packet.
  typealias Sink = (UnsafeBufferPointer<UInt8>) throws(TakeFault) -> Void

  private let context: UnsafeMutablePointer<AVCodecContext>
  private let frame: UnsafeMutablePointer<AVFrame>
  private let packet: UnsafeMutablePointer<AVPacket>
  private let resampler: RateConverter?
  private let staged: SampleBlock
  private let sink: Sink
  /// The frames coded, at the coding's rate.
  private(set) var frames: Int64 = 0
  /// The frames of a packet.
  let frameSize: Int
  /// The frames that a decoder gives before the first.
  let padding: Int

  init(_ format: TakeFormat, sink: @escaping Sink) throws(TakeFault) {
    do {
      let opened = try Self.open(format)
      guard let frame = av_frame_alloc(), let packet = av_packet_alloc() else { throw FFmpegStatus.noMemory }
      frameSize = opened.pointee.frame_size > 0 ? Int(opened.pointee.frame_size) : 4096
      padding = Int(opened.pointee.initial_padding)
      resampler =
        format.fileRate == format.rate
        ? nil : try RateConverter(from: format.rate, to: format.fileRate, channelCount: format.channelCount)
      frame.pointee.format = opened.pointee.sample_fmt.rawValue
      frame.pointee.nb_samples = Int32(frameSize)
      frame.pointee.sample_rate = opened.pointee.sample_rate
      try check(av_channel_layout_copy(&frame.pointee.ch_layout, &opened.pointee.ch_layout))
      try check(av_frame_get_buffer(frame, 0))
      self.frame = frame
      self.packet = packet
      self.sink = sink
      staged = SampleBlock(channelCount: format.channelCount, capacity: frameSize)
      setup = Array(UnsafeBufferPointer(start: opened.pointee.extradata, count: Int(opened.pointee.extradata_size)))
      context = opened
    } catch let status as FFmpegStatus {
      throw .codec(status)
    } catch { throw .codec(.noMemory) }
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    avcodec_free_context(&context)
    av_frame_free(&frame)
    av_packet_free(&packet)
  }

  /// What the coding's container must know; for FLAC the stream's information, true once all is finished.
  private(set) var setup: [UInt8]

  private static func open(_ format: TakeFormat) throws(FFmpegStatus) -> UnsafeMutablePointer<AVCodecContext> {
    av_log_set_level(AV_LOG_QUIET)
    let name =
      switch format.coding {
      case .flac, .wav: "flac"
      case .aac: "aac"
      case .opus: "libopus"
      }
    guard let codec = avcodec_find_encoder_by_name(name) else { throw .init(code: shim_AVERROR_ENCODER_NOT_FOUND) }
    guard let context = avcodec_alloc_context3(codec) else { throw .noMemory }
    context.pointee.sample_rate = Int32(format.fileRate.hertz)
    context.pointee.time_base = AVRational(num: 1, den: Int32(format.fileRate.hertz))
    av_channel_layout_default(&context.pointee.ch_layout, Int32(format.channelCount))
    context.pointee.flags |= 1 << 22  // AV_CODEC_FLAG_GLOBAL_HEADER: the setup goes to the container
    switch format.coding {
    case .flac, .wav:
      context.pointee.sample_fmt = format.width == .int16 ? AV_SAMPLE_FMT_S16 : AV_SAMPLE_FMT_S32
      context.pointee.bits_per_raw_sample = format.width == .int16 ? 16 : 24
    case .aac:
      context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
      context.pointee.bit_rate = Int64(format.bitsPerSecond)
    case .opus:
      context.pointee.sample_fmt = AV_SAMPLE_FMT_FLT
      context.pointee.bit_rate = Int64(format.bitsPerSecond)
    }
    let status = avcodec_open2(context, codec, nil)
    guard status >= 0 else {
      var closing: UnsafeMutablePointer<AVCodecContext>? = context
      avcodec_free_context(&closing)
      throw FFmpegStatus(code: status)
    }
    return context
  }

  /// Takes a block in and gives out the packets that are ready.
  func encode(_ block: SampleBlock) throws(TakeFault) {
    guard let resampler else { return try stage(block) }
    do {
      if let converted = try resampler.convert(block) { try stage(converted) }
    } catch let status as FFmpegStatus {
      throw .codec(status)
    } catch { throw error as! TakeFault }
  }

  /// Gives out the rest.
  func finish() throws(TakeFault) {
    if let resampler {
      while true {
        let rest: SampleBlock?
        do { rest = try resampler.convert(nil) } catch { throw .codec(error) }
        guard let rest, rest.frameCount > 0 else { break }
        try stage(rest)
      }
    }
    if staged.frameCount > 0 { try send() }
    let status = avcodec_send_frame(context, nil)
    guard status >= 0 else { throw .codec(FFmpegStatus(code: status)) }
    try receive()
  }

  /// Collects whole packets' worth of frames.
  private func stage(_ block: SampleBlock) throws(TakeFault) {
    var done = 0
    while done < block.frameCount {
      let at = staged.frameCount
      let count = min(frameSize - at, block.frameCount - done)
      for channel in 0..<block.channelCount {
        (staged.plane(channel) + at).update(from: block.plane(channel) + done, count: count)
      }
      staged.frameCount += count
      done += count
      if staged.frameCount == frameSize { try send() }
    }
  }

  private func send() throws(TakeFault) {
    let status = av_frame_make_writable(frame)
    guard status >= 0 else { throw .codec(FFmpegStatus(code: status)) }
    frame.pointee.nb_samples = Int32(staged.frameCount)
    frame.pointee.pts = frames
    fill(frame.pointee.extended_data)
    frames += Int64(staged.frameCount)
    staged.frameCount = 0
    let sent = avcodec_send_frame(context, frame)
    guard sent >= 0 else { throw .codec(FFmpegStatus(code: sent)) }
    try receive()
  }

  private func fill(_ planes: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) {
    let first = UnsafeMutableRawPointer(planes[0]!)
    switch context.pointee.sample_fmt {
    case AV_SAMPLE_FMT_S16: SampleWriting.int16(staged, first.assumingMemoryBound(to: Int16.self))
    case AV_SAMPLE_FMT_S32: SampleWriting.int24In32(staged, first.assumingMemoryBound(to: Int32.self))
    case AV_SAMPLE_FMT_FLT: SampleWriting.float32(staged, first.assumingMemoryBound(to: Float.self))
    default:
      for channel in 0..<staged.channelCount {
        let plane = UnsafeMutableRawPointer(planes[channel]!).assumingMemoryBound(to: Float.self)
        plane.update(from: staged.plane(channel), count: staged.frameCount)
      }
    }
  }

  private func receive() throws(TakeFault) {
    while true {
      let status = avcodec_receive_packet(context, packet)
      if status == shim_AVERROR_EAGAIN || status == shim_AVERROR_EOF { return }
      guard status >= 0 else { throw .codec(FFmpegStatus(code: status)) }
      defer { av_packet_unref(packet) }
      // Told once, by the last packet; the context's own copy spoils its checksum afterwards.
      var count = 0
      if let told = av_packet_get_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, &count), count == setup.count {
        setup = Array(UnsafeBufferPointer(start: told, count: count))
      }
      guard packet.pointee.size > 0 else { continue }
      try sink(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
    }
  }
}

/// Planes of floats at one rate into planes at another.
final class RateConverter {
  private let context: OpaquePointer
  private var output: SampleBlock
  private let ratio: Double

  init(from input: SampleRate, to output: SampleRate, channelCount: Int) throws(FFmpegStatus) {
    var made: OpaquePointer?
    var inLayout = AVChannelLayout()
    var outLayout = AVChannelLayout()
    av_channel_layout_default(&inLayout, Int32(channelCount))
    av_channel_layout_default(&outLayout, Int32(channelCount))
    try check(
      swr_alloc_set_opts2(
        &made, &outLayout, AV_SAMPLE_FMT_FLTP, Int32(output.hertz), &inLayout, AV_SAMPLE_FMT_FLTP, Int32(input.hertz),
        0,
        nil))
    guard let opened = made else { throw .noMemory }
    let status = swr_init(opened)
    guard status >= 0 else {
      swr_free(&made)
      throw FFmpegStatus(code: status)
    }
    ratio = Double(output.hertz) / Double(input.hertz)
    self.output = SampleBlock(channelCount: channelCount, capacity: 8192)
    context = opened
  }

  deinit {
    var closing: OpaquePointer? = context
    swr_free(&closing)
  }

  /// The frames that are ready after those of `block`, or what is left after the last; valid until the next call.
  func convert(_ block: SampleBlock?) throws(FFmpegStatus) -> SampleBlock? {
    let most = Int(swr_get_out_samples(context, Int32(block?.frameCount ?? 0))) + 64
    if most > output.capacity { output = SampleBlock(channelCount: output.channelCount, capacity: most) }
    let channels = output.channelCount
    var inputs = [UnsafePointer<UInt8>?](repeating: nil, count: channels)
    var outputs = [UnsafeMutablePointer<UInt8>?](repeating: nil, count: channels)
    for channel in 0..<channels {
      outputs[channel] = UnsafeMutableRawPointer(output.plane(channel)).assumingMemoryBound(to: UInt8.self)
      if let block {
        inputs[channel] = UnsafeRawPointer(block.plane(channel)).assumingMemoryBound(to: UInt8.self)
      }
    }
    let count = outputs.withUnsafeMutableBufferPointer { outputs in
      inputs.withUnsafeMutableBufferPointer { inputs in
        swr_convert(
          context, outputs.baseAddress, Int32(output.capacity), block == nil ? nil : inputs.baseAddress,
          Int32(block?.frameCount ?? 0))
      }
    }
    try check(count)
    output.frameCount = Int(count)
    return output
  }
}
