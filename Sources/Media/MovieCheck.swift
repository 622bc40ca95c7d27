/// Whether the boxes of an MPEG-4 file may be handed to the library, which would be busy with some for hours.
///
/// (ISO 14496-12; 8.3.2 for a track's number, 8.6.6 for edits.) It reads the heads of boxes, some hundred in a usual file, and
/// 60,000 in one of a day in fragments of a second and a half.
struct MovieCheck {
  private let source: ByteSource
  /// A track has no number, or one that the library takes for negative.
  private var hasLostTrack = false
  private var hasFragments = false
  private var hasManyEdits = false
  private var count = 0

  /// More boxes than any real file has.
  private static let mostBoxes = 1 << 20
  /// For each edit the library goes through its whole index.
  private static let mostEdits: Int64 = 4096
  /// So deep boxes lie in each other in the library's eyes.
  private static let mostDepth = 10
  /// The boxes in which the library looks for others, with what stands before those.
  private static let containers: [FourCC: Int64] = [
    "moov": 0, "trak": 0, "mdia": 0, "minf": 0, "stbl": 0, "edts": 0, "udta": 0, "moof": 0, "traf": 0, "mvex": 0,
    "dinf": 0, "meta": 4, "ilst": 0, "wave": 0, "sinf": 0, "schi": 0, "tref": 0,
  ]

  /// False where each fragment would have the library count through thousands of millions of numbers, because it has noted "an
  /// error" as the number of the fragment that it reads; and where it would go through its index without end.
  static func isSafe(_ source: ByteSource) -> Bool {
    var check = MovieCheck(source: source)
    check.walk(0..<source.size, depth: 0)
    return !(check.hasLostTrack && check.hasFragments) && !check.hasManyEdits && check.count < mostBoxes
  }

  private init(source: ByteSource) { self.source = source }

  private mutating func walk(_ range: Range<Int64>, depth: Int) {
    var place = range.lowerBound
    while let box = box(at: place, before: range.upperBound), count < Self.mostBoxes {
      count += 1
      look(at: box)
      if let skipped = Self.containers[box.name], depth < Self.mostDepth {
        let start = min(box.content.lowerBound + skipped, box.content.upperBound)
        walk(start..<box.content.upperBound, depth: depth + 1)
      }
      place = box.content.upperBound
    }
  }

  private mutating func look(at box: Box) {
    switch box.name {
    case "moof": hasFragments = true
    case "trak": if trackNumber(in: box.content).map({ $0 >= 1 << 31 }) ?? true { hasLostTrack = true }
    case "elst": if uint32(box.content.lowerBound + 4) ?? 0 > Self.mostEdits { hasManyEdits = true }
    default: break
    }
  }

  private func trackNumber(in range: Range<Int64>) -> Int64? {
    var place = range.lowerBound
    while let box = box(at: place, before: range.upperBound) {
      // Behind two times, of 64 bits each in version 1.
      if box.name == "tkhd" {
        let isLong = source.bytes(at: box.content.lowerBound, count: 1) == [1]
        return uint32(box.content.lowerBound + (isLong ? 20 : 12))
      }
      place = box.content.upperBound
    }
    return nil
  }

  private struct Box {
    var name: FourCC
    var content: Range<Int64>
  }

  /// The box at a place, cut off at the end of what it lies in.
  private func box(at place: Int64, before end: Int64) -> Box? {
    guard place + 8 <= end else { return nil }
    let head = HeaderBytes(bytes: source.bytes(at: place, count: 16), isBigEndian: true)
    guard var size = head.uint32(0) else { return nil }
    var start = place + 8
    if size == 1 {
      guard let large = head.number(at: 8, width: 8), large < 1 << 62 else { return nil }
      size = Int64(large)
      start += 8
    }
    let boxEnd = size == 0 ? end : min(place + size, end)
    guard boxEnd >= start, boxEnd > place else { return nil }
    return Box(name: FourCC(head.bytes[4..<8]), content: start..<boxEnd)
  }

  private func uint32(_ place: Int64) -> Int64? {
    HeaderBytes(bytes: source.bytes(at: place, count: 4), isBigEndian: true).uint32(0)
  }
}
