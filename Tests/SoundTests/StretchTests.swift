import Sound
import TestSupport
import Testing

/// Every bin of every level of one channel, as bits.
private func bits(_ pyramid: PeakPyramid, channel: Int) -> [UInt32] {
  var bits: [UInt32] = []
  for level in 0..<pyramid.levelCount {
    let width = Int64(pyramid.baseFrames << level)
    for start in stride(from: 0, to: pyramid.length.rawValue, by: Int64.Stride(width)) {
      let peak = pyramid.peak(channel: channel, from: FrameIndex(start), to: FrameIndex(start + width))!
      bits += [peak.low.bitPattern, peak.high.bitPattern, peak.rms.bitPattern]
    }
  }
  return bits
}

private func expectSame(_ a: PeakPyramid, _ b: PeakPyramid, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(a.baseFrames == b.baseFrames && a.length == b.length, sourceLocation: sourceLocation)
  #expect(a.isComplete && b.isComplete, sourceLocation: sourceLocation)
  for channel in 0..<a.channelCount {
    #expect(bits(a, channel: channel) == bits(b, channel: channel), sourceLocation: sourceLocation)
  }
}

/// A pyramid of some channels, taken in blocks of these lengths in turn.
private func serial(_ channels: [[Float]], blocks: [Int], mostBins: Int) -> PeakPyramid {
  var builder = PyramidBuilder(channelCount: channels.count, mostBins: mostBins)
  var done = 0
  var turn = 0
  while done < channels[0].count {
    let end = min(done + blocks[turn % blocks.count], channels[0].count)
    builder.append(SampleBlock(channels.map { Array($0[done..<end]) }))
    done = end
    turn += 1
  }
  builder.finish()
  return builder.snapshot()
}

@Suite struct StretchTests {
  static let frames = [1, 31, 33, 4_096, 50_001]
  let noise = [Signal.noise(seed: 1, frames: 50_001), Signal.noise(seed: 2, frames: 50_001, amplitude: 0.3)]

  @Test(arguments: frames, [2, 64, 1_000, 100_000])
  func `a pyramid is the same to the last bit however the sound is cut into blocks`(frames: Int, mostBins: Int) {
    let channels = noise.map { Array($0.prefix(frames)) }
    let whole = serial(channels, blocks: [frames], mostBins: mostBins)
    for blocks in [[17, 1, 300, 5], [4_096], [1_000, 31, 32, 33]] {
      expectSame(serial(channels, blocks: blocks, mostBins: mostBins), whole)
    }
  }

  @Test(arguments: frames, [2, 64, 1_000, 100_000])
  func `stretches cut apart and joined are the same to the last bit as one scan`(frames: Int, mostBins: Int) {
    let channels = noise.map { Array($0.prefix(frames)) }
    var builder = PyramidBuilder(channelCount: 2, mostBins: mostBins)
    let length = 4_096
    for start in stride(from: 0, to: frames, by: length) {
      // As narrow as the pyramid was some time before, which is what a thread that ran ahead would have cut.
      let width = min(builder.baseFrames, start % (3 * length) == 0 ? 32 : length)
      var stretch = StretchBins(channelCount: 2, width: width)
      let end = min(start + length, frames)
      let middle = (start + end) / 2 + 5
      for part in [start..<min(middle, end), min(middle, end)..<end] where !part.isEmpty {
        stretch.append(SampleBlock(channels.map { Array($0[part]) }))
      }
      stretch.finish()
      builder.append(stretch)
    }
    builder.finish()
    expectSame(builder.snapshot(), serial(channels, blocks: [999], mostBins: mostBins))
  }
}
