package import Sound
internal import System

/// Where the listener keeps music.
package enum MusicFolder {
  /// The folder that the desktop calls its music folder, else `Music` in the home folder; it need not exist.
  ///
  /// Reads `user-dirs.dirs`: at start, or on a worker.
  package static var path: PathBytes? {
    guard let home = Environment.home else { return nil }
    let config = Environment.variable("XDG_CONFIG_HOME").flatMap { $0.bytes.first == UInt8(ascii: "/") ? $0 : nil }
    return path(home: home, config: config ?? home.appending(".config"))
  }

  static func path(home: PathBytes, config: PathBytes) -> PathBytes {
    let text = try? Files.read(config.appending("user-dirs.dirs"), limit: 1 << 16)
    return text.flatMap { parse($0, home: home) } ?? home.appending("Music")
  }

  /// The value of XDG_MUSIC_DIR in the text of a `user-dirs.dirs`.
  ///
  /// A line reads `XDG_MUSIC_DIR="$HOME/Music"` or names a path from the root; a backslash keeps the next letter as it
  /// is; anything else is no value (xdg-user-dirs, user-dirs.dirs(5)). The last line counts.
  static func parse(_ text: [UInt8], home: PathBytes) -> PathBytes? {
    var found: PathBytes?
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let line = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      let key = Array("XDG_MUSIC_DIR=\"".utf8)
      guard line.starts(with: key) else { continue }
      let value = unquoted(line.dropFirst(key.count))
      let variable = Array("$HOME".utf8)
      if value.starts(with: variable) {
        let rest = value.dropFirst(variable.count).drop { $0 == UInt8(ascii: "/") }
        found = rest.isEmpty ? home : home.appending(PathBytes(bytes: Array(rest)))
      } else if value.first == UInt8(ascii: "/") {
        found = PathBytes(bytes: value)
      }
    }
    return found
  }

  /// The bytes up to the closing quote.
  private static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var value: [UInt8] = []
    var isEscaped = false
    for byte in text {
      if isEscaped {
        value.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        break
      } else {
        value.append(byte)
      }
    }
    return value
  }
}
