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
  static let orderPatience: Int64 = 400_000_000

  let intake: UnsafeMutablePointer<Intake>
  let queue: TakeQueue
  private let headphones: Headphones?
  private let view = Mutex(View())
  let orders = Mutex<[(order: Order, time: Int64)]>([])

  // --- the drain's own; its other files use it too
  var settings = DrainSettings()
  var pending: [(order: Order, time: Int64)] = []
  var seen = View()
  var mode = Mode.listening
  var chunk: [Float] = []
  var session = 0
  var rate = SampleRate(hertz: 48_000)
  var clock = InputClock(rate: SampleRate(hertz: 48_000))
  var watch = ChannelWatch(channelCount: 1)
  var history: History?
  var preRoll = PreRoll()
  var pyramid = PyramidBuilder(channelCount: 1)
  var take: TakeOrder?
  var frames: Int64 = 0
  var limit: Int64 = .max
  /// Frames that found no room in the queue, for which silence is owed.
  var owed = 0
  /// How long it has been quiet, in frames.
  var quiet = 0
  /// What the next frames of the take follow after.
  var joint: RecordingMark.Kind?
  var lastPublished: Int64 = 0

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

  func startListening() {
    history = History(channelCount: settings.channels.channelCount, rate: rate)
    pyramid = PyramidBuilder(channelCount: settings.channels.channelCount)
    preRoll.clear()
    seen.peaks = nil
    publish(withPyramid: true)
  }

  /// Treats one callback's frames, cut where an order falls between them.
  func feed(_ stamp: Intake.Stamp) {
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

  func route(_ stamp: Intake.Stamp, _ range: Range<Int>) {
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

  func route(_ block: SampleBlock) {
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

  var preRollFrames: Int { Int(rate.frames(inSeconds: max(settings.preRollSeconds, 0)).rawValue) }

  func publish(withPyramid: Bool) {
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
