package import Sound
internal import System

/// Makes takes whole that a crash has left unfinished.
package enum TakeMending {
  /// Completes a file and gives the length of its sound, in frames of the file.
  ///
  /// What is there stays; only what is left of a last, half-written piece goes. May be done again, and broken off
  /// anywhere. Waits for the disk.
  package static func complete(_ path: PathBytes) throws(TakeError) -> FrameCount {
    let file: OutputFile
    do { file = try OutputFile(mending: path) } catch { throw .cannotWrite(path, error) }
    do {
      let frames = try complete(file)
      try file.sync()
      if let frames { return FrameCount(frames) }
    } catch let fault as TakeFault {
      if case .system(let error) = fault { throw .cannotWrite(path, error) }
    } catch {}
    throw .cannotComplete(path)
  }

  private static func complete(_ file: OutputFile) throws(TakeFault) -> Int64? {
    let head = try file.get(at: 0, count: 1 << 16)
    if head.isText("fLaC", at: 0) { return try FLACMending.complete(file) }
    if head.isText("OggS", at: 0) { return try OggMending.complete(file) }
    if head.isText("ftyp", at: 4) { return try M4AMending.complete(file, frames: nil) }
    guard let header = WaveHeader(reading: head) else { return nil }
    try WaveTake.complete(file, header: header)
    return (file.size - Int64(header.length)) / Int64(header.frameBytes)
  }
}
