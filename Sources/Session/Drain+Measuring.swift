internal import Sound

// How loud what comes in is, and on which channels.
extension Drain {
  func watchChannels(_ stamp: Intake.Stamp) {
    guard stamp.channelCount > 1 else { return }
    var peaks = [Float](repeating: 0, count: stamp.channelCount)
    for i in 0..<stamp.frameCount * stamp.channelCount {
      let channel = i % stamp.channelCount
      peaks[channel] = max(peaks[channel], abs(chunk[i]))
    }
    watch.update(peaks: peaks, seconds: Double(stamp.frameCount) / Double(max(stamp.rate.hertz, 1)))
    seen.deadChannels = watch.deadChannels
  }

  func measure(_ block: SampleBlock) {
    var peaks = seen.peaks ?? Array(repeating: 0, count: block.channelCount)
    if peaks.count != block.channelCount { peaks = Array(repeating: 0, count: block.channelCount) }
    for channel in 0..<block.channelCount {
      let bin = PeakBin(of: block.plane(channel), count: block.frameCount)
      peaks[channel] = max(peaks[channel], max(abs(bin.low), abs(bin.high)))
    }
    seen.peaks = peaks
  }

  func peak(of block: SampleBlock) -> Float {
    (0..<block.channelCount).reduce(0) { highest, channel in
      let bin = PeakBin(of: block.plane(channel), count: block.frameCount)
      return max(highest, max(abs(bin.low), abs(bin.high)))
    }
  }

  func countOvers(_ block: SampleBlock) {
    guard peak(of: block) >= PeakMeter.fullScale else { return }
    for channel in 0..<block.channelCount {
      for sample in block.channel(channel) where abs(sample) >= PeakMeter.fullScale { seen.overs += 1 }
    }
  }
}
