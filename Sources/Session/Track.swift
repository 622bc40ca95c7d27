internal import Control
internal import Library
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
  /// What an earlier scan has found out of just this sound.
  let known: Waveform?

  /// Opens the file, which may wait for the disk; worker thread.
  init(id: TrackID, path: PathBytes, cache: WaveformCache?, cancellation: Cancellation) throws(MediaError) {
    let file = try AudioFile(path: path, cancellation: cancellation)
    self.id = id
    self.path = path
    self.file = file
    // Before anybody hears of the track, so that its first picture is whole; some milliseconds.
    let kept = cache.flatMap { cache in Self.key(of: file).flatMap { cache.load($0) } }
    known = kept?.pyramid.channelCount == file.format.channelCount ? kept : nil
    cover = file.coverBytes().map { CoverImage(track: id, bytes: $0) }
  }

  /// Under which the waveform of an open file is kept, as the file is now.
  static func key(of file: AudioFile) -> WaveformKey? {
    file.status.map { status in
      WaveformKey(
        path: file.path, size: status.size, modified: status.modified, stream: file.streamIndex,
        decoder: DecoderVersion.current)
    }
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
