internal import Control
internal import Library
internal import Sound

// What becomes of sound while a take is open.
extension Drain {
  func startSounding() {
    mode = .recording
    quiet = 0
    for block in preRoll.take(.max) { record(block, isLive: false) }
  }

  /// Adds a block to the take; only live sound, not that from before, is listened to for when to rest.
  func record(_ block: SampleBlock, isLive: Bool = true) {
    guard mode == .recording, block.frameCount > 0 else { return }
    if let joint, frames > 0 { note(joint) }
    joint = nil
    if Int64(block.frameCount) > limit - frames { block.frameCount = Int(limit - frames) }
    pyramid.append(block)
    countOvers(block)
    frames += Int64(block.frameCount)
    seen.elapsed = FrameCount(frames)
    let count = block.frameCount
    let isQuiet =
      isLive && settings.trigger.map { peak(of: block) < Float(Decibels(Double($0.threshold)).amplitude) } ?? false
    hand(block)
    if frames >= limit { return endTake() }
    quiet = isQuiet ? quiet + count : 0
    if let trigger = settings.trigger, Double(quiet) >= trigger.holdSeconds * Double(rate.hertz) {
      mode = .waiting
      joint = .pause
      preRoll.clear()
    }
  }

  /// Queues a block, after the silence that stands for those that found no room.
  func hand(_ block: SampleBlock) {
    if owed > 0, queue.waitingSeconds < TakeQueue.seconds - 1 {
      queue.pushSilence(owed)
      owed = 0
    }
    if owed == 0, queue.push(block, rate: rate) { return }
    if owed == 0 {
      seen.dropouts += 1
      note(.dropout(.zero))
    }
    owed += block.frameCount
    seen.dropoutFrames = seen.dropoutFrames + FrameCount(block.frameCount)
  }

  func note(_ kind: RecordingMark.Kind) {
    guard seen.marks.count < RecordingMark.limit else { return }
    seen.marks.append(RecordingMark(frame: FrameIndex(frames), kind: kind))
  }

  func begin(_ order: TakeOrder) {
    guard take == nil else { return }
    take = order
    let format = TakeFormat(
      coding: order.coding, width: order.width, rate: rate, channelCount: settings.channels.channelCount)
    frames = 0
    owed = 0
    joint = nil
    limit = order.stopAfterSeconds.map { max(rate.frames(inSeconds: $0).rawValue, 1) } ?? .max
    seen = View()
    seen.take = order.number
    seen.format = format
    pyramid = PyramidBuilder(channelCount: format.channelCount)
    queue.push(.begin(order, format))
    if settings.trigger == nil { startSounding() } else { mode = .waiting }
    publish(withPyramid: true)
  }

  func endTake() {
    guard take != nil else { return }
    take = nil
    mode = .listening
    if owed > 0 { queue.pushSilence(owed) }
    owed = 0
    queue.push(.end)
    pyramid.finish()
    seen.hasEnded = true
    publish(withPyramid: true)
    pyramid = PyramidBuilder(channelCount: settings.channels.channelCount)
    preRoll.clear()
  }
}
