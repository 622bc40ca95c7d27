import Foundation
import Sound
import System
import TestSupport

/// Where a program keeps what it remembers: empty folders, one set a test, or the same for a second start.
struct Home: Sendable {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  var environment: [String: String] {
    let path = folder.path.shown
    return [
      "HOME": path, "XDG_CONFIG_HOME": path + "/config", "XDG_CACHE_HOME": path + "/cache",
      "XDG_STATE_HOME": path + "/state", "XDG_DATA_HOME": path + "/data",
    ]
  }

  /// The file in which the program keeps its state; nil before there is one.
  func stateFile() -> String? {
    let folder = folder.path.shown + "/state/swell"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.first { $0.hasSuffix(".json") }.map { folder + "/" + $0 }
  }

  /// What it holds.
  func state() throws -> [String: Any] {
    guard let file = stateFile() else { throw Child.Failure(description: "No state was kept.") }
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file)))
    return object as? [String: Any] ?? [:]
  }
}

/// The program under test with its window at the desk.
final class Program {
  let desk: Desk
  let child: Child
  /// The X window's number.
  let window: String

  /// Starts it and waits for its window.
  init(
    _ arguments: [PathBytes] = [], home: Home, environment: [String: String] = [:], binary: String = Desk.program
  ) throws {
    desk = try Desk.shared.get()
    let all = desk.environment.merging(home.environment) { $1 }.merging(environment) { $1 }
    let child = try Child(binary, arguments, environment: all)
    let desk = desk
    window = try eventually("a window of process \(child.pid)") { () -> String? in
      guard child.isRunning else {
        throw Child.Failure(description: "The program ended before it had a window: \(child.complaints)")
      }
      let found = try? desk.tool(
        "xdotool", "search", "--onlyvisible", "--all", "--pid", "\(child.pid)", "--class", "swell")
      return found.flatMap { String(decoding: $0, as: UTF8.self).split(separator: "\n").last.map { String($0) } }
    }
    self.child = child
    try desk.tool("xdotool", "windowactivate", "--sync", window)
    // Where the pointer rests it lights nothing up.
    try point(2, 2)
  }

  deinit { child.send(SIGKILL) }

  var title: String {
    get throws {
      let answer = try desk.tool("xprop", "-notype", "-id", window, "8u", "=$0", "_NET_WM_NAME")
      return String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
  }

  func waitForTitle(containing text: String, atMost seconds: Double = 10) throws {
    _ = try eventually("a title with “\(text)” (it is “\(try title)”)", atMost: seconds) {
      try title.contains(text) ? true : nil
    }
  }

  /// Presses and releases keys by their X names, such as "space", "Right", "ctrl+q".
  func key(_ names: String...) throws {
    for name in names { try desk.tool("xdotool", "key", "--clearmodifiers", "--delay", "0", name) }
  }

  /// Presses a key and gives the place in what is heard at which it went down, then releases it.
  func keyWithPlace(_ name: String) throws -> Int {
    try desk.tool("xdotool", "keydown", name)
    let place = desk.ear.now
    try desk.tool("xdotool", "keyup", name)
    return place
  }

  func point(_ x: Int, _ y: Int) throws {
    try desk.tool("xdotool", "mousemove", "--window", window, "\(x)", "\(y)")
  }

  func click(_ x: Int, _ y: Int, button: Int = 1, times: Int = 1) throws {
    try desk.tool("xdotool", "mousemove", "--window", window, "\(x)", "\(y)")
    try desk.tool("xdotool", "click", "--repeat", "\(times)", "--delay", "40", "\(button)")
  }

  /// Drops files and folders on the middle of the window, as a file manager does.
  func drop(_ paths: [PathBytes]) throws {
    let uris = paths.map { path in
      "file://"
        + path.bytes.map { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "/"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            String(UnicodeScalar(byte))
          default: String(format: "%%%02X", byte)
          }
        }.joined()
    }
    let script = Desk.tree + "/Tests/EndToEndTests/drop.py"
    try Child.run("/usr/bin/python3", [script, window, "300", "200"] + uris, environment: desk.environment)
  }

  func picture() throws -> Picture {
    try Picture(pixmap: desk.tool("import", "-silent", "-window", window, "-depth", "8", "ppm:-"))
  }

  /// Waits until two pictures, one after the other, are the same, and gives it.
  func stillPicture(atMost seconds: Double = 10) throws -> Picture {
    var last = try picture()
    return try eventually("a picture that stands still", atMost: seconds) {
      let next = try picture()
      defer { last = next }
      return next == last ? next : nil
    }
  }

  /// Where the volume's line runs when it is all the way up, which is how a first start begins.
  func volumeSlider() throws -> (y: Int, x: Range<Int>) {
    try eventually("a volume slider") {
      let picture = try picture()
      let corner = (x: picture.width * 3 / 4..<picture.width, y: picture.height - 110..<picture.height)
      let accent = Picture.Pixel(red: 0x4C, green: 0xC9, blue: 0xF0)
      guard let run = picture.longestRun(of: accent, x: corner.x, y: corner.y), run.x.count > 40 else { return nil }
      return run
    }
  }

  /// The left edge of an error's toast: a bar in the colour of errors, at least 20 pixels high.
  private func toastEdge() throws -> (x: Int, y: Int)? {
    let picture = try picture()
    let red = Picture.Pixel(red: 0xFF, green: 0x6B, blue: 0x5A)
    for x in stride(from: picture.width / 5, to: picture.width / 3, by: 1) {
      var height = 0
      for y in stride(from: picture.height - 90, to: picture.height / 2, by: -1) {
        height = picture[x, y].isNear(red) ? height + 1 : 0
        if height >= 20 { return (x, y + 10) }
      }
    }
    return nil
  }

  func toastIsShown() throws -> Bool { try toastEdge() != nil }

  /// Presses Dismiss on the lowest toast.
  func dismissToast() throws {
    guard let edge = try toastEdge() else { return }
    try click(edge.x + 555, edge.y)
    try point(2, 2)
  }

  /// Asks it to end with a key and waits until it has.
  func quit() throws -> Child.End? {
    try key("ctrl+q")
    return child.waitForEnd(atMost: 5)
  }
}
