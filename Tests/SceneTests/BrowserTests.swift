import Control
import Scene
import Sound
import Testing

/// A folder of folders 0 to 4 and sounds after them, every tenth entry something else.
func listing(count: Int, folder: String = "/music", complete: Bool = true) -> FolderListing {
  var entries: [FolderListing.Entry] = []
  for index in 0..<count {
    let kind: FolderListing.Entry.Kind = index < 5 ? .folder : index % 10 == 9 ? .other : .sound
    let name = kind == .folder ? "Album \(index)" : kind == .other ? "notes \(index).txt" : "Track \(index) Été.flac"
    entries.append(
      .init(path: PathBytes("\(folder)/\(name)"), name: name, kind: kind, size: kind == .folder ? nil : 1_234_567))
  }
  return FolderListing(folder: PathBytes(folder), entries: entries, isComplete: complete)
}

struct BrowserTests {
  private let desk = Desk()

  init() {
    desk.snapshot = playingSnapshot()
    desk.frame()
    desk.press("o")
    desk.snapshot.browser = listing(count: 40)
    desk.frame()
  }

  private func path(_ name: String) -> PathBytes { PathBytes("/music/\(name)") }

  /// The name of the line that is marked as chosen.
  private var chosen: String? {
    var isMarked = false
    for order in desk.orders(.overlayList) {
      if case .fill(_, .buttonHot, _, _) = order { isMarked = true }
      if case .text(let name, _, _, _, _) = order, isMarked { return name }
    }
    return nil
  }

  @Test func `O opens it at the last folder, Esc closes it, and both tell the library`() {
    let desk = Desk()
    desk.frame()
    #expect(desk.press("o") == [.library(.list(nil))])
    #expect(desk.view.overlay == .browser)
    #expect(desk.texts(.overlayList) == ["Reading the folder…"])
    #expect(desk.press(.escape) == [.library(.closeBrowser)])
    #expect(desk.view.overlay == .none)
    #expect(desk.click(Point(1126, 39)) == [.library(.list(nil))])
    desk.press(.escape)
    #expect(desk.click(Point(640, 300)) == [.library(.list(nil))], "the empty window's ground")
  }

  @Test func `the key that opened it does not type into it, not even when held`() {
    let desk = Desk()
    desk.frame()
    desk.frame([.key("o", [], isRepeat: false), .text("o")])
    desk.frame([.key("o", [], isRepeat: true), .text("o"), .key("o", [], isRepeat: true), .text("o")])
    #expect(desk.view.filter.text == "")
    desk.type("o")
    #expect(desk.view.filter.text == "o")
  }

  @Test func `typing filters, whatever the case, and letters are no shortcuts`() {
    #expect(desk.type("été") == [])
    #expect(desk.view.filter.text == "été")
    #expect(!desk.texts(.overlayList).contains { $0.hasPrefix("Album") })
    #expect(desk.texts(.overlay).contains("31 of 40"))
    #expect(chosen == "Track 5 Été.flac")
    #expect(desk.type(" s m k 0") == [])
    #expect(desk.texts(.overlayList).contains { $0.contains("été s m k 0") })
    for _ in 0..<20 { desk.press(.backspace) }
    #expect(desk.view.filter.text == "")
  }

  @Test func `Space types a space here`() {
    desk.type("track 7")
    #expect(desk.type(" ") == [])
    #expect(desk.view.filter.text == "track 7 ")
    #expect(desk.texts(.overlay).contains("1 of 40"))
  }

  @Test func `arrows, pages, Home and End choose a line and keep it in sight`() {
    #expect(chosen == "Album 0")
    desk.press(.down)
    desk.press(.down)
    #expect(chosen == "Album 2")
    desk.press(.up)
    #expect(chosen == "Album 1")
    desk.press(.end)
    #expect(chosen == "notes 39.txt")
    desk.press(.down)
    #expect(chosen == "notes 39.txt")
    desk.press(.pageUp)
    let page = chosen
    #expect(page != nil && page != "notes 39.txt")
    desk.press(.pageDown)
    #expect(chosen == "notes 39.txt")
    desk.press(.home)
    #expect(chosen == "Album 0")
    desk.press(.up)
    #expect(chosen == "Album 0")
  }

  @Test func `Enter goes into a folder and plays a sound, and leaves other files alone`() {
    #expect(desk.press(.enter) == [.library(.list(path("Album 0")))])
    for _ in 0..<5 { desk.press(.down) }
    #expect(desk.press(.enter) == [.library(.closeBrowser), .player(.open([path("Track 5 Été.flac")]))])
    #expect(desk.view.overlay == .none)
    desk.press("o")
    for _ in 0..<9 { desk.press(.down) }
    #expect(chosen == "notes 9.txt")
    #expect(desk.press(.enter) == [])
    #expect(desk.view.overlay == .browser)
  }

  @Test func `held keys do not run through the folders`() {
    #expect(desk.press(.enter, isRepeat: true) == [])
    desk.type("ab")
    #expect((0..<9).flatMap { _ in desk.press(.backspace, isRepeat: true) } == [])
    #expect(desk.view.filter.text == "")
    desk.press(.down, isRepeat: true)
    #expect(chosen == "Album 1")
  }

  @Test func `Tab reaches the buttons, and arrows go back to the lines`() {
    for _ in 0..<3 { desk.press(.tab) }
    #expect(desk.press(.enter) == [.library(.listHome)])
    desk.press(.down)
    #expect(desk.press(.enter) == [.library(.list(path("Album 1")))])
  }

  @Test func `Shift+Enter adds to the queue and stays, Control+Enter makes the folder the queue`() {
    #expect(desk.press(.enter, .shift) == [.player(.enqueue([path("Album 0")]))])
    #expect(desk.view.overlay == .browser)
    #expect(desk.press(.enter, .control) == [.library(.closeBrowser), .player(.open([path("Album 0")]))])
    desk.press("o")
    for _ in 0..<6 { desk.press(.down) }
    #expect(desk.press(.enter, .control) == [.library(.closeBrowser), .player(.open([PathBytes("/music")]))])
  }

  @Test func `Backspace on an empty filter goes to the parent, and the folder that was left is chosen there`() {
    desk.type("x")
    #expect(desk.press(.backspace) == [])
    #expect(desk.press(.backspace) == [.library(.listParent)])
    var parent = listing(count: 30, folder: "/")
    parent.entries[3].path = PathBytes("/music")
    parent.entries[3].name = "music"
    desk.snapshot.browser = parent
    desk.frame()
    #expect(chosen == "music")
  }

  @Test func `the chosen entry stays chosen while the listing grows`() {
    for _ in 0..<6 { desk.press(.down) }
    #expect(chosen == "Track 6 Été.flac")
    desk.snapshot.browser!.entries.insert(
      .init(path: path("Aaa"), name: "Aaa", kind: .folder, size: nil), at: 0)
    desk.frame()
    #expect(chosen == "Track 6 Été.flac")
  }

  @Test func `the pointer chooses, a click opens, the wheel scrolls`() throws {
    let album = try #require(desk.place(of: "Album 3"))
    desk.frame([.moved(album)])
    #expect(chosen == "Album 3")
    #expect(desk.click(album) == [.library(.list(path("Album 3")))])
    #expect(desk.place(of: "Album 0") != nil)
    desk.frame([.wheel(x: 0, y: -2, at: album, [])])
    #expect(desk.place(of: "Album 0") == nil)
    desk.frame([.wheel(x: 0, y: 50, at: album, [])])
    #expect(desk.place(of: "Album 0") != nil)
    // What lies below is out of reach.
    #expect(desk.click(Point(100, 440)) == [.library(.closeBrowser)])
    #expect(desk.view.overlay == .none)
  }

  @Test func `the scroll bar is dragged to the end`() {
    desk.frame([.pressed(.left, at: Point(1035, 180), clicks: 1, []), .moved(Point(1035, 700))])
    #expect(desk.place(of: "notes 39.txt") != nil)
    desk.frame([.released(.left, at: Point(1035, 700), [])])
    desk.frame([.moved(Point(1035, 180))])
    #expect(desk.place(of: "notes 39.txt") != nil)
  }

  @Test func `the buttons go to the parent, home and the music`() throws {
    for (icon, command) in [(Icon.up, LibraryCommand.listParent), (.home, .listHome)] {
      #expect(desk.click(try #require(desk.place(of: icon))) == [.library(command)])
    }
    #expect(desk.click(Point(333, 149)) == [.library(.listMusic)])
  }

  @Test func `a folder of ten thousand draws only the lines in sight`() {
    desk.snapshot.browser = listing(count: 10_000, complete: false)
    desk.frame()
    #expect(desk.orders(.overlayList).count < 60)
    #expect(desk.texts(.overlay).contains("10,000"))
    #expect(desk.texts(.overlay).contains("10,000 of 10,000 looked into"))
    desk.type("track 9996")
    #expect(chosen == "Track 9996 Été.flac")
  }

  @Test func `a folder that cannot be read says why`() {
    desk.snapshot.browser = FolderListing(
      folder: PathBytes("/root"), entries: [], isComplete: true, problem: "This folder may not be read.")
    desk.frame()
    #expect(desk.texts(.overlayList) == ["This folder may not be read."])
    desk.snapshot.browser!.problem = nil
    desk.frame()
    #expect(desk.texts(.overlayList) == ["This folder is empty."])
  }

  @Test func `a drop closes it and opens what was dropped`() {
    let paths = [PathBytes("/a b%20#.wav"), PathBytes(bytes: [47, 0xFF, 10])]
    #expect(desk.frame([.dropped(paths)]) == [.library(.closeBrowser), .player(.open(paths))])
    // A link to somewhere else, of which the player says what it is not.
    #expect(desk.frame([.dropped([])]) == [.player(.open([]))])
    #expect(desk.view.overlay == .none)
  }
}
