import Glibc
package import Sound

// What a cache needs of files.
extension Files {
  /// What an open file is like now, whatever has become of its path.
  package static func status(ofDescriptor descriptor: Int32) throws(SystemError) -> Status {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw SystemError(code: errno) }
    return Status(info)
  }

  /// The whole of a regular file, read at once; refused with EFBIG when it is larger than `limit`.
  package static func readAll(_ path: PathBytes, limit: Int) throws(SystemError) -> [UInt8] {
    let descriptor = path.withCPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    defer { close(descriptor) }
    let status = try status(ofDescriptor: descriptor)
    guard status.kind == .regular else { throw SystemError(code: EINVAL) }
    guard status.size <= limit else { throw SystemError(code: EFBIG) }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.size)) { buffer, filled in
      while filled < buffer.count {
        let count = Glibc.read(descriptor, buffer.baseAddress! + filled, buffer.count - filled)
        if count > 0 {
          filled += count
        } else if count == 0 {
          return
        } else if errno != EINTR {
          failure = errno
          return
        }
      }
    }
    guard failure == 0 else { throw SystemError(code: failure) }
    return bytes
  }

  /// Makes now the time of a file's last change.
  package static func touch(_ path: PathBytes) throws(SystemError) {
    guard path.withCPath({ utimensat(AT_FDCWD, $0, nil, 0) }) == 0 else { throw SystemError(code: errno) }
  }

  /// Removes a file; a folder is refused.
  package static func remove(_ path: PathBytes) throws(SystemError) {
    guard path.withCPath({ unlink($0) }) == 0 else { throw SystemError(code: errno) }
  }
}
