import CFFmpeg
internal import Sound

extension StreamFormat {
  /// The rates that are played, in hertz.
  static let rates = 100...1_000_000
  /// The most channels that are played.
  static let channelLimit = 64

  /// What the first decoded frame and the container show together.
  init(frames: FrameSource, path: PathBytes) throws(MediaError) {
    let frame = frames.decoder.frame
    let rate = SampleRate(hertz: frame.hertz)
    guard Self.rates.contains(rate.hertz) else { throw .rateOutOfRange(path, hertz: rate.hertz) }
    guard 1...Self.channelLimit ~= frame.channelCount else { throw .tooManyChannels(path, count: frame.channelCount) }
    self.init(
      container: FormatNames.container(frames.demuxer.context.pointee.iformat),
      codec: FormatNames.codec(frames.decoder.context), rate: rate,
      speakers: ChannelLayout.speakers(of: frame.pointee.ch_layout),
      layoutName: ChannelLayout.name(of: frame.pointee.ch_layout), bitsPerSample: Self.bits(frames.decoder.context),
      estimatedLength: Self.estimate(frames, rate: rate), lengthIsExact: false)
  }

  /// The width of a sample where the coding keeps it; nil where it has none.
  private static func bits(_ context: UnsafeMutablePointer<AVCodecContext>) -> Int? {
    let id = context.pointee.codec_id
    if FormatNames.codec(id) == "DSD" { return 1 }
    let exact = av_get_exact_bits_per_sample(id)
    guard let descriptor = avcodec_descriptor_get(id) else { return nil }
    guard descriptor.pointee.props & AV_CODEC_PROP_LOSSLESS != 0, descriptor.pointee.props & AV_CODEC_PROP_LOSSY == 0
    else { return nil }
    let candidates = [context.pointee.bits_per_raw_sample, exact, context.pointee.bits_per_coded_sample]
    return candidates.first { 1...64 ~= $0 }.map { Int($0) }
  }

  private static func container(_ frames: FrameSource) -> String {
    String(cString: frames.demuxer.context.pointee.iformat.pointee.name)
  }

  /// The container's word on the length from the first audible frame on.
  private static func estimate(_ frames: FrameSource, rate: SampleRate) -> FrameCount? {
    let stream = frames.stream.pointee
    let base = stream.time_base
    var length: Int64
    if stream.duration != shim_AV_NOPTS_VALUE, stream.duration > 0 {
      length = av_rescale(stream.duration, Int64(base.num) * Int64(rate.hertz), Int64(base.den))
    } else {
      let duration = frames.demuxer.context.pointee.duration
      guard duration != shim_AV_NOPTS_VALUE, duration > 0 else { return nil }
      length = av_rescale(duration, Int64(rate.hertz), Int64(AV_TIME_BASE))
    }
    if container(frames) == "mp3", stream.start_time != shim_AV_NOPTS_VALUE {
      // The encoder's delay, which is not heard, counts in what the header of an MP3 says.
      length -= av_rescale(stream.start_time, Int64(base.num) * Int64(rate.hertz), Int64(base.den))
    }
    let first = frames.decoder.frame.pointee.best_effort_timestamp
    if first != shim_AV_NOPTS_VALUE, stream.start_time != shim_AV_NOPTS_VALUE, first > stream.start_time {
      length -= av_rescale(first - stream.start_time, Int64(base.num) * Int64(rate.hertz), Int64(base.den))
    }
    return length > 0 && length < Int64.max / 4 ? FrameCount(length) : nil
  }
}
