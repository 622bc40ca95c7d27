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
  private let source: ByteSource
  private let kind: Kind
  private let reader: any SoundReader
  private let places: SharedPlaces
  /// The number of the stream that is heard among those of the container.
  package let streamIndex: Int

  /// How its sound is read.
  private enum Kind {
    case plain(PlainLayout)
    case stream(Probe.Guess)
    case chain(Probe.Guess, [OggLink])
  }

  /// Opens a regular file for reading from its start.
  ///
  /// Never waits on a pipe or device. Gives up within a moment of `cancellation`, which is kept and ends reads as well.
  package init(path: PathBytes, cancellation: Cancellation = Cancellation()) throws(MediaError) {
    source = try ByteSource(path: path, cancellation: cancellation)
    self.path = path
    places = SharedPlaces()
    (kind, reader) = try Self.reader(for: source, places)
    streamIndex = reader.streamIndex
  }

  /// A second reader of the same open file, from its start: the same sound even if another file has taken the path.
  ///
  /// Any thread, as long as somebody holds `other`.
  package init(again other: AudioFile, cancellation: Cancellation) throws(MediaError) {
    path = other.path
    kind = other.kind
    places = other.places
    source = try ByteSource(again: other.source, cancellation: cancellation)
    switch other.kind {
    case .plain(var layout):
      // Words and pictures are not asked for a second time.
      layout.isOrderly = false
      reader = try PlainReader(source: source, layout: layout)
    case .stream(let guess):
      reader = try StreamReader(source: source, container: guess.format, places: places)
    case .chain(let guess, let links): reader = try ChainReader(source: source, container: guess.format, links: links)
    }
    streamIndex = reader.streamIndex
  }

  private static func reader(for source: ByteSource, _ places: SharedPlaces) throws(MediaError) -> (
    Kind, any SoundReader
  ) {
    if let layout = PlainLayout.find(in: source) {
      return (.plain(layout), try PlainReader(source: source, layout: layout))
    }
    guard let guess = Probe.guess(source) else { throw MediaError(unrecognised: source) }
    if !guess.junk.isEmpty { source.leaveOut(guess.junk) }
    guard guess.name != "libgme" || ChipMusic.isSafe(source) else {
      throw .broken(source.path, reason: "its commands for sound chips are damaged")
    }
    guard !guess.name.hasPrefix("mov") || MovieCheck.isSafe(source) else {
      throw .broken(source.path, reason: "its MPEG-4 structure is damaged")
    }
    // The library takes such a tag for a broken frame, and has no use for its words beside FLAC's own.
    if guess.name == "flac", source.bytes(at: source.size - 128, count: 3) == Array("TAG".utf8) { source.dropLast(128) }
    let links = guess.name == "ogg" ? OggLinks.find(in: source) : []
    do throws(MediaError) {
      guard links.isEmpty else {
        return (.chain(guess, links), try ChainReader(source: source, container: guess.format, links: links))
      }
      return (.stream(guess), try StreamReader(source: source, container: guess.format, places: places))
    } catch {
      // What was taken for a format by a few bytes of chance is better described by what it is.
      guard guess.isWeak, error.isAboutStructure else { throw error }
      throw MediaError(unrecognised: source)
    }
  }

  /// What the open file is like now, whatever has become of its path; nil where the kernel does not tell.
  ///
  /// Any thread.
  package var status: Files.Status? { source.status }
  /// How the file may be decoded in stretches.
  package var cutRule: CutRule { reader.cutRule }
  /// How many frames a seek decodes and throws away before its target.
  package var prerollFrames: FrameCount { format.rate.frames(inSeconds: reader.prerollSeconds) }
  /// Makes the reader keep marks for `takeMarks`, and not share them at once with all readers of this open file.
  package var keepsMarks: Bool {
    get { reader.keepsMarks }
    set { reader.keepsMarks = newValue }
  }
  /// The marks made while reading since this was last asked: right if the reader stood where it believed to.
  package func takeMarks() -> [SeekMark] { reader.takeMarks() }
  /// Tells all readers of this open file of marks that are proven, in the order of the track.
  ///
  /// Any thread.
  package func share(_ marks: [SeekMark]) { places.add(marks) }
  /// True where going through the file without decoding it makes seeks quick.
  package var hasPlacesToFind: Bool { places.canWalk }
  /// Does that for all readers of this open file, until it is done or cancelled.
  ///
  /// Any thread, as long as somebody holds this; waits for the disk.
  package func findPlaces(cancellation: Cancellation) {
    guard hasPlacesToFind, let source = try? ByteSource(again: source, cancellation: cancellation) else { return }
    places.walkThrough(source)
  }
  /// The byte of the file from which the frames read last were decoded, as far as the library knows.
  package var place: Int64 { reader.place }
  /// About how many bytes each reader of this file keeps of its index.
  package var indexBytes: Int { reader.indexBytes }

  package var format: StreamFormat { reader.format }
  package var tags: Tags { reader.tags }
  /// How many stretches could not be decoded since the file was opened.
  package var skippedStretches: Int { reader.skips.count }
  package var lastSkip: SkippedStretch? { reader.skips.last }
  /// The frame that the next read begins with.
  package var position: FrameIndex { FrameIndex(reader.position) }

  /// Fills the block, whose channel count must be the file's, with the frames that come next.
  ///
  /// Full but at the end of the file; false, with an empty block, when nothing is left. Samples are finite. What cannot be
  /// decoded is left out and counted. Throws at the end of a file that somebody has cut since it was opened.
  package func read(into block: SampleBlock) throws(MediaError) -> Bool {
    precondition(block.channelCount == format.channelCount)
    try reader.read(into: block)
    if block.frameCount == 0, source.isCutShort { throw .cutShort(path) }
    return block.frameCount > 0
  }

  /// Goes to a frame, clamped to the file: the next read begins exactly there.
  package func seek(to frame: FrameIndex) throws(MediaError) {
    try reader.seek(to: max(frame.rawValue, 0))
  }

  /// The picture of the cover as it lies in the file: JPEG or PNG, at most 16 MiB.
  package func coverBytes() -> [UInt8]? { reader.coverBytes() }
}

extension MediaError {
  /// What can be said of a file in no known format.
  init(unrecognised source: ByteSource) {
    let path = source.path
    if source.cancellation.isCancelled {
      self = .cancelled(path)
    } else if let failure = source.failure {
      self = .unreadable(path, reason: failure.reason)
    } else {
      let bytes = source.bytes(at: 0, count: 4096)
      if Content.isPlaylist(bytes) {
        self = .playlist(path)
      } else if let name = Content.name(of: bytes) {
        self = .notSound(path, holds: name)
      } else {
        self = .unknownFormat(path)
      }
    }
  }
}
