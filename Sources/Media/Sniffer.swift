package import Sound
internal import System

/// Tells by its first bytes whether a file may hold sound.
package enum Sniffer {
  /// What is read of a file.
  private static let reach = 1 << 16

  /// True for a regular file that begins like sound, or like a film, which may have some; its name does not matter.
  ///
  /// Any thread; reads at most 64 KiB (and as much behind a tag in front), opens no other file, waits on no pipe.
  package static func holdsSound(_ path: PathBytes) -> Bool {
    guard let source = try? ByteSource(path: path, cancellation: Cancellation()) else { return false }
    let bytes = source.bytes(at: ID3v2.end(in: source), count: reach)
    guard Content.name(of: bytes) == nil else { return false }
    if let guess = Probe.guess(bytes), Probe.mayHoldSound(guess) { return true }
    return FrameSync.find(in: bytes) != nil
  }
}
