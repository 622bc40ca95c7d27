internal import Control
internal import Media
internal import Sound
import Synchronization

/// What the microphone hears, on its way to the headphones of whoever is recorded.
///
/// The main thread says where it goes, the drain plays.
final class Headphones: @unchecked Sendable {
  /// More than this is never kept ahead, since one hears oneself late by it, in seconds.
  private static let mostAhead = 0.08
  /// So much silence goes before the first sound, so that it does not run dry at once, in seconds.
  private static let cushion = 0.03

  private let feed: UnsafeMutablePointer<Feed>
  /// The rate of the device, in hertz; 0 while nothing is to be heard.
  private let hertz = Atomic<Int>(0)

  // --- the drain's own
  private var stream: StereoStream?
  private var channelCount = 0

  init(feed: FeedPointer) { self.feed = feed.pointer }

  /// Takes note of the device; main thread.
  func follow(_ device: DeviceState, isWanted: Bool) {
    let rate = isWanted && device.status == .open ? device.rate : nil
    if let rate { feed.pointee.setRate(rate) }
    feed.pointee.setOpen(rate != nil)
    if device.status != .open { feed.pointee.skipWhileClosed() }
    hertz.store(rate?.hertz ?? 0, ordering: .relaxed)
  }

  /// Plays a block that came in at `rate`; what finds no room is left out.
  func play(_ block: SampleBlock, rate: SampleRate) {
    let output = SampleRate(hertz: hertz.load(ordering: .relaxed))
    guard output.hertz > 0 else {
      if stream != nil { feed.pointee.flush() }
      stream = nil
      return
    }
    if stream?.input != rate || stream?.output != output || channelCount != block.channelCount {
      channelCount = block.channelCount
      let format = StreamFormat(
        container: "", codec: "PCM", rate: rate, speakers: block.channelCount == 1 ? [.mono] : [.left, .right],
        layoutName: "", bitsPerSample: nil, estimatedLength: nil, lengthIsExact: false)
      stream = try? StereoStream(format: format, to: output)
    }
    let ahead = feed.pointee.ahead
    guard Double(ahead) < Self.mostAhead * Double(output.hertz) else { return }
    if ahead == 0 { write([Float](repeating: 0, count: Int(Self.cushion * Double(output.hertz)) * 2)) }
    stream?.process(block) { frames, count in
      write(UnsafeBufferPointer(start: frames, count: count * 2))
    }
  }

  private func write(_ samples: [Float]) { samples.withUnsafeBufferPointer { write($0) } }

  private func write(_ samples: UnsafeBufferPointer<Float>) {
    let count = min(samples.count / 2, feed.pointee.room)
    if count > 0 { feed.pointee.write(samples.baseAddress!, count: count) }
  }
}
