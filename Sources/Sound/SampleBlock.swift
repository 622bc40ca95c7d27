/// A stretch of decoded sound: float samples, one plane a channel, that knows where on the track it begins.
///
/// Full scale is ±1; samples may lie beyond it but are always finite. A block is filled again and again by the one thread
/// that holds it and is handed on only after that thread has let go of it.
package final class SampleBlock: @unchecked Sendable {
  package let channelCount: Int
  /// The most frames that fit.
  package let capacity: Int
  /// How many frames are there, at most `capacity`.
  package var frameCount = 0
  /// The position of the first frame.
  package var start = FrameIndex.zero
  private let storage: UnsafeMutablePointer<Float>

  package init(channelCount: Int, capacity: Int) {
    precondition(channelCount > 0 && capacity > 0)
    self.channelCount = channelCount
    self.capacity = capacity
    storage = .allocate(capacity: channelCount * capacity)
    storage.initialize(repeating: 0, count: channelCount * capacity)
  }

  deinit { storage.deallocate() }

  /// The frames of one channel that are there.
  package func channel(_ index: Int) -> UnsafeMutableBufferPointer<Float> {
    precondition(index < channelCount)
    return UnsafeMutableBufferPointer(start: storage + index * capacity, count: frameCount)
  }

  /// The whole room of one channel, for whoever fills it.
  package func plane(_ index: Int) -> UnsafeMutablePointer<Float> {
    precondition(index < channelCount)
    return storage + index * capacity
  }

  /// The position after the last frame.
  package var end: FrameIndex { start + FrameCount(frameCount) }

  /// Drops the first `count` frames, moving the rest to the front.
  package func dropFirst(_ count: Int) {
    let dropped = min(max(count, 0), frameCount)
    guard dropped > 0 else { return }
    for channel in 0..<channelCount {
      let plane = plane(channel)
      plane.update(from: plane + dropped, count: frameCount - dropped)
    }
    frameCount -= dropped
    start = start + FrameCount(dropped)
  }

  /// Makes every sample that is not finite silence, so that no meter or filter is poisoned by it.
  package func silenceNonFinite() {
    for channel in 0..<channelCount {
      let samples = self.channel(channel)
      for i in samples.indices where !samples[i].isFinite { samples[i] = 0 }
    }
  }
}
