package import Control
package import Sound
import Synchronization
internal import System

/// The loudspeaker: opens and closes the output device on a thread of its own and keeps looking for one that was lost.
///
/// No call waits for the sound system, which may hang. Whoever calls polls `state`; the bell rings when it has changed.
package final class Speaker: Sendable {
  private let inbox = Inbox<SpeakerKeeper.Wish>()
  private let board: Monitor<SpeakerBoard>
  private let hasEnded = Monitor(false)
  /// How long a sound system may take to close at the end; one that hangs must not hold up quitting.
  private static let endingSeconds = 0.3
  /// The last of the wishes to open or close; the same again is not sent.
  private let lastWish = Mutex<SpeakerKeeper.Wish>(.close)
  private let thread: Thread

  /// A speaker that plays `feed`; starts looking for devices at once, but opens none.
  ///
  /// Main thread. `bell` is rung on the speaker's thread. The feed must live until `end` has returned true. With `isPrompt`
  /// the device has a shorter buffer, of 512 frames, for who hears himself; what that costs on a busy machine is a click.
  package init(feed: UnsafeMutablePointer<Feed>, isPrompt: Bool = false, bell: @escaping @Sendable () -> Void) {
    SDLLibrary.startEvents()
    let place = FeedPlace(feed: feed)
    let inbox = inbox
    let board = Monitor(SpeakerBoard(busySince: Clock.seconds()))
    let hasEnded = hasEnded
    self.board = board
    thread = Thread(name: "speaker") {
      let keeper = SpeakerKeeper(
        feed: place.feed, bufferFrames: isPrompt ? 512 : Self.firstFrames
      ) { change in
        let isNew = board.withLock { board in
          let old = board.state
          change(&board)
          return board.state != old
        }
        if isNew { bell() }
      }
      keeper.run(inbox)
      hasEnded.withLock { $0 = true }
    }
  }

  /// A busy machine would not keep up with the shortest buffer.
  private static var firstFrames: Int { OutputDevice.fewestFrames * (Processors.areBusy ? 2 : 1) }

  /// What is wanted, what there is, and whether it was lost; also when the sound system hangs.
  package var state: DeviceState { board.withLock { $0.state(at: Clock.seconds()) } }

  /// Opens the device of this name, or the system's default for nil and while there is none of this name.
  ///
  /// Does nothing when that is what was asked for last; a few nanoseconds.
  package func open(_ name: String?) { send(.open(name)) }

  /// Closes the device: a paused one would cost 1 % of a core.
  package func close() { send(.close) }

  private func send(_ wish: SpeakerKeeper.Wish) {
    lastWish.withLock { last in
      guard wish != last else { return }
      last = wish
      inbox.send(wish)
    }
  }

  /// Takes note of a device that came or went.
  package func handle(_ change: OutputChange) { inbox.send(.changed(change)) }

  /// Closes the device and ends the thread; false when the sound system hangs, and the callback may then still run.
  package func end() -> Bool {
    inbox.send(.end)
    guard hasEnded.wait(atMost: Self.endingSeconds, { $0 ? true : nil }) == true else {
      thread.abandon()
      return false
    }
    thread.join()
    return true
  }

  /// How many frames pass between the callback and the ear, as far as SDL's buffer is the cause.
  ///
  /// 0.65 of a buffer: measured at a sound server's monitor with buffers of 256 to 4096 frames.
  package static func latencyFrames(_ state: DeviceState) -> Int { state.bufferFrames * 65 / 100 }
}

/// The feed's address, on its way to the speaker's thread.
private struct FeedPlace: @unchecked Sendable {
  let feed: UnsafeMutablePointer<Feed>
}
