internal import Media
internal import Sound
import Synchronization
internal import System

/// Decodes a whole file as fast as it goes, on a thread of its own, and grows its waveform.
final class Scan: Sendable {
  /// How often the growing waveform is published.
  static let publishSeconds = 0.1
  /// 65,536 frames: big enough that the cost of a call vanishes, 0.5 MB in stereo.
  static let blockFrames = 65_536

  struct State: Sendable {
    var pyramid: PeakPyramid?
    var isDone = false
    /// How many stretches could not be decoded and were left out.
    var skippedStretches = 0
    /// Why the scan had to be given up before the end.
    var failure: MediaError?
  }

  let track: TrackID
  private let state = Mutex(State())
  private let cancellation = Cancellation()
  private let bell: @Sendable () -> Void

  /// Starts scanning; `bell` rings at each publication, on the scan's thread.
  init(track: TrackID, path: PathBytes, bell: @escaping @Sendable () -> Void) {
    self.track = track
    self.bell = bell
    // Abandoned, not joined: it may hang on a dead disk, and holds nothing that must be put in order.
    Thread(name: "scan", niceness: 10) { [self] in run(path) }.abandon()
  }

  var current: State { state.withLock { $0 } }

  /// Asks the thread to give up; it does so at its next block.
  func cancel() { cancellation.cancel() }

  private func run(_ path: PathBytes) {
    do {
      let file = try AudioFile(path: path, cancellation: cancellation)
      var builder = PyramidBuilder(channelCount: file.format.channelCount)
      let block = SampleBlock(channelCount: file.format.channelCount, capacity: Self.blockFrames)
      var due = Clock.seconds() + Self.publishSeconds / 4
      while try file.read(into: block) {
        guard !cancellation.isCancelled else { return }
        builder.append(block)
        if Clock.seconds() >= due {
          publish(builder.snapshot(), file, isDone: false)
          due = Clock.seconds() + Self.publishSeconds
        }
      }
      builder.finish()
      publish(builder.snapshot(), file, isDone: true)
    } catch {
      state.withLock {
        $0.failure = error
        $0.isDone = true
      }
      if !cancellation.isCancelled { bell() }
    }
  }

  private func publish(_ pyramid: PeakPyramid, _ file: AudioFile, isDone: Bool) {
    state.withLock {
      $0.pyramid = pyramid
      $0.isDone = isDone
      $0.skippedStretches = file.skippedStretches
    }
    bell()
  }
}
