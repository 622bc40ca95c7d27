internal import Control
internal import Library
internal import Sound
internal import System

/// What a take is to be, known when it is asked for.
struct TakeOrder: Sendable {
  /// Tells the takes of one run apart; grows.
  var number: Int
  var coding: TakeCoding
  var width: SampleWidth
  /// Where it goes: a file of this name, or a new one in the folder of the recordings.
  var place: Place
  var device: String
  var time: LocalTime
  /// It ends by itself after so many seconds of sound.
  var stopAfterSeconds: Double?

  enum Place: Sendable {
    case file(PathBytes)
    case recordings(Recordings)
  }
}

/// What the drain does with what comes in; may change at any time.
struct DrainSettings: Hashable, Sendable {
  var channels = ChannelChoice.stereo
  var preRollSeconds = 5.0
  var trigger: SoundTrigger?
}

/// The last seconds before a take, in the blocks in which they came.
///
/// Drain thread.
struct PreRoll {
  private var blocks: [SampleBlock] = []
  private var frames = 0

  /// Adds a block and lets go of what is older than `keeping` frames.
  mutating func append(_ block: SampleBlock, keeping: Int) {
    blocks.append(block)
    frames += block.frameCount
    trim(to: keeping)
  }

  /// The last `keeping` frames, which are then no longer here.
  mutating func take(_ keeping: Int) -> [SampleBlock] {
    trim(to: keeping)
    defer { clear() }
    return blocks
  }

  mutating func clear() {
    blocks = []
    frames = 0
  }

  private mutating func trim(to most: Int) {
    while let first = blocks.first, frames > most {
      let excess = frames - most
      if first.frameCount <= excess {
        blocks.removeFirst()
        frames -= first.frameCount
      } else {
        first.dropFirst(excess)
        frames -= excess
      }
    }
  }
}
