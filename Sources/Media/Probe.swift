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
    /// What is to be left out when it is read; empty where all of it is in order.
    var junk: Range<Int64> = 0..<0
    /// True where it may well be chance.
    var isWeak: Bool { score <= AVPROBE_SCORE_RETRY }
    var name: String { String(cString: format.pointee.name) }
  }

  /// Whether a guess is good enough to show a file as sound: raw video and subtitles are not, nor what may be chance.
  static func mayHoldSound(_ guess: Guess) -> Bool {
    let silent = [
      "h26", "m4v", "mpegvideo", "hevc", "vc1", "dirac", "ivf", "obu", "srt", "ass", "webvtt", "yuv", "cavs",
    ]
    return !silent.contains { guess.name.hasPrefix($0) }
      && (!guess.isWeak || guess.name == "mp3" || guess.name == "aac")
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
        let guess = Guess(format: found, score: score)
        if guess.name == "libgme", !ChipMusic.isPlayed(bytes) { return nil }
        // The library takes scattered headers for frames, such as every program holds by chance.
        let isBare = ["mp3", "aac"].contains(guess.name)
        return !isBare || FrameSync.isFrame(bytes) || FrameSync.find(in: bytes) != nil ? guess : nil
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
      if var found = best, found.score > AVPROBE_SCORE_RETRY {
        if found.name == "mp3", FrameSync.find(in: bytes)?.place != 0 {
          found.junk = frames(in: source, behind: start)?.junk ?? found.junk
        }
        return found
      }
      if bytes.count < size { break }
      size *= 4
    }
    guard let (match, junk) = frames(in: source, behind: start), let format = av_find_input_format(match.format) else {
      return best
    }
    return Guess(format: format, score: AVPROBE_SCORE_RETRY, junk: junk)
  }

  /// MPEG frames behind something that is neither a tag nor sound, and what of that is to be left out; not asked if the
  /// library is sure of another format.
  ///
  /// The library's demuxers find frames by themselves behind a little else. But they look for the words of the encoder, which
  /// tell where the sound begins and ends, in front of it only.
  private static func frames(in source: ByteSource, behind start: Int64) -> (FrameSync.Match, junk: Range<Int64>)? {
    let bytes = source.bytes(at: start, count: FrameSync.reach)
    guard let match = FrameSync.find(in: bytes) else { return nil }
    let place = start + Int64(match.place)
    let isInTheWay = match.place > 0 && (place > junkLimit || FrameSync.hasEncodersWords(bytes, match.place))
    return (match, isInTheWay ? start..<place : 0..<0)
  }

  private static let junkLimit: Int64 = 1 << 14
}
