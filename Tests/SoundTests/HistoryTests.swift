import Sound
import TestSupport
import Testing

private func read(_ history: History, channel: Int = 0, from position: Int, count: Int) -> [Float] {
  var samples = [Float](repeating: .nan, count: count)
  samples.withUnsafeMutableBufferPointer { history.read(channel: channel, from: position, into: $0) }
  return samples
}

@Test func `the history gives back what was written, and silence for what is gone or not yet there`() {
  let history = History(channelCount: 2, rate: SampleRate(hertz: 8_000))
  let samples = Signal.noise(seed: 1, frames: history.capacity * 5 / 2)
  var done = 0
  while done < samples.count {
    let part = Array(samples[done..<min(done + 1_777, samples.count)])
    #expect(history.append(SampleBlock([part, part.map { -$0 }])) == done)
    done += part.count
  }
  #expect(history.end == samples.count)
  var random = Noise(seed: 2)
  let oldest = samples.count - history.capacity
  for _ in 0..<200 {
    let start = Int.random(in: -1_000..<samples.count + 1_000, using: &random)
    let count = Int.random(in: 1...20_000, using: &random)
    let expected: [Float] = (start..<start + count).map { $0 >= oldest && $0 < samples.count ? samples[$0] : 0 }
    #expect(read(history, from: start, count: count) == expected)
    #expect(read(history, channel: 1, from: start, count: count) == expected.map { -$0 })
    #expect(history.highest(channel: 1, from: start, to: start + count) == expected.map(abs).max())
  }
}

@Test func `after a cut nothing from before it is seen`() {
  let history = History(channelCount: 1, rate: SampleRate(hertz: 8_000))
  history.append(SampleBlock([[1, 1, 1]]))
  history.cut()
  history.append(SampleBlock([[2, 2]]))
  #expect(read(history, from: 0, count: 6) == [0, 0, 0, 2, 2, 0])
  #expect(history.highest(channel: 0, from: 0, to: 3) == 0)
}

@Test func `one full-scale sample is not missed, wherever it lies`() {
  let history = History(channelCount: 1, rate: SampleRate(hertz: 8_000))
  var block = [Float](repeating: 0.1, count: history.capacity)
  block[777] = -1
  history.append(SampleBlock([block]))
  #expect(history.highest(channel: 0, from: 777, to: 778) == 1)
  #expect(history.highest(channel: 0, from: 700, to: 777) == 0.1)
  #expect(history.highest(channel: 0, from: 10, to: 10) == 0)
}
