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
    /// In bytes: an AAC packet has 768 a channel at most (ISO 14496-3, section 4.5.3.1).
    var sizes: [UInt16] = []
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
      box.big32(packets.sizes)
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

  /// The box `udta` as players read it: a list of items with Apple's names, and room for a longer title.
  static func words(_ tags: TakeTags) -> [UInt8] {
    let items = [
      ("nam", tags.title), ("day", tags.date), ("cmt", tags.comment), ("too", TakeTags.program),
    ].map { (Array($0.utf8), Array($1.utf8)) }
    let room = TakeTitle.mostBytes - tags.title.utf8.count
    return MP4Box.box("udta", list(items), MP4Box.box("free", [UInt8](repeating: 0, count: room)))
  }

  /// The same box with another title and as long as before; nil when it was not written here.
  static func retitled(_ words: [UInt8], _ title: String) -> [UInt8]? {
    guard let meta = MP4Box.find(["udta", "meta"], in: words[...]),
      let list = MP4Box.find(["ilst"], in: meta.dropFirst(4))
    else { return nil }
    var items: [(name: [UInt8], value: [UInt8])] = []
    var rest = list
    while rest.count >= 24 {
      let bytes = Array(rest)
      guard let size = bytes.big(0, as: UInt32.self), size >= 24, Int(size) <= bytes.count else { return nil }
      let name = Array(bytes[5..<8])
      items.append((name, name == Array("nam".utf8) ? Array(title.utf8) : Array(bytes[24..<Int(size)])))
      rest = rest.dropFirst(Int(size))
    }
    let renewed = Self.list(items)
    let room = words.count - 16 - renewed.count
    guard room >= 0 else { return nil }
    return MP4Box.box("udta", renewed, MP4Box.box("free", [UInt8](repeating: 0, count: room)))
  }

  private static func list(_ items: [(name: [UInt8], value: [UInt8])]) -> [UInt8] {
    var list: [UInt8] = []
    for (name, value) in items {
      var data = ByteBuilder()
      data.big(UInt32(1))
      data.big(UInt32(0))
      data.bytes += value
      let box = MP4Box.box("data", data.bytes)
      var item = ByteBuilder()
      item.big(UInt32(8 + box.count))
      item.bytes += [0xA9] + name + box
      list += item.bytes
    }
    let handler = MP4Box.full("hdlr") { box in
      box.zeros(4)
      box.text("mdirappl")
      box.zeros(9)
    }
    return MP4Box.full("meta") { $0.bytes += handler + MP4Box.box("ilst", list) }
  }
}
