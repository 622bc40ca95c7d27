internal import Media
internal import Sound
import Synchronization
internal import System

/// Decodes the stretch that is looked at, for pictures closer than the scan's.
///
/// With a reader and a thread of its own, which is begun when it is first needed. Of several wishes the last counts.
final class Closeup: Sendable {
  private struct Orders {
    var track: Track?
    var range: Range<FrameIndex>?
    /// Was changed since the thread last looked.
    var isNew = false
    var quits = false
  }

  private let orders = Monitor(Orders())
  private let window = Mutex<SampleWindow?>(nil)
  private let hasThread = Atomic<Bool>(false)
  private let cancellation = Cancellation()
  private let bell: @Sendable () -> Void

  /// `bell` rings, on the thread, when a stretch is ready.
  init(bell: @escaping @Sendable () -> Void) { self.bell = bell }

  /// What was decoded last.
  var current: SampleWindow? { window.withLock { $0 } }

  /// Asks for a stretch; nil lets go of everything.
  func show(_ range: Range<FrameIndex>?, of track: Track?) {
    let isWanted = range != nil && track != nil
    guard isWanted || hasThread.load(ordering: .relaxed) else { return }
    if !isWanted { window.withLock { $0 = nil } }
    orders.withLock {
      $0.track = isWanted ? track : nil
      $0.range = range
      $0.isNew = true
    }
    guard isWanted, !hasThread.exchange(true, ordering: .relaxed) else { return }
    Thread(name: "closeup") { [self] in run() }.abandon()
  }

  /// Ends the thread, without waiting: it may hang on a dead disk.
  func stop() {
    cancellation.cancel()
    orders.withLock {
      $0.quits = true
      $0.isNew = true
    }
  }

  private func run() {
    var reader: (track: Track, file: AudioFile)?
    while true {
      let taken = orders.wait { orders -> Orders? in
        guard orders.isNew else { return nil }
        orders.isNew = false
        return orders
      }!
      if taken.quits { return }
      guard let track = taken.track, let range = taken.range else {
        reader = nil
        continue
      }
      if reader?.track !== track {
        // A file that cannot be read is told of by those who play and scan it.
        reader = (try? AudioFile(again: track.file, cancellation: cancellation)).map { (track, $0) }
      }
      guard let reader, let decoded = decode(range, of: track, reader.file) else { continue }
      orders.withLock { orders in
        guard orders.track === track else { return }
        window.withLock { $0 = decoded }
      }
      bell()
    }
  }

  /// The stretch, or nil when it cannot be read or something else is wanted meanwhile.
  private func decode(_ range: Range<FrameIndex>, of track: Track, _ file: AudioFile) -> SampleWindow? {
    let alignment = SampleWindow.alignment
    let start = FrameIndex(max(range.lowerBound.rawValue, 0) / alignment * alignment)
    let length = (range.upperBound - start).rawValue
    let channelCount = file.format.channelCount
    guard length > 0, (try? file.seek(to: start)) != nil, file.position == start else { return nil }
    var builder = PyramidBuilder(channelCount: channelCount)
    let keepsSamples = length <= Self.mostSamples / Int64(channelCount)
    var channels = [[Float]](repeating: [], count: keepsSamples ? channelCount : 0)
    let block = SampleBlock(channelCount: channelCount, capacity: Int(alignment))
    while builder.length.rawValue < length, !orders.withLock({ $0.isNew }) {
      guard (try? file.read(into: block)) == true else { break }
      builder.append(block)
      for channel in channels.indices { channels[channel] += block.channel(channel) }
      if block.frameCount < block.capacity { break }
    }
    guard !orders.withLock({ $0.isNew }), builder.length > .zero else { return nil }
    builder.finish()
    return SampleWindow(track: track.id, start: start, pyramid: builder.snapshot(), channels: channels)
  }

  /// Over all channels; above that, columns of many frames are wanted and no samples: 8 MB.
  private static let mostSamples: Int64 = 1 << 21
}
