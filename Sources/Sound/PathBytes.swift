/// Where a file lies: the bytes of its path exactly as the kernel has them, which need not be UTF-8.
package struct PathBytes: Hashable, Sendable {
  /// The path without its terminating zero; empty only for "no path".
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  package init(_ string: String) { bytes = Array(string.utf8) }

  /// The path as it is shown: bytes that are not UTF-8 become U+FFFD, control characters a visible picture of themselves.
  ///
  /// Marks that would break the line or turn the direction of reading become U+FFFD too.
  package var shown: String {
    var text = ""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0..<0x20: text.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value)!)
      case 0x7F: text.unicodeScalars.append("\u{2421}")
      case 0x80..<0xA0, 0x2028...0x202E, 0x2066...0x2069: text.unicodeScalars.append("\u{FFFD}")
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The last component, without slashes; the root's is "/".
  package var lastComponent: PathBytes {
    var end = bytes.count
    while end > 1, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
    guard let slash = bytes[..<end].lastIndex(of: UInt8(ascii: "/")), end > 1 else {
      return PathBytes(bytes: Array(bytes[..<end]))
    }
    return PathBytes(bytes: Array(bytes[(slash + 1)..<end]))
  }

  /// The last component as it is shown, without its ending; a dot at its start begins none.
  package var shownStem: String {
    let name = lastComponent.shown
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// The folder that holds this path; the root is its own parent, a bare name's parent is ".".
  package var parent: PathBytes {
    var end = bytes.count
    while end > 1, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
    guard let slash = bytes[..<end].lastIndex(of: UInt8(ascii: "/")) else { return PathBytes(".") }
    var length = slash
    while length > 1, bytes[length - 1] == UInt8(ascii: "/") { length -= 1 }
    return PathBytes(bytes: Array(bytes[..<max(length, 1)]))
  }

  package func appending(_ component: PathBytes) -> PathBytes {
    if bytes.isEmpty || bytes.last == UInt8(ascii: "/") { return PathBytes(bytes: bytes + component.bytes) }
    return PathBytes(bytes: bytes + [UInt8(ascii: "/")] + component.bytes)
  }

  package func appending(_ component: String) -> PathBytes { appending(PathBytes(component)) }
}
