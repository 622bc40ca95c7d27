/// The parts of a RIFF or IFF file, one after another: four letters, a size of 32 bits, and bytes filled up to an even count.
///
/// (EA IFF 85; Microsoft, "Multimedia Programming Interface and Data Specifications 1.0".)
struct ChunkWalk {
  struct Chunk {
    var name: FourCC
    /// The first byte behind name and size.
    var start: Int64
    /// As the header says; may reach beyond the file.
    var size: Int64
  }
  let source: ByteSource
  let isBigEndian: Bool
  private var place: Int64 = 12
  private var count = 0
  /// True once the walk has come to the end of the file without meeting anything that is no part.
  private(set) var isOrderly = false

  /// More parts than any real file has: a file of ten thousand empty ones is a trap.
  private static let limit = 4096

  init(source: ByteSource, isBigEndian: Bool) {
    self.source = source
    self.isBigEndian = isBigEndian
  }

  /// The next part, or nil where there is none; `sizeOf` may correct its size (RF64 keeps large ones elsewhere).
  mutating func next(sizeOf: (Chunk, ChunkWalk) -> Int64) -> Chunk? {
    guard place < source.size else {
      isOrderly = true
      return nil
    }
    guard count < Self.limit, var chunk = chunk(at: place) else { return nil }
    count += 1
    chunk.size = sizeOf(chunk, self)
    let end = chunk.start + chunk.size
    place = end + (chunk.size & 1)
    // Some programs leave the filling byte out.
    if chunk.size & 1 == 1, !hasChunk(at: place), hasChunk(at: end) { place = end }
    return chunk
  }

  /// Whether a whole part begins at a place.
  func hasChunk(at place: Int64) -> Bool {
    chunk(at: place).map { $0.start + $0.size <= source.size } ?? false
  }

  /// The part that begins at a place, if its name can be one.
  func chunk(at place: Int64) -> Chunk? {
    let header = source.bytes(at: place, count: 8)
    let name = FourCC(header.prefix(4))
    guard header.count == 8, name.isPlausible else { return nil }
    let size = HeaderBytes(bytes: header, isBigEndian: isBigEndian).uint32(4)!
    return Chunk(name: name, start: place + 8, size: size)
  }
}
