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
  /// 2¹⁴ frames, of which a tenth of a second is used at any rate up to 128 kHz.
  private let monitorFeed = Feed.make(capacity: 1 << 14)
  private let recorder: Recorder
  private var microphone: Microphone?
  private var headphones: Speaker?
  private let wake: @Sendable () -> Void

  init(options: RecorderOptions, wake: @escaping @Sendable () -> Void) {
    self.wake = wake
    recorder = Recorder(intake: intake, options: options, headphones: FeedPointer(monitorFeed), wake: wake)
  }

  var options: RecorderOptions { recorder.options }
  var nextUpdate: Int64? { recorder.nextUpdate }
  var snapshot: RecordingSnapshot { recorder.snapshot }

  /// Obeys a command; playing stops before a microphone is opened, and before the file that is played is deleted.
  func obey(_ command: RecorderCommand, player: Player) {
    switch command {
    case .arm, .start, .startOrPause: player.obey(.pause)
    case .deleteTake(let take): if player.snapshot.track?.path == take { player.obey(.stop) }
    default: break
    }
    recorder.obey(command)
  }

  /// Takes up what has happened; a finished take is loaded, ready to be played.
  func update(at nanoseconds: Int64, happened: Happenings, player: Player) {
    // Also what was still being opened when the microphone was.
    if recorder.wantedInput != nil { player.obey(.pause) }
    recorder.setSpectrumScale(player.kept.settings.spectrumScale)
    if recorder.wantedInput != nil, microphone == nil { microphone = Microphone(intake: intake, bell: wake) }
    if let microphone { happened.inputs.forEach(microphone.handle) }
    if let headphones { happened.outputs.forEach(headphones.handle) }
    recorder.update(at: nanoseconds, input: microphone?.state ?? InputState())
    microphone?.follow(recorder.wantedInput)
    followHeadphones(player)
    for event in recorder.takeEvents() {
      Trace.event(event)
      follow(event, player)
    }
    for notice in recorder.takeNotices() { player.tell(notice.kind, notice.text) }
  }

  /// Opens the loudspeaker while the one who is recorded wants to hear, and only then.
  private func followHeadphones(_ player: Player) {
    if recorder.wantsHeadphones, headphones == nil {
      headphones = Speaker(feed: monitorFeed, isPrompt: true, bell: wake)
    }
    guard let headphones else { return }
    if recorder.wantsHeadphones { headphones.open(player.wantedDevice) } else { headphones.close() }
    recorder.follow(headphones: headphones.state)
  }

  /// Does for the player what follows from what the recorder did.
  private func follow(_ event: RecorderEvent, _ player: Player) {
    switch event {
    case .finished(let take?, _):
      recorder.obey(.disarm)
      var start = StartOptions()
      start.plays = false
      player.open([take.path], start)
    case .renamed(let old, let new): player.moved(old, to: new)
    case .trashed(let take): player.forget(take)
    default: break
    }
  }

  /// Ends the take and makes its file whole before the program ends.
  func end() {
    if !recorder.finish() {
      Terminal.write("The disk does not answer; the recording is completed at the next start.\n", toErrors: true)
    }
    _ = microphone?.end()
    _ = headphones?.end()
    // Intake and feed stay: a hanging sound system may still use them, and the process ends now.
  }
}
