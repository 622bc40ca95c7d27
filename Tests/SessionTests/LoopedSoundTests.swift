import Sound
import System
import TestSupport
import Testing

@testable import Session

/// What a region does to the order in which frames come, told the simple way: frame by frame.
private struct SlowLoop {
  var length: Int
  var position = 0
  private(set) var region: Range<Int>?
  private var startedBeforeEnd = true

  init(length: Int) { self.length = length }

  mutating func seek(to frame: Int) {
    position = min(frame, length)
    startedBeforeEnd = region.map { position < $0.upperBound } ?? true
  }

  mutating func setRegion(_ new: Range<Int>?) {
    guard new != region else { return }
    region = new
    startedBeforeEnd = new.map { position < $0.upperBound } ?? true
  }

  /// The frame that comes next; nil at the end.
  mutating func next() -> Int? {
    if let wanted = region, startedBeforeEnd {
      if position >= length, position > wanted.lowerBound { region = wanted.lowerBound..<length }
      if position >= region!.upperBound { position = wanted.lowerBound }
    }
    guard position < length else { return nil }
    position += 1
    return position - 1
  }
}

@Suite struct LoopedSoundTests {
  private let folder = try! TemporaryFolder()

  private func range(_ region: Range<Int>?) -> Range<FrameIndex>? {
    region.map { FrameIndex($0.lowerBound)..<FrameIndex($0.upperBound) }
  }

  /// Reads, seeks and changes of the region as chance has it, on a file of 3,000 frames; many regions reach beyond it.
  @Test(arguments: 1...12)
  func `whatever is asked, the frames come in the order that a slow loop gives`(seed: UInt64) throws {
    let length = 3_000
    let sound = Signal.noise(seed: seed, frames: length)
    let path = try folder.write(WaveFile.float32([sound], hertz: 48_000), to: "a.wav")
    let track = try Track(id: TrackID(1), path: path, cache: nil, cancellation: Cancellation())
    let looped = LoopedSound(track, region: nil)
    var slow = SlowLoop(length: length)
    var noise = Noise(seed: seed)
    let places = [0, 1, 500, 1_499, 1_500, 1_501, 2_999, 3_000, 3_001, 3_500]
    for _ in 0..<3_000 {
      switch Int.random(in: 0..<12, using: &noise) {
      case 0:
        let place = places.randomElement(using: &noise)!
        try looped.seek(to: FrameIndex(place))
        slow.seek(to: place)
      case 1:
        let start = places.randomElement(using: &noise)!
        let end = Bool.random(using: &noise) ? start + 1 + Int.random(in: 0..<300, using: &noise) : length
        let region = end > start ? start..<end : nil
        looped.setRegion(range(region))
        slow.setRegion(region)
      default:
        let block = SampleBlock(channelCount: 1, capacity: [1, 7, 100, 701].randomElement(using: &noise)!)
        // A block holds as much as comes in one go.
        let isThere = try looped.read(into: block)
        let count = isThere ? block.frameCount : 0
        let expected = (0..<max(count, 1)).compactMap { _ in slow.next() }
        try #require(expected.count == count)
        #expect(Array(block.channel(0).prefix(count)) == expected.map { sound[$0] })
        if isThere { #expect(block.start == FrameIndex(expected[0])) }
        // From memory it goes round at the end of a block, from the file at the start of the next.
        if let region = slow.region, slow.position == region.upperBound, looped.position.rawValue == region.lowerBound {
          slow.position = region.lowerBound
        }
      }
      try #require(looped.position == FrameIndex(slow.position) && looped.region == range(slow.region))
    }
  }
}
