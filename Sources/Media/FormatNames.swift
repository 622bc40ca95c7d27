import CFFmpeg

/// The library's short names of formats and codings, as people know them.
enum FormatNames {
  private static let containers = [
    "wav": "WAV", "w64": "Wave64", "aiff": "AIFF", "flac": "FLAC", "mp3": "MP3", "ogg": "Ogg", "mov": "MPEG-4",
    "matroska": "Matroska", "aac": "ADTS", "caf": "CAF", "asf": "ASF", "ape": "APE", "wv": "WavPack", "tta": "TTA",
    "amr": "AMR", "ilbc": "iLBC", "dsf": "DSF", "iff": "DSDIFF", "mpc": "Musepack", "mpc8": "Musepack", "avi": "AVI",
    "flv": "Flash Video", "mpegts": "MPEG-TS", "mpeg": "MPEG-PS", "ac3": "AC-3", "eac3": "E-AC-3", "dts": "DTS",
    "au": "AU", "tak": "TAK", "shn": "Shorten", "loas": "LOAS", "libopenmpt": "module", "libgme": "chip music",
    "truehd": "TrueHD",
    "mlp": "MLP", "xwma": "xWMA", "voc": "VOC", "gxf": "GXF", "rm": "RealMedia",
  ]
  private static let codecs = [
    "mp1": "MP1", "mp2": "MP2", "mp3": "MP3", "flac": "FLAC", "aac": "AAC", "aac_latm": "AAC", "vorbis": "Vorbis",
    "opus": "Opus", "alac": "ALAC", "wavpack": "WavPack", "ape": "Monkey’s Audio", "tta": "TTA", "wmav1": "WMA",
    "wmav2": "WMA", "wmapro": "WMA Pro", "wmalossless": "WMA Lossless", "wmavoice": "WMA Voice", "ac3": "AC-3",
    "eac3": "E-AC-3", "dts": "DTS", "amr_nb": "AMR-NB", "amr_wb": "AMR-WB", "pcm_mulaw": "µ-law", "pcm_alaw": "A-law",
    "speex": "Speex", "ilbc": "iLBC", "gsm": "GSM", "gsm_ms": "GSM", "truehd": "TrueHD", "mlp": "MLP",
    "musepack7": "Musepack", "musepack8": "Musepack", "tak": "TAK", "shorten": "Shorten", "mp4als": "MPEG-4 ALS",
    "ac4": "AC-4", "mpegh_3d_audio": "MPEG-H 3D Audio", "cook": "Cook", "dsd_lsbf": "DSD", "dsd_msbf": "DSD",
    "dsd_lsbf_planar": "DSD", "dsd_msbf_planar": "DSD",
  ]

  /// Such as "MPEG-4" for "mov,mp4,m4a,3gp,3g2,mj2".
  static func container(_ format: UnsafePointer<AVInputFormat>) -> String {
    let first = String(cString: format.pointee.name).prefix { $0 != "," }
    return containers[String(first)] ?? first.uppercased()
  }

  /// Such as "PCM" for "pcm_s16le".
  static func codec(_ id: AVCodecID) -> String {
    let name = String(cString: avcodec_get_name(id))
    if let known = codecs[name] { return known }
    if name.hasPrefix("pcm_") { return "PCM" }
    if name.hasPrefix("adpcm_") { return "ADPCM" }
    return name.uppercased()
  }

  /// How a file itself names a coding that the library does not know: four letters, or a number such as "0x1234".
  static func tag(_ tag: UInt32) -> String {
    let letters = withUnsafeBytes(of: tag.littleEndian) { Array($0) }
    if letters.allSatisfy({ 0x20...0x7E ~= $0 }) { return String(decoding: letters, as: UTF8.self) }
    return tag == 0 ? "unknown" : "0x" + String(tag, radix: 16, uppercase: true)
  }

  /// Such as "HE-AAC", where the decoder has found out more than the coding's name.
  static func codec(_ context: UnsafeMutablePointer<AVCodecContext>) -> String {
    guard context.pointee.codec_id == AV_CODEC_ID_AAC else { return codec(context.pointee.codec_id) }
    switch context.pointee.profile {
    case FF_PROFILE_AAC_HE: return "HE-AAC"
    case FF_PROFILE_AAC_HE_V2: return "HE-AAC v2"
    default: return "AAC"
    }
  }
}
