package import Sound
internal import System

/// What a recording says of itself in words.
package struct TakeTags: Hashable, Sendable {
  package var title: String
  /// As in ISO 8601: "2026-11-30T18:20:05".
  package var date: String
  /// The microphone's name.
  package var device: String

  package init(title: String, date: String, device: String) {
    self.title = Self.clipped(title)
    self.date = date
    self.device = device
  }

  /// As much of a title as there is room for in a file.
  static func clipped(_ title: String) -> String {
    var title = title
    while title.utf8.count > TakeTitle.mostBytes { title.removeLast() }
    return title
  }

  var comment: String { "Recorded from \(device)" }
  static let program = "Swell"
}

/// One kind of file that grows while sound is recorded.
///
/// After every `flush` the file opens in other programs with all that was flushed, whatever happens next.
protocol TakeWriting: AnyObject {
  /// Codes a block; some of it may stay in memory.
  func write(_ block: SampleBlock) throws(TakeFault)
  /// Brings all that is coded into the file, and the file's header up to date.
  func flush() throws(TakeFault)
  /// Codes and writes the rest, and makes the file whole.
  func finish() throws(TakeFault)
  /// Makes the file whole with what is in it, after a write has failed.
  func close() throws(TakeFault)
}

/// A recording's file.
///
/// One thread at a time; every call may wait for the disk. Sound stays in memory for at most half a second of it before
/// it is handed to the kernel, and on the disk it is after `sync`.
package final class TakeFile {
  package let format: TakeFormat
  /// The frames taken in, at the rate of the sound.
  package private(set) var frames = FrameCount.zero
  private let file: OutputFile
  private let writer: any TakeWriting

  /// Makes a new file, which must not exist; the empty take in it is valid at once.
  package convenience init(creating path: PathBytes, format: TakeFormat, tags: TakeTags) throws(TakeError) {
    try self.init(creating: path, format: format, tags: tags, wideLimit: WaveTake.wideLimit)
  }

  /// `wideLimit` is the size from which on a WAV becomes an RF64, for tests.
  init(creating path: PathBytes, format: TakeFormat, tags: TakeTags, wideLimit: Int64) throws(TakeError) {
    let file: OutputFile
    do { file = try OutputFile(creating: path) } catch { throw .cannotCreate(path, error) }
    self.file = file
    self.format = format
    do {
      writer =
        switch format.coding {
        case .wav: try WaveTake(file: file, format: format, tags: tags, wideLimit: wideLimit)
        case .flac: try FLACTake(file: file, format: format, tags: tags)
        case .aac: try M4ATake(file: file, format: format, tags: tags)
        case .opus: try OpusTake(file: file, format: format, tags: tags)
        }
    } catch {
      // No bytes of it lie there yet that anybody could want.
      try? Files.remove(path)
      switch error {
      case .system(let error): throw .cannotCreate(path, error)
      case .codec(let status): throw .cannotEncode(path, format.coding, reason: status.reason)
      }
    }
  }

  /// The size of the file so far.
  package var bytes: Int64 { file.size }
  /// Where it lies now; nil when it was deleted meanwhile.
  package var currentPath: PathBytes? { file.currentPath }

  /// Adds a block, whose channel count must be the format's.
  package func write(_ block: SampleBlock) throws(TakeError) {
    try trying { () throws(TakeFault) in try writer.write(block) }
    frames = frames + FrameCount(block.frameCount)
  }

  /// Hands everything that is coded to the kernel: from here on a crash of the program loses none of it.
  package func flush() throws(TakeError) {
    try trying { () throws(TakeFault) in try writer.flush() }
  }

  /// Waits until everything handed to the kernel is on the disk: from here on a power cut loses none of it.
  package func sync() throws(TakeError) {
    do { try file.sync() } catch { throw .cannotWrite(file.path, error) }
  }

  /// Makes the file whole and syncs it; nothing is written after.
  package func finish() throws(TakeError) {
    try trying { () throws(TakeFault) in try writer.finish() }
    try sync()
  }

  /// Saves what is in the file after something has failed; true when it is whole.
  package func salvage() -> Bool {
    do {
      try writer.close()
      try file.sync()
      return true
    } catch { return false }
  }

  /// Goes on in a new file that begins with all that was written, because the old one was deleted.
  package func move(creating path: PathBytes) throws(TakeError) {
    do { try file.move(creating: path) } catch { throw .cannotCreate(path, error) }
  }

  private func trying(_ body: () throws(TakeFault) -> Void) throws(TakeError) {
    do { try body() } catch {
      switch error {
      case .system(let error): throw .cannotWrite(file.path, error)
      case .codec(let status): throw .cannotEncode(file.path, format.coding, reason: status.reason)
      }
    }
  }
}

extension OutputFile {
  func put(_ bytes: [UInt8]) throws(TakeFault) {
    do { try append(bytes) } catch { throw .system(error) }
  }

  func mend(_ bytes: [UInt8], at offset: Int64) throws(TakeFault) {
    do { try overwrite(bytes, at: offset) } catch { throw .system(error) }
  }

  func get(at offset: Int64, count: Int) throws(TakeFault) -> [UInt8] {
    do { return try read(at: offset, count: count) } catch { throw .system(error) }
  }

  func cut(to length: Int64) throws(TakeFault) {
    do { try truncate(to: length) } catch { throw .system(error) }
  }
}
