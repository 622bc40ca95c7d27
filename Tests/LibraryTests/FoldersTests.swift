import Glibc
import Sound
import Synchronization
import System
import Testing

@testable import Library

struct FoldersTests {
  /// In these tests a file holds sound when it begins with an S.
  @Sendable static func holdsSound(_ path: PathBytes) -> Bool {
    (try? Files.read(path, limit: 1)) == [UInt8(ascii: "S")]
  }

  private func expand(_ paths: [PathBytes], limits: Folders.Limits = .init()) -> (
    files: [PathBytes], problems: [LibraryError]
  ) {
    var problems: [LibraryError] = []
    let files = Folders.expand(
      paths, cancellation: Cancellation(), limits: limits, holdsSound: Self.holdsSound, problem: { problems.append($0) }
    )
    return (files, problems)
  }

  @Test func `a folder becomes what can be played in it, in natural order, files before folders`() {
    let tree = Tree()
    for name in ["10.wav", "2", "1.txt", "cover.jpg", "disc 10/1", "disc 9/2", "disc 9/1", "disc 9/deeper/3"] {
      tree.file(name, name == "cover.jpg" ? "JPEG" : "S")
    }
    tree.file(PathBytes(bytes: [0x33, 0xE9]), [UInt8(ascii: "S")])
    tree.file(".hidden.wav", "S")
    tree.file(".git/sound", "S")
    let (files, problems) = expand([tree.path])
    let names = files.map { $0.bytes.dropFirst(tree.path.bytes.count + 1) }.map { PathBytes(bytes: Array($0)).shown }
    #expect(names == ["1.txt", "2", "3\u{FFFD}", "10.wav", "disc 9/1", "disc 9/2", "disc 9/deeper/3", "disc 10/1"])
    #expect(problems == [])
  }

  @Test func `given paths keep their order, and files stay whatever they hold`() {
    let tree = Tree()
    let (b, a) = (tree.file("b", "S"), tree.file("a", "not sound"))
    let inside = tree.file("folder/x", "S")
    let missing = tree.path.appending("missing")
    let hidden = tree.file(".c", "S")
    let pipe = tree.pipe("pipe")
    let given = [b, tree.path.appending("folder"), missing, a, hidden, pipe, b]
    #expect(expand(given).files == [b, inside, missing, a, hidden, pipe, b])
  }

  @Test func `links in a circle are walked once`() {
    let tree = Tree()
    let file = tree.file("a/b/1", "S")
    tree.link("a/b/up", to: tree.path.appending("a"))
    tree.link("a/self", to: PathBytes("."))
    tree.link("a/dangling", to: PathBytes("nowhere"))
    tree.link("a/knot", to: PathBytes("knot"))
    let (files, problems) = expand([tree.path.appending("a")])
    #expect(files == [file])
    #expect(problems == [])
  }

  @Test func `the same folder given twice is played twice`() {
    let tree = Tree()
    let file = tree.file("a", "S")
    #expect(expand([tree.path, tree.path]).files == [file, file])
  }

  @Test func `pipes and devices in a folder are not opened`() {
    let tree = Tree()
    tree.pipe("pipe")
    tree.link("device", to: PathBytes("/dev/zero"))
    let file = tree.file("x", "S")
    let asked = Mutex<[PathBytes]>([])
    _ = Folders.expand(
      [tree.path], cancellation: Cancellation(),
      holdsSound: { path in
        asked.withLock { $0.append(path) }
        return true
      })
    #expect(asked.withLock { $0 } == [file])
  }

  @Test func `a folder without sound and one that cannot be read are told`() {
    let tree = Tree()
    tree.file("empty/readme", "text")
    tree.folder("empty/deeper")
    let empty = tree.path.appending("empty")
    let (files, problems) = expand([empty])
    #expect(files == [])
    #expect(problems == [.noSound(empty)])
    #expect(problems.first?.description == "There is nothing to play in the folder \(empty.shown).")
  }

  @Test func `of many folders that cannot be read the first is named and the others counted`() throws {
    let tree = Tree()
    for name in ["1", "2", "3"] { tree.folder("lost/\(name)") }
    // Looked at last in its folder: when the walk is about to go into the others.
    let last = tree.file("lost/z", "S")
    let lost = tree.path.appending("lost")
    var problems: [LibraryError] = []
    let files = Folders.expand(
      [lost], cancellation: Cancellation(),
      holdsSound: { _ in
        for name in ["1", "2", "3"] { rmdir(lost.appending(name).shown) }
        return true
      }, problem: { problems.append($0) })
    #expect(files == [last])
    guard case .cannotReadFolder(lost.appending("1"), _) = problems.first else {
      return #expect(Bool(false), "\(problems)")
    }
    #expect(problems.dropFirst().map(\.description) == ["2 more folders cannot be read either."])
  }

  @Test func `limits end the walk and are told`() {
    let tree = Tree()
    for number in 1...9 { tree.file("\(number)", "S") }
    tree.file("d/d/d/x", "S")
    var limits = Folders.Limits()
    limits.files = 5
    var (files, problems) = expand([tree.path], limits: limits)
    #expect(files.map(\.lastComponent.shown) == ["1", "2", "3", "4", "5"])
    #expect(problems == [.tooManyFiles(limit: 5)])
    limits = Folders.Limits()
    limits.depth = 2
    (files, problems) = expand([tree.path.appending("d"), tree.path], limits: limits)
    #expect(files.count == 1 + 9)
    limits.names = 4
    #expect(expand([tree.path], limits: limits).files.count <= 4)
  }

  @Test func `a walk that is cancelled ends with what it has`() {
    let tree = Tree()
    for number in 1...9 { tree.file("\(number)", "S") }
    let cancellation = Cancellation()
    let files = Folders.expand(
      [tree.path, tree.path], cancellation: cancellation,
      holdsSound: { path in
        if path.lastComponent == PathBytes("3") { cancellation.cancel() }
        return true
      })
    #expect(files.map(\.lastComponent.shown) == ["1", "2", "3"])
  }

  @Test func `five thousand files take no time`() {
    let tree = Tree()
    for number in 0..<5000 { tree.file("\(number).wav") }
    let start = Clock.seconds()
    let files = Folders.expand([tree.path], cancellation: Cancellation(), holdsSound: { _ in true })
    #expect(Clock.seconds() - start < 10)  // 0.1 s on a quiet machine in debug
    #expect(files.map(\.lastComponent.shown) == (0..<5000).map { "\($0).wav" })
  }
}
