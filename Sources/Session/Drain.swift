internal import Control
internal import Library
internal import Sound
import Synchronization
internal import System

/// Empties the intake: measures what comes in, keeps the last seconds, and hands a take's sound to the writer.
///
/// `step` belongs to the thread `drain`, or to a test; orders and views belong to anyone.
final class Drain: @unchecked Sendable {
  enum Order: Sendable {
    case settings(DrainSettings)
    /// Begins a take, with the pre-roll, as soon as there is sound.
    case begin(TakeOrder)
    case pause
    case resume
    case end
    /// Forgets what was kept: the microphone is closed.
    case rest
  }

  enum Mode: Hashable, Sendable {
    case listening
    case waiting
    case recording
    case paused
  }

  /// What others may see.
  struct View: Sendable {
    var mode = Mode.listening
    /// The take that is open, or was last.
    var take = 0
    var format: TakeFormat?
    var elapsed = FrameCount.zero
    var overs = 0
    var dropouts = 0
    var dropoutFrames = FrameCount.zero
    var marks: [RecordingMark] = []
    var deadChannels: [Int] = []
    var pyramid: PeakPyramid?
    var history: History?
    /// The highest absolute sample of each channel since the view was last taken.
    var peaks: [Float]?
    /// The take came to its end.
    var hasEnded = false
    /// The last take that was ended before there was any sound for it.
    var withdrawn = 0
  }

  /// The thread looks after the intake this often, in seconds.
  static let beat = 0.02
  /// The waveform is published this often, in nanoseconds.
  private static let publishNanoseconds: Int64 = 40_000_000
  /// An order is obeyed after so long though no sound has come that is younger, in nanoseconds.
  private static let orderPatience: Int64 = 400_000_000

  private let intake: UnsafeMutablePointer<Intake>
  private let queue: TakeQueue
  private let headphones: Headphones?
  private let view = Mutex(View())
  private let orders = Mutex<[(order: Order, time: Int64)]>([])

  // --- the drain's own
  var settings = DrainSettings()
  private var pending: [(order: Order, time: Int64)] = []
  private var seen = View()
  private var mode = Mode.listening
  private var chunk: [Float] = []
  private var session = 0
  private var rate = SampleRate(hertz: 48_000)
  private var clock = InputClock(rate: SampleRate(hertz: 48_000))
  private var watch = ChannelWatch(channelCount: 1)
  private var history: History?
  private var preRoll = PreRoll()
  private var pyramid = PyramidBuilder(channelCount: 1)
  private var take: TakeOrder?
  private var frames: Int64 = 0
  private var limit: Int64 = .max
  /// Frames that found no room in the queue, for which silence is owed.
  private var owed = 0
  /// How long it has been quiet, in frames.
  private var quiet = 0
  /// What the next frames of the take follow after.
  private var joint: RecordingMark.Kind?
  private var lastPublished: Int64 = 0

  init(intake: UnsafeMutablePointer<Intake>, queue: TakeQueue, headphones: Headphones?) {
    self.intake = intake
    self.queue = queue
    self.headphones = headphones
  }

  // MARK: anyone

  /// Gives an order that holds from `time` of the monotonic clock on: sound from before is treated as before.
  func order(_ order: Order, at time: Int64) { orders.withLock { $0.append((order, time)) } }

  /// What there is to see; the peaks begin anew.
  func takeView() -> View {
    view.withLock { view in
      defer { view.peaks = nil }
      return view
    }
  }

  // MARK: the drain's thread

  /// Takes up all that has come by `now`.
  func step(at now: Int64) {
    collectOrders()
    while intake.pointee.stampCount > 0, let stamp = admit(now: now) {
      // A take keeps its rate: the device is opened anew at that one.
      if stamp.rate == rate { feed(stamp) }
    }
    if intake.pointee.stampCount == 0 { obeyOverdue(now) }
    if now - lastPublished >= Self.publishNanoseconds {
      lastPublished = now
      publish(withPyramid: true)
    }
  }

  /// The next callback's frames, once it is known that none are missing before them; nil to wait.
  private func admit(now: Int64) -> Intake.Stamp? {
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
  private func begin(_ stamp: Intake.Stamp) {
    if session != 0, take != nil, frames > 0, mode == .recording { joint = .interruption }
    session = stamp.session
    clock = InputClock(rate: stamp.rate)
    watch = ChannelWatch(channelCount: stamp.channelCount)
    guard take == nil || history == nil else { return }
    rate = stamp.rate
    startListening()
  }

  private func startListening() {
    history = History(channelCount: settings.channels.channelCount, rate: rate)
    pyramid = PyramidBuilder(channelCount: settings.channels.channelCount)
    preRoll.clear()
    seen.peaks = nil
    publish(withPyramid: true)
  }

  /// Treats one callback's frames, cut where an order falls between them.
  private func feed(_ stamp: Intake.Stamp) {
    // Only now: an order from before this callback may have come while earlier ones were treated.
    collectOrders()
    watchChannels(stamp)
    var done = 0
    while let (order, time) = pending.first, time <= stamp.nanoseconds {
      // The last frame was captured when the callback came, as far as anyone can tell.
      let before = Double(stamp.nanoseconds - time) * 1e-9 * Double(stamp.rate.hertz)
      let cut = max(min(stamp.frameCount - Int(min(before, 1e9).rounded()), stamp.frameCount), done)
      route(stamp, done..<cut)
      done = cut
      pending.removeFirst()
      obey(order)
    }
    route(stamp, done..<stamp.frameCount)
  }

  private func route(_ stamp: Intake.Stamp, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let block = SampleBlock(channelCount: settings.channels.channelCount, capacity: range.count)
    block.frameCount = range.count
    chunk.withUnsafeBufferPointer { frames in
      settings.channels.take(
        frames.baseAddress! + range.lowerBound * stamp.channelCount, count: range.count, of: stamp.channelCount
      ) { block.plane($0) }
    }
    measure(block)
    headphones?.play(block, rate: rate)
    route(block)
  }

  /// Silence in the place of frames that were lost on the way.
  private func fill(_ missing: Int) {
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

  private func route(_ block: SampleBlock) {
    history?.append(block)
    switch mode {
    case .listening:
      pyramid.append(block)
      preRoll.append(block, keeping: preRollFrames)
    case .paused: break
    case .waiting:
      preRoll.append(block, keeping: max(preRollFrames, block.frameCount))
      guard let trigger = settings.trigger else { return startSounding() }
      if peak(of: block) >= Float(Decibels(Double(trigger.threshold)).amplitude) { startSounding() }
    case .recording: record(block)
    }
  }

  private var preRollFrames: Int { Int(rate.frames(inSeconds: max(settings.preRollSeconds, 0)).rawValue) }

  // MARK: a take

  private func startSounding() {
    mode = .recording
    quiet = 0
    for block in preRoll.take(.max) { record(block, isLive: false) }
  }

  /// Adds a block to the take; only live sound, not that from before, is listened to for when to rest.
  private func record(_ block: SampleBlock, isLive: Bool = true) {
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
  private func hand(_ block: SampleBlock) {
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

  private func note(_ kind: RecordingMark.Kind) {
    guard seen.marks.count < RecordingMark.limit else { return }
    seen.marks.append(RecordingMark(frame: FrameIndex(frames), kind: kind))
  }

  private func begin(_ order: TakeOrder) {
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

  private func endTake() {
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

  // MARK: orders

  private func collectOrders() {
    orders.withLock {
      pending += $0
      $0 = []
    }
    obeyWhatNeedsNoSound()
  }

  /// Settings hold at once, and a resting microphone has nothing to wait for.
  private func obeyWhatNeedsNoSound() {
    while let (order, _) = pending.first {
      switch order {
      case .settings, .rest: obey(order)
      default: return
      }
      pending.removeFirst()
    }
  }

  /// Obeys what was ordered so long ago that no sound is coming any more; a take begins only with sound.
  private func obeyOverdue(_ now: Int64) {
    while let (order, time) = pending.first, now - time > Self.orderPatience {
      if case .begin(let order) = order, history == nil {
        // Taken back before it came to anything.
        guard pending.dropFirst().contains(where: { if case .end = $0.order { true } else { false } }) else { return }
        pending.removeFirst()
        seen.withdrawn = order.number
        publish(withPyramid: false)
        continue
      }
      pending.removeFirst()
      obey(order)
      publish(withPyramid: true)
    }
  }

  private func obey(_ order: Order) {
    switch order {
    case .settings(let new): change(to: new)
    case .begin(let order): begin(order)
    case .pause:
      guard take != nil, mode != .listening else { return }
      mode = .paused
      joint = .pause
      preRoll.clear()
    case .resume:
      guard mode == .paused else { return }
      quiet = 0
      mode = settings.trigger == nil ? .recording : .waiting
    case .end: endTake()
    case .rest:
      guard take == nil else { return }
      history = nil
      preRoll.clear()
      let withdrawn = seen.withdrawn
      seen = View()
      seen.withdrawn = withdrawn
      publish(withPyramid: false)
    }
  }

  private func change(to new: DrainSettings) {
    let old = settings
    settings = new
    // A take keeps the channels it began with.
    if take != nil { settings.channels = old.channels }
    if settings.channels != old.channels, history != nil { startListening() }
  }

  // MARK: measuring

  private func watchChannels(_ stamp: Intake.Stamp) {
    guard stamp.channelCount > 1 else { return }
    var peaks = [Float](repeating: 0, count: stamp.channelCount)
    for i in 0..<stamp.frameCount * stamp.channelCount {
      let channel = i % stamp.channelCount
      peaks[channel] = max(peaks[channel], abs(chunk[i]))
    }
    watch.update(peaks: peaks, seconds: Double(stamp.frameCount) / Double(max(stamp.rate.hertz, 1)))
    seen.deadChannels = watch.deadChannels
  }

  private func measure(_ block: SampleBlock) {
    var peaks = seen.peaks ?? Array(repeating: 0, count: block.channelCount)
    if peaks.count != block.channelCount { peaks = Array(repeating: 0, count: block.channelCount) }
    for channel in 0..<block.channelCount {
      let bin = PeakBin(of: block.plane(channel), count: block.frameCount)
      peaks[channel] = max(peaks[channel], max(abs(bin.low), abs(bin.high)))
    }
    seen.peaks = peaks
  }

  private func peak(of block: SampleBlock) -> Float {
    (0..<block.channelCount).reduce(0) { highest, channel in
      let bin = PeakBin(of: block.plane(channel), count: block.frameCount)
      return max(highest, max(abs(bin.low), abs(bin.high)))
    }
  }

  private func countOvers(_ block: SampleBlock) {
    guard peak(of: block) >= PeakMeter.fullScale else { return }
    for channel in 0..<block.channelCount {
      for sample in block.channel(channel) where abs(sample) >= PeakMeter.fullScale { seen.overs += 1 }
    }
  }

  private func publish(withPyramid: Bool) {
    seen.mode = mode
    seen.history = history
    seen.pyramid = withPyramid && history != nil ? pyramid.snapshot() : nil
    let next = seen
    view.withLock { old in
      let peaks = old.peaks
      old = next
      if let peaks, let new = next.peaks, peaks.count == new.count {
        old.peaks = zip(peaks, new).map { max($0, $1) }
      } else if next.peaks == nil {
        old.peaks = peaks
      }
    }
    seen.peaks = nil
  }
}

/// The drain at work: its thread.
final class DrainThread: Sendable {
  private struct Switch {
    var isListening = false
    var isEnding = false
  }
  let drain: Drain
  private let state = Monitor(Switch())
  private let thread: Thread

  init(_ drain: Drain) {
    self.drain = drain
    let state = state
    thread = Thread(name: "drain") {
      while true {
        let now = state.withLock { $0 }
        drain.step(at: Clock.nanoseconds())
        if now.isEnding { return }
        _ = state.wait(atMost: now.isListening ? Drain.beat : .infinity) { new in
          new.isEnding || new.isListening != now.isListening ? true : nil
        }
      }
    }
  }

  /// Looks after the intake from now on, or rests.
  func setListening(_ listening: Bool) { state.withLock { $0.isListening = listening } }

  func stop() {
    state.withLock { $0.isEnding = true }
    thread.join()
  }
}
