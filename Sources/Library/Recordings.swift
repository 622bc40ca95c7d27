import Glibc
package import Media
package import Sound
package import System

/// The folder in which takes are kept: their names, and what is done with them.
///
/// Everything here waits for the disk.
package struct Recordings: Hashable, Sendable {
  package let folder: PathBytes
  /// Somebody chose it: when it is not there its disk may be gone, and it is not made anew.
  private let isChosen: Bool

  /// The folder that was chosen, else "Recordings" in the music folder; nil without a home.
  package init?(folder: PathBytes?) {
    guard let place = folder ?? MusicFolder.path?.appending("Recordings") else { return nil }
    self.folder = place
    isChosen = folder != nil
  }

  /// So many takes may begin in one second before the names run out.
  private static let mostNames = 10_000

  /// The name of a take without its ending, such as "2026-11-30 18.20.05"; `number` tells those of one second apart.
  static func name(at time: LocalTime, number: Int) -> String {
    let name = time.date + " " + time.time(separator: ".")
    return number == 1 ? name : name + " (\(number))"
  }

  /// Whether takes can be kept in a folder; throws why not.
  package static func check(_ folder: PathBytes) throws(LibraryError) {
    do throws(SystemError) {
      guard try Files.status(of: folder).kind == .folder else { throw SystemError(code: ENOTDIR) }
      guard folder.withCPath({ access($0, W_OK | X_OK) }) == 0 else { throw SystemError(code: errno) }
    } catch { throw .cannotRecordTo(folder, error) }
  }

  /// Makes the file of a new take as `create` does, in the standard folder when the chosen one cannot take it.
  ///
  /// No sound is lost because a disk was unplugged; `refused` is then why the take does not lie where it should.
  package func createSomewhere<Take>(
    at time: LocalTime, fileExtension: String, make: (PathBytes) throws(TakeError) -> Take
  ) throws(TakeError) -> (take: Take, refused: TakeError?) {
    do { return (try create(at: time, fileExtension: fileExtension, make: make), nil) } catch {
      guard isChosen, let standard = Recordings(folder: nil), standard.folder != folder,
        let take = try? standard.create(at: time, fileExtension: fileExtension, make: make)
      else { throw error }
      return (take, error)
    }
  }

  /// Makes the file of a new take, under a name that no file has.
  ///
  /// `make` makes the file at a path and must throw `cannotCreate` with EEXIST when there is one.
  package func create<Take>(
    at time: LocalTime, fileExtension: String, make: (PathBytes) throws(TakeError) -> Take
  ) throws(TakeError) -> Take {
    do { if !isChosen { try Files.makeFolder(folder) } } catch { throw .cannotCreate(folder.appending("."), error) }
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
