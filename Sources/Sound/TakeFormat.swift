/// How a recording is coded, and in what kind of file.
package enum TakeCoding: String, Hashable, Sendable, CaseIterable {
  case flac, wav, aac, opus

  /// The ending of the file's name, without the dot.
  package var fileExtension: String {
    switch self {
    case .flac: "flac"
    case .wav: "wav"
    case .aac: "m4a"
    case .opus: "opus"
    }
  }

  /// The sample widths there are to choose from; empty where the coding has none.
  package var widths: [SampleWidth] {
    switch self {
    case .flac: [.int16, .int24]
    case .wav: [.int16, .int24, .float32]
    case .aac, .opus: []
    }
  }

  /// The rates that the coding can hold, rising; other rates are resampled to the nearest that is not lower.
  package var rates: [Int]? {
    switch self {
    case .flac, .wav: nil
    // ISO 14496-3, table 1.18.
    case .aac: [7350, 8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000]
    // RFC 6716, section 2; the file always counts in 48 kHz.
    case .opus: [8000, 12_000, 16_000, 24_000, 48_000]
    }
  }
}

/// How many bits a sample has in a file.
package enum SampleWidth: String, Hashable, Sendable, CaseIterable {
  case int16, int24, float32

  package var bits: Int {
    switch self {
    case .int16: 16
    case .int24: 24
    case .float32: 32
    }
  }
}

/// What a recording is made of.
package struct TakeFormat: Hashable, Sendable {
  package var coding: TakeCoding
  /// Of no meaning for codings without widths.
  package var width: SampleWidth
  /// The rate at which sound comes in.
  package var rate: SampleRate
  package var channelCount: Int

  /// A width that the coding does not have becomes the nearest one it has.
  package init(coding: TakeCoding, width: SampleWidth, rate: SampleRate, channelCount: Int) {
    self.coding = coding
    self.width = coding.widths.isEmpty || coding.widths.contains(width) ? width : coding.widths.last!
    self.rate = rate
    self.channelCount = channelCount
  }

  /// The rate in the file: the coding's lowest that holds all of the sound.
  package var fileRate: SampleRate {
    guard let rates = coding.rates else { return rate }
    return SampleRate(hertz: rates.first { $0 >= rate.hertz } ?? rates.last!)
  }

  /// The sound's own data, before any coding: rate x bits x channels / 8.
  package var bytesPerSecond: Int { rate.hertz * width.bits * channelCount / 8 }

  /// What a second takes on disk, as a guess before there is a file to measure.
  package var likelyBytesPerSecond: Int {
    switch coding {
    case .wav: bytesPerSecond
    // Speech and music leave 50 to 70 %.
    case .flac: bytesPerSecond * 7 / 10
    case .aac, .opus: bitsPerSecond / 8
    }
  }

  /// What a coding with loss is told to spend.
  package var bitsPerSecond: Int {
    let channels = max(channelCount, 1)
    switch coding {
    // 192 kb/s for stereo at 44.1 kHz and more; less sound needs less.
    case .aac: return min(96_000, fileRate.hertz * 5 / 2) * channels
    case .opus: return (channels == 1 ? 80_000 : 64_000 * channels)
    case .flac, .wav: return bytesPerSecond * 8
    }
  }
}
