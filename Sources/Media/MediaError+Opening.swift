import CFFmpeg
internal import Sound

extension FFmpegStatus {
  /// Said by our own choice of a stream, with a number that the library uses for the same.
  static let noStream = FFmpegStatus(code: shim_AVERROR_STREAM_NOT_FOUND)
  static let noDecoder = FFmpegStatus(code: shim_AVERROR_DECODER_NOT_FOUND)
}

extension MediaError {
  /// Why a container could not be opened, or has nothing to be heard.
  init(opening status: FFmpegStatus, container: UnsafePointer<AVInputFormat>, demuxer: Demuxer?, path: PathBytes) {
    let label = FormatNames.container(container)
    guard status == .noStream, let demuxer else {
      self = .broken(path, reason: "its \(label) structure is damaged (\(status.reason))")
      return
    }
    for case let stream? in demuxer.streams where stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO {
      let parameters = stream.pointee.codecpar.pointee
      let isKnown = parameters.codec_id != AV_CODEC_ID_NONE
      self = .unsupportedCodec(
        path, name: isKnown ? FormatNames.codec(parameters.codec_id) : FormatNames.tag(parameters.codec_tag))
      return
    }
    for case let stream? in demuxer.streams where stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO {
      let id = stream.pointee.codecpar.pointee.codec_id
      self =
        id == AV_CODEC_ID_NONE
        ? .unsupportedCodec(path, name: "unknown") : .unsupportedCodec(path, name: FormatNames.codec(id))
      return
    }
    self = .noAudio(path, container: label)
  }
}
