internal import Sound
internal import System

/// AAC in an .m4a that grows by fragments of less than half a second, and becomes a plain one at the end.
///
///     ftyp free moov(mvex) moof mdat moof mdat …            while recording
///     ftyp mdat(                                  ) moov    when finished
///
/// ISO 14496-12 (the boxes), 14496-14 (the sample's description). Nothing is ever moved: at the end the tables that a
/// plain file has are appended, and the free space at the start becomes the head of one box around all that lies between,
/// so that a day's take is finished as fast as a minute's. Which packets there are is kept meanwhile: 0.5 MB an hour.
final class M4ATake: TakeWriting {
  private let file: OutputFile
  private let encoder: PacketEncoder
  private let pending: Box
  private let limit: Int
  private let track: M4ATrack

  /// Packets on their way to the file.
  final class Box {
    var sizes: [UInt16] = []
    var bytes: [UInt8] = []
    /// Those in the file.
    var written = M4ATrack.Packets()
  }

  /// The length of a fragment in seconds.
  static let fragmentSeconds = 0.4

  init(file: OutputFile, format: TakeFormat, tags: TakeTags) throws(TakeFault) {
    let pending = Box()
    let encoder = try PacketEncoder(format) { packet in
      pending.sizes.append(UInt16(packet.count))
      pending.bytes += packet
    }
    self.file = file
    self.encoder = encoder
    self.pending = pending
    limit = max(Int(Self.fragmentSeconds * Double(format.fileRate.hertz)) / encoder.frameSize, 1)
    track = M4ATrack(
      rate: UInt32(format.fileRate.hertz), packetFrames: UInt32(encoder.frameSize), priming: Int64(encoder.padding),
      description: M4ATrack.description(
        setup: encoder.setup, channelCount: format.channelCount, rate: format.fileRate.hertz,
        bitsPerSecond: format.bitsPerSecond),
      words: M4ATrack.words(tags))
    try file.put(MP4Box.fileType + M4AMending.openHead + track.growing)
  }

  func write(_ block: SampleBlock) throws(TakeFault) {
    try encoder.encode(block)
    if pending.sizes.count >= limit { try flush() }
  }

  func flush() throws(TakeFault) {
    guard !pending.sizes.isEmpty else { return }
    let head = MP4Box.fragmentHead(
      sequence: UInt32(pending.written.runs.count + 1),
      decodeTime: Int64(pending.written.sizes.count) * Int64(encoder.frameSize), sizes: pending.sizes)
    let offset = file.size + Int64(head.count) + 8
    try file.put(head + MP4Box.head("mdat", contentBytes: pending.bytes.count) + pending.bytes)
    pending.written.runs.append((offset, pending.sizes.count))
    pending.written.sizes += pending.sizes
    pending.sizes.removeAll(keepingCapacity: true)
    pending.bytes.removeAll(keepingCapacity: true)
  }

  func finish() throws(TakeFault) {
    try encoder.finish()
    try flush()
    // The fragments alone are a valid file, so it is no loss when there is no room for the tables.
    do { _ = try M4AMending.close(file, track, pending.written, frames: encoder.frames) } catch {
      if case .system = error { return }
      throw error
    }
  }

  func close() throws(TakeFault) {
    _ = try M4AMending.close(file, track, pending.written, frames: nil)
  }
}
