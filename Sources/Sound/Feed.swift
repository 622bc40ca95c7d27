import Synchronization

/// Stereo sound on its way from the decoding thread to the loudspeaker's callback.
///
/// A ring of interleaved frames at the device's rate, with a gate and a gain that move in ramps of 5 ms so that nothing
/// clicks. Positions count frames since the feed was made and only ever grow: `written - read` is the fill. A seek writes
/// on and tells the reader to skip. Lives at a fixed address from start to end (`Feed.make`), so that the callback reaches
/// it through a bare pointer and nothing is retained.
package struct Feed: ~Copyable, @unchecked Sendable {
  /// The length of every ramp: short enough to feel immediate, long enough that a step of full scale stays inaudible.
  package static let rampSeconds = 0.005

  private let storage: UnsafeMutablePointer<Float>
  /// A power of two, so that a position becomes an index by a mask.
  package let capacity: Int
  private let own: UnsafeMutablePointer<RenderState>

  // --- stored by the decoding thread
  private let written = Atomic<Int>(0)
  private let skipTo = Atomic<Int>(0)
  /// The position at which the sound ends for good; `Int.max` while more may come.
  private let ending = Atomic<Int>(Int.max)

  // --- stored by the main thread
  private let isOpen = Atomic<Bool>(false)
  private let gainBits = Atomic<UInt32>(Float(1).bitPattern)
  private let rampFrames = Atomic<Int>(240)

  // --- stored by the callback
  private let read = Atomic<Int>(0)
  private let skipped = Atomic<Int>(0)
  private let callbacks = Atomic<Int>(0)
  private let underruns = Atomic<Int>(0)
  private let stamp = Atomic<Int>(0)
  private let stampPosition = Atomic<Int>(0)
  private let stampNanoseconds = Atomic<Int64>(0)

  /// What only the callback touches.
  private struct RenderState {
    /// How far the gate is open, 0 to 1.
    var gate: Float = 0
    var gain: Float = 1
    var gainTarget: Float = 1
    var gainStep: Float = 0
    /// The last frame given out, faded when the ring runs dry.
    var lastLeft: Float = 0
    var lastRight: Float = 0
  }

  private init(capacity: Int) {
    var size = 1024
    while size < capacity { size *= 2 }
    self.capacity = size
    storage = .allocate(capacity: size * 2)
    storage.initialize(repeating: 0, count: size * 2)
    own = .allocate(capacity: 1)
    own.initialize(to: RenderState())
  }

  deinit {
    storage.deallocate()
    own.deallocate()
  }

  /// A feed at a fixed address that holds at least `capacity` frames.
  ///
  /// Whoever made it calls `destroy`.
  package static func make(capacity: Int) -> UnsafeMutablePointer<Feed> {
    let pointer = UnsafeMutablePointer<Feed>.allocate(capacity: 1)
    pointer.initialize(to: Feed(capacity: capacity))
    return pointer
  }

  package static func destroy(_ pointer: UnsafeMutablePointer<Feed>) {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}

// MARK: - the decoding thread

extension Feed {
  /// How many frames can be written now.
  package var room: Int { capacity - (written.load(ordering: .relaxed) - read.load(ordering: .acquiring)) }

  /// How many frames are written and still to be heard, those left out by a flush not counted.
  package var ahead: Int {
    written.load(ordering: .relaxed)
      - max(read.load(ordering: .acquiring), skipTo.load(ordering: .relaxed))
  }

  /// The position that the next frame written will have.
  package var writePosition: Int { written.load(ordering: .relaxed) }

  /// Appends interleaved stereo frames; the count must not exceed `room`.
  package func write(_ frames: UnsafePointer<Float>, count: Int) {
    let position = written.load(ordering: .relaxed)
    precondition(count <= room)
    var done = 0
    while done < count {
      let at = (position + done) & (capacity - 1)
      let part = min(capacity - at, count - done)
      (storage + at * 2).update(from: frames + done * 2, count: part * 2)
      done += part
    }
    written.store(position + count, ordering: .releasing)
  }

  /// Makes the reader leave out all that has been written and not yet heard.
  ///
  /// What was written stays where it is until the reader has faded it out, 5 ms later.
  package func flush() {
    ending.store(Int.max, ordering: .releasing)
    skipTo.store(written.load(ordering: .relaxed), ordering: .releasing)
  }

  /// Says that nothing more comes: the sound ends at the last frame written.
  package func end() { ending.store(written.load(ordering: .relaxed), ordering: .releasing) }

  /// Takes `end()` back.
  package func goOn() { ending.store(Int.max, ordering: .releasing) }
}

// MARK: - the main thread

extension Feed {
  /// Opens or closes the gate; the callback follows within 5 ms of its next call.
  package func setOpen(_ open: Bool) { isOpen.store(open, ordering: .releasing) }

  /// Sets the gain as an amplitude; the callback goes there in 5 ms.
  package func setGain(_ gain: Float) { gainBits.store(gain.bitPattern, ordering: .relaxed) }

  /// Tells the feed the device's rate, for the length of its ramps.
  package func setRate(_ rate: SampleRate) {
    rampFrames.store(max(Int(Double(rate.hertz) * Self.rampSeconds), 1), ordering: .relaxed)
  }

  /// How often the callback has run: a device that is alive keeps counting.
  package var callbackCount: Int { callbacks.load(ordering: .relaxed) }
  /// How often the ring ran dry while sound was wanted.
  package var underrunCount: Int { underruns.load(ordering: .relaxed) }
  /// The position up to which frames were given out.
  package var readPosition: Int { read.load(ordering: .acquiring) }
  /// The position at which the sound ends, once it is known.
  package var endPosition: Int? {
    let position = ending.load(ordering: .acquiring)
    return position == Int.max ? nil : position
  }
  /// True while a flush waits for the callback.
  package var isFlushing: Bool { skipTo.load(ordering: .acquiring) > skipped.load(ordering: .acquiring) }

  /// The position that is heard at `nanoseconds` of the monotonic clock, on a device that is `latencyFrames` late.
  ///
  /// Counted from the last callback that gave out frames and carried on at `rate`, never past what was given out nor
  /// back before a seek.
  package func heardPosition(at nanoseconds: Int64, rate: SampleRate, latencyFrames: Int) -> Int {
    while true {
      let before = stamp.load(ordering: .acquiring)
      let position = stampPosition.load(ordering: .acquiring)
      let entered = stampNanoseconds.load(ordering: .acquiring)
      let end = read.load(ordering: .acquiring)
      let skip = skipped.load(ordering: .acquiring)
      guard before % 2 == 0, stamp.load(ordering: .acquiring) == before else { continue }
      let elapsed = Double(max(nanoseconds - entered, 0)) * 1e-9 * Double(rate.hertz)
      let heard = position + Int(min(elapsed, 1e9)) - latencyFrames
      return max(min(heard, end), min(skip, end), 0)
    }
  }

  /// Does the callback's part of a flush while no device is open to do it.
  package func skipWhileClosed() {
    let target = skipTo.load(ordering: .acquiring)
    guard target > read.load(ordering: .relaxed) else { return }
    read.store(target, ordering: .releasing)
    skipped.store(target, ordering: .releasing)
    own.pointee.gate = 0
  }
}

// MARK: - the callback

extension Feed {
  /// Fills `output` with interleaved stereo frames; `nanoseconds` is the monotonic time at which the callback was entered.
  ///
  /// Callback thread. Takes no lock, allocates and retains nothing, which the compiler checks. About 2 ns a frame.
  @_noLocks
  package func render(into output: UnsafeMutableBufferPointer<Float>, at nanoseconds: Int64) {
    let frames = output.count / 2
    var position = read.load(ordering: .relaxed)
    var available = written.load(ordering: .acquiring) - position
    let skip = skipTo.load(ordering: .acquiring)
    let wanted = isOpen.load(ordering: .acquiring)
    let end = ending.load(ordering: .acquiring)
    let step = 1 / Float(rampFrames.load(ordering: .relaxed))
    var jumps = skip > position
    let first = position
    // Where the reader would have stood at the first frame of `output`, had it always been on its present course.
    var base = position

    let state = own
    var gate = state.pointee.gate
    aim(state, step: step)

    var i = 0
    while i < frames {
      if gate <= 0 {
        if jumps {
          position = skip
          available = written.load(ordering: .acquiring) - position
          jumps = false
          base = skip - i
        }
        if !wanted { break }
        if available <= 0 { break }
      }
      if available <= 0 { break }
      let opening = wanted ? !jumps : false
      gate = opening ? min(gate + step, 1) : max(gate - step, 0)
      advanceGain(state)
      let at = (position & (capacity - 1)) * 2
      let amplitude = gate * state.pointee.gain
      let left = clamped(storage[at] * amplitude)
      let right = clamped(storage[at + 1] * amplitude)
      output[i * 2] = left
      output[i * 2 + 1] = right
      state.pointee.lastLeft = left
      state.pointee.lastRight = right
      position += 1
      available -= 1
      i += 1
    }

    // The ring ran dry in the middle of a sound: fade from the last frame instead of cutting it off.
    if i < frames, gate > 0 {
      if position < end {
        underruns.store(underruns.load(ordering: .relaxed) + 1, ordering: .relaxed)
        while i < frames, gate > 0 {
          gate = max(gate - step, 0)
          output[i * 2] = state.pointee.lastLeft * gate
          output[i * 2 + 1] = state.pointee.lastRight * gate
          i += 1
        }
      }
      gate = 0
      if jumps { position = skip }
    }
    while i < frames {
      output[i * 2] = 0
      output[i * 2 + 1] = 0
      i += 1
    }
    state.pointee.gate = gate

    let count = stamp.load(ordering: .relaxed)
    stamp.store(count + 1, ordering: .sequentiallyConsistent)
    if position > first {
      stampPosition.store(base, ordering: .releasing)
      stampNanoseconds.store(nanoseconds, ordering: .releasing)
    }
    read.store(position, ordering: .releasing)
    if position >= skip { skipped.store(skip, ordering: .releasing) }
    stamp.store(count + 2, ordering: .releasing)
    callbacks.store(callbacks.load(ordering: .relaxed) + 1, ordering: .relaxed)
  }

  /// Sets out for the gain that is wished for now, in one ramp from the gain that there is.
  @_noLocks
  private func aim(_ state: UnsafeMutablePointer<RenderState>, step: Float) {
    let target = Float(bitPattern: gainBits.load(ordering: .relaxed))
    guard target != state.pointee.gainTarget else { return }
    state.pointee.gainTarget = target
    state.pointee.gainStep = (target - state.pointee.gain) * step
  }

  @_noLocks
  private func advanceGain(_ state: UnsafeMutablePointer<RenderState>) {
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
