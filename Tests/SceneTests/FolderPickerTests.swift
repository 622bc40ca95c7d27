import Control
import Scene
import Sound
import Testing

struct FolderPickerTests {
  private let desk = Desk()
  private let folder = PathBytes("/home/u/Music/Recordings")

  init() {
    desk.snapshot = playingSnapshot()
    desk.size = Size(1280, 800)
    desk.openRecordView(recordingSnapshot(.armed))
    desk.press(",", .control)
  }

  private func click(_ text: String) throws -> [Command] { desk.click(try #require(desk.place(of: text))) }

  /// A folder with a folder and a sound in it.
  private func show(_ folder: PathBytes, problem: String? = nil) {
    let entries = [
      FolderListing.Entry(path: folder.appending("Takes"), name: "Takes", kind: .folder, size: nil),
      FolderListing.Entry(path: folder.appending("a.wav"), name: "a.wav", kind: .sound, size: 1000),
    ]
    desk.snapshot.browser = FolderListing(
      folder: folder, entries: problem == nil ? entries : [], isComplete: true, problem: problem)
    desk.frame()
  }

  @Test func `a folder for recordings is chosen in the browser, and the settings come back`() throws {
    #expect(try click("Choose…") == [.library(.listNearest(folder))])
    #expect(desk.view.overlay == .browser)
    show(folder)
    #expect(try click("a.wav") == [], "nothing is played from here")
    #expect(try click("Takes") == [.library(.list(folder.appending("Takes")))])
    show(folder.appending("Takes"))
    #expect(
      try click("Record into this folder")
        == [.recorder(.setFolder(folder.appending("Takes"))), .library(.closeBrowser)])
    #expect(desk.view.overlay == .recordSettings)
  }

  @Test func `by keys alone: tab, a typed path, and Ctrl with Enter`() throws {
    for _ in 0..<80 {
      desk.press(.tab)
      if desk.press(.enter) == [.library(.listNearest(folder))] { break }
    }
    #expect(desk.view.overlay == .browser)
    show(folder)
    desk.type("~/Field takes")
    #expect(desk.texts(.overlay).contains("↵ go to this folder   Ctrl+↵ record into it"))
    #expect(desk.texts(.overlayList).contains("a.wav"), "a path filters nothing")
    #expect(desk.press(.enter) == [.library(.listTyped("~/Field takes"))])
    let chosen = PathBytes("/home/u/Field takes")
    show(chosen)
    #expect(desk.press(.enter, .control) == [.recorder(.setFolder(chosen)), .library(.closeBrowser)])
    #expect(desk.view.overlay == .recordSettings)
    _ = try click("Choose…")
    desk.type("/mnt/b")
    #expect(desk.press(.enter, .control) == [.recorder(.setFolder(PathBytes("/mnt/b"))), .library(.closeBrowser)])
    // What is on show is not what was typed: it is gone to first.
    _ = try click("Choose…")
    show(folder)
    desk.type("~/b")
    #expect(desk.press(.enter, .control) == [.library(.listTyped("~/b"))])
    #expect(desk.view.overlay == .browser)
  }

  @Test func `a folder that cannot be read is said and not chosen, and Esc leads back`() throws {
    _ = try click("Choose…")
    show(PathBytes("/gone"), problem: "Can’t read the folder /gone: no such file or directory.")
    #expect(desk.texts(.overlayList).contains("Can’t read the folder /gone: no such file or directory."))
    #expect(try click("Record into this folder") == [])
    #expect(desk.press(.enter, .control) == [])
    #expect(desk.press(.escape) == [.library(.closeBrowser)])
    #expect(desk.view.overlay == .recordSettings)
    desk.press(.escape)
    #expect(desk.view.overlay == .none && desk.view.isRecordViewOpen)
  }

  @Test func `the standard folder is a click away while another is set, and an open take keeps its own`() throws {
    #expect(desk.place(of: "Standard") == nil)
    desk.snapshot.recording!.options.folder = PathBytes("/mnt/takes")
    desk.frame()
    #expect(try click("Standard") == [.recorder(.setFolder(nil))])
    desk.snapshot.recording!.state = .recording
    desk.frame()
    #expect(try click("Standard") == [])
    #expect(try click("Choose…") == [])
  }

  @Test func `the browser opened for playing plays as ever`() throws {
    _ = try click("Choose…")
    desk.press(.escape)
    desk.press(.escape)
    desk.press("o")
    show(folder)
    #expect(desk.place(of: "Record into this folder") == nil)
    #expect(
      try click("a.wav")
        == [.library(.closeBrowser), .recorder(.disarm), .player(.open([folder.appending("a.wav")]))])
  }
}
