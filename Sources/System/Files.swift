import Glibc
package import Sound
import Synchronization

/// What the kernel says when it refuses: the number it gives in `errno`.
package struct SystemError: Error, Hashable, Sendable {
  package var code: Int32
  package init(code: Int32) { self.code = code }
  /// The kernel's own words, lower case, without a full stop.
  package var reason: String {
    let text = String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension PathBytes {
  /// Calls `body` with the path as C wants it.
  package func withCPath<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    try (bytes + [0]).withUnsafeBufferPointer { buffer in
      try buffer.withMemoryRebound(to: CChar.self) { try body($0.baseAddress!) }
    }
  }
}

/// Files by their bytes.
///
/// Every call may wait for a disk: never on the main thread, but for the XDG state at start and end.
package enum Files {
  package enum Kind: Hashable, Sendable {
    case regular, folder, other
  }

  package struct Status: Hashable, Sendable {
    package var kind: Kind
    package var size: Int64
    /// The time of the last change, in nanoseconds since 1970.
    package var modified: Int64
    package var device: UInt64
    package var inode: UInt64

    init(_ info: stat) {
      kind =
        switch info.st_mode & S_IFMT {
        case S_IFREG: .regular
        case S_IFDIR: .folder
        default: .other
        }
      size = Int64(info.st_size)
      modified = Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec)
      device = UInt64(info.st_dev)
      inode = UInt64(info.st_ino)
    }
  }

  /// What lies at a path, following links; throws when nothing does.
  package static func status(of path: PathBytes) throws(SystemError) -> Status {
    var info = stat()
    guard path.withCPath({ stat($0, &info) }) == 0 else { throw SystemError(code: errno) }
    return Status(info)
  }

  /// A name in a folder.
  package struct Entry: Hashable, Sendable {
    package var name: PathBytes
    /// As the folder knows it, without a look at the file; nil for links, and where the file system does not tell.
    package var kind: Kind?

    /// Its name begins with a dot.
    package var isHidden: Bool { name.bytes.first == UInt8(ascii: ".") }
  }

  /// Hands the names in a folder to `body`, in no order, without "." and "..", until it returns false.
  package static func visit(_ folder: PathBytes, _ body: (Entry) -> Bool) throws(SystemError) {
    guard let handle = folder.withCPath({ opendir($0) }) else { throw SystemError(code: errno) }
    defer { closedir(handle) }
    while true {
      errno = 0
      guard let entry = readdir(handle) else {
        // The end and a failure look alike but for this.
        if errno != 0 { throw SystemError(code: errno) }
        return
      }
      // By the record's own length: some file systems have longer names than the 255 bytes of the declaration.
      let start = MemoryLayout<dirent>.offset(of: \.d_name)!
      let record = UnsafeRawBufferPointer(start: entry, count: Int(entry.pointee.d_reclen))
      let name = PathBytes(bytes: Array(record[start...].prefix { $0 != 0 }))
      if name == PathBytes(".") || name == PathBytes("..") { continue }
      let kind: Kind? =
        switch Int(entry.pointee.d_type) {
        case DT_REG: .regular
        case DT_DIR: .folder
        case DT_LNK, DT_UNKNOWN: nil
        default: .other
        }
      guard body(Entry(name: name, kind: kind)) else { return }
    }
  }

  /// The names in a folder, in no order, without "." and "..".
  package static func names(in folder: PathBytes) throws(SystemError) -> [PathBytes] {
    var names: [PathBytes] = []
    try visit(folder) { entry in
      names.append(entry.name)
      return true
    }
    return names
  }

  /// Gives a file or folder another name in the same file system, in the place of a file that has it.
  package static func rename(_ path: PathBytes, to other: PathBytes) throws(SystemError) {
    guard path.withCPath({ from in other.withCPath { Glibc.rename(from, $0) } }) == 0 else {
      throw SystemError(code: errno)
    }
  }

  /// Gives a file another name in the same file system; fails with EEXIST when there is a file that has it.
  package static func renameKeeping(_ path: PathBytes, to other: PathBytes) throws(SystemError) {
    let status = path.withCPath { from in other.withCPath { link(from, $0) } }
    if status == 0 {
      guard path.withCPath({ unlink($0) }) == 0 else { throw SystemError(code: errno) }
      return
    }
    // File systems without links: two steps, between which nobody else may come.
    guard errno == EPERM || errno == ENOTSUP || errno == EMLINK || errno == ENOSYS else {
      throw SystemError(code: errno)
    }
    if other.withCPath({ access($0, F_OK) }) == 0 { throw SystemError(code: EEXIST) }
    try rename(path, to: other)
  }

  /// At most the first `limit` bytes of a regular file; anything else is refused without being opened.
  package static func read(_ path: PathBytes, limit: Int = 64 << 20) throws(SystemError) -> [UInt8] {
    guard try status(of: path).kind == .regular else { throw SystemError(code: EINVAL) }
    let descriptor = path.withCPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    defer { close(descriptor) }
    // Something else may have taken its place since.
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { throw SystemError(code: EINVAL) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    while bytes.count < limit {
      let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError(code: errno) }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// Tells the temporary files of this run apart.
  private static let replacements = Atomic<Int>(0)

  /// Puts `bytes` in the place of a file as one step: a temporary file beside it, synced, then renamed.
  ///
  /// Where a link leads to the file, the file is replaced and the link stays.
  package static func replace(_ path: PathBytes, with bytes: [UInt8]) throws(SystemError) {
    let path = resolved(path) ?? path
    let number = replacements.add(1, ordering: .relaxed).newValue
    // A short name of its own, since the file's may already be as long as a name can be.
    let temporary = path.parent.appending(".swell-\(getpid())-\(number).new")
    let descriptor = temporary.withCPath { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    var failure: Int32 = 0
    var done = 0
    while done < bytes.count, failure == 0 {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, bytes.count - done) }
      if count >= 0 { done += count } else if errno != EINTR { failure = errno }
    }
    if failure == 0, fsync(descriptor) != 0 { failure = errno }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    if failure == 0, temporary.withCPath({ from in path.withCPath { Glibc.rename(from, $0) } }) != 0 { failure = errno }
    guard failure == 0 else {
      _ = temporary.withCPath { unlink($0) }
      throw SystemError(code: failure)
    }
  }

  /// Makes a folder and those above it, readable by the owner alone.
  package static func makeFolder(_ path: PathBytes) throws(SystemError) {
    if path.withCPath({ mkdir($0, 0o700) }) == 0 { return }
    let code = errno
    if (try? status(of: path))?.kind == .folder { return }
    guard code == ENOENT, path.parent != path, path.bytes.contains(UInt8(ascii: "/")) else {
      throw SystemError(code: code)
    }
    try makeFolder(path.parent)
    guard path.withCPath({ mkdir($0, 0o700) }) == 0 || errno == EEXIST else { throw SystemError(code: errno) }
  }

  /// The path from the root and without links to what lies there; nil when nothing does.
  package static func resolved(_ path: PathBytes) -> PathBytes? {
    guard let whole = path.withCPath({ realpath($0, nil) }) else { return nil }
    defer { free(whole) }
    return PathBytes(bytes: Array(UnsafeRawBufferPointer(start: whole, count: strlen(whole))))
  }

  /// The same place from the root; links are not followed.
  package static func absolute(_ path: PathBytes) -> PathBytes {
    if path.bytes.first == UInt8(ascii: "/") { return path }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard getcwd(&buffer, buffer.count) != nil else { return path }
    let folder = PathBytes(bytes: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
    return folder.appending(path)
  }
}
