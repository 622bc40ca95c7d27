import Control
import Sound
import System
import Testing

@testable import Library

struct FolderBrowserTests {
  /// A browser whose bell can be waited for.
  private final class Watched {
    let rings = Monitor(0)
    let browser: FolderBrowser

    init(folder: PathBytes? = nil, holdsSound: @escaping @Sendable (PathBytes) -> Bool = FoldersTests.holdsSound) {
      let rings = rings
      browser = FolderBrowser(folder: folder, holdsSound: holdsSound) { rings.withLock { $0 += 1 } }
    }

    deinit { browser.stop() }

    /// The listing, as soon as it is as it should be; nil after 20 s.
    func listing(where isRight: (FolderListing) -> Bool = { $0.isComplete }) -> FolderListing? {
      rings.wait(atMost: 20) { _ in browser.listing.flatMap { isRight($0) ? $0 : nil } }
    }

    func list(_ folder: PathBytes) -> FolderListing? {
      browser.obey(.list(folder))
      return listing()
    }
  }

  @Test func `a folder is listed with folders first, in natural order, kinds by content`() throws {
    let tree = Tree()
    tree.file("10.txt", "Sound")
    tree.file("9.wav", "no")
    tree.file("z/x")
    tree.file("a/x")
    tree.link("b", to: tree.path.appending("a"))
    tree.link("gone", to: PathBytes("nowhere"))
    tree.pipe("pipe")
    tree.file(".hidden", "Sound")
    tree.file(PathBytes(bytes: [0x63, 0xE9, 0x0A]), Array("Sound".utf8))
    let listing = try #require(Watched().list(tree.path))
    #expect(listing.folder == tree.path)
    #expect(listing.problem == nil)
    let lines = listing.entries.map { "\($0.name) \($0.kind) \($0.size.map(String.init) ?? "-")" }
    #expect(
      lines == [
        "a folder -", "b folder -", "z folder -", "9.wav other 2", "10.txt sound 5", "c\u{FFFD}\u{240A} sound 5",
        "gone other -", "pipe other -",
      ])
    #expect(listing.entries[5].path == tree.path.appending(PathBytes(bytes: [0x63, 0xE9, 0x0A])))
  }

  @Test func `the names are there while the first file is still being looked into`() throws {
    let tree = Tree()
    tree.file("1", "S")
    tree.file("folder/x")
    let isReleased = Monitor(false)
    let watched = Watched(holdsSound: { _ in isReleased.wait { $0 ? true : nil }! })
    watched.browser.obey(.list(tree.path))
    let early = try #require(watched.listing { !$0.entries.isEmpty })
    #expect(early.entries.map(\.kind) == [.folder, .unknown])
    #expect(!early.isComplete)
    isReleased.withLock { $0 = true }
    #expect(watched.listing()?.entries.map(\.kind) == [.folder, .sound])
  }

  @Test func `a disk that hangs holds up nobody`() throws {
    let tree = Tree()
    tree.file("dead/1", "S")
    let good = tree.file("good/1", "S")
    let isReleased = Monitor(false)
    let watched = Watched(holdsSound: { path in
      path.parent.lastComponent == PathBytes("dead") ? isReleased.wait { $0 ? true : nil }! : true
    })
    let start = Clock.seconds()
    for _ in 0..<3 {
      watched.browser.obey(.list(tree.path.appending("dead")))
      _ = watched.listing { !$0.entries.isEmpty }
    }
    #expect(watched.list(tree.path.appending("good"))?.entries.map(\.path) == [good])
    watched.browser.obey(.closeBrowser)
    #expect(watched.browser.listing == nil)
    watched.browser.stop()
    #expect(Clock.seconds() - start < 10)
    isReleased.withLock { $0 = true }
    #expect(watched.browser.listing == nil)
  }

  @Test func `when too many threads hang no further one is started, and it is said`() {
    let tree = Tree()
    tree.file("1", "S")
    let isReleased = Monitor(false)
    let hung = Monitor(0)
    let watched = Watched(holdsSound: { _ in
      hung.withLock { $0 += 1 }
      return isReleased.wait { $0 ? true : nil }!
    })
    for number in 1...32 {
      watched.browser.obey(.list(tree.path))
      #expect(hung.wait(atMost: 20) { $0 == number ? true : nil } == true)
      #expect(watched.browser.listing?.problem == nil)
    }
    watched.browser.obey(.list(tree.path))
    #expect(
      watched.browser.listing?.problem == "The folder \(tree.path.shown) does not answer; its disk may be gone.")
    isReleased.withLock { $0 = true }
  }

  @Test func `a folder that cannot be read says why`() {
    let tree = Tree()
    let file = tree.file("file")
    let listing = Watched().list(file)
    #expect(listing?.entries == [])
    #expect(listing?.problem == "Can’t read the folder \(file.shown): not a directory.")
    let missing = tree.path.appending("missing")
    #expect(Watched().list(missing)?.problem == "Can’t read the folder \(missing.shown): no such file or directory.")
  }

  @Test func `the parent is one step up, and the root's is the root`() {
    let tree = Tree()
    tree.file("a/b/x")
    let watched = Watched()
    _ = watched.list(tree.path.appending("a/b"))
    watched.browser.obey(.listParent)
    #expect(watched.listing()?.folder == tree.path.appending("a"))
    watched.browser.obey(.list(PathBytes("/")))
    watched.browser.obey(.listParent)
    #expect(watched.listing { $0.entries.count > 3 }?.folder == PathBytes("/"))
  }

  @Test func `it opens where it was, or above it when that is gone`() {
    let tree = Tree()
    let folder = tree.folder("a/b")
    var watched = Watched(folder: folder)
    watched.browser.obey(.list(nil))
    #expect(watched.listing()?.folder == folder)
    watched = Watched(folder: tree.path.appending("a/gone/deeper"))
    watched.browser.obey(.list(nil))
    #expect(watched.listing()?.folder == tree.path.appending("a"))
    watched.browser.obey(.closeBrowser)
    #expect(watched.browser.folder == tree.path.appending("a"))
    watched.browser.obey(.list(nil))
    watched.browser.obey(.listParent)
    #expect(watched.listing()?.folder == tree.path)
  }

  @Test func `a large folder is told in steps of a tenth of a second`() {
    let tree = Tree()
    for number in 0..<400 { tree.file("\(number)") }
    let looked = Monitor(0)
    let watched = Watched(holdsSound: { _ in
      // Work of a millisecond, as a look into a file on a slow disk is.
      looked.wait(atMost: 0.001) { _ in nil as Int? } != nil
    })
    let start = Clock.seconds()
    let listing = watched.list(tree.path)
    let elapsed = Clock.seconds() - start
    #expect(listing?.entries.count == 400)
    let rings = watched.rings.withLock { $0 }
    #expect(rings >= 3)
    #expect(Double(rings) <= elapsed / 0.1 + 2)
  }

  @Test func `of listings in quick succession only the last is seen`() {
    let tree = Tree()
    for number in 0..<20 { tree.file("\(number)/x", "S") }
    let watched = Watched()
    for _ in 0..<5 {
      for number in 0..<20 { watched.browser.obey(.list(tree.path.appending("\(number)"))) }
      let listing = watched.listing()
      #expect(listing?.folder == tree.path.appending("19"))
      #expect(listing?.problem == nil)
    }
  }
}
