import CFFmpeg

/// How a file may be decoded in stretches, each by a reader of its own, such that joined they are what one reader gives.
package enum CutRule: Hashable, Sendable {
  /// Not at all: a seek does not lead to the sample everywhere.
  ///
  /// Matroska and WMA count milliseconds, AC-3 and bare ADTS and AMR have no clock, and what is not listed here has not been
  /// tried.
  case never
  /// Samples lie at places that can be counted.
  case anywhere
  /// Where a stretch meets the one before, both must have decoded the same samples.
  case whereSamplesMeet
  /// Where a stretch meets the one before, both must have decoded the same sound but for its noise.
  ///
  /// AAC replaces noise by noise of its own (PNS, ISO 14496-3, 4.6.13), which differs from reader to reader.
  case whereSoundMeets

  private static let pcm = 0x10000..<0x11000

  /// The rule for a coding in a container, by the library's names.
  init(container: UnsafePointer<CChar>, codec: AVCodecID) {
    switch (String(cString: container), codec) {
    case ("flac", AV_CODEC_ID_FLAC), ("mp3", AV_CODEC_ID_MP3), ("wv", AV_CODEC_ID_WAVPACK), ("tta", AV_CODEC_ID_TTA),
      ("ogg", AV_CODEC_ID_VORBIS), ("ogg", AV_CODEC_ID_OPUS), ("ogg", AV_CODEC_ID_FLAC):
      self = .whereSamplesMeet
    case (let name, AV_CODEC_ID_ALAC) where name.hasPrefix("mov"): self = .whereSamplesMeet
    case (let name, AV_CODEC_ID_AAC) where name.hasPrefix("mov"): self = .whereSoundMeets
    case ("wav", _), ("w64", _), ("aiff", _), ("caf", _), ("au", _):
      self = Self.pcm.contains(Int(codec.rawValue)) ? .whereSamplesMeet : .never
    default: self = .never
    }
  }
}

/// Which decoders are at work.
package enum DecoderVersion {
  /// Differs where the same file may be decoded differently: the versions of the codec and container libraries, and our own.
  package static var current: UInt64 {
    UInt64(avcodec_version()) << 32 ^ UInt64(avformat_version()) << 8 ^ ours
  }

  /// To be raised when what this room makes of a file changes.
  private static let ours: UInt64 = 3
}
