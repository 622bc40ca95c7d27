import CFFmpeg
internal import Sound

/// One of the streams that follow each other in an Ogg file (RFC 3533, 4: chaining).
struct OggLink {
  /// From its first page to the page before the next link's first.
  var bytes: Range<Int64>
  var rate: SampleRate
  /// What its last page counts: the audible frames of a stream that begins with 0.
  var frameCount: FrameCount
}

/// Finds the links of an Ogg file.
enum OggLinks {
  /// Up to this size every page is visited, some seven thousand; beyond, the joints are found by halving.
  private static let walkedSize: Int64 = 32 << 20
  private static let linkLimit = 4096

  /// The links in order; empty unless there are several, all of sound whose length is told.
  static func find(in source: ByteSource) -> [OggLink] {
    guard let first = OggPage(in: source, at: 0), first.isFirst else { return [] }
    let joints = source.size <= walkedSize ? walk(source) : halve(source)
    guard joints.count > 1, joints.count <= linkLimit else { return [] }
    var links: [OggLink] = []
    for (start, end) in zip(joints, joints.dropFirst() + [source.size]) {
      guard let link = link(in: source, start..<end) else { return [] }
      links.append(link)
    }
    return links
  }

  /// Where first pages stand behind others.
  private static func walk(_ source: ByteSource) -> [Int64] {
    var joints: [Int64] = []
    var place: Int64 = 0
    var isBehindSound = true
    while let page = OggPage.next(in: source, from: place) {
      if page.isFirst, isBehindSound { joints.append(page.place) }
      isBehindSound = !page.isFirst
      place = page.end
    }
    return joints
  }

  /// A link's pages lie together, so the first page of the next link can be found by halving.
  private static func halve(_ source: ByteSource) -> [Int64] {
    guard let last = OggPage.last(in: source, before: source.size) else { return [0] }
    var joints: [Int64] = [0]
    while joints.count <= linkLimit {
      let start = joints[joints.count - 1]
      let search = JointSearch(source: source, own: serials(in: source, at: start), start: start)
      guard let next = search.next(before: last) else { return joints }
      // Something else than a link lies there.
      guard next.isFirst else { return [0] }
      joints.append(next.place)
    }
    return joints
  }

  private static func serials(in source: ByteSource, at place: Int64) -> Set<UInt32> {
    var found: Set<UInt32> = []
    var next = OggPage(in: source, at: place)
    while let page = next, page.isFirst {
      found.insert(page.serial)
      next = OggPage(in: source, at: page.end)
    }
    return found
  }

  private static func link(in source: ByteSource, _ bytes: Range<Int64>) -> OggLink? {
    var next = OggPage(in: source, at: bytes.lowerBound)
    while let page = next, page.isFirst {
      if let stream = OggStream(firstPacket: source.bytes(at: page.body, count: min(Int(page.end - page.body), 80))),
        let last = OggPage.last(in: source, before: bytes.upperBound, of: page.serial), last.place > page.place
      {
        let count = last.granule - stream.preSkip
        return count > 0 && count < 1 << 48
          ? OggLink(bytes: bytes, rate: stream.rate, frameCount: FrameCount(count)) : nil
      }
      next = OggPage(in: source, at: page.end)
    }
    return nil
  }
}

/// Looks for the end of a link by few looks into the file.
///
/// Pages of another serial number are another link's. Links that all bear the same one are told by their pages' numbers, which
/// begin anew with each: further on in the file, a number is too small by the length of the link that has ended, unless pages
/// have become shorter by as much. So one goes on in ever longer steps, which makes that length half of the way at least.
private struct JointSearch {
  let source: ByteSource
  let own: Set<UInt32>
  let start: Int64

  private static let firstStep: Int64 = 1 << 18
  /// Where pages are so much longer than before, an end is suspected.
  private static let suspicion = 1.25
  /// What is walked from page to page in the end.
  private static let walkedBytes: Int64 = 1 << 22

  /// The first page behind the link; nil where it goes on to the last page of the file.
  func next(before last: OggPage) -> OggPage? {
    guard var low = OggPage(in: source, at: start) else { return nil }
    while let page = OggPage.next(in: source, from: low.end), page.isFirst, own.contains(page.serial) { low = page }
    if let found = walk(from: &low, to: start + Self.firstStep) { return found }
    var step = Self.firstStep * 2
    while low.place < last.place, !source.cancellation.isCancelled {
      let page = OggPage.next(in: source, from: start + step).flatMap { $0.place < last.place ? $0 : nil } ?? last
      if !isOfLink(page, behind: low), let found = firstForeign(from: low, to: page) { return found }
      low = page
      step *= 2
    }
    return nil
  }

  /// Goes from page to page up to a place; gives the first that is another link's.
  private func walk(from low: inout OggPage, to end: Int64) -> OggPage? {
    while low.place < end, let page = OggPage.next(in: source, from: low.end) {
      if !own.contains(page.serial) || page.isFirst { return page }
      low = page
    }
    return nil
  }

  /// As far as can be told, judging by the pages up to `low`, which are the link's.
  private func isOfLink(_ page: OggPage, behind low: OggPage) -> Bool {
    guard own.contains(page.serial) else { return false }
    // Of several streams only one counts at a time.
    guard own.count == 1 else { return true }
    guard page.sequence > low.sequence, low.sequence > 0 else { return false }
    let usual = Double(low.place - start) / Double(low.sequence)
    return Double(page.place - low.place) / Double(page.sequence - low.sequence) <= usual * Self.suspicion
  }

  private func firstForeign(from start: OggPage, to high: OggPage) -> OggPage? {
    var low = start
    var end = high.place
    while end - low.place > Self.walkedBytes {
      let middle = (low.place + end) / 2
      guard let page = OggPage.next(in: source, from: middle), page.place < end else {
        end = middle
        continue
      }
      if isOfLink(page, behind: low) { low = page } else { end = page.place }
    }
    return walk(from: &low, to: end)
  }
}

/// What the first packet of a stream of sound tells.
private struct OggStream {
  var rate: SampleRate
  /// Frames that are counted and not heard.
  var preSkip: Int64 = 0

  /// Nil where it is no sound, or in a coding that counts otherwise.
  init?(firstPacket bytes: [UInt8]) {
    func number(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) } }
    if bytes.count >= 16, bytes.starts(with: [1] + "vorbis".utf8) {
      // Vorbis I, 4.2.2.
      rate = SampleRate(hertz: number(12))
    } else if bytes.count >= 19, bytes.starts(with: "OpusHead".utf8) {
      // RFC 7845, 5.1: always counted at 48 kHz.
      rate = SampleRate(hertz: 48000)
      preSkip = Int64(number(10) & 0xFFFF)
    } else if bytes.count >= 30, bytes.starts(with: [0x7F] + "FLAC".utf8) {
      // The stream information lies behind 13 bytes of mapping and 4 of block header; RFC 9639, 8.2 and 10.1.
      rate = SampleRate(hertz: Int(bytes[27]) << 12 | Int(bytes[28]) << 4 | Int(bytes[29]) >> 4)
    } else {
      return nil
    }
    guard StreamFormat.rates.contains(rate.hertz) else { return nil }
  }
}

/// The header of a page (RFC 3533, 6).
struct OggPage {
  static let largestSize: Int64 = 27 + 255 + 255 * 255
  var place: Int64
  var serial: UInt32
  /// Counts the pages of its stream, from 0.
  var sequence: Int64
  var granule: Int64
  /// True for the first page of a stream.
  var isFirst: Bool
  /// Where its packets begin.
  var body: Int64
  var end: Int64

  /// The page at a place; nil where there is none, or not all of it.
  init?(in source: ByteSource, at place: Int64) {
    let bytes = source.bytes(at: place, count: 27 + 255)
    guard bytes.count >= 27, bytes.starts(with: "OggS".utf8), bytes[4] == 0, bytes.count >= 27 + Int(bytes[26]) else {
      return nil
    }
    func number(_ offset: Int, _ width: Int) -> UInt64 {
      (0..<width).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64($1 * 8) }
    }
    self.place = place
    isFirst = bytes[5] & 2 != 0
    granule = Int64(bitPattern: number(6, 8))
    serial = UInt32(number(14, 4))
    sequence = Int64(number(18, 4))
    body = place + 27 + Int64(bytes[26])
    end = body + bytes[27..<(27 + Int(bytes[26]))].reduce(0) { $0 + Int64($1) }
    guard end <= source.size else { return nil }
  }

  /// The first page at or behind a place, damage skipped.
  static func next(in source: ByteSource, from place: Int64) -> OggPage? {
    if let page = OggPage(in: source, at: place) { return page }
    var place = place
    while place < source.size, !source.cancellation.isCancelled {
      let bytes = source.bytes(at: place, count: 1 << 14)
      for offset in capturePatterns(in: bytes) {
        if let page = OggPage(in: source, at: place + Int64(offset)) { return page }
      }
      // A pattern may be cut in two.
      place += Int64(max(bytes.count - 3, 1))
      if bytes.count < 4 { break }
    }
    return nil
  }

  /// The last page before a place, of one stream if that is named, that ends a packet.
  static func last(in source: ByteSource, before end: Int64, of serial: UInt32? = nil) -> OggPage? {
    // Pages of others may lie behind the one that is looked for.
    for reach in [1, 2, 8] where end > 0 {
      let start = max(end - largestSize * Int64(reach), 0)
      let bytes = source.bytes(at: start, count: Int(end - start))
      for offset in capturePatterns(in: bytes).reversed() {
        guard let page = OggPage(in: source, at: start + Int64(offset)), page.end <= end, page.granule >= 0 else {
          continue
        }
        if serial == nil || page.serial == serial { return page }
      }
      if start == 0 { break }
    }
    return nil
  }

  private static func capturePatterns(in bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBufferPointer { bytes in
      bytes.indices.dropLast(3).filter {
        bytes[$0] == 0x4F && bytes[$0 + 1] == 0x67 && bytes[$0 + 2] == 0x67 && bytes[$0 + 3] == 0x53
      }
    }
  }
}
