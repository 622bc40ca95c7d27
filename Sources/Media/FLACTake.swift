internal import Sound
internal import System

/// A FLAC file that grows: its header counts the frames whenever some were written.
///
///     fLaC
///     STREAMINFO      34 bytes; while recording without the MD5 of the samples, which may be missing
///     VORBIS_COMMENT  title, date, device, program
///     frames
///
/// RFC 9639, sections 8 and 9.
final class FLACTake: TakeWriting {
  private let file: OutputFile
  private let encoder: PacketEncoder
  private let pending: Box
  private var written: Int64 = 0

  /// Packets on their way to the file.
  final class Box {
    var bytes: [UInt8] = []
    var frames: Int64 = 0
  }

  /// Where STREAMINFO begins.
  static let informationOffset: Int64 = 8

  init(file: OutputFile, format: TakeFormat, tags: TakeTags) throws(TakeFault) {
    let pending = Box()
    let encoder = try PacketEncoder(format) { packet in
      pending.bytes += packet
    }
    self.file = file
    self.pending = pending
    self.encoder = encoder
    var header = ByteBuilder()
    header.text("fLaC")
    header.big(UInt32(34))
    header.bytes += Self.information(encoder.setup, frames: 0)
    let words = VorbisComment.bytes(tags)
    header.big(UInt32(0x8400_0000) | UInt32(words.count))
    header.bytes += words
    try file.put(header.bytes)
  }

  func write(_ block: SampleBlock) throws(TakeFault) {
    try encoder.encode(block)
    if pending.bytes.count >= 1 << 18 { try flush() }
  }

  func flush() throws(TakeFault) {
    guard !pending.bytes.isEmpty else { return }
    try file.put(pending.bytes)
    pending.bytes.removeAll(keepingCapacity: true)
    // Packets come out as soon as they are full.
    written = encoder.frames
    try file.mend(Self.information(encoder.setup, frames: written), at: Self.informationOffset)
  }

  func finish() throws(TakeFault) {
    try encoder.finish()
    try flush()
    if encoder.frames > 0 { try file.mend(encoder.setup, at: Self.informationOffset) }
  }

  func close() throws(TakeFault) {
    try file.mend(Self.information(encoder.setup, frames: written), at: Self.informationOffset)
  }

  /// A STREAMINFO that counts `frames`; the sizes of frames and the MD5 are unknown.
  static func information(_ setup: [UInt8], frames: Int64) -> [UInt8] {
    var bytes = setup
    for i in 4..<10 { bytes[i] = 0 }
    bytes[13] = bytes[13] & 0xF0 | UInt8(truncatingIfNeeded: frames >> 32 & 0x0F)
    for i in 0..<4 { bytes[14 + i] = UInt8(truncatingIfNeeded: frames >> (24 - 8 * Int64(i))) }
    for i in 18..<34 { bytes[i] = 0 }
    return bytes
  }
}

/// The words of FLAC and Opus files (Xiph.Org, "Ogg Vorbis I format specification: comment field").
enum VorbisComment {
  static func bytes(_ tags: TakeTags) -> [UInt8] {
    let entries = [
      "TITLE=" + tags.title, "DATE=" + tags.date, "COMMENT=" + tags.comment, "ENCODER=" + TakeTags.program,
    ]
    var list = ByteBuilder()
    list.little(UInt32(TakeTags.program.utf8.count))
    list.text(TakeTags.program)
    list.little(UInt32(entries.count))
    for entry in entries {
      list.little(UInt32(entry.utf8.count))
      list.text(entry)
    }
    return list.bytes
  }
}
