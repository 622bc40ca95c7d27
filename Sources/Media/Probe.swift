import CFFmpeg

/// Which container a file is, judged by its content.
enum Probe {
  /// What is read of a file at first, and at most.
  static let firstSize = 1 << 16
  static let largestSize = 1 << 20

  /// Formats that are not asked, by the library's names.
  ///
  /// Lists and descriptions that name other files (concat, hls, sdp …), pictures, texts, and the headerless kinds of AMR,
  /// as which any noise would pass.
  private static let refused: Set<String> = [
    "concat", "hls", "applehttp", "sdp", "rtsp", "dash", "imf", "image2", "image2pipe", "webm_dash_manifest",
    "ffmetadata",
    "amrnb", "amrwb", "tty", "gif", "apng", "ico", "bin", "xbin", "adf", "idf", "vapoursynth",
  ]

  private static func isRefused(_ format: UnsafePointer<AVInputFormat>) -> Bool {
    let names = String(cString: format.pointee.name).split(separator: ",").map(String.init)
    return names.contains { refused.contains($0) || $0.hasSuffix("_pipe") }
  }

  struct Guess {
    var format: UnsafePointer<AVInputFormat>
    /// 1 to 100, as the library's own probes give them.
    var score: Int32
    var name: String { String(cString: format.pointee.name) }
  }

  /// The likeliest format of a file that begins with `bytes` (behind an ID3v2 tag).
  static func guess(_ bytes: [UInt8]) -> Guess? {
    var padded = bytes
    padded.append(contentsOf: repeatElement(0, count: Int(AVPROBE_PADDING_SIZE)))
    return padded.withUnsafeMutableBufferPointer { buffer in
      var data = AVProbeData()
      data.buf = buffer.baseAddress
      data.buf_size = Int32(bytes.count)
      var found: UnsafePointer<AVInputFormat>?
      return "".withCString { name in
        data.filename = name
        var score: Int32 = 0
        found = av_probe_input_format3(&data, 1, &score)
        guard let found, score > 0, !isRefused(found) else { return nil }
        return Guess(format: found, score: score)
      }
    }
  }

  /// The likeliest format of a file, or nil; reads on while the answer is weak.
  static func guess(_ source: ByteSource) -> Guess? {
    let start = ID3v2.end(in: source)
    var best: Guess?
    var size = firstSize
    while size <= largestSize {
      let bytes = source.bytes(at: start, count: size)
      best = guess(bytes)
      if let best, best.score > AVPROBE_SCORE_RETRY { return best }
      if bytes.count < size { return best }
      size *= 4
    }
    return best
  }
}
