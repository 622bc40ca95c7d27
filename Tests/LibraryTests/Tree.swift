import Glibc
import Sound
import TestSupport

/// A tree of files, links and pipes for one test, gone when the test lets it go.
final class Tree: Sendable {
  private let root = try! TemporaryFolder()
  var path: PathBytes { root.path }

  // Folders that nobody may open are among them.
  deinit { Self.remove(path) }

  /// Makes a file, and the folders above it.
  @discardableResult
  func file(_ name: PathBytes, _ content: [UInt8] = []) -> PathBytes {
    let file = path.appending(name)
    folder(PathBytes(bytes: Array(file.parent.bytes.dropFirst(path.bytes.count + 1))))
    let descriptor = Self.withC(file) { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
    precondition(
      descriptor >= 0 && write(descriptor, content, content.count) == content.count, "cannot write \(file.shown)")
    close(descriptor)
    return file
  }

  @discardableResult
  func file(_ name: String, _ content: String = "") -> PathBytes { file(PathBytes(name), Array(content.utf8)) }

  /// Makes a folder, and those above it.
  @discardableResult
  func folder(_ name: PathBytes) -> PathBytes {
    var folder = path
    for part in name.bytes.split(separator: UInt8(ascii: "/")) {
      folder = folder.appending(PathBytes(bytes: Array(part)))
      precondition(Self.withC(folder) { mkdir($0, 0o755) } == 0 || errno == EEXIST, "cannot make \(folder.shown)")
    }
    return folder
  }

  @discardableResult
  func folder(_ name: String) -> PathBytes { folder(PathBytes(name)) }

  /// Makes a symbolic link of this name.
  @discardableResult
  func link(_ name: String, to target: PathBytes) -> PathBytes {
    let link = path.appending(name)
    precondition(Self.withC(target) { target in Self.withC(link) { symlink(target, $0) } } == 0, "cannot link \(name)")
    return link
  }

  /// Makes a pipe of this name.
  @discardableResult
  func pipe(_ name: String) -> PathBytes {
    let pipe = path.appending(name)
    precondition(Self.withC(pipe) { mkfifo($0, 0o644) } == 0, "cannot make a pipe")
    return pipe
  }

  static func withC<Result>(_ path: PathBytes, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (path.bytes + [0]).withUnsafeBufferPointer { $0.withMemoryRebound(to: CChar.self) { body($0.baseAddress!) } }
  }

  private static func remove(_ folder: PathBytes) {
    _ = withC(folder) { chmod($0, 0o700) }
    if let handle = withC(folder, { opendir($0) }) {
      while let entry = readdir(handle) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { PathBytes(bytes: Array($0.prefix { $0 != 0 })) }
        guard name != PathBytes("."), name != PathBytes("..") else { continue }
        let path = folder.appending(name)
        if Int(entry.pointee.d_type) == DT_DIR { remove(path) } else { _ = withC(path) { unlink($0) } }
      }
      closedir(handle)
    }
    _ = withC(folder) { rmdir($0) }
  }
}

/// Chance that is the same at every run: splitmix64 (Steele, Lea, Flood 2014).
struct Chance: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
