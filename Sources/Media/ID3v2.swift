/// The tags in front of MP3 and other files; only their length matters here.
///
/// ID3v2.4 main structure, section 3.1: "ID3", version, flags, a size of four times 7 bits, and a footer of 10 bytes if
/// flagged.
enum ID3v2 {
  /// The length of the tag that begins with these 10 bytes; nil when there is none.
  static func length(_ header: ArraySlice<UInt8>) -> Int64? {
    let h = Array(header.prefix(10))
    guard h.count == 10, h.starts(with: Array("ID3".utf8)), h[3] != 0xFF, h[4] != 0xFF else { return nil }
    let size = h[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
    guard h[6...9].allSatisfy({ $0 < 0x80 }) else { return nil }
    return 10 + size + (h[5] & 0x10 != 0 ? 10 : 0)
  }

  /// Where the tags in front of a file end: 0 without any.
  static func end(in source: ByteSource) -> Int64 {
    var place: Int64 = 0
    while let length = length(source.bytes(at: place, count: 10)[...]), place + length <= source.size {
      place += length
    }
    return place
  }
}
