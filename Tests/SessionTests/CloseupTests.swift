import Control
import Foundation
import Sound
import System
import TestSupport
import Testing

@testable import Session

@Suite struct CloseupTests {
  private func ask(_ rig: PlayerRig, _ start: Int, _ end: Int) {
    rig.player.obey(.showSamples(FrameIndex(start)..<FrameIndex(end)))
  }

  @Test func `the samples that are asked for are those of the file`() throws {
    let rig = PlayerRig()
    let sound = [Signal.noise(seed: 1, frames: 200_000), Signal.noise(seed: 2, frames: 200_000)]
    #expect(rig.open(rig.wave("a.wav", sound)))
    ask(rig, 70_000, 100_000)
    #expect(rig.settle { $0.snapshot.samples != nil })
    let window = try #require(rig.player.snapshot.samples)
    #expect(window.start == FrameIndex(65_536) && window.end >= FrameIndex(100_000) && window.hasSamples)
    for frame in stride(from: 65_536, to: 100_000, by: 331) {
      for channel in 0..<2 { #expect(window.sample(channel: channel, at: FrameIndex(frame)) == sound[channel][frame]) }
    }
    let part = sound[1][80_001..<80_100]
    let peak = window.peak(channel: 1, from: FrameIndex(80_001), to: FrameIndex(80_100))
    #expect(peak?.low == part.min() && peak?.high == part.max())
    // While it plays from elsewhere, and to the very end.
    ask(rig, 190_000, 900_000)
    #expect(rig.settle { $0.snapshot.samples?.end == FrameIndex(200_000) })
    #expect(rig.player.snapshot.samples?.sample(channel: 0, at: FrameIndex(199_999)) == sound[0][199_999])
  }

  @Test func `of many wishes the last counts, and none lets go`() {
    let rig = PlayerRig()
    #expect(rig.open(rig.wave("a.wav", [Signal.noise(seed: 1, frames: 2_000_000)])))
    for turn in 0..<40 { ask(rig, turn * 40_000, turn * 40_000 + 30_000) }
    let last = FrameIndex(39 * 40_000)
    #expect(rig.settle { $0.snapshot.samples.map { $0.start <= last && $0.end > last } ?? false })
    rig.player.obey(.showSamples(nil))
    #expect(rig.settle { $0.snapshot.samples == nil })
  }

  @Test func `a long stretch comes without its samples, in fine bins`() throws {
    let rig = PlayerRig()
    let sound = Signal.noise(seed: 1, frames: 3_000_000)
    #expect(rig.open(rig.wave("a.wav", [sound])))
    ask(rig, 0, 2_900_000)
    #expect(rig.settle { $0.snapshot.samples != nil })
    let window = try #require(rig.player.snapshot.samples)
    #expect(!window.hasSamples && window.baseFrames == 32)
    let part = sound[320_000..<323_200]
    let peak = window.peak(channel: 0, from: FrameIndex(320_000), to: FrameIndex(323_200))
    #expect(peak?.low == part.min() && peak?.high == part.max())
  }

  @Test func `another track begins without samples`() {
    let rig = PlayerRig()
    let (a, b) = (
      rig.wave("a.wav", [Signal.noise(seed: 1, frames: 90_000)]),
      rig.wave("b.wav", [Signal.noise(seed: 2, frames: 90_000)])
    )
    #expect(rig.open(a, b))
    ask(rig, 0, 30_000)
    #expect(rig.settle { $0.snapshot.samples != nil })
    rig.player.obey(.next)
    #expect(rig.settle { $0.snapshot.track?.path == b && $0.snapshot.samples == nil })
  }
}
