import CFFmpeg
internal import Sound

extension UnsafeMutablePointer<AVFrame> {
  var frameCount: Int { Int(pointee.nb_samples) }
  var channelCount: Int { Int(pointee.ch_layout.nb_channels) }
  var hertz: Int { Int(pointee.sample_rate) }

  /// Copies `count` frames from `offset` on into a block's planes at `place`, as floats.
  ///
  /// The block has as many channels. An unknown sample format, which no decoder of audio has, gives silence.
  func copy(from offset: Int, count: Int, into block: SampleBlock, at place: Int) {
    let format = AVSampleFormat(pointee.format)
    let isPlanar = av_sample_fmt_is_planar(format) != 0
    let kind = av_get_packed_sample_fmt(format)
    let width = Int(av_get_bytes_per_sample(format))
    let stride = isPlanar ? 1 : channelCount
    for channel in 0..<block.channelCount {
      let plane = block.plane(channel) + place
      let data = UnsafeRawPointer(pointee.extended_data[isPlanar ? channel : 0]!)
      let from = data + (isPlanar ? offset : offset * stride + channel) * width
      switch kind {
      case AV_SAMPLE_FMT_FLT:
        SampleConversion.floats(from.assumingMemoryBound(to: Float.self), stride: stride, count: count, into: plane)
      case AV_SAMPLE_FMT_S16:
        SampleConversion.signed16(from.assumingMemoryBound(to: Int16.self), stride: stride, count: count, into: plane)
      case AV_SAMPLE_FMT_S32:
        SampleConversion.signed32(from.assumingMemoryBound(to: Int32.self), stride: stride, count: count, into: plane)
      case AV_SAMPLE_FMT_U8:
        SampleConversion.unsigned8(from.assumingMemoryBound(to: UInt8.self), stride: stride, count: count, into: plane)
      case AV_SAMPLE_FMT_DBL:
        SampleConversion.doubles(from.assumingMemoryBound(to: Double.self), stride: stride, count: count, into: plane)
      case AV_SAMPLE_FMT_S64:
        SampleConversion.signed64(from.assumingMemoryBound(to: Int64.self), stride: stride, count: count, into: plane)
      default:
        plane.update(repeating: 0, count: count)
      }
    }
  }
}
