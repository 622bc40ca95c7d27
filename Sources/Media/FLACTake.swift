internal import Sound
internal import System

/// A FLAC file that grows: its header counts the frames whenever some were written.
///
///     fLaC
///     STREAMINFO      34 bytes; while recording without the MD5 of the samples, which may be missing
///     VORBIS_COMMENT  title, date, device, program
///     PADDING         room for a longer title
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
    header.bytes += Self.blocks(words, total: words.count + TakeTitle.mostBytes - tags.title.utf8.count)
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

  /// The words and the padding after them, which have `total` bytes without the blocks' heads.
  static func blocks(_ words: [UInt8], total: Int) -> [UInt8] {
    var blocks = ByteBuilder()
    blocks.big(UInt32(0x0400_0000) | UInt32(words.count))
    blocks.bytes += words
    blocks.big(UInt32(0x8100_0000) | UInt32(total - words.count))
    blocks.zeros(total - words.count)
    return blocks.bytes
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
    return bytes(vendor: Array(TakeTags.program.utf8), entries.map { Array($0.utf8) })
  }

  private static func bytes(vendor: [UInt8], _ entries: [[UInt8]]) -> [UInt8] {
    var list = ByteBuilder()
    list.little(UInt32(vendor.count))
    list.bytes += vendor
    list.little(UInt32(entries.count))
    for entry in entries {
      list.little(UInt32(entry.count))
      list.bytes += entry
    }
    return list.bytes
  }

  /// The words that lie in these bytes, with another title; nil when they are not whole.
  static func retitled(_ bytes: [UInt8], at start: Int, count: Int, _ title: String) -> [UInt8]? {
    let end = start + count
    var at = start
    func text() -> [UInt8]? {
      guard let length = bytes.little(at, as: UInt32.self), at + 4 + Int(length) <= min(end, bytes.count) else {
        return nil
      }
      defer { at += 4 + Int(length) }
      return Array(bytes[at + 4..<at + 4 + Int(length)])
    }
    guard let vendor = text(), let number = bytes.little(at, as: UInt32.self), number < 100 else { return nil }
    at += 4
    var entries: [[UInt8]] = []
    for _ in 0..<number {
      guard let entry = text() else { return nil }
      entries.append(entry.isText("TITLE=", at: 0) ? Array(("TITLE=" + title).utf8) : entry)
    }
    return Self.bytes(vendor: vendor, entries)
  }
}
