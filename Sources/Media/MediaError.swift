package import Sound

/// Why a file cannot be played: a fact, with the file it is about.
///
/// `description` makes one sentence of it.
package enum MediaError: Error, Hashable, Sendable {
  case notFound(PathBytes)
  case isFolder(PathBytes)
  /// A pipe, a socket or a device.
  case notARegularFile(PathBytes)
  /// The kernel refuses it, for a reason in its own words.
  case unreadable(PathBytes, reason: String)
  case empty(PathBytes)
  /// A header without a single frame of sound behind it.
  case noSamples(PathBytes)
  /// Something else than sound, such as "text" or "a picture".
  case notSound(PathBytes, holds: String)
  /// A list of other files, which is not followed.
  case playlist(PathBytes)
  /// A known container without a sound track.
  case noAudio(PathBytes, container: String)
  case unknownFormat(PathBytes)
  /// Sound in a coding that no decoder here knows.
  case unsupportedCodec(PathBytes, name: String)
  case encrypted(PathBytes)
  case rateOutOfRange(PathBytes, hertz: Int)
  case tooManyChannels(PathBytes, count: Int)
  /// The format is known, but not one sample could be decoded.
  case nothingDecodes(PathBytes, codec: String)
  /// The header or the coding contradicts itself.
  case broken(PathBytes, reason: String)
  /// Its structure keeps whoever opens it busy without end.
  case endless(PathBytes)
  /// Its disk has not answered for so many seconds.
  case noAnswer(PathBytes, seconds: Int)
  /// Somebody has cut the file since it was opened.
  case cutShort(PathBytes)
  /// Whoever asked has asked to stop.
  case cancelled(PathBytes)

  /// The file this is about.
  package var path: PathBytes {
    switch self {
    case .notFound(let path), .isFolder(let path), .notARegularFile(let path), .empty(let path), .noSamples(let path),
      .playlist(let path),
      .unknownFormat(let path), .encrypted(let path), .endless(let path), .cutShort(let path), .cancelled(let path):
      path
    case .unreadable(let path, _), .notSound(let path, _), .noAudio(let path, _), .unsupportedCodec(let path, _),
      .rateOutOfRange(let path, _), .tooManyChannels(let path, _), .nothingDecodes(let path, _), .broken(let path, _),
      .noAnswer(let path, _):
      path
    }
  }

  /// True for what is said of a container that turned out not to be one.
  var isAboutStructure: Bool {
    switch self {
    case .noAudio, .broken, .nothingDecodes: true
    default: false
    }
  }
}
