internal import Sound
internal import System

/// AAC in an .m4a that grows by fragments of less than half a second, and becomes a plain one at the end.
///
///     ftyp moov(mvex) moof mdat moof mdat …            while recording
///     ftyp free       free mdat free mdat … moov       when finished
///
/// ISO 14496-12 (the boxes), 14496-14 (the sample's description). Nothing is ever moved: at the end the tables that a
/// plain file has are appended, and the heads of the fragments become free space.
final class M4ATake: TakeWriting {
  private let file: OutputFile
  private let encoder: PacketEncoder
  private let pending: Box
  private let limit: Int
  private let format: TakeFormat

  /// Packets on their way to the file.
  final class Box {
    var sizes: [UInt32] = []
    var bytes: [UInt8] = []
    var sequence: UInt32 = 0
    /// The packets written.
    var written: Int64 = 0
  }

  /// The length of a fragment in seconds.
  static let fragmentSeconds = 0.4

  init(file: OutputFile, format: TakeFormat, tags: TakeTags) throws(TakeFault) {
    let pending = Box()
    let encoder = try PacketEncoder(format) { packet in
      pending.sizes.append(UInt32(packet.count))
      pending.bytes += packet
    }
    self.file = file
    self.format = format
    self.encoder = encoder
    self.pending = pending
    limit = max(Int(Self.fragmentSeconds * Double(format.fileRate.hertz)) / encoder.frameSize, 1)
    let track = M4ATrack(
      rate: UInt32(format.fileRate.hertz), packetFrames: UInt32(encoder.frameSize), priming: Int64(encoder.padding),
      description: M4ATrack.description(
        setup: encoder.setup, channelCount: format.channelCount, rate: format.fileRate.hertz,
        bitsPerSecond: format.bitsPerSecond),
      words: M4ATrack.words(tags))
    try file.put(MP4Box.fileType + track.growing)
  }

  func write(_ block: SampleBlock) throws(TakeFault) {
    try encoder.encode(block)
    if pending.sizes.count >= limit { try flush() }
  }

  func flush() throws(TakeFault) {
    guard !pending.sizes.isEmpty else { return }
    pending.sequence += 1
    let head = MP4Box.fragmentHead(
      sequence: pending.sequence, decodeTime: pending.written * Int64(encoder.frameSize), sizes: pending.sizes)
    try file.put(head + MP4Box.head("mdat", contentBytes: pending.bytes.count) + pending.bytes)
    pending.written += Int64(pending.sizes.count)
    pending.sizes.removeAll(keepingCapacity: true)
    pending.bytes.removeAll(keepingCapacity: true)
  }

  func finish() throws(TakeFault) {
    try encoder.finish()
    try flush()
    // The fragments alone are a valid file, so it is no loss when there is no room for the tables.
    do { _ = try M4AMending.complete(file, frames: encoder.frames) } catch {
      if case .system = error { return }
      throw error
    }
  }

  func close() throws(TakeFault) {
    pending.sizes = []
    pending.bytes = []
    _ = try M4AMending.complete(file, frames: nil)
  }
}
