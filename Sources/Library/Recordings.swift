import Glibc
package import Media
package import Sound
package import System

/// The folder in which takes are kept: their names, and what is done with them.
///
/// Everything here waits for the disk.
package struct Recordings: Hashable, Sendable {
  package let folder: PathBytes

  /// The folder that was chosen, else "Recordings" in the music folder; nil without a home.
  package init?(folder: PathBytes?) {
    guard let folder = folder ?? MusicFolder.path?.appending("Recordings") else { return nil }
    self.folder = folder
  }

  /// So many takes may begin in one second before the names run out.
  private static let mostNames = 10_000

  /// The name of a take without its ending, such as "2026-11-30 18.20.05"; `number` tells those of one second apart.
  static func name(at time: LocalTime, number: Int) -> String {
    let name = time.date + " " + time.time(separator: ".")
    return number == 1 ? name : name + " (\(number))"
  }

  /// Makes the file of a new take, under a name that no file has.
  ///
  /// `make` makes the file at a path and must throw `cannotCreate` with EEXIST when there is one.
  package func create<Take>(
    at time: LocalTime, fileExtension: String, make: (PathBytes) throws(TakeError) -> Take
  ) throws(TakeError) -> Take {
    do { try Files.makeFolder(folder) } catch { throw .cannotCreate(folder.appending("."), error) }
    var number = 1
    while true {
      let path = folder.appending(Self.name(at: time, number: number) + "." + fileExtension)
      do { return try make(path) } catch {
        guard case .cannotCreate(_, let reason) = error, reason.code == EEXIST, number < Self.mostNames else {
          throw error
        }
        number += 1
      }
    }
  }

  /// The takes in the folder, the last first.
  package func takes() throws(LibraryError) -> [PathBytes] {
    let endings = TakeCoding.allCases.map { Array(("." + $0.fileExtension).utf8) }
    do {
      let names = try Files.names(in: folder).filter { name in
        name.bytes.first != UInt8(ascii: ".") && endings.contains { name.bytes.suffix($0.count).elementsEqual($0) }
      }
      return NaturalOrder.sorted(names).reversed().map { folder.appending($0) }
    } catch {
      if error.code == ENOENT { return [] }
      throw .cannotReadFolder(folder, error)
    }
  }

  /// Gives a take another name, whose ending stays, and tells its new place; never in the place of another file.
  package static func rename(_ take: PathBytes, to name: String) throws(LibraryError) -> PathBytes {
    var bytes = Array(name.utf8)
    while bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    let ending = take.lastComponent.bytes.lastIndex(of: UInt8(ascii: ".")).map { take.lastComponent.bytes[$0...] } ?? []
    if bytes.count > ending.count, bytes.suffix(ending.count).elementsEqual(ending) { bytes.removeLast(ending.count) }
    let isAllowed = bytes.first != UInt8(ascii: ".") && !bytes.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    guard !bytes.isEmpty, isAllowed, bytes.count + ending.count <= Int(NAME_MAX) else { throw .badName(name) }
    let other = take.parent.appending(PathBytes(bytes: bytes + ending))
    if other == take { return take }
    do { try Files.renameKeeping(take, to: other) } catch { throw .cannotRename(take, to: other, error) }
    return other
  }
}
