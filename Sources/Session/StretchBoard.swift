internal import Media
internal import Sound
internal import System

/// Who decodes which stretch of a file, and what has been joined so far.
///
/// A file is cut at multiples of `stretchFrames`. A worker jumps to a stretch that nobody has, decodes it, and comes to the
/// next: if nobody has that, it simply goes on; if somebody does, both must have decoded the same sound where they meet. Where
/// they have not, the jump did not lead to the sample, and the one that comes from before goes on in its place. So from the
/// first stretch on every join is either no join at all or proven, and the whole equals what one reader would have decoded.
///
/// Any thread.
final class StretchBoard: Sendable {
  /// The first frames of a stretch, by which those who meet there compare: 93 ms at 44.1 kHz.
  static let headFrames = 4096
  /// After so many jumps in a row that led astray there are no more: the file's clock does not count its frames.
  private static let mostMisses = 2
  /// Who comes to a stretch that somebody has just jumped to waits so long for its head, in seconds, before going on itself.
  private static let patience = 0.02
  /// Frames of a block; stretches are multiples of it.
  static let blockFrames = 1 << 15

  /// The first frames of a stretch, and the byte of the file from which their last ones were decoded.
  struct Head {
    var channels: [[Float]]
    var place: Int64
  }

  /// A stretch in the hands of a worker.
  struct Claim {
    var stretch: Int
    var token: Int
    /// The width of the bins to cut.
    var width: Int
  }

  /// What has become of a stretch.
  enum Outcome {
    case decoded(StretchBins, [SeekMark], skipped: Int, isLast: Bool)
    case failed(MediaError)
  }

  /// What a worker finds at the end of its stretch.
  enum Meeting {
    /// The next stretch is the worker's own as well.
    case goesOn(Claim)
    /// Another has it; its first frames.
    case meets(Head, token: Int)
    /// The worker's stretch was taken from it, or all is done.
    case isOver
  }

  private struct Stretch {
    /// Whose it is; 0 is nobody's.
    var token = 0
    var head: Head?
    /// Its start is proven to follow the stretch before.
    var isLinked = false
    /// A jump has not led here; only who comes from before can decode it.
    var isOutOfReach = false
    var outcome: Outcome?

    var hasFailed: Bool { if case .failed = outcome { true } else { false } }
  }

  private struct State {
    /// Of those that are joined only the token is kept.
    var stretches: [Int: Stretch] = [:]
    /// The stretches before this one are joined.
    var joined = 0
    var nextJump = 1
    var tokens = 0
    var builder: PyramidBuilder
    var skipped = 0
    /// Of the stretches joined, until somebody takes them.
    var marks: [SeekMark] = []
    var provenJumps = 0
    /// Jumps in a row that have led astray.
    var misses = 0
    var isOver = false
  }

  let stretchFrames: Int64
  private let jumps: Int
  private let aheadLimit: Int
  private let state: Monitor<State>
  /// Called under the lock, in order, whenever something was joined.
  private let publish: Publish

  typealias Publish = @Sendable (inout PyramidBuilder, _ skipped: Int, _ isDone: Bool, MediaError?) -> Void

  /// A board for a file of which the stretches before `jumps` may be jumped to, by so many workers.
  init(
    channelCount: Int, stretchFrames: Int64, jumps: Int, workers: Int,
    publish: @escaping Publish
  ) {
    self.stretchFrames = stretchFrames
    self.jumps = jumps
    // Decoded and not yet joined: enough that nobody waits for a slower one, and a bound on memory.
    aheadLimit = 4 * workers
    self.publish = publish
    state = Monitor(State(builder: PyramidBuilder(channelCount: channelCount)))
  }

  /// The first stretch, for the one worker that begins there.
  func claimFirst() -> Claim {
    state.withLock { state in
      Self.claim(0, &state, linked: true)
    }
  }

  /// The next stretch to jump to; waits while those that are decoded are too far ahead; nil when there is none.
  func claimJump() -> Claim? {
    let found = state.wait { state -> Claim?? in
      if state.isOver || state.misses >= Self.mostMisses { return .some(nil) }
      while let stretch = state.stretches[state.nextJump], stretch.token != 0 || stretch.isOutOfReach {
        state.nextJump += 1
      }
      state.nextJump = max(state.nextJump, state.joined)
      if state.nextJump >= jumps { return .some(nil) }
      guard state.nextJump < state.joined + aheadLimit else { return nil }
      state.nextJump += 1
      return Self.claim(state.nextJump - 1, &state, linked: false)
    }
    return found ?? nil
  }

  /// Whether a stretch is still the worker's.
  func holds(_ claim: Claim) -> Bool {
    state.withLock { Self.holds(claim, $0) }
  }

  /// Tells how a stretch begins.
  func begin(_ claim: Claim, head: Head) {
    state.withLock { state in
      if Self.holds(claim, state) { state.stretches[claim.stretch]?.head = head }
    }
  }

  /// A jump has not led to the stretch.
  func giveBack(_ claim: Claim) {
    state.withLock { state in
      guard Self.holds(claim, state) else { return }
      state.stretches[claim.stretch] = Stretch(isOutOfReach: true)
    }
  }

  /// Hands in what has become of a stretch, and joins what can be joined.
  func end(_ claim: Claim, _ outcome: Outcome) {
    state.withLock { state in
      guard Self.holds(claim, state) else { return }
      state.stretches[claim.stretch]?.outcome = outcome
      join(&state)
    }
  }

  /// The marks of what was joined since this was last asked: proven, like all that is joined.
  func takeMarks() -> [SeekMark] {
    state.withLock { state in
      defer { state.marks = [] }
      return state.marks
    }
  }

  /// What comes behind a stretch that the worker has decoded.
  func goOn(from claim: Claim) -> Meeting {
    _ = state.wait(atMost: Self.patience) { state in
      guard let next = state.stretches[claim.stretch + 1], !state.isOver else { return true }
      return next.token == 0 || next.head != nil || next.outcome != nil ? true : nil
    }
    return state.withLock { state in
      guard Self.holds(claim, state) else { return .isOver }
      let next = state.stretches[claim.stretch + 1] ?? Stretch()
      if next.token != 0, let head = next.head { return .meets(head, token: next.token) }
      return .goesOn(Self.claim(claim.stretch + 1, &state, linked: true))
    }
  }

  /// Tells whether the worker's sound goes on as another's stretch begins; if it does not, that stretch is now the worker's.
  func settle(_ claim: Claim, token: Int, isSame: Bool) -> Claim? {
    state.withLock { state in
      guard Self.holds(claim, state) else { return nil }
      let place = claim.stretch + 1
      if isSame, let next = state.stretches[place], next.token == token, !next.hasFailed {
        state.stretches[place]?.isLinked = true
        state.provenJumps += 1
        state.misses = 0
        join(&state)
        return nil
      }
      state.misses += 1
      return Self.claim(place, &state, linked: true)
    }
  }

  /// How many stretches that somebody had jumped to were proven to follow what came before.
  var provenJumps: Int { state.withLock { $0.provenJumps } }

  /// Waits until all is joined, or given up.
  func waitUntilOver() { _ = state.wait { $0.isOver ? true : nil } }

  /// Ends the scan as it is: whoever waits goes.
  func stop() { state.withLock { $0.isOver = true } }

  private static func holds(_ claim: Claim, _ state: State) -> Bool {
    !state.isOver && state.stretches[claim.stretch]?.token == claim.token
  }

  private static func claim(_ stretch: Int, _ state: inout State, linked: Bool) -> Claim {
    state.tokens += 1
    state.stretches[stretch] = Stretch(token: state.tokens, isLinked: linked)
    // What followed was proven to follow somebody else's sound.
    state.stretches[stretch + 1]?.isLinked = false
    return Claim(stretch: stretch, token: state.tokens, width: min(state.builder.baseFrames, blockFrames))
  }

  private func join(_ state: inout State) {
    while let front = state.stretches[state.joined], front.isLinked, let outcome = front.outcome, !state.isOver {
      state.stretches[state.joined] = Stretch(token: front.token, isLinked: true)
      state.joined += 1
      var failure: MediaError?
      switch outcome {
      case .decoded(let bins, let marks, let skipped, let isLast):
        state.marks += marks
        state.builder.append(bins)
        state.skipped += skipped
        state.isOver = isLast
        if isLast { state.builder.finish() }
      case .failed(let error):
        failure = error
        state.isOver = true
      }
      publish(&state.builder, state.skipped, state.isOver, failure)
    }
  }
}
