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
}

/// The program under test with its window at the desk.
final class Program {
  let desk: Desk
  let child: Child
  /// The X window's number.
  let window: String

  /// Starts it and waits for its window.
  init(_ arguments: [PathBytes] = [], home: Home, environment: [String: String] = [:]) throws {
    desk = try Desk.shared.get()
    let all = desk.environment.merging(home.environment) { $1 }.merging(environment) { $1 }
    let child = try Child(Desk.program, arguments, environment: all)
    let desk = desk
    window = try eventually("a window of process \(child.pid)") { () -> String? in
      guard child.isRunning else {
        throw Child.Failure(description: "The program ended before it had a window: \(child.complaints)")
      }
      let found = try? desk.tool("xdotool", "search", "--onlyvisible", "--all", "--pid", "\(child.pid)", "--class", "swell")
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
      let text = try desk.tool("xdotool", "getwindowname", window)
      return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
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
    try desk.tool("xdotool", "mousemove", "--sync", "--window", window, "\(x)", "\(y)")
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

  /// Asks it to end with a key and waits until it has.
  func quit() throws -> Child.End? {
    try key("ctrl+q")
    return child.waitForEnd(atMost: 5)
  }
}
