import Glibc
import Sound
import TestSupport
import Testing

@testable import System

struct FolderVisitTests {
  @Test func `a folder tells its names, whatever their bytes, and the kinds it knows`() throws {
    let folder = try TemporaryFolder()
    let long = PathBytes(bytes: Array(repeating: 0xE9, count: 255))
    for name in [PathBytes("a"), PathBytes(".b"), PathBytes("n\nl"), PathBytes("..."), long] {
      try Files.replace(folder.path.appending("t"), with: [])
      try Files.rename(folder.path.appending("t"), to: folder.path.appending(name))
    }
    try Files.makeFolder(folder.path.appending("folder"))
    #expect(folder.path.appending("pipe").withCPath { mkfifo($0, 0o600) } == 0)
    #expect(folder.path.appending("link").withCPath { symlink("folder", $0) } == 0)
    var kinds: [PathBytes: Files.Kind?] = [:]
    try Files.visit(folder.path) { entry in
      #expect(entry.isHidden == (entry.name.bytes[0] == 0x2E))
      kinds[entry.name] = .some(entry.kind)
      return true
    }
    #expect(
      kinds == [
        PathBytes("a"): .regular, PathBytes(".b"): .regular, PathBytes("n\nl"): .regular, PathBytes("..."): .regular,
        long: .regular, PathBytes("folder"): .folder, PathBytes("pipe"): .other, PathBytes("link"): Files.Kind?.none,
      ])
    #expect(try Set(Files.names(in: folder.path)) == Set(kinds.keys))
  }

  @Test func `a visit ends when it is asked to`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<9 { try Files.replace(folder.path.appending("\(number)"), with: []) }
    var count = 0
    try Files.visit(folder.path) { _ in
      count += 1
      return count < 3
    }
    #expect(count == 3)
  }

  @Test func `what is no folder is refused, and a pipe is not waited for`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path.appending("pipe")
    #expect(pipe.withCPath { mkfifo($0, 0o600) } == 0)
    #expect(throws: SystemError(code: ENOTDIR)) { try Files.names(in: pipe) }
    #expect(throws: SystemError(code: ENOENT)) { try Files.names(in: folder.path.appending("gone")) }
    #expect(throws: SystemError(code: EINVAL)) { try Files.read(pipe) }
    #expect(throws: SystemError(code: EINVAL)) { try Files.read(folder.path) }
  }
}
