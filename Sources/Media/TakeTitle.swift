package import Sound
internal import System

/// Gives a finished take another title, in the words that its file has about itself.
///
/// There is room for the longest title from the start, so only those words are written over, in one write.
package enum TakeTitle {
  /// So many bytes a title may have: as many as a file's name.
  static let mostBytes = 255

  /// Waits for the disk; throws and leaves the file as it was when it is none of ours.
  package static func set(_ title: String, in path: PathBytes) throws(TakeError) {
    let file: OutputFile
    do { file = try OutputFile(mending: path) } catch { throw .cannotWrite(path, error) }
    do throws(TakeFault) {
      let head = try file.get(at: 0, count: 1 << 12)
      let (place, bytes) = try words(head, file, TakeTags.clipped(title)) ?? (0, [])
      guard !bytes.isEmpty, place + Int64(bytes.count) <= file.size else { throw .codec(.invalidData) }
      try file.mend(bytes, at: place)
      do { try file.sync() } catch { throw .system(error) }
    } catch {
      switch error {
      case .system(let error): throw .cannotWrite(path, error)
      case .codec: throw .cannotComplete(path)
      }
    }
  }

  /// What is to be written where; nil in a file that is none of ours.
  private static func words(
    _ head: [UInt8], _ file: OutputFile, _ title: String
  ) throws(TakeFault) -> (Int64, [UInt8])? {
    if head.isText("RIFF", at: 0) || head.isText("RF64", at: 0) { return wave(head, title) }
    if head.isText("fLaC", at: 0) { return flac(head, title) }
    if head.isText("OggS", at: 0) { return opus(head, title) }
    return head.isText("ftyp", at: 4) ? try m4a(file, title) : nil
  }

  private static func wave(_ head: [UInt8], _ title: String) -> (Int64, [UInt8])? {
    guard let header = WaveTakeHeader(reading: head),
      let at = (0..<header.length).first(where: { head.isText("INAM", at: $0) }),
      head.little(at + 4, as: UInt32.self) == UInt32(mostBytes + 1)
    else { return nil }
    let text = Array(title.utf8)
    return (Int64(at + 8), text + [UInt8](repeating: 0, count: mostBytes + 1 - text.count))
  }

  /// The words and the padding behind them, together as long as before.
  private static func flac(_ head: [UInt8], _ title: String) -> (Int64, [UInt8])? {
    let start = 42
    guard let word = head.big(start, as: UInt32.self), word >> 24 == 4 else { return nil }
    let length = Int(word & 0xFF_FFFF)
    guard let padding = head.big(start + 4 + length, as: UInt32.self), padding >> 24 == 0x81,
      let words = VorbisComment.retitled(head, at: start + 4, count: length, title)
    else { return nil }
    return (Int64(start), FLACTake.blocks(words, total: length + Int(padding & 0xFF_FFFF)))
  }

  /// The second page, whose packet is as long as before.
  private static func opus(_ head: [UInt8], _ title: String) -> (Int64, [UInt8])? {
    let start = OggMending.pageLength(head, at: 0) ?? head.count
    guard let length = OggMending.pageLength(head, at: start) else { return nil }
    let packet = start + 27 + Int(head[start + 26])
    guard head.isText("OpusTags", at: packet),
      let words = VorbisComment.retitled(head, at: packet + 8, count: start + length - packet - 8, title)
    else { return nil }
    var page = Array(head[start..<packet + 8]) + words
    guard page.count <= length else { return nil }
    page += [UInt8](repeating: 0, count: length - page.count)
    OggMending.seal(&page)
    return (Int64(start), page)
  }

  /// The words at the end of the movie box, which are as long as before.
  private static func m4a(_ file: OutputFile, _ title: String) throws(TakeFault) -> (Int64, [UInt8])? {
    guard let (offset, size) = try M4AMending.movie(file) else { return nil }
    // They are its last box, and short.
    let tailBytes = Int(min(size - 8, 1 << 14))
    let tail = try file.get(at: offset + size - Int64(tailBytes), count: tailBytes)
    guard let at = tail.indices.last(where: { tail.isText("udta", at: $0 + 4) }),
      let length = tail.big(at, as: UInt32.self), at + Int(length) == tail.count,
      let words = M4ATrack.retitled(Array(tail[at...]), title)
    else { return nil }
    return (offset + size - Int64(tail.count - at), words)
  }
}
