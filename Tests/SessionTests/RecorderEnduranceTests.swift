import Control
import Foundation
import Library
import Sound
import System
import Testing

@testable import Session

@Suite struct RecorderEnduranceTests {
  /// A quarter of an hour, and a day when there is time.
  static let hours = ProcessInfo.processInfo.environment["SWELL_SOAK"] == nil ? 0.25 : 24

  /// The memory that this process holds, in MiB.
  private static var residentMebibytes: Double {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return Double(text.split(separator: " ")[1])! * 4096 / 1_048_576
  }

  @Test(arguments: [TakeCoding.flac, .aac])
  func `a long take needs no more memory than a short one, and stops at once`(coding: TakeCoding) {
    let rig = RecordingRig(rate: 8000, channels: 1) {
      $0.channels = .mono
      $0.coding = coding
    }
    rig.start()
    let block = (0..<800).map { 0.25 * Float(sin(Double($0) * 2 * .pi * 440 / 8000)) }
    let callbacks = Int(Self.hours * 36_000)
    var early = 0.0
    for index in 0..<callbacks {
      while rig.intake.pointee.stampCount > 200 || rig.recorder.writer.queue.waitingSeconds > 20 { usleep(200) }
      rig.time += 100_000_000
      rig.intake.pointee.accept(block, sampleCount: 800, at: rig.time)
      if index % 100 == 0 { rig.update() }
      if index == callbacks / 10 { early = Self.residentMebibytes }
    }
    rig.wait(until: { rig.recorder.snapshot.elapsed == FrameCount(callbacks * 800) }, "not drained")
    let grown = Self.residentMebibytes - early
    // The waveform: 25 MB at most, and doubled while it grows. Other tests may run meanwhile.
    #expect(grown < 80, "\(grown) MiB")
    let asked = Clock.seconds()
    rig.obey(.stop)
    rig.time += 100_000_000
    rig.intake.pointee.accept(block, sampleCount: 800, at: rig.time)
    let take = rig.finished()
    #expect(Clock.seconds() - asked < 1)
    #expect(take?.length == FrameCount(callbacks * 800))
    #expect(rig.recorder.snapshot.dropouts == 0)
    rig.end()
  }
}
