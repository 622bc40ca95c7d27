import Synchronization

/// The last seconds of what was decoded for the ear, at the file's own rate and channels, some of it not yet heard.
///
/// Positions count the frames ever written here and only grow, so the order is the order of hearing, across loops and
/// joins. The decoding thread writes, the main thread reads; both hold the lock only while they copy.
package final class History: Sendable {
  package let channelCount: Int
  package let rate: SampleRate
  /// How many frames are kept.
  package let capacity: Int

  private struct State {
    var planes: [[Float]]
    /// The position after the last frame written.
    var end = 0
    /// The first position that still means something: nothing from before a seek is mixed with what came after.
    var start = 0
  }
  private let state: Mutex<State>

  package init(channelCount: Int, rate: SampleRate, seconds: Double = 3) {
    self.channelCount = channelCount
    self.rate = rate
    let capacity = max(Int(Double(rate.hertz) * seconds), 32_768)
    self.capacity = capacity
    state = Mutex(State(planes: Array(repeating: Array(repeating: 0, count: capacity), count: channelCount)))
  }

  /// The position that the next frame written will have.
  package var end: Int { state.withLock { $0.end } }

  /// Appends a block and returns the position of its first frame.
  @discardableResult
  package func append(_ block: SampleBlock) -> Int {
    precondition(block.channelCount == channelCount && block.frameCount <= capacity)
    return state.withLock { state in
      let first = state.end
      for channel in 0..<channelCount {
        let source = block.channel(channel)
        state.planes[channel].withUnsafeMutableBufferPointer { plane in
          var at = first % capacity
          var done = 0
          while done < source.count {
            let count = min(capacity - at, source.count - done)
            (plane.baseAddress! + at).update(from: source.baseAddress! + done, count: count)
            done += count
            at = 0
          }
        }
      }
      state.end += block.frameCount
      return first
    }
  }

  /// Forgets what was written: what comes next does not join it.
  package func cut() { state.withLock { $0.start = $0.end } }

  /// Copies the frames of one channel from `position` on; what is not (or no longer) there is silence.
  package func read(channel: Int, from position: Int, into output: UnsafeMutableBufferPointer<Float>) {
    state.withLock { state in
      output.update(repeating: 0)
      forEachPart(of: state, channel: channel, from: position, to: position + output.count) { part, at in
        (output.baseAddress! + (at - position)).update(from: part.baseAddress!, count: part.count)
      }
    }
  }

  /// The highest absolute sample of one channel between two positions; what is not (or no longer) there is silence.
  package func highest(channel: Int, from start: Int, to end: Int) -> Float {
    state.withLock { state in
      var highest: Float = 0
      forEachPart(of: state, channel: channel, from: start, to: end) { part, _ in
        let bin = PeakBin(of: part.baseAddress!, count: part.count)
        highest = max(highest, bin.high, -bin.low)
      }
      return highest
    }
  }

  /// Calls `body` with each unbroken part of what is there, and the position of its first frame.
  private func forEachPart(
    of state: borrowing State, channel: Int, from start: Int, to end: Int,
    _ body: (UnsafeBufferPointer<Float>, Int) -> Void
  ) {
    var at = max(start, state.start, state.end - capacity)
    let end = min(end, state.end)
    state.planes[channel].withUnsafeBufferPointer { plane in
      while at < end {
        let index = at % capacity
        let count = min(capacity - index, end - at)
        body(UnsafeBufferPointer(rebasing: plane[index..<index + count]), at)
        at += count
      }
    }
  }
}
