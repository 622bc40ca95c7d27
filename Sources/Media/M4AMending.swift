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

  /// What follows the box `ftyp` while a file grows: room for the head of a large box.
  static let openHead = MP4Box.box("free", [UInt8](repeating: 0, count: 8))

  /// Tells the take's length; nil when the file is not one of ours.
  static func complete(_ file: OutputFile) throws(TakeFault) -> MendedTake? {
    guard let start = try top(file, at: 0), start.type == "ftyp" else { return nil }
    let head = try file.get(at: start.size, count: 16)
    guard head.count == 16 else { return nil }
    let closed = closedBytes(head, in: file)
    if let closed, let whole = try length(file, ofMovieAt: start.size + closed) { return whole }
    guard closed != nil || head == openHead, let movie = try top(file, at: start.size + 16), movie.type == "moov",
      movie.offset + movie.size <= file.size,
      let track = M4ATrack(reading: try file.get(at: movie.offset + 8, count: Int(min(movie.size, 1 << 20)) - 8))
    else { return nil }
    let (packets, end) = try collect(file, from: movie.offset + movie.size)
    if end < file.size { try file.cut(to: end) }
    return try close(file, track, packets, frames: nil)
  }

  /// The size of the box around all fragments, of which this is the head; nil in a file that is not finished.
  private static func closedBytes(_ head: [UInt8], in file: OutputFile) -> Int64? {
    guard head.big(0, as: UInt32.self) == 1, head.isText("mdat", at: 4), let bytes = head.big(8, as: Int64.self),
      16...file.size ~= bytes
    else { return nil }
    return bytes
  }

  /// Where the movie box of a finished file lies, and its size; nil when it is not one of ours.
  static func movie(_ file: OutputFile) throws(TakeFault) -> (offset: Int64, size: Int64)? {
    guard let start = try top(file, at: 0), start.type == "ftyp" else { return nil }
    guard let closed = closedBytes(try file.get(at: start.size, count: 16), in: file),
      let movie = try top(file, at: start.size + closed), movie.type == "moov",
      movie.offset + movie.size <= file.size
    else { return nil }
    return (movie.offset, movie.size)
  }

  /// Adds the tables to a file that ends with its last fragment, and puts one box around all fragments.
  ///
  /// `frames` is the take's true length where that is known.
  static func close(
    _ file: OutputFile, _ track: M4ATrack, _ packets: M4ATrack.Packets, frames: Int64?
  ) throws(TakeFault) -> MendedTake {
    let coded = Int64(packets.sizes.count) * Int64(track.packetFrames)
    let length = max(min(frames ?? .max, coded - track.priming), 0)
    var tables = track.finished(frames: length, packets: packets)
    tables.replaceSubrange(4..<8, with: Array("free".utf8))
    let start = Int64(MP4Box.fileType.count)
    let end = file.size
    try file.put(tables)
    try file.mend(Array("moov".utf8), at: end + 4)
    try file.mend(MP4Box.largeHead("mdat", bytes: end - start), at: start)
    return MendedTake(frames: length, hertz: Int(track.rate))
  }

  /// The length that a finished file's movie box tells; nil when there is none at this place.
  private static func length(_ file: OutputFile, ofMovieAt offset: Int64) throws(TakeFault) -> MendedTake? {
    guard let movie = try top(file, at: offset), movie.type == "moov", offset + movie.size <= file.size else {
      return nil
    }
    let content = try file.get(at: offset + 8, count: Int(movie.size) - 8)
    guard let edits = MP4Box.find(["trak", "edts", "elst"], in: content[...]).map({ Array($0) }),
      let media = MP4Box.find(["trak", "mdia", "mdhd"], in: content[...]).map({ Array($0) }),
      let frames = edits.big(8, as: Int64.self), frames >= 0, let rate = media.big(20, as: UInt32.self),
      1...1_000_000 ~= rate
    else { return nil }
    return MendedTake(frames: frames, hertz: Int(rate))
  }

  /// The packets of all whole fragments, and where the last one ends.
  private static func collect(
    _ file: OutputFile, from start: Int64
  ) throws(TakeFault) -> (packets: M4ATrack.Packets, end: Int64) {
    var packets = M4ATrack.Packets()
    var at = start
    while let head = try top(file, at: at), head.type == "moof", head.size < 1 << 20,
      let data = try top(file, at: at + head.size), data.type == "mdat", data.offset + data.size <= file.size
    {
      let content = try file.get(at: at + 8, count: Int(head.size) - 8)
      guard let run = MP4Box.find(["traf", "trun"], in: content[...]).map({ Array($0) }),
        let count = run.big(4, as: UInt32.self), run.count >= 12 + 4 * Int(count)
      else { break }
      packets.runs.append((data.offset + 8, Int(count)))
      for i in 0..<Int(count) {
        packets.sizes.append(UInt16(truncatingIfNeeded: run.big(12 + 4 * i, as: UInt32.self)!))
      }
      at = data.offset + data.size
    }
    return (packets, at)
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
