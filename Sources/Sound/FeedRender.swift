// The part of the feed that runs in the loudspeaker's callback.

extension Feed {
  // Computed, since a stored one is made at its first use, under a lock.

  /// The length of every ramp: short enough to feel immediate, long enough that a step of full scale stays inaudible.
  package static var rampSeconds: Double { 0.005 }
  /// A callback that is later or earlier than this, in nanoseconds, is not jitter: the device stood still.
  private static var mostJitter: Int64 { 100_000_000 }

  /// Fills `output` with interleaved stereo frames; `nanoseconds` is the monotonic time at which the callback was entered.
  ///
  /// Callback thread. Takes no lock, allocates and retains nothing, which the compiler checks. About 3 ns a frame.
  @_noLocks
  package func render(into output: UnsafeMutableBufferPointer<Float>, at nanoseconds: Int64) {
    let frames = output.count / 2
    var position = read.load(ordering: .relaxed)
    // In this order, so that no frame up to `filled` lies beyond a flush that is not seen here.
    let filled = written.load(ordering: .acquiring)
    let flush = skipTo.load(ordering: .acquiring)
    let done = skipped.load(ordering: .relaxed)
    let skip = flush <= filled ? flush : done
    let wanted = isOpen.load(ordering: .acquiring)
    let ramp = max(Int(Double(hertz.load(ordering: .relaxed)) * Self.rampSeconds), 1)
    var jumps = skip > done
    // Where the reader would have stood at the first frame of `output`, had it always been on its present course.
    var base = position
    var gaveOut = false
    let state = own
    state.pointee.gate = min(state.pointee.gate, ramp)
    aim(ramp: ramp)

    if jumps { arrive(at: position, skip: skip) }
    var i = fadeDry(into: output, from: 0, ramp: ramp)
    while i < frames {
      if state.pointee.gate == 0 {
        if jumps { position = skip }
        jumps = false
        if !wanted { break }
        if position == filled { break }
        base = position - i
      } else if position == filled {
        if !jumps { runDry(at: position, wanted: wanted) }
        i = fadeDry(into: output, from: i, ramp: ramp)
        continue
      }
      give(frame: position, to: output, at: i, opening: wanted ? !jumps : false, ramp: ramp)
      gaveOut = true
      position += 1
      i += 1
      if jumps {
        arrive(at: position, skip: skip)
        i = fadeDry(into: output, from: i, ramp: ramp)
      }
    }
    let isUnbroken = i == frames ? !state.pointee.isDry : false
    while i < frames {
      output[i * 2] = 0
      output[i * 2 + 1] = 0
      i += 1
    }
    let entered = smoothed(nanoseconds, frames: frames, isUnbroken: isUnbroken)
    // What follows a flush may come several callbacks after it, when nothing was written yet.
    if skip > done { state.pointee.awaitsArrival = true }
    if state.pointee.awaitsArrival, gaveOut, position > skip {
      state.pointee.awaitsArrival = false
      arrivedNanoseconds.store(nanoseconds, ordering: .relaxed)
    }
    publish(position: position, skip: skip, base: base, entered: entered, gaveOut: gaveOut)
  }

  /// In a flush, what is left of the old sound may be shorter than its fade: it is not carried on with the new sound.
  @_noLocks
  private func arrive(at position: Int, skip: Int) {
    if position >= skip { own.pointee.isDry = own.pointee.gate > 0 }
  }

  /// There is no next frame though the gate is open.
  @_noLocks
  private func runDry(at position: Int, wanted: Bool) {
    // Loaded after the fill: an end that is told later than the last frame is still seen in time.
    if position == ending.load(ordering: .acquiring) {
      // All was given out: nothing is left to fade.
      own.pointee.gate = 0
      return
    }
    own.pointee.isDry = true
    if wanted { underruns.store(underruns.load(ordering: .relaxed) + 1, ordering: .relaxed) }
  }

  /// Tells the other threads what this callback did; the stamp is odd meanwhile.
  @_noLocks
  private func publish(position: Int, skip: Int, base: Int, entered: Int64, gaveOut: Bool) {
    let count = stamp.load(ordering: .relaxed)
    stamp.store(count + 1, ordering: .sequentiallyConsistent)
    if gaveOut {
      stampPosition.store(base, ordering: .releasing)
      stampNanoseconds.store(entered, ordering: .releasing)
      if firstNanoseconds.load(ordering: .relaxed) == 0 { firstNanoseconds.store(entered, ordering: .relaxed) }
    }
    read.store(position, ordering: .releasing)
    if position >= skip { skipped.store(skip, ordering: .releasing) }
    stamp.store(count + 2, ordering: .releasing)
    callbacks.store(callbacks.load(ordering: .relaxed) + 1, ordering: .relaxed)
  }

  /// Puts one frame of the ring out, through the gate and the gain.
  @_noLocks
  private func give(
    frame position: Int, to output: UnsafeMutableBufferPointer<Float>, at i: Int, opening: Bool, ramp: Int
  ) {
    let state = own
    state.pointee.gate = opening ? min(state.pointee.gate + 1, ramp) : state.pointee.gate - 1
    let gate = Float(state.pointee.gate) / Float(ramp)
    advanceGain()
    let at = (position & (capacity - 1)) * 2
    let left = clamped(storage[at] * state.pointee.gain)
    let right = clamped(storage[at + 1] * state.pointee.gain)
    output[i * 2] = left * gate
    output[i * 2 + 1] = right * gate
    state.pointee.lastLeft = left
    state.pointee.lastRight = right
  }

  /// Fades the last frame out, over several callbacks if need be; returns the place of the first frame not filled.
  @_noLocks
  private func fadeDry(into output: UnsafeMutableBufferPointer<Float>, from start: Int, ramp: Int) -> Int {
    let state = own
    guard state.pointee.isDry else { return start }
    var i = start
    while i < output.count / 2, state.pointee.gate > 0 {
      state.pointee.gate -= 1
      let gate = Float(state.pointee.gate) / Float(ramp)
      output[i * 2] = state.pointee.lastLeft * gate
      output[i * 2 + 1] = state.pointee.lastRight * gate
      i += 1
    }
    if state.pointee.gate == 0 { state.pointee.isDry = false }
    return i
  }

  /// The time of a callback without its jitter: a sixteenth of the way from when it was due to when it came.
  @_noLocks
  private func smoothed(_ nanoseconds: Int64, frames: Int, isUnbroken: Bool) -> Int64 {
    let due = own.pointee.due
    let late = nanoseconds - due
    let isJitter = due == 0 ? false : abs(late) < Self.mostJitter
    let entered = isJitter ? due + late / 16 : nanoseconds
    let duration = Int64(frames) * 1_000_000_000 / Int64(hertz.load(ordering: .relaxed))
    // The device has one buffer more in hand.
    if due != 0, late - own.pointee.lateness > duration {
      lates.store(lates.load(ordering: .relaxed) + 1, ordering: .relaxed)
    }
    own.pointee.lateness = due == 0 ? 0 : late
    own.pointee.due = isUnbroken ? entered + duration : 0
    return entered
  }

  /// Sets out for the gain that is wished for now, in one ramp from the gain that there is.
  @_noLocks
  private func aim(ramp: Int) {
    let state = own
    let target = Float(bitPattern: gainBits.load(ordering: .relaxed))
    guard target != state.pointee.gainTarget else { return }
    state.pointee.gainTarget = target
    state.pointee.gainStep = (target - state.pointee.gain) / Float(ramp)
  }

  @_noLocks
  private func advanceGain() {
    let state = own
    let gain = state.pointee.gain
    let target = state.pointee.gainTarget
    if gain == target { return }
    let next = gain + state.pointee.gainStep
    let passed = state.pointee.gainStep > 0 ? next >= target : next <= target
    state.pointee.gain = passed ? target : next
  }
}

/// Full scale is where the device saturates; beyond it a sample never wraps.
@_noLocks
private func clamped(_ sample: Float) -> Float { sample > 1 ? 1 : (sample < -1 ? -1 : sample) }
