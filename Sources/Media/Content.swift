/// What a file that holds no sound holds instead, by its first bytes.
enum Content {
  private static let signatures: [(bytes: [UInt8], offset: Int, name: String)] = [
    ([0xFF, 0xD8, 0xFF], 0, "a JPEG picture"),
    ([0x89] + Array("PNG".utf8), 0, "a PNG picture"),
    (Array("GIF8".utf8), 0, "a GIF picture"),
    (Array("BM".utf8), 0, "a BMP picture"),
    (Array("WEBP".utf8), 8, "a WebP picture"),
    (Array("%PDF".utf8), 0, "a PDF document"),
    ([0x50, 0x4B, 3, 4], 0, "a ZIP archive"),
    ([0x1F, 0x8B], 0, "a gzip archive"),
    (Array("7z".utf8) + [0xBC, 0xAF], 0, "a 7-Zip archive"),
    (Array("Rar!".utf8), 0, "a RAR archive"),
    ([0x7F] + Array("ELF".utf8), 0, "a program"),
    (Array("SQLite format 3".utf8), 0, "a database"),
    (Array("MThd".utf8), 0, "MIDI notes"),
    ([0, 5, 0x16, 7], 0, "a Mac file’s description"),
    (Array("ustar".utf8), 257, "a tar archive"),
  ]

  /// Such as "a PNG picture" or "text"; nil when nothing is recognised.
  static func name(of bytes: [UInt8]) -> String? {
    for (signature, offset, name) in signatures
    where bytes.count >= offset + signature.count && bytes[offset...].starts(with: signature) { return name }
    if bytes.prefix(4096).allSatisfy({ $0 == 0 }) { return "nothing but zeros" }
    return isText(bytes) ? "text" : nil
  }

  /// UTF-8 without the control characters that no text has.
  static func isText(_ bytes: [UInt8]) -> Bool {
    let part = bytes.prefix(4096)
    let controls = part.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) || $0 == 0x7F }
    guard !part.isEmpty, !controls else { return false }
    // The last character may be cut in two.
    return (0...3).contains { String(validating: part.dropLast($0), as: UTF8.self) != nil }
  }

  /// Lists of other files, which are not followed.
  static func isPlaylist(_ bytes: [UInt8]) -> Bool {
    guard isText(bytes) else { return false }
    let start = String(decoding: bytes.prefix(64), as: UTF8.self).drop { $0 == "\u{FEFF}" || $0.isWhitespace }
    return ["#EXTM3U", "[playlist]", "ffconcat version", "v=0\r\n", "v=0\n"].contains { start.hasPrefix($0) }
  }
}
