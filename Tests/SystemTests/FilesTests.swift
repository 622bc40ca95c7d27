import Foundation
import Sound
import System
import TestSupport
import Testing

/// What the kernel refuses a call with; nil when it does not.
private func refusal(_ call: () throws -> Void) -> Int32? {
  do {
    try call()
    return nil
  } catch {
    return (error as? SystemError)?.code
  }
}

/// Names that are hard to carry: each must come back as it went.
private let oddNames: [PathBytes] = [
  PathBytes("plain.mp3"), PathBytes("with space %20 #1?.mp3"), PathBytes("line\nbreak\ttab"), PathBytes("🎧 日本語.flac"),
  PathBytes("-rf"), PathBytes("..."), PathBytes("'\"$(x)`\\"), PathBytes(bytes: [0x63, 0xE9, 0xFF, 0x01]),
  PathBytes(String(repeating: "n", count: 255)),
]

@Test(arguments: oddNames)
func `a file of any name is written, listed, read and replaced`(name: PathBytes) throws {
  let folder = try TemporaryFolder()
  let path = folder.path.appending(name)
  try Files.replace(path, with: [1, 2, 3])
  #expect(try Files.names(in: folder.path) == [name])
  #expect(try Files.read(path) == [1, 2, 3])
  try Files.replace(path, with: [])
  #expect(try Files.names(in: folder.path) == [name])
  #expect(try Files.read(path) == [])
}

@Test func `a status tells what lies there, through a link too`() throws {
  let folder = try TemporaryFolder()
  let file = try folder.write(Array(repeating: 7, count: 1_000), to: "file")
  let link = folder.appending("link")
  #expect(file.withCPath { from in link.withCPath { symlink(from, $0) } } == 0)
  let status = try Files.status(of: file)
  #expect(status.kind == .regular && status.size == 1_000)
  #expect(try Files.status(of: link) == status)
  #expect(try Files.status(of: folder.path).kind == .folder)
  #expect(try Files.status(of: PathBytes("/dev/null")).kind == .other)
  let now = Int64(Date().timeIntervalSince1970 * 1e9)
  #expect(abs(status.modified - now) < 60_000_000_000)
  #expect(refusal { _ = try Files.status(of: folder.appending("none")) } == ENOENT)
}

@Test func `only regular files are read, and no more of them than asked for`() throws {
  let folder = try TemporaryFolder()
  let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  let file = try folder.write(bytes, to: "file")
  #expect(try Files.read(file) == bytes)
  #expect(try Files.read(file, limit: 70_000) == Array(bytes[..<70_000]))
  #expect(try Files.read(file, limit: 0) == [])
  let pipe = folder.appending("pipe")
  #expect(pipe.withCPath { mkfifo($0, 0o600) } == 0)
  // Opened, a pipe without a writer would hold the thread for ever.
  #expect(refusal { _ = try Files.read(pipe) } == EINVAL)
  #expect(refusal { _ = try Files.read(folder.path) } == EINVAL)
  #expect(refusal { _ = try Files.read(folder.appending("none")) } == ENOENT)
}

@Test func `replacing keeps a link and leaves nothing behind when it fails`() throws {
  let folder = try TemporaryFolder()
  let file = try folder.write([1], to: "file")
  let link = folder.appending("link")
  #expect(PathBytes("file").withCPath { from in link.withCPath { symlink(from, $0) } } == 0)
  try Files.replace(link, with: [2, 2])
  #expect(try Files.read(file) == [2, 2])
  var info = stat()
  #expect(link.withCPath { lstat($0, &info) } == 0 && info.st_mode & S_IFMT == S_IFLNK)

  try Files.makeFolder(folder.appending("folder"))
  #expect(refusal { try Files.replace(folder.appending("folder"), with: [3]) } == EISDIR)
  #expect(refusal { try Files.replace(folder.appending("none/file"), with: [3]) } == ENOENT)
  #expect(Set(try Files.names(in: folder.path)) == Set(["file", "link", "folder"].map { PathBytes($0) }))
}

@Test func `whoever reads while a file is replaced by several sees one of its versions whole`() async throws {
  let folder = try TemporaryFolder()
  let path = folder.appending("state")
  try Files.replace(path, with: Array(repeating: 0, count: 50_000))
  let failures = await withTaskGroup(of: Int.self) { group in
    for writer in 1...3 {
      group.addTask {
        var failures = 0
        for turn in 0..<20 {
          let bytes = Array(repeating: UInt8(writer * 50 + turn), count: 50_000)
          if refusal({ try Files.replace(path, with: bytes) }) != nil { failures += 1 }
        }
        return failures
      }
    }
    group.addTask {
      var failures = 0
      for _ in 0..<100 {
        let bytes = (try? Files.read(path)) ?? []
        if bytes.count != 50_000 || Set(bytes).count != 1 { failures += 1 }
      }
      return failures
    }
    return await group.reduce(0, +)
  }
  #expect(failures == 0)
  #expect(try Files.names(in: folder.path) == [PathBytes("state")])
}

@Test func `folders are made with those above them, for the owner alone`() throws {
  let folder = try TemporaryFolder()
  let deep = folder.appending("a/b//c/")
  try Files.makeFolder(deep)
  try Files.makeFolder(deep)
  #expect(try Files.status(of: deep).kind == .folder)
  var info = stat()
  #expect(folder.appending("a/b").withCPath { stat($0, &info) } == 0 && info.st_mode & 0o777 == 0o700)
  try folder.write([1], to: "file")
  #expect(refusal { try Files.makeFolder(folder.appending("file")) } == EEXIST)
  #expect(refusal { try Files.makeFolder(folder.appending("file/below")) } == ENOTDIR)
}

@Test func `a path from here becomes a path from the root`() throws {
  #expect(Files.absolute(PathBytes("/a/../b")) == PathBytes("/a/../b"))
  let here = PathBytes(FileManager.default.currentDirectoryPath)
  #expect(Files.absolute(PathBytes("x")) == here.appending("x"))
  let folder = try TemporaryFolder()
  try Files.makeFolder(folder.appending("a"))
  #expect(Files.resolved(folder.appending("a/../a/.")) == Files.resolved(folder.path)?.appending("a"))
  #expect(Files.resolved(folder.appending("none")) == nil)
}

@Test func `a refusal is told in the kernel's words`() {
  #expect(SystemError(code: ENOENT).reason == "no such file or directory")
  #expect(SystemError(code: EACCES).reason == "permission denied")
}

@Test func `the folders of the specification lie where their variables say, else in the home folder`() {
  let home = PathBytes("/home/anna")
  #expect(Environment.Folder.config.path(base: nil, home: home) == PathBytes("/home/anna/.config/swell"))
  #expect(Environment.Folder.cache.path(base: nil, home: home) == PathBytes("/home/anna/.cache/swell"))
  #expect(Environment.Folder.state.path(base: nil, home: home) == PathBytes("/home/anna/.local/state/swell"))
  #expect(Environment.Folder.state.path(base: PathBytes("/x/"), home: home) == PathBytes("/x/swell"))
  // The specification says that a relative path is to be ignored.
  #expect(Environment.Folder.cache.path(base: PathBytes("x"), home: home) == PathBytes("/home/anna/.cache/swell"))
  #expect(Environment.Folder.cache.path(base: nil, home: nil) == nil)
}

@Test func `a variable is told by its bytes, an empty one like none`() {
  setenv("SWELL_TEST_FULL", "a\u{1}é", 1)
  setenv("SWELL_TEST_EMPTY", "", 1)
  #expect(Environment.variable("SWELL_TEST_FULL") == PathBytes("a\u{1}é"))
  #expect(Environment.variable("SWELL_TEST_EMPTY") == nil)
  #expect(Environment.variable("SWELL_TEST_NONE") == nil)
  #expect(Environment.home != nil)
  #expect((try? Files.status(of: Environment.executable!))?.kind == .regular)
}
