package import Sound
internal import System

/// The track that comes with the program.
package enum Demo {
  /// Where it lies; nil when it was not installed.
  ///
  /// Reads a folder of the program's own the first time.
  package static let path: PathBytes? = Environment.assets.flatMap { find(in: $0.appending("demo")) }

  /// The file `demo.flac`, or of another format, in a folder.
  static func find(in folder: PathBytes) -> PathBytes? {
    let formats = ["flac", "wav", "opus", "ogg", "m4a", "mp3"]
    return formats.map { folder.appending("demo.\($0)") }
      .first { (try? Files.status(of: $0))?.kind == .regular }
  }
}
