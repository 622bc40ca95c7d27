import Glibc
internal import Sound
internal import System

/// The bytes of one regular file, read by place, until somebody cancels.
///
/// One thread at a time. Never opens a pipe, socket or device: those could wait for ever.
final class ByteSource {
  let path: PathBytes
  let cancellation: Cancellation
  /// The size when the file was opened, from `start` on; it may shrink meanwhile, and reads then come up short.
  private(set) var size: Int64
  /// The byte of the file that is place 0 here: beyond what is not to be read.
  private(set) var start: Int64 = 0
  /// What is not to be read in the midst: the place where it would begin, and its length.
  private var gap: (place: Int64, count: Int64)?
  /// The size of all of the file when it was opened.
  private let wholeSize: Int64
  private let descriptor: Int32
  /// Where reading ends; a file that grows while it plays may be read on.
  private var end = Int64.max
  /// Where the next sequential read of a demuxer begins.
  var cursor: Int64 = 0
  /// How many bytes were read in all, so that a reader can notice that it finds nothing.
  private(set) var bytesRead: Int64 = 0
  /// How far `bytesRead` may grow before a demuxer is told that the file ends: nil for "as far as it goes".
  var allowance: Int64?
  /// What the kernel said when it refused a read.
  private(set) var failure: SystemError?

  init(path: PathBytes, cancellation: Cancellation) throws(MediaError) {
    let status: Files.Status
    do { status = try Files.status(of: path) } catch { throw MediaError(error, path) }
    switch status.kind {
    case .regular: break
    case .folder: throw .isFolder(path)
    case .other: throw .notARegularFile(path)
    }
    guard status.size > 0 else { throw .empty(path) }
    // Not blocking, in case that a pipe has taken the file's place since.
    let opened = path.withCPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard opened >= 0 else { throw MediaError(SystemError(code: errno), path) }
    var info = stat()
    guard fstat(opened, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw .notARegularFile(path)
    }
    self.path = path
    self.cancellation = cancellation
    size = Int64(info.st_size)
    wholeSize = size
    descriptor = opened
  }

  /// A second reader of the same open file, even if another has taken its path since.
  ///
  /// Any thread.
  init(again other: ByteSource, cancellation: Cancellation) throws(MediaError) {
    let opened = fcntl(other.descriptor, F_DUPFD_CLOEXEC, 0)
    guard opened >= 0 else { throw MediaError(SystemError(code: errno), other.path) }
    path = other.path
    self.cancellation = cancellation
    size = other.size
    wholeSize = other.wholeSize
    start = other.start
    gap = other.gap
    descriptor = opened
  }

  /// What the open file is like now; nil where the kernel does not tell.
  var status: Files.Status? { try? Files.status(ofDescriptor: descriptor) }

  /// Somebody has cut the file since it was opened; one call of the kernel's.
  var isCutShort: Bool { status.map { $0.size < wholeSize } ?? false }

  deinit { close(descriptor) }

  /// Leaves out the file's first bytes from now on.
  func dropFirst(_ count: Int64) {
    start += count
    size -= count
    gap?.place -= count
  }

  /// Leaves out bytes in the midst from now on: what lies behind them follows what lies in front of them.
  ///
  /// Once, before any others are left out.
  func leaveOut(_ range: Range<Int64>) {
    gap = (range.lowerBound, Int64(range.count))
    size -= Int64(range.count)
  }

  /// Leaves out the file's last bytes from now on.
  func dropLast(_ count: Int64) {
    size -= count
    end = start + size
  }

  /// Reads up to `count` bytes at `offset`; fewer only at the end of the file, after a failure or when cancelled.
  func read(_ buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int {
    let count = Int(min(Int64(count), max(end - start - offset, 0)))
    var done = 0
    while done < count, !cancellation.isCancelled {
      let (place, most) = whereabouts(offset + Int64(done))
      let got = pread(descriptor, buffer + done, min(count - done, most), off_t(place))
      if got > 0 {
        done += got
      } else if got == 0 {
        break
      } else if errno != EINTR {
        failure = SystemError(code: errno)
        break
      }
    }
    bytesRead += Int64(done)
    return done
  }

  /// Where in the file a place lies, and how many bytes follow without a gap.
  private func whereabouts(_ offset: Int64) -> (place: Int64, most: Int) {
    guard let gap else { return (start + offset, .max) }
    return offset < gap.place ? (start + offset, Int(gap.place - offset)) : (start + offset + gap.count, .max)
  }

  /// At most `count` bytes from `offset` on.
  func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard offset >= 0, offset < size else { return [] }
    return [UInt8](unsafeUninitializedCapacity: min(count, Int(size - offset))) { buffer, filled in
      filled = read(buffer.baseAddress!, buffer.count, at: offset)
    }
  }
}

extension MediaError {
  /// The kernel's refusal to open a path.
  init(_ error: SystemError, _ path: PathBytes) {
    switch error.code {
    case ENOENT, ENOTDIR: self = .notFound(path)
    case EISDIR: self = .isFolder(path)
    case ENXIO: self = .notARegularFile(path)
    default: self = .unreadable(path, reason: error.reason)
    }
  }
}
