import Sound
import Testing

@testable import Library

struct MusicFolderTests {
  @Test(arguments: [
    ("XDG_MUSIC_DIR=\"$HOME/Music\"", "/home/a/Music"),
    ("XDG_MUSIC_DIR=\"$HOME/\"", "/home/a"),
    ("XDG_MUSIC_DIR=\"/data/my music\"", "/data/my music"),
    ("  XDG_MUSIC_DIR=\"/a \\\"b\\\" \\$c\"  ", "/a \"b\" $c"),
    ("# XDG_MUSIC_DIR=\"/comment\"\nXDG_VIDEOS_DIR=\"/v\"\nXDG_MUSIC_DIR=\"/m\"\n", "/m"),
    ("XDG_MUSIC_DIR=\"/one\"\nXDG_MUSIC_DIR=\"/two\"", "/two"),
    ("XDG_MUSIC_DIR=\"/open", "/open"),
  ])
  func `the desktop's own music folder is found`(text: String, folder: String) {
    #expect(MusicFolder.parse(Array(text.utf8), home: PathBytes("/home/a")) == PathBytes(folder))
  }

  @Test(arguments: ["", "XDG_MUSIC_DIR=\"Music\"", "XDG_MUSIC_DIR=", "XDG_MUSIC_DIR=\"\"", "MUSIC=\"/m\""])
  func `what names no folder is no value`(text: String) {
    #expect(MusicFolder.parse(Array(text.utf8), home: PathBytes("/home/a")) == nil)
  }

  @Test func `bytes that are not UTF-8 stay as they are`() {
    let text = Array("XDG_MUSIC_DIR=\"$HOME/".utf8) + [0xE9, 0xFF] + Array("\"".utf8)
    #expect(MusicFolder.parse(text, home: PathBytes("/h")) == PathBytes(bytes: Array("/h/".utf8) + [0xE9, 0xFF]))
  }

  @Test func `without such a file it is Music in the home folder`() {
    let tree = Tree()
    #expect(MusicFolder.path(home: tree.path, config: tree.path) == tree.path.appending("Music"))
    tree.file("user-dirs.dirs", "XDG_MUSIC_DIR=\"$HOME/Musik\"\n")
    #expect(MusicFolder.path(home: tree.path, config: tree.path) == tree.path.appending("Musik"))
  }

  @Test func `the demo is found whatever its format, and what made it is not taken for it`() {
    let tree = Tree()
    tree.file("demo.py")
    tree.folder("demo.wav")
    #expect(Demo.find(in: tree.path) == nil)
    let demo = tree.file("demo.opus")
    #expect(Demo.find(in: tree.path) == demo)
  }
}
