import Control
import Foundation
import Library
import Media
import Sound
import System
import TestSupport
import Testing

@testable import Session

@Suite struct KnownWaveformTests {
  let folder = try! TemporaryFolder()
  var cache: WaveformCache { WaveformCache(folder: folder.appending("cache")) }

  /// Waits until the scan of a file is done; tells how many times it published.
  private func scan(_ path: PathBytes, id: Int = 1) throws -> (state: Scan.State, publications: Int) {
    let rung = Monitor(0)
    let track = try Track(id: TrackID(id), path: path, cache: cache, cancellation: Cancellation())
    let scan = Scan(track: track, cache: cache, cores: 2) { rung.withLock { $0 += 1 } }
    #expect(rung.wait(atMost: 30) { _ in scan.current.isDone ? true : nil } == true)
    let publications = rung.withLock { $0 }
    // It is kept after it was published.
    let key = try #require(Track.key(of: track.file))
    let deadline = Clock.seconds() + 30
    while cache.load(key) == nil, Clock.seconds() < deadline { usleep(1_000) }
    return (scan.current, publications)
  }

  private var count: Int { ((try? Files.names(in: folder.appending("cache"))) ?? []).count }

  @Test func `a known file is shown at once, as it was scanned`() throws {
    let sound = [Signal.noise(seed: 1, frames: 1_000_000), Signal.noise(seed: 2, frames: 1_000_000)]
    let path = try folder.write(WaveFile.float32(sound, hertz: 44_100), to: "a.wav")
    let first = try scan(path)
    #expect(count == 1)
    let second = try scan(path, id: 2)
    #expect(second.publications == 0 && second.state.isDone)
    let (a, b) = try (#require(first.state.pyramid), #require(second.state.pyramid))
    #expect(b.isComplete && a.length == b.length && b.length == FrameCount(1_000_000))
    for start in stride(from: 0, to: 1_000_000, by: 12_800) {
      let (from, to) = (FrameIndex(start), FrameIndex(start + 12_800))
      for channel in 0..<2 {
        let (x, y) = (a.peak(channel: channel, from: from, to: to), b.peak(channel: channel, from: from, to: to))
        #expect(x?.low == y?.low && x?.high == y?.high && abs((x?.rms ?? 0) - (y?.rms ?? 1)) < 1e-5)
      }
    }
  }

  @Test func `the first picture of a known file has its whole waveform`() throws {
    let sound = [Signal.noise(seed: 1, frames: 1_000_000), Signal.noise(seed: 2, frames: 1_000_000)]
    let path = try folder.write(WaveFile.float32(sound, hertz: 48_000), to: "a.wav")
    _ = try scan(path)
    var settings = PlayerSettings()
    settings.waveforms = cache
    let rig = PlayerRig(settings)
    rig.player.open([path], StartOptions())
    // Looked at after every report that could change the picture.
    #expect(rig.settle { $0.snapshot.track != nil })
    let first = rig.player.snapshot
    #expect(first.pyramid?.isComplete == true && first.pyramid?.length == FrameCount(1_000_000) && !first.isScanning)
  }

  @Test func `a file that was changed is scanned anew`() throws {
    /// The same file with another sound, last changed at its own second.
    func write(_ sound: [Float], second: Double) throws -> PathBytes {
      let path = try folder.write(WaveFile.float32([sound], hertz: 44_100), to: "a.wav")
      let date = Date(timeIntervalSince1970: 1_700_000_000 + second)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path.shown)
      return path
    }
    let noise = try write(Signal.noise(seed: 1, frames: 50_000), second: 1)
    #expect(try scan(noise).state.pyramid?.overall(channel: 0).peak ?? 0 > 0.9)
    // Of the same size.
    let even = try write(Array(repeating: 0.25, count: 50_000), second: 2)
    #expect(try scan(even, id: 2).state.pyramid?.overall(channel: 0).peak == 0.25)
    #expect(count == 1)
    // And at the same time.
    let shorter = try write(Array(repeating: 0.5, count: 30_000), second: 2)
    #expect(try scan(shorter, id: 3).state.pyramid?.length == FrameCount(30_000))
  }

  @Test func `a damaged cache costs a scan and nothing else`() throws {
    let path = try folder.write(WaveFile.float32([Signal.noise(seed: 1, frames: 50_000)], hertz: 44_100), to: "a.wav")
    _ = try scan(path)
    let name = try #require(try Files.names(in: folder.appending("cache")).first)
    try folder.write(Array("nonsense".utf8), to: PathBytes("cache/").appending(name))
    #expect(try scan(path, id: 2).state.pyramid?.length == FrameCount(50_000))
    #expect(try scan(path, id: 3).publications == 0)
  }

  @Test func `what follows is scanned before it is heard`() {
    let rig = PlayerRig()
    let first = rig.wave("1.wav", [Signal.noise(seed: 1, frames: 96_000)])
    let second = rig.wave("2.wav", [Signal.noise(seed: 2, frames: 96_000)])
    #expect(rig.open(first, second))
    #expect(rig.settle { $0.follower != nil && $0.nextScan?.current.isDone == true })
    rig.play(seconds: 2.5)
    #expect(rig.player.snapshot.track?.path == second && rig.player.snapshot.pyramid?.isComplete == true)
  }
}
