package import Sound
package import System

/// A stretch that could not be decoded and was left out.
package struct SkippedStretch: Hashable, Sendable {
  /// Where the sound goes on.
  package var position: FrameIndex
  /// Lower case, without a full stop.
  package var reason: String
}

/// An open file and its decoder: sound in order from anywhere.
///
/// One thread at a time. Reading waits for the disk. Frame 0 is the first audible frame.
package final class AudioFile {
  package let path: PathBytes
  package let format: StreamFormat
  package let tags: Tags
  /// How many stretches could not be decoded since the file was opened.
  package private(set) var skippedStretches = 0
  package private(set) var lastSkip: SkippedStretch?

  /// Opens a regular file for reading from its start.
  ///
  /// Never waits on a pipe or device. Gives up within a moment of `cancellation`, which is kept and ends reads as well.
  package init(path: PathBytes, cancellation: Cancellation) throws(MediaError) {
    self.path = path
    self.tags = Tags()
    throw .unknownFormat(path)
  }

  /// The frame that the next read begins with.
  package var position: FrameIndex { .zero }

  /// Fills the block, whose channel count must be the file's, with the frames that come next.
  ///
  /// Full but at the end of the file; false, with an empty block, when nothing is left. Samples are finite. What cannot be
  /// decoded is left out and counted, but for a file in which nothing decodes for long.
  package func read(into block: SampleBlock) throws(MediaError) -> Bool { false }

  /// Goes to a frame, clamped to the file: the next read begins exactly there.
  package func seek(to frame: FrameIndex) throws(MediaError) {}

  /// The picture of the cover as it lies in the file: JPEG or PNG, at most 16 MiB.
  package func coverBytes() -> [UInt8]? { nil }
}
