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

  static let fileType: [UInt8] = {
    var content = ByteBuilder()
    content.text("M4A ")
    content.big(UInt32(512))
    for brand in ["M4A ", "mp42", "isom", "iso5"] { content.text(brand) }
    return box("ftyp", content.bytes)
  }()

  /// A movie fragment of one run of packets; its data follow in an mdat of their own.
  static func fragmentHead(sequence: UInt32, decodeTime: Int64, sizes: [UInt32]) -> [UInt8] {
    let header = full("mfhd") { $0.big(sequence) }
    // Offsets count from the fragment's own start.
    let track = full("tfhd", flags: 0x02_0000) { $0.big(UInt32(1)) }
    let time = full("tfdt", version: 1) { $0.big(decodeTime) }
    let runBytes = 8 + 4 + 4 + 4 + 4 * sizes.count
    let total = 8 + header.count + 8 + track.count + time.count + runBytes
    let run = full("trun", flags: 0x201) { run in
      run.big(UInt32(sizes.count))
      run.big(UInt32(total + 8))
      for size in sizes { run.big(size) }
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

/// What a file's one track is like, before and after its packets are known.
struct M4ATrack {
  var rate: UInt32
  var packetFrames: UInt32
  /// The frames that come out before the first that counts.
  var priming: Int64
  /// The content of the box `stsd`.
  var description: [UInt8]
  /// The box `udta`, with the words about the take.
  var words: [UInt8]

  /// Where the packets lie: runs of packets that follow each other.
  struct Packets {
    var sizes: [UInt32] = []
    var runs: [(offset: Int64, count: Int)] = []
  }

  /// The movie box of a file that grows by fragments.
  var growing: [UInt8] {
    let extends = MP4Box.full("trex") { box in
      for value in [1, 1, packetFrames, 0, 0] as [UInt32] { box.big(value) }
    }
    return movie(frames: 0, packets: Packets(), extends: MP4Box.box("mvex", extends))
  }

  /// The movie box of a plain file whose sound is `frames` long.
  func finished(frames: Int64, packets: Packets) -> [UInt8] { movie(frames: frames, packets: packets, extends: []) }

  private func movie(frames: Int64, packets: Packets, extends: [UInt8]) -> [UInt8] {
    let header = MP4Box.full("mvhd", version: 1) { box in
      box.zeros(16)
      box.big(rate)
      box.big(frames)
      box.big(UInt32(0x1_0000))
      box.big(UInt16(0x100))
      box.zeros(10)
      Self.matrix(&box)
      box.zeros(24)
      box.big(UInt32(2))
    }
    return MP4Box.box("moov", header, track(frames: frames, packets: packets), extends, words)
  }

  private func track(frames: Int64, packets: Packets) -> [UInt8] {
    let header = MP4Box.full("tkhd", version: 1, flags: 7) { box in
      box.zeros(16)
      box.big(UInt32(1))
      box.zeros(4)
      box.big(frames)
      box.zeros(12)
      box.big(UInt16(0x100))
      box.zeros(2)
      Self.matrix(&box)
      box.zeros(8)
    }
    let edits = MP4Box.full("elst", version: 1) { box in
      box.big(UInt32(1))
      box.big(frames)
      box.big(priming)
      box.big(UInt32(0x1_0000))
    }
    let media = MP4Box.full("mdhd", version: 1) { box in
      box.zeros(16)
      box.big(rate)
      box.big(Int64(packets.sizes.count) * Int64(packetFrames))
      box.big(UInt16(0x55C4))  // "und": no language
      box.zeros(2)
    }
    let handler = MP4Box.full("hdlr") { box in
      box.zeros(4)
      box.text("soun")
      box.zeros(12)
      box.text("Sound")
      box.zeros(1)
    }
    let sound = MP4Box.full("smhd") { $0.zeros(4) }
    let here = MP4Box.full("url ", flags: 1) { _ in }
    let references = MP4Box.full("dref") { box in
      box.big(UInt32(1))
      box.bytes += here
    }
    let information = MP4Box.box("minf", sound, MP4Box.box("dinf", references), tables(packets))
    return MP4Box.box("trak", header, MP4Box.box("edts", edits), MP4Box.box("mdia", media, handler, information))
  }

  private func tables(_ packets: Packets) -> [UInt8] {
    let times = MP4Box.full("stts") { box in
      box.big(UInt32(packets.sizes.isEmpty ? 0 : 1))
      if !packets.sizes.isEmpty {
        box.big(UInt32(packets.sizes.count))
        box.big(packetFrames)
      }
    }
    // A new entry wherever a run has another number of packets than the one before.
    var changes: [(run: Int, count: Int)] = []
    for (index, run) in packets.runs.enumerated() where run.count != changes.last?.count {
      changes.append((index + 1, run.count))
    }
    let chunks = MP4Box.full("stsc") { box in
      box.big(UInt32(changes.count))
      for change in changes {
        box.big(UInt32(change.run))
        box.big(UInt32(change.count))
        box.big(UInt32(1))
      }
    }
    let sizes = MP4Box.full("stsz") { box in
      box.big(UInt32(0))
      box.big(UInt32(packets.sizes.count))
      box.bytes.reserveCapacity(box.bytes.count + 4 * packets.sizes.count)
      for size in packets.sizes { box.big(size) }
    }
    let offsets = MP4Box.full("co64") { box in
      box.big(UInt32(packets.runs.count))
      for run in packets.runs { box.big(run.offset) }
    }
    return MP4Box.box("stbl", MP4Box.box("stsd", description), times, chunks, sizes, offsets)
  }

  private static func matrix(_ box: inout ByteBuilder) {
    for value in [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000] as [UInt32] { box.big(value) }
  }

  /// The content of `stsd` for AAC (ISO 14496-14, section 5.6; the descriptors are those of 14496-1, section 7.2.6).
  static func description(setup: [UInt8], channelCount: Int, rate: Int, bitsPerSecond: Int) -> [UInt8] {
    func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }
    var decoder = ByteBuilder()
    decoder.bytes += [0x40, 0x15, 0, 0, 0]
    decoder.big(UInt32(bitsPerSecond))
    decoder.big(UInt32(bitsPerSecond))
    decoder.bytes += descriptor(5, setup)
    let stream = MP4Box.full("esds") { box in
      box.bytes += descriptor(3, [0, 1, 0] + descriptor(4, decoder.bytes) + descriptor(6, [2]))
    }
    var entry = ByteBuilder()
    entry.zeros(6)
    entry.big(UInt16(1))
    entry.zeros(8)
    entry.big(UInt16(channelCount))
    entry.big(UInt16(16))
    entry.zeros(4)
    entry.big(UInt32(rate < 65_536 ? rate : 0) << 16)
    var content = ByteBuilder()
    content.big(UInt32(0))
    content.big(UInt32(1))
    return content.bytes + MP4Box.box("mp4a", entry.bytes, stream)
  }

  /// The box `udta` as players read it: a list of items with Apple's names.
  static func words(_ tags: TakeTags) -> [UInt8] {
    var items: [[UInt8]] = []
    for (name, value) in [
      ("nam", tags.title), ("day", tags.date), ("cmt", tags.comment), ("too", TakeTags.program),
    ] {
      var data = ByteBuilder()
      data.big(UInt32(1))
      data.big(UInt32(0))
      data.text(value)
      var item = ByteBuilder()
      let box = MP4Box.box("data", data.bytes)
      item.big(UInt32(8 + box.count))
      item.bytes.append(0xA9)
      item.text(name)
      item.bytes += box
      items.append(item.bytes)
    }
    let handler = MP4Box.full("hdlr") { box in
      box.zeros(4)
      box.text("mdirappl")
      box.zeros(9)
    }
    let list = MP4Box.box("ilst", items.flatMap { $0 })
    return MP4Box.box("udta", MP4Box.full("meta") { $0.bytes += handler + list })
  }
}
