package import Sound
internal import System

/// Waveforms that were made before, on disk, one file each in a folder of their own.
///
/// A cache and nothing more: whatever goes wrong with it (no folder, no room, no permission, damage) only means that a
/// waveform is made again, and nobody is told. Any thread, several programs at a time; waits for the disk.
package struct WaveformCache: Hashable, Sendable {
  /// What is kept at most, in bytes: the waveforms of some 100 songs of 5 minutes.
  package static let mostBytes: Int64 = 256 << 20
  /// A file that was begun and not finished is left over from a crash after so long, in nanoseconds.
  private static let abandoned: Int64 = 3_600_000_000_000
  private static let ending = Array(".waveform".utf8)

  private let folder: PathBytes
  private let mostBytes: Int64

  /// A cache in this folder, which is made when the first waveform is kept; `mostBytes` for tests.
  package init(folder: PathBytes, mostBytes: Int64 = mostBytes) {
    self.folder = folder
    self.mostBytes = mostBytes
  }

  /// The cache of this user; nil without a home.
  package static var standard: WaveformCache? {
    Environment.Folder.cache.path.map { WaveformCache(folder: $0.appending("waveforms")) }
  }

  /// The waveform of just this sound, if it is kept whole.
  ///
  /// A few milliseconds.
  package func load(_ key: WaveformKey) -> Waveform? {
    let file = place(of: key)
    guard let bytes = try? Files.readAll(file, limit: PyramidBytes.mostBytes),
      let waveform = PyramidBytes.decode(bytes, key: key)
    else { return nil }
    // What was used last goes last.
    try? Files.touch(file)
    return waveform
  }

  /// Keeps a complete waveform, in the place of an older one of the same file, and lets go of what was not used for longest.
  package func store(_ waveform: Waveform, _ key: WaveformKey) {
    guard waveform.pyramid.isComplete, waveform.pyramid.length > .zero else { return }
    let bytes = PyramidBytes.encode(waveform, key: key)
    guard bytes.count <= mostBytes, (try? Files.makeFolder(folder)) != nil else { return }
    makeRoom(for: Int64(bytes.count), besides: place(of: key))
    try? Files.replace(place(of: key), with: bytes)
  }

  /// One file for each stream of each path: a new state of a sound file takes the place of the old.
  private func place(of key: WaveformKey) -> PathBytes {
    let stream = withUnsafeBytes(of: Int64(key.stream).littleEndian) { Array($0) }
    let digits = String(Hash64.of(stream + key.path.bytes), radix: 16)
    let name = String(repeating: "0", count: 16 - digits.count) + digits
    return folder.appending(PathBytes(bytes: Array(name.utf8) + Self.ending))
  }

  private func makeRoom(for bytes: Int64, besides place: PathBytes) {
    guard let names = try? Files.names(in: folder) else { return }
    let now = (try? Files.status(of: folder))?.modified ?? 0
    var kept: [(file: PathBytes, status: Files.Status)] = []
    for name in names {
      let file = folder.appending(name)
      guard file != place, let status = try? Files.status(of: file), status.kind == .regular else { continue }
      if name.bytes.suffix(Self.ending.count).elementsEqual(Self.ending) {
        kept.append((file, status))
      } else if name.bytes.starts(with: Array(".swell-".utf8)), now - status.modified > Self.abandoned {
        try? Files.remove(file)
      }
    }
    var total = kept.reduce(bytes) { $0 + $1.status.size }
    for (file, status) in kept.sorted(by: { $0.status.modified < $1.status.modified }) where total > mostBytes {
      try? Files.remove(file)
      total -= status.size
    }
  }
}
