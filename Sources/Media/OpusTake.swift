internal import Sound
internal import System

/// An Ogg file of Opus that grows by pages of less than half a second.
///
/// RFC 3533 (Ogg), RFC 7845 (Opus in it): a page with OpusHead, one with OpusTags, then pages of packets.
final class OpusTake: TakeWriting {
  private let file: OutputFile
  private let encoder: PacketEncoder
  private let pages: OggPages
  private let perPacket: Int64
  private let scale: Int64

  /// 20 packets of 20 ms.
  static let packetsPerPage = 20

  init(file: OutputFile, format: TakeFormat, tags: TakeTags) throws(TakeFault) {
    let pages = OggPages(file: file)
    let encoder = try PacketEncoder(format) { (packet) throws(TakeFault) in
      // One stays back, so that there is one for the last page, which says that it is the last.
      if pages.count >= OpusTake.packetsPerPage { try pages.writePage() }
      pages.add(packet)
    }
    self.file = file
    self.encoder = encoder
    self.pages = pages
    // Positions count frames of 48 kHz, whatever the coder works at.
    scale = Int64(48_000 / format.fileRate.hertz)
    perPacket = Int64(encoder.frameSize) * scale
    pages.framesPerPacket = perPacket
    try pages.writeHeader(encoder.setup)
    // Behind the words lies room for a longer title (RFC 7845, section 5.2).
    let room = [UInt8](repeating: 0, count: TakeTitle.mostBytes - tags.title.utf8.count)
    try pages.writeHeader(Array("OpusTags".utf8) + VorbisComment.bytes(tags) + room)
  }

  func write(_ block: SampleBlock) throws(TakeFault) { try encoder.encode(block) }

  func flush() throws(TakeFault) { if pages.count > 1 { try pages.writePage(keeping: 1) } }

  func finish() throws(TakeFault) {
    try encoder.finish()
    // The decoder drops what comes before the first frame, and what comes after this position.
    let skip = Int64(encoder.setup.little(10, as: UInt16.self) ?? 0)
    try pages.writeLast(position: skip + encoder.frames * scale)
  }

  func close() throws(TakeFault) { _ = try OggMending.complete(file) }
}

/// Packets into the pages of one Ogg stream.
final class OggPages {
  private let file: OutputFile
  private let serial = UInt32.random(in: 1...UInt32.max)
  private var sequence: UInt32 = 0
  private var packets: [[UInt8]] = []
  /// The position after the last packet written.
  private var position: Int64 = 0
  var framesPerPacket: Int64 = 0

  init(file: OutputFile) { self.file = file }

  /// How many packets wait.
  var count: Int { packets.count }

  func add(_ packet: UnsafeBufferPointer<UInt8>) { packets.append(Array(packet)) }

  func writeHeader(_ packet: [UInt8]) throws(TakeFault) {
    try write([packet], position: 0, flags: sequence == 0 ? 2 : 0)
  }

  /// Writes the packets that wait, but the last `keeping`.
  func writePage(keeping: Int = 0) throws(TakeFault) {
    let ready = Array(packets.dropLast(keeping))
    position += Int64(ready.count) * framesPerPacket
    do {
      try write(ready, position: position, flags: 0)
    } catch {
      position -= Int64(ready.count) * framesPerPacket
      throw error
    }
    packets.removeFirst(ready.count)
  }

  /// Writes the last page, which ends at `position`.
  func writeLast(position: Int64) throws(TakeFault) {
    try write(packets, position: position, flags: 4)
    packets = []
  }

  private func write(_ packets: [[UInt8]], position: Int64, flags: UInt8) throws(TakeFault) {
    var lacing: [UInt8] = []
    for packet in packets {
      lacing += [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
    }
    // Words longer than a page holds would have to be spread over several; ours are not.
    guard lacing.count <= 255 else { throw .codec(.invalidData) }
    var page = ByteBuilder()
    page.text("OggS")
    page.bytes += [0, flags]
    page.little(position)
    page.little(serial)
    page.little(sequence)
    page.little(UInt32(0))
    page.bytes.append(UInt8(lacing.count))
    page.bytes += lacing
    for packet in packets { page.bytes += packet }
    OggMending.seal(&page.bytes)
    try file.put(page.bytes)
    sequence += 1
  }
}

/// Makes an Ogg file whole that was cut off anywhere: drops what is left of a page and marks the last whole one as the last.
enum OggMending {
  /// The largest page there can be.
  private static let mostPageBytes = 27 + 255 + 255 * 255

  static func seal(_ page: inout [UInt8]) {
    for i in 22..<26 { page[i] = 0 }
    let sum = Checksum.crc32(page)
    for i in 0..<4 { page[22 + i] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(i))) }
  }

  /// Gives the position after the last frame, in frames of 48 kHz, what is skipped at the start left out; nil when the
  /// file is not one of ours.
  static func complete(_ file: OutputFile) throws(TakeFault) -> Int64? {
    let head = try file.get(at: 0, count: 64)
    guard head.isText("OggS", at: 0), head.isText("OpusHead", at: 28), let skip = head.little(38, as: UInt16.self)
    else { return nil }
    let from = max(0, file.size - Int64(2 * mostPageBytes))
    let tail = try file.get(at: from, count: Int(file.size - from))
    var start = tail.count - 27
    while start >= 0 {
      if let length = pageLength(tail, at: start) {
        var page = Array(tail[start..<start + length])
        if from + Int64(start + length) < file.size { try file.cut(to: from + Int64(start + length)) }
        page[5] |= 4
        seal(&page)
        try file.mend(page, at: from + Int64(start))
        return max((page.little(6, as: Int64.self) ?? 0) - Int64(skip), 0)
      }
      start -= 1
    }
    return nil
  }

  /// The length of the page that begins at `start` and is whole, by its checksum.
  static func pageLength(_ bytes: [UInt8], at start: Int) -> Int? {
    guard bytes.isText("OggS", at: start) else { return nil }
    let segments = Int(bytes[start + 26])
    guard start + 27 + segments <= bytes.count else { return nil }
    let length = 27 + segments + bytes[(start + 27)..<(start + 27 + segments)].reduce(0) { $0 + Int($1) }
    guard start + length <= bytes.count else { return nil }
    var page = Array(bytes[start..<start + length])
    let sum = page.little(22, as: UInt32.self)
    seal(&page)
    return page.little(22, as: UInt32.self) == sum ? length : nil
  }
}
