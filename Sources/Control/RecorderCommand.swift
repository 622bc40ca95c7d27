package import Sound

/// What the recorder obeys.
///
/// Whoever routes commands lets the player pause before `arm` and `start`, and loads the take into it when the recorder's
/// event says that one is finished.
package enum RecorderCommand: Hashable, Sendable {
  /// Opens the microphone: meters, waveform and spectrum live, nothing written.
  case arm
  /// Closes the microphone again; without effect while a take is open.
  case disarm
  /// Begins a take, with the pre-roll; arms first where needed. Goes on with a paused take.
  case start
  case pause
  case resume
  /// R: starts, pauses, resumes.
  case startOrPause
  /// Ends the take and makes its file whole; ends a countdown.
  case stop
  case setDevice(String?)
  case setCoding(TakeCoding)
  case setWidth(SampleWidth)
  /// Nil is the rate of the device.
  case setRate(SampleRate?)
  case setChannels(ChannelChoice)
  case setBuffer(milliseconds: Int)
  /// Seconds kept from before the start; 0 for none.
  case setPreRoll(seconds: Double)
  case setTrigger(SoundTrigger?)
  case setTimer(RecordingTimer)
  case setMonitoring(Bool)
  /// Where takes are kept; nil is the folder "Recordings" in the music folder.
  case setFolder(PathBytes?)
  /// Gives a take another name; its ending stays.
  case renameTake(PathBytes, to: String)
  /// Puts a take in the trash.
  case deleteTake(PathBytes)
}

/// Records only while there is sound.
package struct SoundTrigger: Hashable, Sendable {
  /// A sample as loud as this begins the recording, in dBFS.
  package var threshold: Float
  /// After so many seconds below it the recording rests, within the same take.
  package var holdSeconds: Double

  package init(threshold: Float = -40, holdSeconds: Double = 3) {
    self.threshold = threshold
    self.holdSeconds = holdSeconds
  }
}

package struct RecordingTimer: Hashable, Sendable {
  /// So long after the command does the take begin; 0 is at once.
  package var startInSeconds: Double
  /// A take ends by itself after so many seconds of sound, to the frame; nil is never.
  package var stopAfterSeconds: Double?

  package init(startInSeconds: Double = 0, stopAfterSeconds: Double? = nil) {
    self.startInSeconds = startInSeconds
    self.stopAfterSeconds = stopAfterSeconds
  }
}

/// How recordings are made; what is kept from one run to the next.
package struct RecorderOptions: Hashable, Sendable {
  /// Nil is the system's default microphone.
  package var device: String?
  package var coding = TakeCoding.flac
  package var width = SampleWidth.int24
  /// Nil is the rate of the device.
  package var rate: SampleRate?
  package var channels = ChannelChoice.stereo
  package var bufferMilliseconds = 20
  package var preRollSeconds = 5.0
  package var trigger: SoundTrigger?
  package var timer = RecordingTimer()
  package var isMonitoring = false
  package var folder: PathBytes?

  package init() {}

  /// The longest buffer, in milliseconds: what is lost with it when the machine fails must stay well under a second.
  package static let longestBuffer = 500
  package static let longestPreRoll = 30.0

  /// Why a buffer of this length cannot be had, as a sentence; nil when it can.
  package func refusal(ofBuffer milliseconds: Int) -> String? {
    let bytes = bytesPerSecond.map { " (\($0 * milliseconds / 1000) bytes)" } ?? ""
    if milliseconds < 1 {
      return "A buffer of \(milliseconds) ms holds no sound; choose 1 to \(Self.longestBuffer) ms."
    }
    if let seconds = timer.stopAfterSeconds, Double(milliseconds) > seconds * 1000 {
      return
        "A buffer of \(milliseconds) ms\(bytes) is longer than the recording of \(seconds) s; choose a shorter one."
    }
    guard milliseconds > Self.longestBuffer else { return nil }
    return "A buffer of \(milliseconds) ms\(bytes) is too large; choose at most \(Self.longestBuffer) ms."
  }

  /// Rate x bits x channels / 8, where the rate was chosen.
  private var bytesPerSecond: Int? { rate.map { $0.hertz * width.bits * channels.channelCount / 8 } }
}
