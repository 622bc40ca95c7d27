import Control
import Sound
import System

/// Time stamps and events for measuring, printed where the environment asks for them with SWELL_TRACE=1.
enum Trace {
  static let isOn = Environment.variable("SWELL_TRACE")?.bytes == Array("1".utf8)

  /// Prints `trace NAME NANOSECONDS`, of the monotonic clock.
  static func mark(_ name: String, at nanoseconds: Int64 = Clock.nanoseconds()) {
    guard isOn else { return }
    Terminal.write("trace \(name) \(nanoseconds)\n", toErrors: true)
  }

  /// Marks when a seek is asked for.
  static func command(_ command: PlayerCommand) {
    switch command {
    case .seek, .seekBy, .seekByFrames, .seekToFraction: mark("seek")
    default: break
    }
  }

  static func event(_ event: PlayerEvent) {
    guard isOn else { return }
    let name =
      switch event {
      case .started: "started"
      case .paused: "paused"
      case .finished(_, let successfully): successfully ? "finished" : "finished-badly"
      case .decodingError: "decoding-error"
      case .interruptionBegan: "interruption-began"
      case .interruptionEnded: "interruption-ended"
      }
    mark("event-\(name)")
  }
}

extension Trace {
  static func event(_ event: RecorderEvent) {
    guard isOn else { return }
    let name =
      switch event {
      case .started: "started"
      case .finished(_, let successfully): successfully ? "finished" : "finished-badly"
      case .encodingError: "encoding-error"
      case .interruptionBegan: "interruption-began"
      case .interruptionEnded: "interruption-ended"
      case .recovered: "recovered"
      case .renamed: "renamed"
      case .trashed: "trashed"
      }
    mark("event-recording-\(name)")
  }
}

/// Watches for the first frame and the first sound, and keeps what each frame took.
struct FrameTracer {
  private var costs: [Int64] = []
  private var hasShown = false
  private var hasSounded = false
  private var lastArrival: Int64?

  /// A frame was made and shown in so many nanoseconds.
  mutating func shown(took nanoseconds: Int64) {
    guard Trace.isOn else { return }
    if !hasShown { Trace.mark("first-frame") }
    hasShown = true
    costs.append(nanoseconds)
  }

  /// Notices when the loudspeaker has taken its first frames, and the first after a seek.
  mutating func watch(_ feed: UnsafeMutablePointer<Feed>) {
    guard Trace.isOn else { return }
    if !hasSounded, let first = feed.pointee.firstSoundNanoseconds {
      hasSounded = true
      Trace.mark("first-sound", at: first)
    }
    if let arrival = feed.pointee.lastArrivalNanoseconds, arrival != lastArrival {
      lastArrival = arrival
      Trace.mark("sought", at: arrival)
    }
  }

  /// Prints the median and the 99th percentile of what a frame took, in microseconds, and how often the feed ran dry.
  func report(_ feed: UnsafeMutablePointer<Feed>) {
    guard Trace.isOn, !costs.isEmpty else { return }
    Terminal.write("trace underruns \(feed.pointee.underrunCount)\n", toErrors: true)
    let sorted = costs.sorted()
    let median = sorted[sorted.count / 2] / 1000
    let slow = sorted[sorted.count * 99 / 100] / 1000
    Terminal.write("trace frames \(sorted.count) median-us \(median) p99-us \(slow)\n", toErrors: true)
  }
}
