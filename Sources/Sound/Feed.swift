import Synchronization

/// Stereo sound on its way from the decoding thread to the loudspeaker's callback.
///
/// A ring of interleaved frames at the device's rate, with a gate and a gain that move in ramps of 5 ms so that nothing
/// clicks. Positions count frames since the feed was made and only ever grow: `written - read` is the fill. A seek writes
/// on and tells the reader to skip. Lives at a fixed address from start to end (`Feed.make`), so that the callback reaches
/// it through a bare pointer and nothing is retained.
package struct Feed: ~Copyable, @unchecked Sendable {
  // What is not `package` here is for this file and FeedRender.swift only.

  let storage: UnsafeMutablePointer<Float>
  /// A power of two, so that a position becomes an index by a mask.
  package let capacity: Int
  let own: UnsafeMutablePointer<RenderState>

  // --- stored by the decoding thread
  let written = Atomic<Int>(0)
  let skipTo = Atomic<Int>(0)
  /// The position at which the sound ends for good; `Int.max` while more may come.
  let ending = Atomic<Int>(Int.max)

  // --- stored by the main thread
  let isOpen = Atomic<Bool>(false)
  let gainBits = Atomic<UInt32>(Float(1).bitPattern)
  let hertz = Atomic<Int>(48_000)
  /// The furthest position told as heard: the answer never goes back.
  let heard = Atomic<Int>(0)

  /// Whose it is to move the reader on; the callback goes by what `attach` has settled before there is one.
  private let reader = Atomic<Int>(Reader.nobody.rawValue)
  private enum Reader: Int {
    case nobody, callback, mainThread
  }

  // --- stored by the callback
  let read = Atomic<Int>(0)
  let skipped = Atomic<Int>(0)
  let callbacks = Atomic<Int>(0)
  let underruns = Atomic<Int>(0)
  let lates = Atomic<Int>(0)
  let stamp = Atomic<Int>(0)
  let stampPosition = Atomic<Int>(0)
  let stampNanoseconds = Atomic<Int64>(0)
  let firstNanoseconds = Atomic<Int64>(0)
  let arrivedNanoseconds = Atomic<Int64>(0)

  /// What only the callback touches.
  struct RenderState {
    /// How far the gate is open, in frames of its ramp: 0 is shut.
    var gate = 0
    var gain: Float = 1
    var gainTarget: Float = 1
    var gainStep: Float = 0
    /// The last frame before the gate, faded out when the ring runs dry.
    var lastLeft: Float = 0
    var lastRight: Float = 0
    /// The ring ran dry and the last frame is not yet faded out.
    var isDry = false
    /// A flush was taken, and nothing that was written behind it was given out yet.
    var awaitsArrival = false
    /// When the next callback should come, in nanoseconds; 0 when that does not follow from the last one.
    var due: Int64 = 0
    /// How late the last one was.
    var lateness: Int64 = 0
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

  /// Tells the feed the device's rate, for the length of its ramps and of its callbacks.
  package func setRate(_ rate: SampleRate) {
    hertz.store(max(rate.hertz, 1), ordering: .relaxed)
  }

  /// How often the callback has run: a device that is alive keeps counting.
  package var callbackCount: Int { callbacks.load(ordering: .relaxed) }
  /// When the callback first gave out a frame, on the monotonic clock.
  package var firstSoundNanoseconds: Int64? {
    let time = firstNanoseconds.load(ordering: .relaxed)
    return time == 0 ? nil : time
  }
  /// When the callback last went from old sound to what followed a flush, on the monotonic clock.
  package var lastArrivalNanoseconds: Int64? {
    let time = arrivedNanoseconds.load(ordering: .relaxed)
    return time == 0 ? nil : time
  }
  /// How often the ring ran dry while sound was wanted.
  package var underrunCount: Int { underruns.load(ordering: .relaxed) }
  /// How often a callback came so late that the device must have run dry.
  package var lateCount: Int { lates.load(ordering: .relaxed) }
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
  /// back before a seek or an earlier answer. The jitter of the callbacks is smoothed, so that a picture glides. One
  /// thread, the main one.
  package func heardPosition(at nanoseconds: Int64, rate: SampleRate, latencyFrames: Int) -> Int {
    while true {
      let before = stamp.load(ordering: .acquiring)
      let position = stampPosition.load(ordering: .acquiring)
      let entered = stampNanoseconds.load(ordering: .acquiring)
      let end = read.load(ordering: .acquiring)
      let skip = skipped.load(ordering: .acquiring)
      guard before % 2 == 0, stamp.load(ordering: .acquiring) == before else { continue }
      // Less than nothing while a callback that came early is not yet due.
      let elapsed = Double(nanoseconds - entered) * 1e-9 * Double(rate.hertz)
      let reached = min(position + Int(min(elapsed, 1e9).rounded()) - latencyFrames, end)
      let answer = max(reached, min(skip, end), heard.load(ordering: .relaxed))
      heard.store(answer, ordering: .relaxed)
      return answer
    }
  }

  /// Does the callback's part of a flush, unless a device is open to do it, or is just being opened or closed.
  package func skipWhileClosed() {
    guard take(as: .mainThread) else { return }
    let target = skipTo.load(ordering: .acquiring)
    if target > read.load(ordering: .relaxed) {
      read.store(target, ordering: .releasing)
      own.pointee.gate = 0
      own.pointee.isDry = false
      own.pointee.due = 0
    }
    skipped.store(target, ordering: .releasing)
    detach()
  }
}

// MARK: - the thread that opens and closes devices

extension Feed {
  /// Leaves the reader to the callback of a device that is now opened; `detach` belongs to it.
  ///
  /// Waits for the main thread when that is just moving the reader, which takes it some nanoseconds.
  package func attach() { while !take(as: .callback) {} }

  /// The device is closed, and its callback will not run again.
  package func detach() { reader.store(Reader.nobody.rawValue, ordering: .releasing) }

  private func take(as new: Reader) -> Bool {
    reader.compareExchange(expected: Reader.nobody.rawValue, desired: new.rawValue, ordering: .acquiringAndReleasing)
      .exchanged
  }
}
