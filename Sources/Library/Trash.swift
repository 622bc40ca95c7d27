import Glibc
package import Sound
internal import System

/// The desktop's trash, after the FreeDesktop.org Trash specification 1.0.
package enum Trash {
  /// Moves a file to the trash, from which the desktop can bring it back.
  ///
  /// To that of the home folder when it lies in the same file system, else to that of its own. Waits for the disk.
  package static func put(_ file: PathBytes) throws(LibraryError) {
    let file = Files.absolute(file)
    do throws(SystemError) {
      if let home = homeTrash, try put(file, in: home, listedAs: file) { return }
      let top = try topFolder(of: file)
      let inside = PathBytes(bytes: Array(file.bytes.dropFirst(top.bytes.count).drop { $0 == UInt8(ascii: "/") }))
      for trash in trashes(at: top) where try put(file, in: trash, listedAs: inside) { return }
      throw SystemError(code: EXDEV)
    } catch {
      throw .cannotTrash(file, error)
    }
  }

  private static var homeTrash: PathBytes? {
    if let data = Environment.variable("XDG_DATA_HOME"), data.bytes.first == UInt8(ascii: "/") {
      return data.appending("Trash")
    }
    return Environment.home.map { $0.appending(".local/share/Trash") }
  }

  /// The two places there may be at the top of another file system.
  private static func trashes(at top: PathBytes) -> [PathBytes] {
    let user = "\(getuid())"
    let shared = top.appending(".Trash")
    var info = stat()
    // Only one with the sticky bit that is no link is to be trusted.
    let isTrusted =
      shared.withCPath { lstat($0, &info) } == 0 && info.st_mode & S_IFMT == S_IFDIR && info.st_mode & S_ISVTX != 0
    return (isTrusted ? [shared.appending(user)] : []) + [top.appending(".Trash-" + user)]
  }

  /// The highest folder that is in the file's file system.
  private static func topFolder(of file: PathBytes) throws(SystemError) -> PathBytes {
    var folder = file.parent
    let device = try Files.status(of: folder).device
    while folder.parent != folder, let above = try? Files.status(of: folder.parent), above.device == device {
      folder = folder.parent
    }
    return folder
  }

  /// False when the trash is in another file system, or cannot be made.
  private static func put(_ file: PathBytes, in trash: PathBytes, listedAs listed: PathBytes) throws(SystemError)
    -> Bool
  {
    let notes = trash.appending("info")
    let files = trash.appending("files")
    guard (try? Files.makeFolder(notes)) != nil, (try? Files.makeFolder(files)) != nil,
      try Files.status(of: files).device == Files.status(of: file).device
    else { return false }
    let now = LocalTime.now
    let text = "[Trash Info]\nPath=\(escaped(listed))\nDeletionDate=\(now.date)T\(now.time())\n"
    var number = 1
    while true {
      let name = numbered(file.lastComponent, number)
      let note = notes.appending(PathBytes(bytes: name.bytes + Array(".trashinfo".utf8)))
      do throws(SystemError) {
        let info = try OutputFile(creating: note)
        do throws(SystemError) {
          try info.append(Array(text.utf8))
          try Files.renameKeeping(file, to: files.appending(name))
          return true
        } catch {
          _ = note.withCPath { unlink($0) }
          throw error
        }
      } catch {
        guard error.code == EEXIST, number < 10_000 else { throw error }
        number += 1
      }
    }
  }

  private static func numbered(_ name: PathBytes, _ number: Int) -> PathBytes {
    guard number > 1 else { return name }
    let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")) ?? name.bytes.endIndex
    return PathBytes(bytes: name.bytes[..<dot] + Array(".\(number)".utf8) + name.bytes[dot...])
  }

  /// As in an URL (RFC 2396, section 2): letters, digits, and some marks stay, the rest is written in hexadecimal.
  static func escaped(_ path: PathBytes) -> String {
    let digits = Array("0123456789ABCDEF")
    var text = ""
    for byte in path.bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return text
  }
}
