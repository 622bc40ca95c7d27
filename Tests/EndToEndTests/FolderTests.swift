import Foundation
import Sound
import System
import TestSupport
import Testing

extension EndToEnd {
  /// Where recordings go.
  struct RecordingFolder: AtTheDesk {
    let corner: Corner
    init() throws { corner = try Corner() }

    private func names(_ folder: PathBytes) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.shown)) ?? []).sorted()
    }

    /// A path as the kernel tells it.
    private func plain(_ path: String) -> String { path.replacingOccurrences(of: "//", with: "/") }

    /// Records half a second without a window, and gives what it printed and said.
    private func record() throws -> (printed: String, said: String) {
      let child = try Child(
        Desk.program, ["record", "--seconds", "0.5"].map { PathBytes($0) },
        environment: desk.environment.merging(home.environment) { $1 })
      #expect(child.waitForEnd(atMost: 20) == .status(0))
      return (child.printed, child.complaints)
    }

    @Test func `a folder is chosen by keys alone, is kept, serves the command line too, and its loss loses nothing`()
      throws
    {
      let chosen = folder.appending("My takes")
      try FileManager.default.createDirectory(atPath: chosen.shown, withIntermediateDirectories: true)
      let program = try Program(home: home)
      try program.key("r")
      try program.waitForTitle(containing: "Recording")
      // Backwards from the first control: Show, then Choose.
      try program.key("ctrl+comma", "shift+Tab", "shift+Tab", "Return")
      try desk.tool("xdotool", "type", "--delay", "5", chosen.shown)
      try program.key("ctrl+Return", "Escape", "r")
      let take = try eventually("a take in the chosen folder", atMost: 20) { names(chosen).first }
      try program.key("s")
      try program.waitForTitle(containing: String(take.dropLast(5)))
      #expect(try program.quit() == .status(0))
      let recording = try home.state()["recording"] as? [String: Any]
      #expect(recording?["folder"] as? String == chosen.shown)

      let second = try record()
      #expect(plain(second.printed).hasPrefix(plain(chosen.shown) + "/") && second.said == "")
      // Its disk was unplugged: the sound goes where there is room for it.
      try FileManager.default.removeItem(atPath: chosen.shown)
      let third = try record()
      let standard = home.folder.path.shown + "/Music/Recordings"
      #expect(plain(third.printed).hasPrefix(plain(standard) + "/"))
      #expect(third.said.contains("Can’t record to “\(chosen.shown)”: no such file or directory."))
      #expect(plain(third.said).contains("This one goes to “\(plain(standard))”."))
      #expect(names(chosen) == [] && !FileManager.default.fileExists(atPath: chosen.shown))
    }
  }
}
