import Glibc
internal import Sound
internal import System

/// The one place where what goes wrong with a recording's file becomes English.
extension TakeError: CustomStringConvertible {
  package var description: String {
    let name = "“\(path.lastComponent.shown)”"
    let folder = "“\(path.parent.shown)”"
    switch self {
    case .cannotCreate(_, let error):
      switch error.code {
      case EEXIST:
        return "Can’t record to \(name): there is a file of this name, and none is written over. Choose another name."
      case ENAMETOOLONG: return "Can’t record to a file of this name: it is too long. Choose a shorter one."
      case ENOSPC, EDQUOT:
        return "Can’t record to \(folder): \(Self.full(error)). Free some space, or choose another folder."
      case EACCES, EPERM, EROFS:
        return "Can’t record to \(folder): it must not be written to. Choose another folder."
      default: return "Can’t record to \(folder): \(error.reason). Choose another folder."
      }
    case .cannotWrite(_, let error):
      switch error.code {
      case ENOSPC, EDQUOT: return "The recording \(name) had to end: \(Self.full(error)). What was recorded is kept."
      default: return "The recording \(name) had to end: \(error.reason). What could be written is kept."
      }
    case .cannotEncode(_, let coding, let reason):
      return "The recording \(name) had to end: it cannot be coded as \(coding.rawValue.uppercased()) (\(reason))."
    case .cannotComplete: return "The unfinished recording \(name) could not be completed; the file was left as it is."
    }
  }

  private static func full(_ error: SystemError) -> String {
    error.code == EDQUOT ? "your quota of the disk is used up" : "the disk is full"
  }
}
