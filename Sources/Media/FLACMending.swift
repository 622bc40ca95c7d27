internal import Sound
internal import System

/// Makes a FLAC file whole that was cut off anywhere: drops what is left of a frame and counts the rest.
///
/// Frames of a fixed block size carry their number, so the last whole one tells the length. RFC 9639, section 9.
enum FLACMending {
  /// The largest frame there can be here: two channels of 6,144 frames in 24 bits, and what surrounds them.
  private static let mostFrameBytes = 1 << 17

  /// Gives the number of frames; throws when the file is not one of ours.
  static func complete(_ file: OutputFile) throws(TakeFault) -> Int64? {
    let head = try file.get(at: 0, count: 1 << 16)
    guard head.isText("fLaC", at: 0), head.count >= 46, let start = firstFrame(head) else { return nil }
    let setup = Array(head[8..<42])
    let blockSize = Int64(setup.big(0, as: UInt16.self)!)
    let from = max(Int64(start), file.size - Int64(2 * mostFrameBytes))
    let tail = try file.get(at: from, count: Int(file.size - from))
    var frames: Int64 = 0
    var end = Int64(start)
    if let last = lastWhole(tail, blockSize: blockSize) {
      frames = last.firstFrame + Int64(last.frameCount)
      end = from + Int64(last.end)
    }
    if end < file.size { try file.cut(to: end) }
    try file.mend(FLACTake.information(setup, frames: frames), at: FLACTake.informationOffset)
    return frames
  }

  /// Where the frames begin.
  private static func firstFrame(_ head: [UInt8]) -> Int? {
    var offset = 4
    while let word = head.big(offset, as: UInt32.self) {
      offset += 4 + Int(word & 0xFF_FFFF)
      if word >> 31 == 1 { return offset <= head.count ? offset : nil }
    }
    return nil
  }

  private struct Found {
    var end: Int
    var firstFrame: Int64
    var frameCount: Int
  }

  /// The last frame in `bytes` whose checksum is right.
  private static func lastWhole(_ bytes: [UInt8], blockSize: Int64) -> Found? {
    var starts: [(offset: Int, header: FLACFrameHeader)] = []
    var offset = 0
    while offset + 6 < bytes.count {
      if bytes[offset] == 0xFF, bytes[offset + 1] == 0xF8, let header = FLACFrameHeader(bytes, at: offset) {
        starts.append((offset, header))
      }
      offset += 1
    }
    for (offset, header) in starts.reversed() {
      // The sum over a whole frame with its own checksum is zero; it ends at the next frame or at the file's end.
      let ends = starts.map(\.offset).filter { $0 > offset } + [bytes.count]
      var sum: UInt16 = 0
      var at = offset
      for end in ends {
        while at < end {
          sum = Checksum.crc16(sum, bytes[at])
          at += 1
        }
        if sum == 0 {
          return Found(end: end, firstFrame: header.number * blockSize, frameCount: header.frameCount)
        }
      }
    }
    return nil
  }
}

/// The head of one FLAC frame in a stream of fixed block size.
struct FLACFrameHeader {
  var number: Int64
  var frameCount: Int

  /// Nil where none begins, by its checksum.
  init?(_ bytes: [UInt8], at start: Int) {
    guard start + 16 <= bytes.count || start + 6 <= bytes.count else { return nil }
    let sizeCode = Int(bytes[start + 2] >> 4)
    let rateCode = Int(bytes[start + 2] & 0x0F)
    guard sizeCode > 0, rateCode < 15, bytes[start + 3] & 1 == 0 else { return nil }
    // The number is written as UTF-8 writes a letter, with up to 36 bits.
    var at = start + 4
    let lead = bytes[at]
    let ones = (~lead).leadingZeroBitCount
    guard ones != 1, ones <= 7 else { return nil }
    var value = ones == 0 ? Int64(lead) : Int64(ones == 7 ? 0 : lead & (0x7F >> UInt8(ones)))
    at += 1
    for _ in 0..<max(ones - 1, 0) {
      guard at < bytes.count, bytes[at] & 0xC0 == 0x80 else { return nil }
      value = value << 6 | Int64(bytes[at] & 0x3F)
      at += 1
    }
    let extra = (sizeCode == 6 ? 1 : sizeCode == 7 ? 2 : 0) + (rateCode == 12 ? 1 : rateCode > 12 ? 2 : 0)
    guard at + extra < bytes.count else { return nil }
    switch sizeCode {
    case 1: frameCount = 192
    case 2...5: frameCount = 576 << (sizeCode - 2)
    case 6: frameCount = Int(bytes[at]) + 1
    case 7: frameCount = Int(bytes[at]) << 8 + Int(bytes[at + 1]) + 1
    default: frameCount = 256 << (sizeCode - 8)
    }
    number = value
    let end = at + extra
    guard Checksum.crc8(bytes[start..<end]) == bytes[end] else { return nil }
  }
}

/// The checksums of the Xiph formats.
enum Checksum {
  /// RFC 9639, section 9.1.8: x⁸ + x² + x + 1.
  static func crc8(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 == 0 ? sum << 1 : sum << 1 ^ 0x07 }
    }
  }

  private static let table16: [UInt16] = (0..<256).map { index in
    (0..<8).reduce(UInt16(index) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x8005 }
  }

  /// RFC 9639, section 9.3: x¹⁶ + x¹⁵ + x² + 1, one byte further.
  static func crc16(_ sum: UInt16, _ byte: UInt8) -> UInt16 { sum << 8 ^ table16[Int(sum >> 8) ^ Int(byte)] }

  private static let table32: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
  }

  /// RFC 3533, section 6: that of Ethernet, but neither mirrored nor inverted.
  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    bytes.reduce(0) { sum, byte in sum << 8 ^ table32[Int(sum >> 24) ^ Int(byte)] }
  }
}
