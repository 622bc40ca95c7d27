import Control
import Foundation
import Library
import Sound
import System
import TestSupport
import Testing

@testable import Session

/// A recorder with a microphone whose time is the test's, a folder and a journal of its own.
final class RecordingRig {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rec-\(UUID().uuidString)")
  let intake: UnsafeMutablePointer<Intake>
  let feed = Feed.make(capacity: 1 << 14)
  let recorder: Recorder
  let bell = Monitor(0)
  var input = InputState()
  var events: [RecorderEvent] = []
  var notices: [String] = []
  /// The monotonic time at the microphone: as fast as the test likes, and never behind the real one.
  var time = Clock.nanoseconds()
  /// How many frames the microphone has given.
  var position = 0
  let rate: Int
  let channels: Int
  /// The sample at a frame of a channel.
  var signal: (Int, Int) -> Float

  init(
    rate: Int = 48_000, channels: Int = 2, file: String? = nil, journal: String = "journal",
    _ change: (inout RecorderOptions) -> Void = { _ in }
  ) {
    self.rate = rate
    self.channels = channels
    let takes = folder.appendingPathComponent("takes")
    try! FileManager.default.createDirectory(at: takes, withIntermediateDirectories: true)
    intake = Intake.make()
    var options = RecorderOptions()
    options.folder = PathBytes(folder.appendingPathComponent("takes").path)
    options.preRollSeconds = 0
    options.coding = .wav
    options.width = .int16
    change(&options)
    let bell = bell
    recorder = Recorder(
      intake: IntakePointer(intake), options: options,
      file: file.map { [folder] in PathBytes(folder.appendingPathComponent($0).path) },
      journal: TakeJournal(folder: PathBytes(folder.appendingPathComponent(journal).path)),
      headphones: FeedPointer(feed), wake: { bell.withLock { $0 += 1 } })
    signal = { frame, channel in
      Float(Int16(truncatingIfNeeded: (frame &* 7919 &+ channel &* 104_729) & 0x3FFF)) / 32768
    }
    open()
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Opens the microphone, anew if it was open.
  func open(rate: Int? = nil) {
    intake.pointee.begin(channelCount: channels, rate: SampleRate(hertz: rate ?? self.rate))
    input.status = .open
    input.rate = SampleRate(hertz: rate ?? self.rate)
    input.channelCount = channels
    update()
  }

  func update() {
    recorder.update(at: time, input: input)
    events += recorder.takeEvents()
    notices += recorder.takeNotices().map(\.text)
  }

  func obey(_ command: RecorderCommand) {
    recorder.obey(command, at: time)
    update()
  }

  /// Lets the microphone give so much of the signal, in callbacks of 1024 frames or fewer.
  func sound(_ seconds: Double, buffer: Int = 1024) {
    sound(frames: Int((seconds * Double(rate)).rounded()), buffer: buffer)
  }

  func sound(frames: Int, buffer: Int = 1024) {
    var left = frames
    while left > 0 {
      let count = min(buffer, left)
      deliver(count)
      left -= count
    }
    update()
  }

  /// One callback of so many frames, at the end of their time.
  func deliver(_ count: Int) {
    time += Int64(count) * 1_000_000_000 / Int64(rate)
    accept(count)
  }

  /// One callback, now.
  func accept(_ count: Int) {
    // As much as a real one would have room for: the drain works at its own pace.
    while intake.pointee.stampCount > 200 { usleep(500) }
    var samples = [Float](repeating: 0, count: count * channels)
    for i in samples.indices { samples[i] = signal(position + i / channels, i % channels) }
    intake.pointee.accept(samples, sampleCount: count * channels, at: time)
    position += count
  }

  /// Updates until something is so, at most 20 s.
  func wait(until condition: () -> Bool, _ what: Comment, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    let deadline = Clock.seconds() + 20
    while !condition() {
      guard Clock.seconds() < deadline else {
        Issue.record(what, sourceLocation: sourceLocation)
        return
      }
      _ = bell.wait(atMost: 0.005) { _ in nil as Int? }
      update()
    }
  }

  var state: RecordingSnapshot.State { recorder.snapshot.state }

  /// Starts a take; the next sound is its first.
  func start() {
    obey(.arm)
    obey(.start)
  }

  /// Stops and waits until the file is whole.
  func stop() -> TakeSummary? {
    obey(.stop)
    // Sound that comes after tells the drain that the time of the order has passed.
    sound(0.1)
    return finished()
  }

  /// Waits until the file is whole.
  func finished() -> TakeSummary? {
    wait(until: { finish != nil }, "the take was not finished")
    return finish?.0
  }

  private var finish: (TakeSummary?, Bool)? {
    for case .finished(let summary, let successfully) in events { return (summary, successfully) }
    return nil
  }

  /// What the signal was at the frames given.
  func expected(_ range: Range<Int>) -> [Float] {
    range.flatMap { frame in (0..<channels).map { signal(frame, $0) } }
  }

  func end() {
    #expect(recorder.finish())
    Intake.destroy(intake)
    Feed.destroy(feed)
  }
}
