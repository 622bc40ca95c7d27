internal import Media
internal import Sound

/// A track's sound in the order in which it is heard: from a place on, and round a region for as long as there is one.
///
/// The deck's thread. A region goes round from wherever reading comes to its end from before it; what was begun at or
/// behind its end goes on to the end of the file. A region of which a few million samples hold all is decoded once and
/// then comes from memory, so that even one of a single frame costs no seeks; a longer one is sought anew each round.
final class LoopedSound {
  let track: Track
  /// What is played round and round; ends with the file when the file turns out to be shorter.
  private(set) var region: Range<FrameIndex>?
  /// The frame that comes next.
  private(set) var position = FrameIndex.zero
  private var memory: RegionMemory?
  private var comesFromMemory = false
  /// The file's reader does not stand at `position`.
  private var isElsewhere = false
  private var startedBeforeEnd = true

  /// Of all channels together: 16 MB.
  static let mostSamples = 1 << 22

  /// From where the file's reader stands.
  init(_ track: Track, region: Range<FrameIndex>?) {
    self.track = track
    position = track.file.position
    setRegion(region)
  }

  /// What reading will go round; nil when it comes to the end of the file.
  var loop: Range<FrameIndex>? { startedBeforeEnd ? region : nil }

  /// Goes to a frame, clamped to the file.
  func seek(to frame: FrameIndex) throws(MediaError) {
    comesFromMemory = false
    try seekFile(to: frame)
    startedBeforeEnd = region.map { position < $0.upperBound } ?? true
  }

  /// Changes the region; what was read already stays as it is.
  func setRegion(_ new: Range<FrameIndex>?) {
    guard new != region else { return }
    isElsewhere = isElsewhere || comesFromMemory
    comesFromMemory = false
    region = new
    startedBeforeEnd = new.map { position < $0.upperBound } ?? true
    let channels = track.format.channelCount
    memory = new.flatMap { region in
      let frames = (region.upperBound - region.lowerBound).rawValue
      return frames <= Int64(Self.mostSamples / channels) ? RegionMemory(region, channelCount: channels) : nil
    }
  }

  /// Fills the block with what is heard next, as far as it comes in one go; false when the file is at its end.
  func read(into block: SampleBlock) throws(MediaError) -> Bool {
    guard let region = loop else { return try readFile(into: block) }
    if position >= region.upperBound { try goRound() }
    if comesFromMemory {
      position = memory!.copy(into: block, from: position)
      return true
    }
    if try readFile(into: block) {
      if block.end > region.upperBound {
        block.frameCount = Int((region.upperBound - block.start).rawValue)
        position = region.upperBound
        isElsewhere = true
      }
      memory?.append(block)
      return true
    }
    // The file is shorter than was thought, and so is the region; one of which nothing is there is none.
    guard position > region.lowerBound else { return false }
    setRegion(region.lowerBound..<position)
    startedBeforeEnd = true
    return try read(into: block)
  }

  private func readFile(into block: SampleBlock) throws(MediaError) -> Bool {
    if isElsewhere { try seekFile(to: position) }
    guard try track.file.read(into: block) else { return false }
    position = block.end
    return true
  }

  private func seekFile(to frame: FrameIndex) throws(MediaError) {
    memory?.interrupt()
    isElsewhere = false
    try track.file.seek(to: frame)
    position = track.file.position
  }

  /// From the region's end back to its start.
  private func goRound() throws(MediaError) {
    guard let region else { return }
    comesFromMemory = memory?.isComplete ?? false
    if comesFromMemory {
      isElsewhere = true
      position = region.lowerBound
    } else {
      try seekFile(to: region.lowerBound)
    }
  }
}

/// The frames of a region, gathered while they are played for the first time.
private final class RegionMemory {
  private let region: Range<FrameIndex>
  private var planes: [[Float]]

  init(_ region: Range<FrameIndex>, channelCount: Int) {
    self.region = region
    planes = Array(repeating: [], count: channelCount)
  }

  private var length: Int { Int((region.upperBound - region.lowerBound).rawValue) }
  var isComplete: Bool { planes[0].count == length }

  /// What comes next does not follow what came last.
  func interrupt() {
    guard !isComplete else { return }
    for channel in planes.indices { planes[channel].removeAll(keepingCapacity: true) }
  }

  /// Takes what follows what is already there, or the first frames of the region.
  func append(_ block: SampleBlock) {
    guard !isComplete else { return }
    let wanted = region.lowerBound + FrameCount(planes[0].count)
    let skip = Int(clamping: (wanted - block.start).rawValue)
    guard (0..<block.frameCount).contains(skip) else { return }
    for channel in planes.indices { planes[channel] += block.channel(channel).dropFirst(skip) }
  }

  /// Fills the block from a frame of the region on, round and round; returns the frame that comes after that.
  func copy(into block: SampleBlock, from start: FrameIndex) -> FrameIndex {
    block.start = start
    block.frameCount = block.capacity
    let first = Int((start - region.lowerBound).rawValue) % length
    for channel in planes.indices {
      let output = block.plane(channel)
      planes[channel].withUnsafeBufferPointer { plane in
        var at = first
        var done = 0
        while done < block.capacity {
          let count = min(length - at, block.capacity - done)
          (output + done).update(from: plane.baseAddress! + at, count: count)
          done += count
          at = (at + count) % length
        }
      }
    }
    return region.lowerBound + FrameCount((first + block.capacity) % length)
  }
}
