import Glibc
package import Sound

/// A file that grows at its end and can be mended at its beginning, and whose writes are all checked.
///
/// One thread at a time; every call may wait for the disk.
package final class OutputFile {
  /// Where the file was made.
  package private(set) var path: PathBytes
  private var descriptor: Int32
  /// The size up to which every append has come whole.
  package private(set) var size: Int64

  /// Makes a new file; fails with EEXIST when there is one of this name.
  ///
  /// The folder's entry is synced too, so that the name survives a power cut.
  package init(creating path: PathBytes) throws(SystemError) {
    let opened = path.withCPath { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    guard opened >= 0 else { throw SystemError(code: errno) }
    self.path = path
    descriptor = opened
    size = 0
    let folder = path.parent.withCPath { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  /// Opens a file that there is, for mending.
  package init(mending path: PathBytes) throws(SystemError) {
    let opened = path.withCPath { open($0, O_RDWR | O_CLOEXEC | O_NONBLOCK) }
    guard opened >= 0 else { throw SystemError(code: errno) }
    var info = stat()
    guard fstat(opened, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw SystemError(code: EINVAL)
    }
    self.path = path
    descriptor = opened
    size = Int64(info.st_size)
  }

  deinit { close(descriptor) }

  /// Appends all of `bytes`, or throws; then nothing of them stays, as far as the kernel lets us take them back.
  package func append(_ bytes: [UInt8]) throws(SystemError) {
    do {
      try put(bytes, at: size)
    } catch {
      ftruncate(descriptor, off_t(size))
      throw error
    }
    size += Int64(bytes.count)
  }

  /// Writes over a part of the file that is there.
  package func overwrite(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
    precondition(offset >= 0 && offset + Int64(bytes.count) <= size)
    try put(bytes, at: offset)
  }

  private func put(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress! + done, $0.count - done, off_t(offset) + done)
      }
      if count > 0 {
        done += count
      } else if count == 0 {
        throw SystemError(code: ENOSPC)
      } else if errno != EINTR {
        throw SystemError(code: errno)
      }
    }
  }

  /// At most `count` bytes from `offset` on; fewer at the end of the file.
  package func read(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + done, count - done, off_t(offset) + done)
      }
      if got == 0 { break }
      if got > 0 { done += got } else if errno != EINTR { throw SystemError(code: errno) }
    }
    bytes.removeLast(count - done)
    return bytes
  }

  /// Cuts the file off.
  package func truncate(to length: Int64) throws(SystemError) {
    guard ftruncate(descriptor, off_t(length)) == 0 else { throw SystemError(code: errno) }
    size = length
  }

  /// Goes on in a new file that begins with all that is in this one, which somebody has deleted.
  package func move(creating other: PathBytes) throws(SystemError) {
    let copy = try OutputFile(creating: other)
    var offset: Int64 = 0
    while offset < size {
      let piece = try read(at: offset, count: 1 << 20)
      guard !piece.isEmpty else { break }
      try copy.append(piece)
      offset += Int64(piece.count)
    }
    swap(&descriptor, &copy.descriptor)
    path = other
  }

  /// Waits until the data, and the size, are on the disk.
  package func sync() throws(SystemError) {
    while fdatasync(descriptor) != 0 {
      // Some file systems cannot sync; what they do is theirs.
      if errno == EINVAL || errno == ENOSYS { return }
      if errno != EINTR { throw SystemError(code: errno) }
    }
  }

  /// Where the file lies now, which a rename of it or of its folder may have changed; nil once it was deleted, or its disk taken
  /// away though it was in use.
  package var currentPath: PathBytes? {
    var info = stat()
    // More than once, since it may be renamed between the question and the look.
    for _ in 0..<3 {
      guard fstat(descriptor, &info) == 0, info.st_nlink > 0 else { return nil }
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count - 1)
      guard count > 0 else { return path }
      let found = PathBytes(bytes: buffer[..<count].map { UInt8(bitPattern: $0) })
      if let status = try? Files.status(of: found), status.inode == UInt64(info.st_ino) { return found }
      if !Self.isNowhere(found) || !Self.isNowhere(path) { return path }
    }
    return nil
  }

  private static func isNowhere(_ path: PathBytes) -> Bool {
    do throws(SystemError) { _ = try Files.status(of: path) } catch { return error.code == ENOENT }
    return false
  }
}
