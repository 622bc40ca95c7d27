internal import Control
internal import Sound

// How a take keeps its time: what is missing is made up for by silence.
extension Drain {
  /// The next callback's frames, once it is known that none are missing before them; nil to wait.
  func admit(now: Int64) -> Intake.Stamp? {
    let intake = intake
    let first = intake.pointee.stamp(0)
    if first.session != session || history == nil { begin(first) }
    if first.lostFrames > 0 { clock.skip(first.lostFrames) }
    var count = 1
    while count < intake.pointee.stampCount, intake.pointee.stamp(count).session == session { count += 1 }
    let verdict = clock.judge(
      count,
      { index in
        let stamp = intake.pointee.stamp(index)
        return (stamp.frameCount, stamp.nanoseconds)
      }, now: now)
    var missing = first.lostFrames
    switch verdict {
    case .wait:
      if first.lostFrames > 0 { clock.skip(-first.lostFrames) }
      return nil
    case .follows: break
    case .missing(let frames): missing += frames
    }
    if missing > 0 { fill(missing) }
    if chunk.count < first.frameCount * first.channelCount {
      chunk = Array(repeating: 0, count: first.frameCount * first.channelCount)
    }
    return chunk.withUnsafeMutableBufferPointer { intake.pointee.take(into: $0.baseAddress!) }
  }

  /// A device was opened: its time and its channels are its own.
  func begin(_ stamp: Intake.Stamp) {
    if session != 0, take != nil, frames > 0, mode == .recording { joint = .interruption }
    session = stamp.session
    clock = InputClock(rate: stamp.rate)
    watch = ChannelWatch(channelCount: stamp.channelCount)
    guard take == nil || history == nil else { return }
    rate = stamp.rate
    startListening()
  }

  /// Silence in the place of frames that were lost on the way.
  func fill(_ missing: Int) {
    let isRecording = mode == .recording
    if isRecording {
      note(.dropout(FrameCount(missing)))
      seen.dropouts += 1
      seen.dropoutFrames = seen.dropoutFrames + FrameCount(missing)
    }
    // Without a take nobody looks back further than the pre-roll.
    var left = isRecording ? Int(min(Int64(missing), limit - frames)) : min(missing, preRollFrames)
    if isRecording {
      frames += Int64(left)
      seen.elapsed = FrameCount(frames)
      if owed > 0 { owed += left } else { queue.pushSilence(left) }
    }
    while left > 0 {
      let block = SampleBlock(channelCount: settings.channels.channelCount, capacity: min(left, 8192))
      block.frameCount = block.capacity
      left -= block.capacity
      if isRecording { pyramid.append(block) } else { route(block) }
    }
    if isRecording, frames >= limit { endTake() }
  }
}
