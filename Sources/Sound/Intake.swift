import Synchronization

/// Sound on its way from the microphone's callback to the draining thread.
///
/// A ring of interleaved samples, and beside it a ring of stamps: one for each callback, saying where its samples lie, when
/// it came and how many frames did not fit before it, so that time can be kept. Positions count samples since the intake
/// was made and only ever grow. Lives at a fixed address from start to end (`Intake.make`), so that the callback reaches it
/// through a bare pointer and nothing is retained.
package struct Intake: ~Copyable, @unchecked Sendable {
  /// What one callback has brought.
  package struct Stamp: Hashable, Sendable {
    /// The position of its first sample.
    package var start = 0
    package var frameCount = 0
    package var channelCount = 0
    package var rate = SampleRate(hertz: 0)
    /// When the callback was entered, on the monotonic clock.
    package var nanoseconds: Int64 = 0
    /// How many frames came before these and found no room.
    package var lostFrames = 0
    /// Which opening of a device they come from; grows.
    package var session = 0
  }

  private let storage: UnsafeMutablePointer<Float>
  private let stamps: UnsafeMutablePointer<Stamp>
  /// In samples; a power of two, so that a position becomes an index by a mask.
  package let capacity: Int
  /// 4096 callbacks: 5 s of the shortest buffers.
  static let stampCapacity = 4096
  private let own: UnsafeMutablePointer<AcceptState>

  // --- stored by the callback
  private let written = Atomic<Int>(0)
  private let stamped = Atomic<Int>(0)
  private let callbacks = Atomic<Int>(0)
  private let lost = Atomic<Int>(0)

  // --- stored by the draining thread
  private let read = Atomic<Int>(0)
  private let taken = Atomic<Int>(0)

  /// What only the callback touches, and whoever opens a device while none runs.
  private struct AcceptState {
    var channelCount = 1
    var rate = SampleRate(hertz: 48_000)
    var session = 0
    /// Frames that found no room and are not yet stamped.
    var lostFrames = 0
  }

  private init(capacity: Int) {
    var size = 1024
    while size < capacity { size *= 2 }
    self.capacity = size
    storage = .allocate(capacity: size)
    storage.initialize(repeating: 0, count: size)
    stamps = .allocate(capacity: Self.stampCapacity)
    stamps.initialize(repeating: Stamp(), count: Self.stampCapacity)
    own = .allocate(capacity: 1)
    own.initialize(to: AcceptState())
  }

  deinit {
    storage.deallocate()
    stamps.deallocate()
    own.deallocate()
  }

  /// An intake at a fixed address that holds at least `capacity` samples.
  ///
  /// The default is 10 s of stereo at 48 kHz, 4 MB. Whoever made it calls `destroy`.
  package static func make(capacity: Int = 1 << 20) -> UnsafeMutablePointer<Intake> {
    let pointer = UnsafeMutablePointer<Intake>.allocate(capacity: 1)
    pointer.initialize(to: Intake(capacity: capacity))
    return pointer
  }

  package static func destroy(_ pointer: UnsafeMutablePointer<Intake>) {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}

/// The address of an intake, to hand from room to room; whoever made the intake keeps it until all have let go.
package struct IntakePointer: @unchecked Sendable {
  package let pointer: UnsafeMutablePointer<Intake>
  package init(_ pointer: UnsafeMutablePointer<Intake>) { self.pointer = pointer }
}

// MARK: - whoever opens the device

extension Intake {
  /// Tells what the next frames are like; only while no callback runs.
  package func begin(channelCount: Int, rate: SampleRate) {
    own.pointee.channelCount = max(channelCount, 1)
    own.pointee.rate = rate
    own.pointee.session += 1
    own.pointee.lostFrames = 0
  }

  /// How often the callback has run: a device that is alive keeps counting.
  package var callbackCount: Int { callbacks.load(ordering: .relaxed) }
  /// How many frames found no room since the start.
  package var lostFrameCount: Int { lost.load(ordering: .relaxed) }
}

// MARK: - the callback

extension Intake {
  /// Takes in interleaved samples, as many as there are channels in each frame; `nanoseconds` is the monotonic time at which the callback was entered.
  ///
  /// What does not fit is counted and left out as a whole. Callback thread. Takes no lock, allocates and retains nothing,
  /// which the compiler checks. About 1 ns a sample.
  @_noLocks
  package func accept(_ samples: UnsafePointer<Float>, sampleCount: Int, at nanoseconds: Int64) {
    let state = own
    let frameCount = sampleCount / state.pointee.channelCount
    let count = frameCount * state.pointee.channelCount
    let position = written.load(ordering: .relaxed)
    let stampPosition = stamped.load(ordering: .relaxed)
    callbacks.store(callbacks.load(ordering: .relaxed) + 1, ordering: .relaxed)
    if count <= 0 { return }
    let room = capacity - (position - read.load(ordering: .acquiring))
    let stampRoom = Self.stampCapacity - (stampPosition - taken.load(ordering: .acquiring))
    if count > room || stampRoom <= 0 {
      state.pointee.lostFrames += frameCount
      lost.store(lost.load(ordering: .relaxed) + frameCount, ordering: .relaxed)
      return
    }
    let mask = capacity - 1
    var i = 0
    while i < count {
      storage[(position + i) & mask] = samples[i]
      i += 1
    }
    let stamp = stamps + (stampPosition & (Self.stampCapacity - 1))
    stamp.pointee.start = position
    stamp.pointee.frameCount = frameCount
    stamp.pointee.channelCount = state.pointee.channelCount
    stamp.pointee.rate = state.pointee.rate
    stamp.pointee.nanoseconds = nanoseconds
    stamp.pointee.lostFrames = state.pointee.lostFrames
    stamp.pointee.session = state.pointee.session
    state.pointee.lostFrames = 0
    written.store(position + count, ordering: .releasing)
    stamped.store(stampPosition + 1, ordering: .releasing)
  }
}

// MARK: - the draining thread

extension Intake {
  /// How many stamps wait.
  package var stampCount: Int { stamped.load(ordering: .acquiring) - taken.load(ordering: .relaxed) }

  /// The stamp that lies `index` places behind the next one; `index` must be less than `stampCount`.
  package func stamp(_ index: Int) -> Stamp {
    precondition(index < stampCount)
    return stamps[(taken.load(ordering: .relaxed) + index) & (Self.stampCapacity - 1)]
  }

  /// Copies the interleaved samples of the next stamp to `output`, which must have room for them, and lets go of them.
  package func take(into output: UnsafeMutablePointer<Float>) -> Stamp {
    let stamp = stamp(0)
    let count = stamp.frameCount * stamp.channelCount
    var done = 0
    while done < count {
      let at = (stamp.start + done) & (capacity - 1)
      let part = min(capacity - at, count - done)
      (output + done).update(from: storage + at, count: part)
      done += part
    }
    read.store(stamp.start + count, ordering: .releasing)
    taken.store(taken.load(ordering: .relaxed) + 1, ordering: .releasing)
    return stamp
  }
}
