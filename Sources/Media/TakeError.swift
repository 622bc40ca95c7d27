package import Sound
package import System

/// Why a recording cannot be written: a fact, with the file it is about.
///
/// `description` makes one sentence of it.
package enum TakeError: Error, Hashable, Sendable {
  case cannotCreate(PathBytes, SystemError)
  case cannotWrite(PathBytes, SystemError)
  /// The coder refuses, for a reason in its library's own words.
  case cannotEncode(PathBytes, TakeCoding, reason: String)
  /// The file that an earlier run has left does not hold what it should.
  case cannotComplete(PathBytes)

  package var path: PathBytes {
    switch self {
    case .cannotCreate(let path, _), .cannotWrite(let path, _), .cannotEncode(let path, _, _),
      .cannotComplete(let path):
      path
    }
  }
}

/// Why a part of the work failed, without the file, which `TakeFile` knows.
enum TakeFault: Error {
  case system(SystemError)
  case codec(FFmpegStatus)
}
