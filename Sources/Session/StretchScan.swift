package import Media
package import Sound
import Synchronization
internal import System

/// Decodes a whole file into a waveform by as many threads as pay.
struct StretchScan: @unchecked Sendable {
  /// Only read for what never changes in it: each thread has a reader of its own.
  private let file: AudioFile
  private let cores: Int
  private let niceness: Int32
  private let reading: Cancellation

  /// A scan of what `file` reads; `reading` ends it, and is cancelled when all is done.
  init(file: AudioFile, cores: Int, niceness: Int32, reading: Cancellation) {
    self.file = file
    self.cores = cores
    self.niceness = niceness
    self.reading = reading
  }

  /// Scans, and waits until that is done or was stopped.
  ///
  /// `publish` is called by one of the threads at a time; throws where nothing can be read at all.
  func run(start: (StretchBoard) -> Void, publish: @escaping StretchBoard.Publish) throws(MediaError) {
    let reader = try AudioFile(again: file, cancellation: reading)
    let plan = ScanPlan(file: reader, cores: cores)
    let board = StretchBoard(
      channelCount: reader.format.channelCount, stretchFrames: plan.stretchFrames, jumps: plan.jumps,
      workers: plan.workers, publish: publish)
    start(board)
    if file.hasPlacesToFind {
      Thread(name: "scan", niceness: niceness) { [self] in file.findPlaces(cancellation: reading) }.abandon()
    }
    for _ in 1..<plan.workers {
      Thread(name: "scan", niceness: niceness) { [self] in help(board) }.abandon()
    }
    StretchWorker(file: reader, board: board).runFromStart()
    // The rest is in the hands of the others, or done.
    board.waitUntilOver()
    reading.cancel()
  }

  private func help(_ board: StretchBoard) {
    // Without a reader of its own it cannot help, and the others do it all.
    guard let reader = try? AudioFile(again: file, cancellation: reading) else { return }
    StretchWorker(file: reader, board: board).run()
  }
}

extension Waveform {
  /// Decodes a whole file on all cores and waits for it; an error in its midst comes with what was decoded until then.
  package static func scan(_ file: AudioFile) -> (waveform: Waveform, error: MediaError?) {
    var builder = PyramidBuilder(channelCount: file.format.channelCount)
    let empty = Waveform(pyramid: builder.snapshot(), skippedStretches: 0)
    let result = Mutex<(waveform: Waveform, error: MediaError?)>((empty, nil))
    let scan = StretchScan(file: file, cores: Processors.count, niceness: 0, reading: Cancellation())
    do {
      try scan.run { _ in
      } publish: { builder, skipped, isDone, failure in
        guard isDone else { return }
        let waveform = Waveform(pyramid: builder.snapshot(), skippedStretches: skipped)
        result.withLock { $0 = (waveform, failure) }
      }
    } catch {
      return (empty, error)
    }
    return result.withLock { $0 }
  }
}
