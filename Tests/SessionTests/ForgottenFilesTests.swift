import Control
import Glibc
import Sound
import TestSupport
import Testing

@testable import Session

struct ForgottenFilesTests {
  private let tone = [Signal.sine(hertz: 440, rate: PlayerRig.rate, frames: 48_000, amplitude: 0.25)]

  @Test func `a file that was deleted leaves the window, the queue and the recents`() {
    let rig = PlayerRig()
    var options = StartOptions()
    options.plays = false
    let file = rig.wave("a.wav", tone)
    #expect(rig.open(file, options: options))
    #expect(rig.player.snapshot.recents.map(\.path) == [file])
    rig.player.forget(file)
    let seen = rig.player.snapshot
    #expect(seen.track == nil && seen.transport == .empty && seen.recents == [] && seen.queue.count == 0)
    #expect(seen.pyramid == nil && rig.player.kept.queue.paths == [])
    // The next file plays as ever.
    #expect(rig.open(rig.wave("b.wav", tone)))
    #expect(rig.playToEnd())
    #expect(rig.left.count { abs($0) > 0.01 } > 45_000)
  }

  @Test func `of a queue the next takes its place, without a sound`() {
    let rig = PlayerRig()
    let files = ["a.wav", "b.wav", "c.wav"].map { rig.wave($0, tone) }
    #expect(rig.open(files[0], files[1], files[2]))
    rig.player.forget(files[1])
    #expect(rig.player.kept.queue.paths == [files[0], files[2]] && rig.player.snapshot.track?.path == files[0])
    rig.player.forget(files[0])
    #expect(rig.settle { $0.snapshot.track?.path == files[2] })
    #expect(rig.player.snapshot.transport == .stopped && rig.player.snapshot.queue.index == 0)
  }

  @Test func `a file that got another name is loaded from there, where it was, and known by it`() throws {
    let rig = PlayerRig()
    let other = rig.wave("z.wav", tone)
    let file = rig.wave("a.wav", tone)
    #expect(rig.open(file, other))
    rig.seek(.seek(to: FrameIndex(24_000)))
    rig.player.obey(.pause)
    let moved = rig.folder.appending("b.wav")
    #expect(rename(file.shown, moved.shown) == 0)
    rig.player.moved(file, to: moved)
    #expect(rig.settle { $0.snapshot.track?.path == moved })
    let seen = rig.player.snapshot
    #expect(seen.position == FrameIndex(24_000) && seen.transport != .playing)
    #expect(seen.recents.map(\.path) == [moved] && seen.recents.first?.title == "b.wav")
    #expect(rig.player.kept.queue.paths == [moved, other])
  }

  @Test func `a scan that ends while a renamed file is opened does not bring the old name back`() {
    let rig = PlayerRig()
    let file = rig.wave("a.wav", tone)
    #expect(rig.open(file))
    #expect(rig.settle { !$0.snapshot.isScanning })
    // As if the scan had only just ended, and nobody had looked since.
    rig.player.scanTaken = false
    // Nothing is there, so that the file stays the old one until it is told of.
    let moved = rig.folder.appending("b.wav")
    rig.player.moved(file, to: moved)
    #expect(rig.settle { $0.opening == nil })
    #expect(rig.player.snapshot.recents.map(\.path) == [moved])
  }
}
