import Foundation
import Sound
import System
import TestSupport
import Testing

@testable import Library

@Suite struct WaveformCacheTests {
  let folder = try! TemporaryFolder()

  private func key(_ name: String, size: Int64 = 1_000) -> WaveformKey {
    WaveformKey(path: PathBytes("/music/" + name), size: size, modified: 1, stream: 0, decoder: 1)
  }

  private func waveform(frames: Int = 100_000) -> Waveform {
    var builder = PyramidBuilder(channelCount: 1)
    builder.append(SampleBlock([Signal.noise(seed: UInt64(frames), frames: frames)]))
    builder.finish()
    return Waveform(pyramid: builder.snapshot(), skippedStretches: 0)
  }

  private func files(in folder: PathBytes) -> [PathBytes] {
    ((try? Files.names(in: folder)) ?? []).map { folder.appending($0) }
  }

  @Test func `what is kept is found again, and only as long as the sound is the same`() throws {
    let cache = WaveformCache(folder: folder.appending("deep/in/a/cache"))
    #expect(cache.load(key("a")) == nil)
    cache.store(waveform(), key("a"))
    let found = try #require(cache.load(key("a")))
    #expect(found.pyramid.length == FrameCount(100_000) && found.pyramid.isComplete)
    #expect(cache.load(key("a", size: 1_001)) == nil && cache.load(key("b")) == nil)
    // A new state of the file takes the place of the old.
    cache.store(waveform(frames: 50_000), key("a", size: 1_001))
    #expect(cache.load(key("a", size: 1_001))?.pyramid.length == FrameCount(50_000) && cache.load(key("a")) == nil)
    #expect(files(in: folder.appending("deep/in/a/cache")).count == 1)
  }

  @Test func `what was not used for longest goes first`() throws {
    let place = folder.appending("full")
    let size = Int64(PyramidBytes.encode(waveform(), key: key("0")).count)
    let cache = WaveformCache(folder: place, mostBytes: 3 * size + 100)
    for (age, name) in ["1", "2", "3"].enumerated() {
      let before = Set(files(in: place))
      cache.store(waveform(), key(name))
      let new = try #require(Set(files(in: place)).subtracting(before).first)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: Double(age - 10))], ofItemAtPath: new.shown)
    }
    // The one that was put in first is the one used last.
    #expect(cache.load(key("1")) != nil)
    cache.store(waveform(), key("4"))
    #expect(cache.load(key("2")) == nil)
    #expect(["1", "3", "4"].allSatisfy { cache.load(key($0)) != nil })
    let total = try files(in: place).reduce(0) { try $0 + Files.status(of: $1).size }
    #expect(total <= 3 * size + 100)
  }

  @Test func `a waveform larger than the cache is not kept`() {
    let place = folder.appending("small")
    let cache = WaveformCache(folder: place, mostBytes: 100)
    cache.store(waveform(), key("a"))
    #expect(files(in: place).isEmpty)
  }

  @Test func `what a crash left behind goes, and what is being written stays`() throws {
    let place = folder.appending("left")
    try Files.makeFolder(place)
    for (name, age) in [(".swell-1-1.new", 7_200), (".swell-2-1.new", 10)] {
      let file = try folder.write([1, 2, 3], to: "left/" + name)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -Double(age))], ofItemAtPath: file.shown)
    }
    WaveformCache(folder: place).store(waveform(), key("a"))
    let names = files(in: place).map(\.lastComponent.shown)
    #expect(!names.contains(".swell-1-1.new") && names.contains(".swell-2-1.new") && names.count == 2)
  }

  @Test func `a cache that cannot be read or written is no cache, and no trouble`() throws {
    let blocked = try folder.write([0], to: "file")
    for place in [blocked.appending("under/a/file"), PathBytes("/proc/no/such"), PathBytes("/dev/null")] {
      let cache = WaveformCache(folder: place)
      cache.store(waveform(), key("a"))
      #expect(cache.load(key("a")) == nil)
    }
  }

  @Test(arguments: 0..<20)
  func `a damaged file in the cache is not believed and is replaced`(seed: Int) throws {
    let place = folder.appending("damaged")
    let cache = WaveformCache(folder: place)
    cache.store(waveform(), key("a"))
    let file = try #require(files(in: place).first)
    var noise = Noise(seed: UInt64(seed))
    var bytes = try Files.readAll(file, limit: 1 << 30)
    if Bool.random(using: &noise) {
      bytes.removeLast(Int.random(in: 1...bytes.count, using: &noise))
    } else {
      bytes[Int.random(in: bytes.indices, using: &noise)] ^= UInt8.random(in: 1...255, using: &noise)
    }
    try folder.write(bytes, to: PathBytes("damaged/" + file.lastComponent.shown))
    #expect(cache.load(key("a")) == nil)
    cache.store(waveform(), key("a"))
    #expect(cache.load(key("a")) != nil)
  }
}
