import CFFmpeg

/// What a file says of itself in words.
package struct Tags: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// Lower case.
    package var key: String
    package var value: String
  }
  /// The most entries kept, and the most bytes of UTF-8 of a key and of a value.
  package static let entryLimit = 200
  package static let keyLimit = 100
  package static let valueLimit = 4000

  /// In the file's order; each key once.
  package private(set) var all: [Entry] = []

  package init() {}

  package var title: String? { self["title"] }
  package var artist: String? { self["artist"] ?? self["album_artist"] }
  package var album: String? { self["album"] }

  /// The value of a key, which is compared without case; nil where absent or blank.
  package subscript(key: String) -> String? { all.first { $0.key == key.lowercased() }?.value }

  /// Adds an entry, cut to the limits, unless it is blank, its key is taken or the list is full.
  mutating func add(_ key: String, _ value: String) {
    let key = Self.cut(Self.trimmed(key.lowercased()), to: Self.keyLimit)
    let value = Self.cut(Self.trimmed(value), to: Self.valueLimit)
    guard all.count < Self.entryLimit, !key.isEmpty, !value.isEmpty, self[key] == nil else { return }
    all.append(Entry(key: key, value: value))
  }

  private static func trimmed(_ text: String) -> String {
    let isBlank = { (character: Character) in character.isWhitespace || character == "\0" }
    guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(text[first...last])
  }

  /// The longest beginning of whole characters within a number of bytes.
  private static func cut(_ text: String, to bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    var kept = ""
    var size = 0
    for character in text {
      size += character.utf8.count
      guard size <= bytes else { break }
      kept.append(character)
    }
    return kept
  }
}

extension Tags {
  /// Technical words that players write for each other.
  private static let noise: Set<String> = [
    "handler_name", "vendor_id", "language", "major_brand", "minor_version", "compatible_brands", "itunsmpb",
    "itunnorm",
    "_statistics_tags", "_statistics_writing_app", "_statistics_writing_date_utc", "number_of_bytes",
    "number_of_frames", "bps",
  ]

  /// What the container says, then what the stream says (in Ogg all words are there).
  init(demuxer: Demuxer, stream: UnsafeMutablePointer<AVStream>?) {
    self.init()
    add(demuxer.context.pointee.metadata)
    if let stream { add(stream.pointee.metadata) }
  }

  private mutating func add(_ dictionary: OpaquePointer?) {
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while all.count < Self.entryLimit, let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      entry = next
      let key = String(cString: next.pointee.key)
      if !Self.noise.contains(key.lowercased()) { add(key, String(cString: next.pointee.value)) }
    }
  }
}
