import CFFmpeg
internal import Sound

/// The sound of an Ogg file in which several streams follow each other, such as a recorded radio: each is read as a file of
/// its own, so that lengths and seeks are as exact as in one.
///
/// One thread at a time. Every link comes out in the rate and channels of the first.
final class ChainReader: SoundReader {
  private let source: ByteSource
  private let container: UnsafePointer<AVInputFormat>
  private let links: [OggLink]
  /// Of each link, in frames of the whole: as its last page says, until it was read to its end.
  private var lengths: [Int64]
  private(set) var format: StreamFormat
  let tags: Tags
  private(set) var position: Int64 = 0

  /// Which link is being read, and by whom; nobody where it cannot be decoded.
  private var index = 0
  private var reader: StreamReader?
  private var input: SampleBlock
  /// In use where the link's rate or channels are not the first's.
  private var converter: FormatConverter?
  /// How much of `input`, or of `converter`, was given out and is left.
  private var offset = 0
  private var remaining = 0
  /// True where the link was read, and not sought, from its start.
  private var isCounted = true
  private var earlierSkips = SkipLog()

  private static let blockSize = 4096

  init(source: ByteSource, container: UnsafePointer<AVInputFormat>, links: [OggLink]) throws(MediaError) {
    self.source = source
    self.container = container
    self.links = links
    let first = try Self.open(links[0], of: source, container)
    reader = first
    tags = first.tags
    format = first.format
    input = SampleBlock(channelCount: first.format.channelCount, capacity: Self.blockSize)
    let rate = Int64(first.format.rate.hertz)
    lengths = links.map { av_rescale($0.frameCount.rawValue, rate, Int64($0.rate.hertz)) }
    // A stream that somebody tuned in to does not begin with 0.
    if let length = first.format.estimatedLength { lengths[0] = length.rawValue }
    format.estimatedLength = FrameCount(lengths.reduce(0, +))
  }

  private static func open(_ link: OggLink, of source: ByteSource, _ container: UnsafePointer<AVInputFormat>)
    throws(MediaError) -> StreamReader
  {
    let window = try ByteSource(again: source, cancellation: source.cancellation)
    window.dropLast(window.size - link.bytes.upperBound)
    window.dropFirst(link.bytes.lowerBound)
    return try StreamReader(source: window, container: container, places: SharedPlaces())
  }

  private func start(of index: Int) -> Int64 { lengths[..<index].reduce(0, +) }

  /// Makes a link the one that is read, from its start.
  private func enter(_ link: Int) throws(MediaError) {
    if let reader { earlierSkips.add(reader.skips, at: start(of: index)) }
    index = link
    reader = nil
    do {
      reader = try Self.open(links[link], of: source, container)
    } catch .cancelled(let path) {
      throw .cancelled(path)
    } catch {
      // One broken link is a gap, not the end.
      earlierSkips.note(error.description, at: start(of: link))
    }
    begin()
  }

  /// Begins the link that is read.
  private func begin() {
    offset = 0
    remaining = 0
    isCounted = true
    position = start(of: index)
    converter = nil
    guard let own = reader?.format else { return }
    if own.rate != format.rate || own.channelCount != format.channelCount {
      converter = FormatConverter(to: format, path: source.path)
    }
    if own.channelCount != input.channelCount {
      input = SampleBlock(channelCount: own.channelCount, capacity: Self.blockSize)
    }
  }

  func read(into block: SampleBlock) throws(MediaError) {
    block.frameCount = 0
    block.start = FrameIndex(position)
    while block.frameCount < block.capacity {
      if remaining == 0 {
        guard try refill() else { break }
      }
      let count = min(remaining, block.capacity - block.frameCount)
      copy(count, into: block)
      block.frameCount += count
      advance(count)
    }
  }

  private func copy(_ count: Int, into block: SampleBlock) {
    if let converter {
      converter.copy(from: offset, count: count, into: block, at: block.frameCount)
    } else {
      for channel in 0..<input.channelCount {
        (block.plane(channel) + block.frameCount).update(from: input.plane(channel) + offset, count: count)
      }
    }
  }

  private func advance(_ count: Int) {
    offset += count
    remaining -= count
    position += Int64(count)
  }

  /// Goes on, through the joints, until `remaining` is above 0; false at the end.
  private func refill() throws(MediaError) -> Bool {
    while true {
      offset = 0
      try reader?.read(into: input)
      if let reader, input.frameCount > 0 {
        remaining = try converter?.convert(input, of: reader.format) ?? input.frameCount
        if remaining > 0 { return true }
        continue
      }
      if let converter, let reader {
        remaining = try converter.drain()
        self.converter = nil
        // What a filter rings on belongs to no frame.
        let end = av_rescale(reader.position, Int64(format.rate.hertz), Int64(reader.format.rate.hertz))
        remaining = Int(min(Int64(remaining), max(start(of: index) + end - position, 0)))
        if remaining > 0 {
          self.converter = converter
          return true
        }
      }
      if isCounted { lengths[index] = position - start(of: index) }
      guard index + 1 < links.count else { return false }
      try enter(index + 1)
    }
  }

  func seek(to target: Int64) throws(MediaError) {
    var link = 0
    var start: Int64 = 0
    while link + 1 < links.count, target >= start + lengths[link] {
      start += lengths[link]
      link += 1
    }
    if link != index || reader == nil { try enter(link) } else { begin() }
    guard let reader else { return }
    // Where frames of both rates coincide, a second before.
    let common = gcd(reader.format.rate.hertz, format.rate.hertz)
    let (inward, outward) = (Int64(reader.format.rate.hertz / common), Int64(format.rate.hertz / common))
    let steps = max((target - start) / outward - (converter == nil ? 0 : Int64(common)), 0)
    try reader.seek(to: converter == nil ? target - start : steps * inward)
    isCounted = false
    position = converter == nil ? start + reader.position : start + steps * outward
    while position < target {
      if remaining == 0 {
        guard try refill() else { return }
      }
      advance(Int(min(Int64(remaining), target - position)))
    }
  }

  private func gcd(_ a: Int, _ b: Int) -> Int { b == 0 ? a : gcd(b, a % b) }

  var skips: SkipLog {
    guard let reader else { return earlierSkips }
    var all = earlierSkips
    all.add(reader.skips, at: start(of: index))
    return all
  }

  func coverBytes() -> [UInt8]? {
    index == 0 ? reader?.coverBytes() : try? Self.open(links[0], of: source, container).coverBytes()
  }

  var streamIndex: Int { 0 }
  var cutRule: CutRule { .never }
  var prerollSeconds: Double { reader?.prerollSeconds ?? 0 }
  var indexBytes: Int { 0 }
  // The places of a link are its reader's own.
  var keepsMarks = false
  func takeMarks() -> [SeekMark] { [] }
  var place: Int64 { links[index].bytes.lowerBound + (reader?.place ?? 0) }
}
