import Foundation
import Sound
import TestSupport
import Testing

/// The slow road: the extremes and the root mean square straight from the samples.
private func exact(_ samples: ArraySlice<Float>) -> Peak {
  let energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
  return Peak(low: samples.min()!, high: samples.max()!, rms: Float((energy / Double(samples.count)).squareRoot()))
}

private func expectEqual(_ peak: Peak?, _ other: Peak, location: SourceLocation = #_sourceLocation) {
  #expect(
    peak?.low == other.low && peak?.high == other.high, "\(String(describing: peak)) \(other)", sourceLocation: location
  )
  #expect(abs((peak?.rms ?? -1) - other.rms) <= 1e-5, sourceLocation: location)
}

/// A finished pyramid of these channels, taken in blocks of `blockLength` frames.
private func pyramid(
  of channels: [[Float]], blockLength: Int, mostBins: Int = PyramidBuilder.levelZeroBins
) -> PeakPyramid {
  var builder = PyramidBuilder(channelCount: channels.count, mostBins: mostBins)
  var done = 0
  while done < channels[0].count {
    let end = min(done + blockLength, channels[0].count)
    builder.append(SampleBlock(channels.map { Array($0[done..<end]) }))
    done = end
  }
  builder.finish()
  return builder.snapshot()
}

/// Compares each bin of each level with the samples it covers.
private func expectExact(_ pyramid: PeakPyramid, _ channels: [[Float]]) {
  for (channel, samples) in channels.enumerated() {
    for level in 0..<pyramid.levelCount {
      let width = pyramid.baseFrames << level
      for start in stride(from: 0, to: samples.count, by: width) {
        let end = min(start + width, samples.count)
        let peak = pyramid.peak(channel: channel, from: FrameIndex(start), to: FrameIndex(end))
        expectEqual(peak, exact(samples[start..<end]))
      }
    }
  }
}

@Test(arguments: [1, 255, 256, 257, 4095, 100_000])
func `every level agrees with the samples, however they are cut into blocks`(blockLength: Int) {
  let frames = blockLength == 1 ? 3_001 : 30_077
  let channels = [Signal.noise(seed: 1, frames: frames), Signal.noise(seed: 2, frames: frames, amplitude: 0.5)]
  let result = pyramid(of: channels, blockLength: blockLength)
  #expect(result.isComplete && result.length == FrameCount(frames))
  #expect(result.baseFrames == PyramidBuilder.finestFrames)
  expectExact(result, channels)
}

@Test(arguments: [2, 10, 64, 1_000], [1, 3, 31, 32, 33, 63, 64, 65, 1_000, 20_001, 65_536])
func `a bounded pyramid drops its finest levels and stays exact`(mostBins: Int, frames: Int) {
  let channels = [Signal.noise(seed: 3, frames: frames), Signal.noise(seed: 4, frames: frames)]
  let result = pyramid(of: channels, blockLength: 999, mostBins: mostBins)
  let bins = (frames + result.baseFrames - 1) / result.baseFrames
  #expect(bins <= max(mostBins / 2, 2))
  #expect(result.baseFrames == PyramidBuilder.finestFrames || bins * 4 >= max(mostBins / 4 * 2, 2) - 4)
  expectExact(result, channels)
}

@Test func `a peak over any range is that of the whole bins it touches`() {
  let frames = 20_000
  let samples = Signal.noise(seed: 5, frames: frames)
  let result = pyramid(of: [samples], blockLength: 4_096, mostBins: 200)
  let base = result.baseFrames
  #expect(base > PyramidBuilder.finestFrames)
  var random = Noise(seed: 6)
  for _ in 0..<300 {
    let start = Int.random(in: -100..<frames, using: &random)
    let end = start + Int.random(in: 1...frames, using: &random)
    let low = max(start, 0) / base * base
    let high = min((max(end, 0) + base - 1) / base * base, frames)
    let peak = result.peak(channel: 0, from: FrameIndex(start), to: FrameIndex(end))
    guard low < high else {
      #expect(peak == nil)
      continue
    }
    expectEqual(peak, exact(samples[low..<high]))
  }
}

@Test func `what is not yet known is not told`() {
  var builder = PyramidBuilder(channelCount: 1)
  #expect(builder.snapshot().peak(channel: 0, from: .zero, to: FrameIndex(1_000)) == nil)
  builder.append(SampleBlock([Array(repeating: 0.5, count: 31)]))
  #expect(builder.snapshot().peak(channel: 0, from: .zero, to: FrameIndex(1_000)) == nil)
  builder.append(SampleBlock([[0.25, 1]]))
  let growing = builder.snapshot()
  // The 33rd frame waits for its bin.
  #expect(growing.peak(channel: 0, from: .zero, to: FrameIndex(1_000))?.high == 0.5)
  #expect(growing.peak(channel: 0, from: FrameIndex(32), to: FrameIndex(33)) == nil)
  #expect(!growing.isComplete && growing.length == FrameCount(33))
  builder.finish()
  let finished = builder.snapshot()
  #expect(finished.peak(channel: 0, from: FrameIndex(32), to: FrameIndex(33)) == Peak(low: 1, high: 1, rms: 1))
  #expect(finished.version > growing.version)
}

@Test func `a constant is one-sided and a pair in opposite phase keeps both its lanes`() {
  let sine = Signal.sine(hertz: 441, rate: 44_100, frames: 44_100)
  let result = pyramid(of: [sine, sine.map { -$0 }, Array(repeating: 0.3, count: 44_100)], blockLength: 1_000)
  for channel in 0..<2 {
    let (peak, rms) = result.overall(channel: channel)
    #expect(abs(peak - 1) < 1e-4 && abs(rms - 0.70711) < 1e-4)
  }
  #expect(result.peak(channel: 2, from: .zero, to: FrameIndex(44_100)) == Peak(low: 0.3, high: 0.3, rms: 0.3))
}

@Test func `an empty track has no peaks, and silence has peaks of zero`() {
  let empty = pyramid(of: [[]], blockLength: 10)
  #expect(empty.isComplete && empty.peak(channel: 0, from: .zero, to: FrameIndex(10)) == nil)
  #expect(empty.overall(channel: 0) == (0, 0))
  let silence = pyramid(of: [[0]], blockLength: 10)
  #expect(silence.peak(channel: 0, from: .zero, to: FrameIndex(1)) == Peak(low: 0, high: 0, rms: 0))
}

/// The memory of this process that is in use, in bytes.
private func residentBytes() throws -> Int {
  let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  return Int(fields[1])! * 4_096
}

@Test func `a snapshot shares its bins with the pyramid it was taken of`() throws {
  // 2¹⁸ bins and those above take 6 MB: were they copied, 300 snapshots would hold 1.8 GB.
  var builder = PyramidBuilder(channelCount: 1)
  let block = SampleBlock([Signal.noise(seed: 7, frames: 1 << 20)])
  for _ in 0..<8 { builder.append(block) }
  let small = SampleBlock([Signal.noise(seed: 8, frames: 64)])
  var kept: [PeakPyramid] = []
  let before = try residentBytes()
  for _ in 0..<300 {
    kept.append(builder.snapshot())
    builder.append(small)
  }
  #expect(try residentBytes() - before < 500 << 20)
  #expect(kept[0].length == FrameCount(8 << 20) && kept[299].length == FrameCount((8 << 20) + 299 * 64))
}
