internal import Sound
internal import System

/// Makes a plain .m4a of one that grew by fragments, wherever it ends, and however far an earlier attempt had come.
///
/// The order of the steps matters: at each of them the file can be read, or at least be mended again.
enum M4AMending {
  /// A box at the top of the file.
  private struct Top {
    var offset: Int64
    var size: Int64
    var type: String
  }

  /// Tells the take's length; nil when the file is not one of ours.
  ///
  /// `frames` is its true length where that is known.
  static func complete(_ file: OutputFile, frames: Int64?) throws(TakeFault) -> MendedTake? {
    guard let start = try top(file, at: 0), start.type == "ftyp",
      let movie = try top(file, at: start.size), movie.type == "moov" || movie.type == "free",
      movie.offset + movie.size <= file.size,
      let content = try Optional(file.get(at: movie.offset + 8, count: Int(min(movie.size, 1 << 20)) - 8)),
      let track = M4ATrack(reading: content)
    else { return nil }

    let (packets, fragments, end) = try collect(file, from: movie.offset + movie.size)
    // An attempt that was broken off: back to fragments first.
    if movie.type == "free" {
      for fragment in fragments { try file.mend(Array("moof".utf8), at: fragment + 4) }
      try file.mend(Array("moov".utf8), at: movie.offset + 4)
    }
    if end < file.size { try file.cut(to: end) }

    let coded = Int64(packets.sizes.count) * Int64(track.packetFrames)
    let length = max(min(frames ?? .max, coded - track.priming), 0)
    var tables = track.finished(frames: length, packets: packets)
    tables.replaceSubrange(4..<8, with: Array("free".utf8))
    try file.put(tables)
    try file.mend(Array("moov".utf8), at: end + 4)
    for fragment in fragments { try file.mend(Array("free".utf8), at: fragment + 4) }
    try file.mend(Array("free".utf8), at: movie.offset + 4)
    return MendedTake(frames: length, hertz: Int(track.rate))
  }

  /// The packets of all whole fragments, where the fragments begin, and where the last one ends.
  private static func collect(
    _ file: OutputFile, from start: Int64
  ) throws(TakeFault) -> (packets: M4ATrack.Packets, fragments: [Int64], end: Int64) {
    var packets = M4ATrack.Packets()
    var fragments: [Int64] = []
    var at = start
    while let head = try top(file, at: at), head.type == "moof" || head.type == "free", head.size < 1 << 20,
      let data = try top(file, at: at + head.size), data.type == "mdat", data.offset + data.size <= file.size
    {
      let content = try file.get(at: at + 8, count: Int(head.size) - 8)
      guard let run = MP4Box.find(["traf", "trun"], in: content[...]).map({ Array($0) }),
        let count = run.big(4, as: UInt32.self), run.count >= 12 + 4 * Int(count)
      else { break }
      packets.runs.append((data.offset + 8, Int(count)))
      for i in 0..<Int(count) { packets.sizes.append(run.big(12 + 4 * i, as: UInt32.self)!) }
      fragments.append(at)
      at = data.offset + data.size
    }
    return (packets, fragments, at)
  }

  private static func top(_ file: OutputFile, at offset: Int64) throws(TakeFault) -> Top? {
    let head = try file.get(at: offset, count: 8)
    guard head.count == 8, let size = head.big(0, as: UInt32.self), size >= 8 else { return nil }
    return Top(offset: offset, size: Int64(size), type: String(decoding: head[4...], as: UTF8.self))
  }
}

extension M4ATrack {
  /// Reads what the movie box of a growing file tells; nil when it was not written here.
  init?(reading movie: [UInt8]) {
    guard let media = MP4Box.find(["trak", "mdia", "mdhd"], in: movie[...]).map({ Array($0) }),
      let rate = media.big(20, as: UInt32.self), 1...1_000_000 ~= rate,
      let edits = MP4Box.find(["trak", "edts", "elst"], in: movie[...]).map({ Array($0) }),
      let priming = edits.big(16, as: Int64.self), 0...1 << 20 ~= priming,
      let defaults = MP4Box.find(["mvex", "trex"], in: movie[...]).map({ Array($0) }),
      let packetFrames = defaults.big(12, as: UInt32.self), 1...1 << 16 ~= packetFrames,
      let description = MP4Box.find(["trak", "mdia", "minf", "stbl", "stsd"], in: movie[...]),
      let words = MP4Box.find(["udta"], in: movie[...])
    else { return nil }
    self.rate = rate
    self.packetFrames = packetFrames
    self.priming = priming
    self.description = Array(description)
    self.words = MP4Box.box("udta", Array(words))
  }
}
