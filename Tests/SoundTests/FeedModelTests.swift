import Sound
import TestSupport
import Testing

/// The feed as it is meant, frame by frame and without a ring: everything ever written is kept.
private struct FeedModel {
  var written: [Float] = []
  var position = 0
  var skip = 0
  var isOpen = false
  var end = Int.max
  var underruns = 0
  var gate = 0
  var gain: Float = 1
  var gainTarget: Float = 1
  var gainStep: Float = 0
  var isDry = false
  var last: Float = 0
  let ramp = TestFeed.ramp

  var isFlushing = false

  mutating func flush() {
    if skip < written.count || position < skip { isFlushing = true }
    skip = written.count
    end = .max
  }

  /// All of the old sound is played: what follows is not its continuation.
  private mutating func arrive() {
    guard isFlushing, position == skip else { return }
    isFlushing = false
    isDry = gate > 0
  }

  mutating func nextSample() -> Float {
    arrive()
    defer { arrive() }
    if !isDry, gate > 0, position == written.count {
      if position == end {
        gate = 0
      } else {
        isDry = true
        if isOpen { underruns += 1 }
      }
    }
    if isDry {
      gate -= 1
      isDry = gate > 0
      return last * (Float(gate) / Float(ramp))
    }
    if gate == 0 {
      position = max(position, skip)
      isFlushing = false
      guard isOpen, position < written.count else { return 0 }
    }
    gate = isOpen && !isFlushing ? min(gate + 1, ramp) : gate - 1
    if gain != gainTarget {
      gain += gainStep
      if gainStep > 0 ? gain >= gainTarget : gain <= gainTarget { gain = gainTarget }
    }
    last = min(max(written[position] * gain, -1), 1)
    position += 1
    return last * (Float(gate) / Float(ramp))
  }
}

@Test(arguments: 0..<30)
func `whatever is done to a feed, it gives out what the model gives out, and never clicks`(seed: Int) {
  var random = Noise(seed: UInt64(seed))
  let feed = TestFeed(capacity: 2_048)
  var model = FeedModel()
  // Half of the runs play a constant, where every step is the feed's own; the others noise, where every frame is known.
  let isConstant = seed % 2 == 0
  var last: Float = 0
  for turn in 0..<300 {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4:
      let count = Int.random(in: 0...feed.feed.pointee.room, using: &random)
      let samples =
        isConstant
        ? Array(repeating: Float(1), count: count) : Signal.noise(seed: UInt64(turn), frames: count, amplitude: 1.2)
      feed.write(samples)
      model.written += samples
    case 4:
      feed.feed.pointee.flush()
      model.flush()
    case 5:
      feed.feed.pointee.end()
      model.end = model.written.count
    case 6:
      feed.feed.pointee.goOn()
      model.end = .max
    case 7, 8:
      let isOpen = Int.random(in: 0..<4, using: &random) > 0
      feed.feed.pointee.setOpen(isOpen)
      model.isOpen = isOpen
    case 9:
      let gain = Float.random(in: 0...1, using: &random)
      feed.feed.pointee.setGain(gain)
      model.gainTarget = gain
      model.gainStep = (gain - model.gain) / Float(model.ramp)
    default: break
    }
    let count = Int.random(in: 1...700, using: &random)
    let endsInTheMiddle = model.end != .max
    let heard = feed.render(count)
    let meant = (0..<count).map { _ in model.nextSample() }
    let isRead = feed.feed.pointee.readPosition == model.position
    guard heard == meant, isRead, feed.feed.pointee.underrunCount == model.underruns else {
      let frame = zip(heard, meant).enumerated().first { $1.0 != $1.1 }?.offset ?? count
      Issue.record("turn \(turn), frame \(frame) of \(count); underruns and position should be:")
      Issue.record("\(model.underruns) \(model.position) with the gate at \(model.gate)")
      return
    }
    // A gate and a gain may both be on their way.
    if isConstant, !endsInTheMiddle, largestStep([last] + heard) > 2.02 / Float(TestFeed.ramp) {
      Issue.record("turn \(turn): a click")
      return
    }
    last = heard.last!
  }
}
