package import Sound
package import System

/// What went wrong with folders and stored state; its description is the sentence to show.
package enum LibraryError: Error, Hashable, Sendable {
  case cannotReadFolder(PathBytes, SystemError)
  /// So many folders besides the one that was named.
  case moreUnreadable(Int)
  /// Too many folders in a row have not answered.
  case noAnswer(PathBytes)
  /// The folder was read, and nothing in it can be played.
  case noSound(PathBytes)
  case tooManyNames(PathBytes, limit: Int)
  case tooManyFiles(limit: Int)
  /// `aside` is where it lies now; nil when it could not be moved.
  case damagedState(PathBytes, aside: PathBytes?)
  case noHome
  case cannotSaveState(PathBytes, SystemError)
  case badName(String)
  case cannotRecordTo(PathBytes, SystemError)
  case cannotRename(PathBytes, to: PathBytes, SystemError)
  case cannotTrash(PathBytes, SystemError)
}

extension LibraryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .cannotReadFolder(let folder, let error): "Can’t read the folder \(folder.shown): \(error.reason)."
    case .moreUnreadable(1): "Another folder cannot be read either."
    case .moreUnreadable(let count): "\(count) more folders cannot be read either."
    case .noAnswer(let folder): "The folder \(folder.shown) does not answer; its disk may be gone."
    case .noSound(let folder): "There is nothing to play in the folder \(folder.shown)."
    case .tooManyNames(let folder, let limit):
      "The folder \(folder.shown) is too large; only \(limit) of its names are shown."
    case .tooManyFiles(let limit): "That is too much for one queue; it ends after \(limit) files."
    case .damagedState(let file, let aside?):
      "The settings in \(file.shown) are damaged and start afresh; the old file is kept as \(aside.lastComponent.shown)."
    case .damagedState(let file, nil): "The settings in \(file.shown) are damaged and start afresh."
    case .noHome: "There is no home folder, so nothing will be remembered."
    case .cannotSaveState(let file, let error):
      "Can’t save the settings in \(file.shown): \(error.reason). What you change now is lost at the end."
    case .badName(let name) where name.utf8.count > 200: "That name is too long for a recording; choose a shorter one."
    case .badName(let name):
      "“\(name)” cannot be the name of a recording: choose one without a slash that does not begin with a dot."
    case .cannotRecordTo(let folder, let error):
      "Recordings cannot be kept in “\(folder.shown)”: \(error.reason). They go where they went before."
    case .cannotRename(let path, let other, let error):
      "Can’t rename “\(path.lastComponent.shown)” to “\(other.lastComponent.shown)”: \(error.reason)."
    case .cannotTrash(let path, let error):
      "Can’t move “\(path.lastComponent.shown)” to the trash: \(error.reason). It was left where it is."
    }
  }
}
