import Control
import Glibc
import Library
import Media
import Sound
import System
import TestSupport

/// What the program keeps on disk for itself, made as it makes it, and read back damaged.
enum KeptFiles {
  private static let key = WaveformKey(
    path: PathBytes("/music/a song.flac"), size: 1_234_567, modified: 1_700_000_000_000_000_000, stream: 0, decoder: 7)

  static func make(in folder: PathBytes) throws {
    let store = StateStore(file: folder.appending("state.json"), delay: 0)
    store.save(state)
    store.close()
    try Files.replace(folder.appending("song.waveform"), with: PyramidBytes.encode(waveform, key: key))
    try Files.replace(folder.appending("take.note"), with: Array("/music/takes/a take.flac".utf8))
    for coding in TakeCoding.allCases { try makeTake(coding, in: folder) }
  }

  private static var state: StoredState {
    var state = StoredState()
    state.volume = Volume(clamping: Decibels(-12))
    state.window = .init(x: 10, y: 20, width: 1280, height: 720, isMaximised: false)
    state.secondsPerPoint = 0.01
    state.interfaceScale = 2
    state.deviceName = "Built-in Audio"
    state.queue = [PathBytes("/music/a.flac"), PathBytes(bytes: [47, 0xE9, 0xFF]), PathBytes("/music/日本.mp3")]
    state.queueIndex = 1
    state.position = FrameIndex(441_000)
    state.recents = [RecentItem(path: PathBytes("/music/a.flac"), title: "A", detail: "3:57 · FLAC")]
    state.browserFolder = PathBytes("/music")
    return state
  }

  private static var waveform: Waveform {
    var builder = PyramidBuilder(channelCount: 2)
    let frames = 30_000
    builder.append(SampleBlock([Signal.noise(seed: 1, frames: frames), Signal.noise(seed: 2, frames: frames)]))
    builder.finish()
    return Waveform(pyramid: builder.snapshot(), skippedStretches: 1)
  }

  /// A take as a crash leaves it: flushed, and not finished.
  private static func makeTake(_ coding: TakeCoding, in folder: PathBytes) throws {
    let format = TakeFormat(coding: coding, width: .int16, rate: SampleRate(hertz: 48_000), channelCount: 2)
    let path = folder.appending("take." + format.coding.fileExtension)
    let tags = TakeTags(title: "A take", date: "2026-11-30T18:20:05", device: "Microphone")
    let file = try TakeFile(creating: path, format: format, tags: tags)
    for seed in 0..<8 {
      let noise = (0..<2).map { Signal.noise(seed: UInt64(seed * 2 + $0), frames: 4800, amplitude: 0.3) }
      try file.write(SampleBlock(noise))
      try file.flush()
    }
    withExtendedLifetime(file) {}
  }

  static func use(_ bytes: [UInt8], of name: PathBytes, in scratch: TemporaryFolder) throws {
    switch name.shown {
    case "state.json":
      let file = try scratch.write(bytes, to: "state.json")
      let store = StateStore(file: file, delay: 0)
      let (state, _) = store.load()
      precondition(state == state.sane)
      store.save(state)
      store.close()
      precondition(StateStore(file: file, delay: 0).reloads(state))
    case "song.waveform":
      // The checksum would keep most faults from being seen at all.
      for sealed in [bytes, resealed(bytes)] {
        guard let found = PyramidBytes.decode(sealed, key: key) else { continue }
        precondition(found.pyramid.channelCount <= 64 && found.pyramid.isComplete)
        _ = found.pyramid.overall(channel: 0)
      }
    case "take.note":
      _ = try scratch.write(bytes, to: "1-1.unfinished")
      _ = TakeJournal(folder: scratch.path).recover()
      _ = scratch.appending("1-1.unfinished").withCPath { unlink($0) }
    default: try mend(bytes, in: scratch)
    }
  }

  private static func resealed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > 32 else { return bytes }
    var body = Array(bytes.dropLast(8))
    // The length in the head, too.
    withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { body.replaceSubrange(16..<24, with: $0) }
    return body + withUnsafeBytes(of: Hash64.of(body).littleEndian) { Array($0) }
  }

  private static func mend(_ bytes: [UInt8], in scratch: TemporaryFolder) throws {
    let path = try scratch.write(bytes, to: "take")
    guard let mended = try? TakeMending.complete(path) else { return }
    // What was made whole once is whole.
    let again = try? TakeMending.complete(path)
    precondition(again?.length == mended.length, "\(mended.length) frames, then \(String(describing: again?.length))")
    guard let file = try? AudioFile(path: path) else { return }
    let block = SampleBlock(channelCount: file.format.channelCount, capacity: 4096)
    while (try? file.read(into: block)) == true, file.position < FrameIndex(200_000) {}
  }
}

extension StateStore {
  /// Whether what was kept is what comes back.
  fileprivate func reloads(_ state: StoredState) -> Bool {
    let found = load().state
    close()
    return found == state
  }
}
