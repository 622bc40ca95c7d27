import CFFmpeg

/// A negative result of an FFmpeg call.
struct FFmpegStatus: Error, Hashable {
  var code: Int32

  static let endOfFile = FFmpegStatus(code: shim_AVERROR_EOF)
  static let exit = FFmpegStatus(code: shim_AVERROR_EXIT)
  static let invalidData = FFmpegStatus(code: shim_AVERROR_INVALIDDATA)
  static let notImplemented = FFmpegStatus(code: shim_AVERROR_PATCHWELCOME)
  static let again = FFmpegStatus(code: shim_AVERROR_EAGAIN)
  static let noMemory = FFmpegStatus(code: shim_AVERROR_ENOMEM)

  /// The library's own words, lower case, without a full stop.
  var reason: String {
    var text = [CChar](repeating: 0, count: 128)
    av_strerror(code, &text, text.count)
    let words = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}

/// Throws the status of an FFmpeg call when it is negative; otherwise returns it.
@discardableResult
func check(_ code: Int32) throws(FFmpegStatus) -> Int32 {
  guard code >= 0 else { throw FFmpegStatus(code: code) }
  return code
}
