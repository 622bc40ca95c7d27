/// The boxes of ISO 14496-12 that are needed here.
enum MP4Box {
  static func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
    let joined = content.flatMap { $0 }
    return head(type, contentBytes: joined.count) + joined
  }

  /// A box that begins with a version and flags.
  static func full(_ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ fill: (inout ByteBuilder) -> Void)
    -> [UInt8]
  {
    var content = ByteBuilder()
    content.big(UInt32(version) << 24 | flags)
    fill(&content)
    return box(type, content.bytes)
  }

  static func head(_ type: String, contentBytes: Int) -> [UInt8] {
    var head = ByteBuilder()
    head.big(UInt32(contentBytes + 8))
    head.text(type)
    return head.bytes
  }

  /// The head of a box of any size, itself included: 16 bytes.
  static func largeHead(_ type: String, bytes: Int64) -> [UInt8] {
    var head = ByteBuilder()
    head.big(UInt32(1))
    head.text(type)
    head.big(bytes)
    return head.bytes
  }

  static let fileType: [UInt8] = {
    var content = ByteBuilder()
    content.text("M4A ")
    content.big(UInt32(512))
    for brand in ["M4A ", "mp42", "isom", "iso5"] { content.text(brand) }
    return box("ftyp", content.bytes)
  }()

  /// A movie fragment of one run of packets; its data follow in an mdat of their own.
  static func fragmentHead(sequence: UInt32, decodeTime: Int64, sizes: [UInt16]) -> [UInt8] {
    let header = full("mfhd") { $0.big(sequence) }
    // Offsets count from the fragment's own start.
    let track = full("tfhd", flags: 0x02_0000) { $0.big(UInt32(1)) }
    let time = full("tfdt", version: 1) { $0.big(decodeTime) }
    let runBytes = 8 + 4 + 4 + 4 + 4 * sizes.count
    let total = 8 + header.count + 8 + track.count + time.count + runBytes
    let run = full("trun", flags: 0x201) { run in
      run.big(UInt32(sizes.count))
      run.big(UInt32(total + 8))
      run.big32(sizes)
    }
    return box("moof", header, box("traf", track, time, run))
  }

  /// The content of the box at a path below `bytes`, which is a box's content; nil when there is none.
  static func find(_ path: [String], in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let first = path.first else { return bytes }
    var at = bytes.startIndex
    while at + 8 <= bytes.endIndex {
      let head = Array(bytes[at..<at + 8])
      let size = Int(head.big(0, as: UInt32.self)!)
      guard size >= 8, at + size <= bytes.endIndex else { return nil }
      if head.isText(first, at: 4) { return find(Array(path.dropFirst()), in: bytes[(at + 8)..<(at + size)]) }
      at += size
    }
    return nil
  }
}
