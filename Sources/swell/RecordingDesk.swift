import Control
import Session
import Sound
import Stage
import System

/// Microphone and recorder of the program with a window, and what they mean for the player.
///
/// Main thread. The microphone is looked for when it is first wanted, so that nobody is listened to before.
final class RecordingDesk {
  private let intake = IntakePointer(Intake.make())
  private let recorder: Recorder
  private var microphone: Microphone?
  private let wake: @Sendable () -> Void

  init(options: RecorderOptions, wake: @escaping @Sendable () -> Void) {
    self.wake = wake
    recorder = Recorder(intake: intake, options: options, wake: wake)
  }

  var options: RecorderOptions { recorder.options }
  var nextUpdate: Int64? { recorder.nextUpdate }
  var snapshot: RecordingSnapshot { recorder.snapshot }

  /// Obeys a command; playing stops before a microphone is opened.
  func obey(_ command: RecorderCommand, player: Player) {
    switch command {
    case .arm, .start, .startOrPause: player.obey(.pause)
    default: break
    }
    recorder.obey(command)
  }

  /// Takes up what has happened; a finished take is loaded, ready to be played.
  func update(at nanoseconds: Int64, changes: [OutputChange], player: Player) {
    if recorder.wantedInput != nil, microphone == nil { microphone = Microphone(intake: intake, bell: wake) }
    if let microphone { changes.forEach(microphone.handle) }
    recorder.update(at: nanoseconds, input: microphone?.state ?? InputState())
    microphone?.follow(recorder.wantedInput)
    for event in recorder.takeEvents() {
      Trace.event(event)
      guard case .finished(let take?, _) = event else { continue }
      recorder.obey(.disarm)
      var start = StartOptions()
      start.plays = false
      player.open([take.path], start)
    }
    for notice in recorder.takeNotices() { player.tell(notice.kind, notice.text) }
  }

  /// Ends the take and makes its file whole before the program ends.
  func end() {
    if !recorder.finish() {
      Terminal.write("The disk does not answer; the recording is completed at the next start.\n", toErrors: true)
    }
    _ = microphone?.end()
    // The intake stays: a hanging sound system may still write to it, and the process ends now.
  }
}
