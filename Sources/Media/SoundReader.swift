internal import Sound

/// A way to read sound from a file: through the codec library, or plain samples as they lie.
protocol SoundReader: AnyObject {
  var format: StreamFormat { get }
  var tags: Tags { get }
  /// The frame that comes next.
  var position: Int64 { get }
  var skips: SkipLog { get }
  /// Fills the block from its beginning; fewer than its capacity only at the end.
  func read(into block: SampleBlock) throws(MediaError)
  /// Goes to a frame, not before 0; the end is where the sound ends.
  func seek(to frame: Int64) throws(MediaError)
  func coverBytes() -> [UInt8]?
  var streamIndex: Int { get }
  var cutRule: CutRule { get }
  /// How much sound is decoded and thrown away before the target of a seek.
  var prerollSeconds: Double { get }
  var indexBytes: Int { get }
  /// The byte of the file from which the frames given out last were decoded, as far as the library knows.
  var place: Int64 { get }
  var keepsMarks: Bool { get set }
  func takeMarks() -> [SeekMark]
}

/// What could not be decoded.
struct SkipLog {
  private(set) var count = 0
  private(set) var last: SkippedStretch?

  mutating func note(_ reason: String, at position: Int64) {
    count += 1
    last = SkippedStretch(position: FrameIndex(position), reason: reason)
  }

  /// Adds what was noted in a part that begins at `start`.
  mutating func add(_ part: SkipLog, at start: Int64) {
    count += part.count
    guard let skip = part.last else { return }
    last = SkippedStretch(position: skip.position + FrameCount(start), reason: skip.reason)
  }
}
