internal import Media
package import Sound
package import System

/// Folders opened up into what can be played in them.
package enum Folders {
  /// How far is looked; what lies beyond is left out.
  package struct Limits: Sendable {
    /// Folders inside folders.
    package var depth = 32
    /// Files in the answer.
    package var files = 10_000
    /// Names looked at.
    package var names = 500_000
    package init() {}
  }

  /// Every file in its place, and every folder replaced by the files in it that hold sound.
  ///
  /// Worker thread; waits for disks. The given paths keep their order, and those that are no folders stay as they are,
  /// so that opening them says what is wrong. In a folder come first its files, then its folders, each in natural order;
  /// hidden ones are left out, as is a folder that was met before (links in a circle). Only regular files are
  /// opened. When cancelled, the answer is what was found so far.
  ///
  /// `holdsSound` tells whether a regular file can be played, by its content; `problem` is told of folders that cannot be
  /// read (the first, and at the end how many more) or are without sound, and of limits reached.
  package static func expand(
    _ paths: [PathBytes], cancellation: Cancellation, limits: Limits = Limits(),
    holdsSound: @escaping (PathBytes) -> Bool = { Sniffer.holdsSound($0) },
    problem: @escaping (LibraryError) -> Void = { _ in }
  ) -> [PathBytes] {
    var walk = Walk(cancellation: cancellation, limits: limits, holdsSound: holdsSound, problem: problem)
    for path in paths {
      guard !walk.isOver else { break }
      walk.add(path)
    }
    if walk.unreadable > 1, !cancellation.isCancelled { problem(.moreUnreadable(walk.unreadable - 1)) }
    return walk.found
  }

  private struct Walk {
    let cancellation: Cancellation
    let limits: Limits
    let holdsSound: (PathBytes) -> Bool
    let problem: (LibraryError) -> Void
    var found: [PathBytes] = []
    /// Folders that could not be read; only the first is told by its name.
    var unreadable = 0
    private var namesLeft: Int
    /// The folders met below one given path, by device and inode.
    private var met: Set<[UInt64]> = []

    init(
      cancellation: Cancellation, limits: Limits, holdsSound: @escaping (PathBytes) -> Bool,
      problem: @escaping (LibraryError) -> Void
    ) {
      self.cancellation = cancellation
      self.limits = limits
      self.holdsSound = holdsSound
      self.problem = problem
      namesLeft = limits.names
    }

    var isOver: Bool { cancellation.isCancelled || found.count >= limits.files || namesLeft <= 0 }

    mutating func add(_ path: PathBytes) {
      guard let status = try? Files.status(of: path), status.kind == .folder else { return found.append(path) }
      met = []
      let before = found.count
      let isRead = descend(path, status: status, depth: 0)
      if cancellation.isCancelled { return }
      if found.count >= limits.files {
        problem(.tooManyFiles(limit: limits.files))
      } else if isRead, found.count == before {
        problem(.noSound(path))
      }
    }

    /// Adds what is in a folder; false when it cannot be read.
    @discardableResult
    private mutating func descend(_ folder: PathBytes, status: Files.Status, depth: Int) -> Bool {
      guard depth <= limits.depth, met.insert([status.device, status.inode]).inserted else { return true }
      var names: [PathBytes] = []
      do throws(SystemError) {
        try Files.visit(folder) { entry in
          namesLeft -= 1
          if !entry.isHidden { names.append(entry.name) }
          return namesLeft > 0 && !cancellation.isCancelled
        }
      } catch {
        if unreadable == 0 { problem(.cannotReadFolder(folder, error)) }
        unreadable += 1
        return false
      }
      var folders: [(path: PathBytes, status: Files.Status)] = []
      for name in NaturalOrder.sorted(names) {
        if cancellation.isCancelled || found.count >= limits.files { return true }
        let path = folder.appending(name)
        guard let status = try? Files.status(of: path) else { continue }
        switch status.kind {
        case .folder: folders.append((path, status))
        case .regular: if holdsSound(path) { found.append(path) }
        case .other: break
        }
      }
      for (path, status) in folders where !isOver { descend(path, status: status, depth: depth + 1) }
      return true
    }
  }
}
