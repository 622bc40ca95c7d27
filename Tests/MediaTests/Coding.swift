import Testing

/// A way to code sound, and how near to the original it must come out.
struct Coding: Sendable, CustomTestStringConvertible {
  var name: String
  var arguments: [String]
  var rate = 44100
  /// The least clearance in decibels between the sound and its difference from the original.
  var clearance: Double
  /// How many frames more than the original may come out.
  var extra = 0...0
  /// The largest difference of a sample after a seek from the same sample of a linear decode.
  var seekTolerance: Float = 0

  var testDescription: String { name }

  /// 16 bits: quantisation noise of a 0.5 sine lies at −92 dB.
  static let lossless16 = 80.0

  /// Those, and some that keep too little of two channels to be compared with the original.
  static let sought =
    all + [
      Coding(
        name: "speex.ogg", arguments: ["-c:a", "libspeex"], rate: 16000, clearance: -9, extra: -700...700,
        seekTolerance: 2e-3)
    ] + telephone

  /// Codings of telephones and old programs: one channel, or a rate of their own.
  private static let telephone: [Coding] = [
    // Their long-term filters are never quite forgotten.
    Coding(telephone: "gsm.gsm", ["-c:a", "libgsm", "-ac", "1"], tolerance: 6e-3),
    Coding(telephone: "gsm.wav", ["-c:a", "libgsm_ms", "-ac", "1"], tolerance: 6e-3),
    Coding(telephone: "gsm.mov", ["-c:a", "libgsm", "-ac", "1"], tolerance: 6e-3),
    Coding(telephone: "g723.wav", ["-c:a", "g723_1", "-ac", "1", "-b:a", "6300"], tolerance: 0.05),
    Coding(telephone: "g722.wav", ["-c:a", "g722", "-ac", "1", "-ar", "16000"]),
    Coding(telephone: "g726.wav", ["-c:a", "g726", "-ac", "1"]),
    Coding(telephone: "yamaha.wav", ["-c:a", "adpcm_yamaha"]),
    // Each block begins with the upper nine bits of a sample; the lower seven are taken over from the block before.
    Coding(telephone: "ima.aiff", ["-c:a", "adpcm_ima_qt"], tolerance: 0x1p-8),
    Coding(telephone: "ima.mov", ["-c:a", "adpcm_ima_qt"], tolerance: 0x1p-8),
    Coding(telephone: "ima.w64", ["-c:a", "adpcm_ima_wav"]),
    Coding(telephone: "ms.w64", ["-c:a", "adpcm_ms"]),
    Coding(telephone: "mono.ima.wav", ["-c:a", "adpcm_ima_wav", "-ac", "1"]),
    Coding(telephone: "mono.ms.wav", ["-c:a", "adpcm_ms", "-ac", "1"]),
    Coding(telephone: "short.ima.wav", ["-c:a", "adpcm_ima_wav", "-block_size", "256"]),
    // Blocks longer than what is decoded before a place that is sought, and a clock of milliseconds.
    Coding(telephone: "swf.flv", ["-c:a", "adpcm_swf", "-ar", "11025"]),
    Coding(telephone: "flac.mka", ["-c:a", "flac", "-sample_fmt", "s16"]),
  ]

  static let all: [Coding] = [
    Coding(name: "s16.wav", arguments: ["-c:a", "pcm_s16le"], clearance: lossless16),
    Coding(name: "s24.aiff", arguments: ["-c:a", "pcm_s24be"], clearance: 120),
    Coding(name: "s16.w64", arguments: ["-c:a", "pcm_s16le"], clearance: lossless16),
    Coding(name: "s24.caf", arguments: ["-c:a", "pcm_s24be"], clearance: 120),
    Coding(name: "s16.au", arguments: ["-c:a", "pcm_s16be"], clearance: lossless16),
    Coding(name: "16.flac", arguments: ["-sample_fmt", "s16"], clearance: lossless16),
    Coding(name: "24.flac", arguments: ["-sample_fmt", "s32"], clearance: 120),
    Coding(name: "flac.oga", arguments: ["-c:a", "flac", "-sample_fmt", "s16"], clearance: lossless16),
    Coding(name: "alac.m4a", arguments: ["-c:a", "alac"], clearance: lossless16),
    Coding(name: "wavpack.wv", arguments: ["-sample_fmt", "s16p"], clearance: lossless16),
    Coding(name: "tta.tta", arguments: ["-sample_fmt", "s16"], clearance: lossless16),
    // G.711 has 13 and 14 bits near zero and 8 in all: some 37 dB over its noise.
    Coding(name: "mulaw.wav", arguments: ["-c:a", "pcm_mulaw"], clearance: 33),
    Coding(name: "alaw.wav", arguments: ["-c:a", "pcm_alaw"], clearance: 33),
    // Blocks of 1024 bytes: the last one is filled up with silence.
    Coding(name: "ima.wav", arguments: ["-c:a", "adpcm_ima_wav"], clearance: 15, extra: 0...2048),
    Coding(name: "ms.wav", arguments: ["-c:a", "adpcm_ms"], clearance: 15, extra: 0...2048),
    // Perceptual codings keep less of the noise than of the tones; they say how much they pad.
    Coding(name: "cbr.mp3", arguments: ["-b:a", "192k"], clearance: 18),
    Coding(name: "vbr.mp3", arguments: ["-q:a", "2"], clearance: 18),
    Coding(name: "low.mp3", arguments: ["-b:a", "64k"], clearance: 12),
    // Without a Xing frame nobody tells the encoder's delay of 1105 frames, nor what fills up the last frame.
    Coding(name: "bare.mp3", arguments: ["-b:a", "128k", "-write_xing", "0"], clearance: -9, extra: 1105...3500),
    // The edit list is kept in milliseconds. (Without noise substitution, which is random by nature.)
    Coding(name: "aac.m4a", arguments: ["-b:a", "192k", "-aac_pns", "0"], clearance: 18, extra: -45...45),
    Coding(
      name: "opus.mp4", arguments: ["-c:a", "libopus", "-b:a", "160k"], rate: 48000, clearance: 15, extra: 0...960,
      seekTolerance: 2e-3),
    Coding(name: "adts.aac", arguments: ["-b:a", "192k", "-aac_pns", "0"], clearance: -9, extra: 1024...2100),
    Coding(name: "vorbis.ogg", arguments: ["-c:a", "libvorbis", "-q:a", "6"], clearance: 18),
    Coding(
      name: "dts.mka", arguments: ["-c:a", "dca", "-strict", "-2", "-b:a", "768k"], clearance: -9, extra: 0...1600),
    Coding(name: "alac.caf", arguments: ["-c:a", "alac"], clearance: lossless16, extra: 0...4096),
    Coding(
      name: "ac3.mka", arguments: ["-c:a", "ac3", "-b:a", "320k"], clearance: -9, extra: -256...1536, seekTolerance: 0.2
    ),
    Coding(
      name: "opus.opus", arguments: ["-c:a", "libopus", "-b:a", "160k"], rate: 48000, clearance: 15, seekTolerance: 2e-3
    ),
    Coding(
      name: "opus.webm", arguments: ["-c:a", "libopus", "-b:a", "160k"], rate: 48000, clearance: 15, extra: 0...0,
      seekTolerance: 2e-3),
    Coding(name: "flac.mka", arguments: ["-c:a", "flac", "-sample_fmt", "s16"], clearance: lossless16),
    Coding(name: "pcm.mka", arguments: ["-c:a", "pcm_s16le"], clearance: lossless16),
    Coding(name: "mp3.mka", arguments: ["-c:a", "libmp3lame", "-b:a", "192k"], clearance: -9, extra: -1200...2400),
    Coding(
      name: "aac.mka", arguments: ["-c:a", "aac", "-b:a", "192k", "-aac_pns", "0"], clearance: -9, extra: -1024...2100),
    Coding(
      name: "vorbis.webm", arguments: ["-c:a", "libvorbis", "-q:a", "6"], clearance: -9, extra: -2048...2048),
    // AC-3 fills what it leaves out with noise, which is random by nature.
    // Codings of fixed blocks that say nothing of their delay or padding.
    Coding(name: "ac3.ac3", arguments: ["-b:a", "320k"], clearance: -9, extra: 0...1536, seekTolerance: 0.2),
    // Its decoder gives 16 bits, dithered: one step of difference.
    Coding(name: "mp2.mp2", arguments: ["-b:a", "256k"], clearance: -9, extra: 0...1633, seekTolerance: 0x1p-14),
    Coding(
      name: "wma.wma", arguments: ["-c:a", "wmav2", "-b:a", "192k"], clearance: -9, extra: -2048...4096),
    Coding(name: "wma1.wma", arguments: ["-c:a", "wmav1", "-b:a", "128k"], clearance: -9, extra: -2048...4096),
  ]
}

extension Coding {
  private init(telephone name: String, _ arguments: [String], tolerance: Float = 0) {
    self.init(name: name, arguments: arguments, rate: 8_000, clearance: -9, seekTolerance: tolerance)
  }
}
