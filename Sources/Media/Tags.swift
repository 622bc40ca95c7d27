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

  /// In the file's order.
  package private(set) var all: [Entry] = []

  package init() {}

  package var title: String? { self["title"] }
  package var artist: String? { self["artist"] ?? self["album_artist"] }
  package var album: String? { self["album"] }

  /// The first value of a key, which is compared without case; nil where absent or blank.
  package subscript(key: String) -> String? { all.first { $0.key == key.lowercased() }?.value }
}
