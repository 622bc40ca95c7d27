import Control
import Glibc
import Session
import Sound
import TestSupport
import Testing

/// µ-law, which is decoded by FFmpeg and so needs its file again for a seek.
private func muLawWave(seconds: Int) -> [UInt8] {
  func bytes(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
  let frames = seconds * PlayerRig.rate
  let format =
    bytes(7, 2) + bytes(1, 2) + bytes(PlayerRig.rate, 4) + bytes(PlayerRig.rate, 4) + bytes(1, 2) + bytes(8, 2)
  let head = Array("WAVEfmt ".utf8) + bytes(format.count, 4) + format + Array("data".utf8) + bytes(frames, 4)
  return Array("RIFF".utf8) + bytes(head.count + frames, 4) + head + (0..<frames).map { UInt8($0 / 50 % 2 * 128 + 16) }
}

@Test func `a seek in a file that was emptied is told of, and the queue goes on`() throws {
  let rig = PlayerRig()
  let emptied = try rig.folder.write(muLawWave(seconds: 60), to: "1.wav")
  let next = rig.wave("2.wav", [Signal.noise(seed: 40, frames: 6_000, amplitude: 0.5)])
  #expect(rig.open(emptied, next))
  rig.play(seconds: 0.2)
  truncate(emptied.shown, 0)
  rig.player.obey(.seek(to: FrameIndex(30 * 48_000)))
  #expect(rig.settle { !$0.snapshot.notices.isEmpty })
  #expect(rig.playToEnd())
  #expect(rig.player.snapshot.track?.path == next)
}

/// A player near the end of the first of two files, who has just dropped a folder that takes its time.
private func dropsLate(sound: [Float]?) throws -> (rig: PlayerRig, files: [PathBytes]) {
  let rig = PlayerRig()
  let noise = Signal.noise(seed: 41, frames: 3_000, amplitude: 0.5)
  let files = [rig.wave("1.wav", [noise]), rig.wave("2.wav", [noise])]
  let folder = rig.folder.appending("folder")
  mkdir(folder.shown, 0o700)
  for number in 0..<2000 { _ = try rig.folder.write(Array("Not sound.\n".utf8), to: "folder/\(number).txt") }
  let late = rig.folder.appending("folder/late.wav")
  if let sound { _ = rig.wave("folder/late.wav", [sound]) }
  #expect(rig.open(files[0], files[1]))
  // What follows is not known yet.
  rig.player.obey(.setLoop(.off))
  rig.player.obey(.open([folder]))
  return (rig, files + [late])
}

@Test func `what is dropped as a track ends is played, and not what would have followed`() throws {
  let (rig, files) = try dropsLate(sound: Signal.noise(seed: 42, frames: 3_000, amplitude: 0.5))
  #expect(
    rig.settle {
      rig.play(); return $0.snapshot.track?.path != files[0]
    })
  #expect(rig.player.snapshot.track?.path == files[2])
}

@Test func `what is dropped as a track ends and holds no sound leaves the queue going on`() throws {
  let (rig, files) = try dropsLate(sound: nil)
  #expect(
    rig.settle {
      rig.play(); return $0.snapshot.track?.path != files[0]
    })
  #expect(rig.player.snapshot.track?.path == files[1])
  #expect(rig.playToEnd())
}
