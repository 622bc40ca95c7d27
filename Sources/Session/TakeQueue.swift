internal import Sound
internal import System

/// Sound on its way from the drain to the writer: 30 s of it, so that a disk may sleep without anything being lost.
final class TakeQueue: Sendable {
  /// How much sound may wait.
  static let seconds = 30.0
  /// So much is waited for before the disk is troubled, in seconds.
  static let batchSeconds = 0.25

  enum Item: Sendable {
    case begin(TakeOrder, TakeFormat)
    case block(SampleBlock)
    case silence(frames: Int)
    case end
    case rename(PathBytes, to: String)
    case trash(PathBytes)
    /// Where the free space is to be told.
    case watch(PathBytes?)
    /// A folder that was chosen for takes is to be looked at.
    case check(PathBytes)
    case recover
  }

  private struct State {
    var items: [Item] = []
    var frames = 0
    var rate = SampleRate(hertz: 48_000)
    /// Something else than sound waits.
    var isUrgent = false
    var isClosing = false
  }
  private let state = Monitor(State())

  /// Adds sound; false when there is no room, and nothing was added.
  func push(_ block: SampleBlock, rate: SampleRate) -> Bool {
    push(.block(block), frames: block.frameCount, rate: rate)
  }

  /// Adds silence, which takes no room.
  func pushSilence(_ frames: Int) {
    state.withLock { $0.items.append(.silence(frames: frames)) }
  }

  /// Adds anything else; there is always room.
  func push(_ item: Item) {
    state.withLock {
      $0.items.append(item)
      $0.isUrgent = true
    }
  }

  private func push(_ item: Item, frames: Int, rate: SampleRate) -> Bool {
    state.withLock {
      guard $0.frames + frames <= Int(Self.seconds * Double(rate.hertz)) else { return false }
      $0.items.append(item)
      $0.frames += frames
      $0.rate = rate
      return true
    }
  }

  /// How many seconds of sound wait.
  var waitingSeconds: Double { state.withLock { Double($0.frames) / Double(max($0.rate.hertz, 1)) } }

  /// Everything that waits, once it is worth the trouble or `seconds` are over; nil at the end.
  func take(atMost seconds: Double) -> [Item]? {
    func taken(_ state: inout State) -> [Item] {
      defer {
        state.items = []
        state.frames = 0
        state.isUrgent = false
      }
      return state.items
    }
    let ready: [Item]?? = state.wait(atMost: seconds) { state in
      if state.isUrgent || Double(state.frames) >= Self.batchSeconds * Double(state.rate.hertz) {
        return .some(taken(&state))
      }
      if state.isClosing { return state.items.isEmpty ? .some(nil) : .some(taken(&state)) }
      return nil
    }
    if let ready { return ready }
    return state.withLock { taken(&$0) }
  }

  /// Ends the writer when all is taken.
  func close() { state.withLock { $0.isClosing = true } }
}
