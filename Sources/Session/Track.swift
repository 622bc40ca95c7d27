internal import Control
internal import Media
internal import Sound
internal import System

/// A file that was opened to be played: what is known of it, and the reader that the deck decodes it with.
///
/// The reader belongs to one thread at a time: first to the one that opened it, then to the deck's.
final class Track: @unchecked Sendable {
  let id: TrackID
  let path: PathBytes
  let file: AudioFile
  let cover: CoverImage?

  /// Opens the file, which may wait for the disk; worker thread.
  init(id: TrackID, path: PathBytes, cancellation: Cancellation) throws(MediaError) {
    let file = try AudioFile(path: path, cancellation: cancellation)
    self.id = id
    self.path = path
    self.file = file
    cover = file.coverBytes().map { CoverImage(track: id, bytes: $0) }
  }

  var format: StreamFormat { file.format }

  /// What there is to see of it, before the scan has told its true length.
  var summary: TrackSummary {
    TrackSummary(
      id: id, path: path, title: file.tags.title ?? path.lastComponent.shown, artist: file.tags.artist,
      album: file.tags.album, format: format.summary, rate: format.rate, channelCount: format.channelCount,
      channelNames: format.channelNames, length: format.estimatedLength, lengthIsEstimate: !format.lengthIsExact,
      cover: cover)
  }
}
