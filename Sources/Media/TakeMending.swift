package import Sound
internal import System

/// A take that was made whole: how long it is, in frames of the file.
package struct MendedTake: Hashable, Sendable {
  package var length: FrameCount
  package var rate: SampleRate

  init(frames: Int64, hertz: Int) {
    length = FrameCount(frames)
    rate = SampleRate(hertz: hertz)
  }
}

/// Makes takes whole that a crash has left unfinished.
package enum TakeMending {
  /// Completes a file and tells how long its sound is.
  ///
  /// What is there stays; only what is left of a last, half-written piece goes. May be done again, and broken off
  /// anywhere. Waits for the disk.
  package static func complete(_ path: PathBytes) throws(TakeError) -> MendedTake {
    let file: OutputFile
    do { file = try OutputFile(mending: path) } catch { throw .cannotWrite(path, error) }
    do {
      let mended = try complete(file)
      try file.sync()
      if let mended { return mended }
    } catch let fault as TakeFault {
      if case .system(let error) = fault { throw .cannotWrite(path, error) }
    } catch {}
    throw .cannotComplete(path)
  }

  private static func complete(_ file: OutputFile) throws(TakeFault) -> MendedTake? {
    let head = try file.get(at: 0, count: 1 << 16)
    if head.isText("fLaC", at: 0) {
      // Twenty bits of STREAMINFO.
      let hertz = head.big(18, as: UInt32.self).map { Int($0 >> 12) } ?? 0
      return try FLACMending.complete(file).map { MendedTake(frames: $0, hertz: hertz) }
    }
    if head.isText("OggS", at: 0) {
      return try OggMending.complete(file).map { MendedTake(frames: $0, hertz: 48_000) }
    }
    if head.isText("ftyp", at: 4) { return try M4AMending.complete(file) }
    guard let header = WaveTakeHeader(reading: head) else { return nil }
    try WaveTake.complete(file, header: header)
    let frames = (file.size - Int64(header.length)) / Int64(header.frameBytes)
    return MendedTake(frames: frames, hertz: header.format.rate.hertz)
  }
}
