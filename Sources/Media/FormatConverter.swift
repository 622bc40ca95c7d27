import CFFmpeg
internal import Sound

/// Frames of another rate or channel count than the file began with, made like those.
final class FormatConverter {
  private let rate: Int32
  private var layout = AVChannelLayout()
  private let path: PathBytes
  private var context: OpaquePointer?
  private var inputRate: Int32 = 0
  private var inputChannels: Int32 = 0
  private var inputFormat: Int32 = -1
  private var block: SampleBlock
  private let channelCount: Int

  init(to format: StreamFormat, path: PathBytes) {
    rate = Int32(format.rate.hertz)
    channelCount = format.channelCount
    self.path = path
    block = SampleBlock(channelCount: channelCount, capacity: 8192)
    av_channel_layout_default(&layout, Int32(channelCount))
  }

  deinit {
    swr_free(&context)
    av_channel_layout_uninit(&layout)
  }

  /// Converts a frame; gives the number of frames now in `block`.
  func convert(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) -> Int {
    let rate = frame.pointee.sample_rate
    if rate != inputRate || frame.pointee.ch_layout.nb_channels != inputChannels || frame.pointee.format != inputFormat
    {
      try configure(frame.pointee.ch_layout, rate: rate, format: frame.pointee.format)
    }
    return try convert(frame.pointee.extended_data, frame.pointee.nb_samples)
  }

  /// Converts a block of a part that has another format; gives the number of frames now in `block`.
  func convert(_ part: SampleBlock, of format: StreamFormat) throws(MediaError) -> Int {
    let rate = Int32(format.rate.hertz)
    if rate != inputRate || format.channelCount != Int(inputChannels) {
      var layout = AVChannelLayout()
      av_channel_layout_default(&layout, Int32(format.channelCount))
      try configure(layout, rate: rate, format: AV_SAMPLE_FMT_FLTP.rawValue)
    }
    var planes = (0..<part.channelCount).map { channel -> UnsafeMutablePointer<UInt8>? in
      UnsafeMutableRawPointer(part.plane(channel)).assumingMemoryBound(to: UInt8.self)
    }
    return try planes.withUnsafeMutableBufferPointer { planes throws(MediaError) in
      try convert(planes.baseAddress!, Int32(part.frameCount))
    }
  }

  private func convert(_ planes: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, _ count: Int32) throws(MediaError)
    -> Int
  {
    try pull(Int(swr_get_out_samples(context, count))) { output, room in
      planes.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: Int(inputChannels)) {
        swr_convert(context, output, room, $0, count)
      }
    }
  }

  /// Gives out what the filter still holds.
  func drain() throws(MediaError) -> Int {
    guard context != nil else { return 0 }
    return try pull(Int(swr_get_out_samples(context, 0))) { swr_convert(context, $0, $1, nil, 0) }
  }

  func copy(from offset: Int, count: Int, into other: SampleBlock, at place: Int) {
    for channel in 0..<channelCount {
      (other.plane(channel) + place).update(from: block.plane(channel) + offset, count: count)
    }
  }

  private func pull(
    _ expected: Int, _ convert: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, Int32) -> Int32
  ) throws(MediaError) -> Int {
    if expected > block.capacity { block = SampleBlock(channelCount: channelCount, capacity: expected) }
    var planes = (0..<channelCount).map { channel -> UnsafeMutablePointer<UInt8>? in
      UnsafeMutableRawPointer(block.plane(channel)).assumingMemoryBound(to: UInt8.self)
    }
    let count = planes.withUnsafeMutableBufferPointer { convert($0.baseAddress!, Int32(block.capacity)) }
    guard count >= 0 else { throw .broken(path, reason: "its format changes in the middle to one that does not fit") }
    block.frameCount = Int(count)
    block.silenceNonFinite()
    return Int(count)
  }

  private func configure(_ layout: AVChannelLayout, rate inputRate: Int32, format: Int32) throws(MediaError) {
    swr_free(&context)
    var (from, given) = (AVChannelLayout(), layout)
    defer { av_channel_layout_uninit(&from) }
    av_channel_layout_copy(&from, &given)
    if from.order == AV_CHANNEL_ORDER_UNSPEC {
      let count = from.nb_channels
      av_channel_layout_uninit(&from)
      av_channel_layout_default(&from, count)
    }
    let status = swr_alloc_set_opts2(
      &context, &self.layout, AV_SAMPLE_FMT_FLTP, rate, &from, AVSampleFormat(format), inputRate, 0, nil)
    if status >= 0, from.nb_channels == 1 {
      // Mono at full level in every channel, as everywhere here; the library would take 3 dB off.
      let ones = [Double](repeating: 1, count: channelCount)
      swr_set_matrix(context, ones, 1)
    }
    guard status >= 0, swr_init(context) >= 0 else {
      throw .broken(path, reason: "its format changes in the middle to one that does not fit")
    }
    self.inputRate = inputRate
    inputChannels = layout.nb_channels
    inputFormat = format
  }
}
