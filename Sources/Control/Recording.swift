package import Sound

/// A microphone as somebody should open it.
package struct InputWish: Hashable, Sendable {
  /// Nil is the system's default.
  package var device: String?
  /// Nil is the rate of the device.
  package var rate: SampleRate?
  package var bufferMilliseconds: Int

  package init(device: String?, rate: SampleRate?, bufferMilliseconds: Int) {
    self.device = device
    self.rate = rate
    self.bufferMilliseconds = bufferMilliseconds
  }
}

/// A microphone: what there is, how it runs, and whether it was lost.
package struct InputState: Hashable, Sendable {
  package enum Status: Hashable, Sendable {
    case closed
    case opening
    case open
    /// It went away while in use, or could not be opened in three tries; it is tried again from time to time.
    case lost
  }
  package var status = Status.closed
  /// The name of the open device, also of the system's default where it tells it.
  package var device: String?
  /// The names of the microphones there are.
  package var names: [String] = []
  /// How the open device runs.
  package var rate: SampleRate?
  package var channelCount = 0
  package var bufferFrames = 0
  /// Why it could not be opened or was lost, as a sentence.
  package var problem: String?
  /// How often an open device was lost, also when another was there before anybody could look.
  package var losses = 0
  /// Why it was lost the last time, as a sentence.
  package var lossReason: String?

  package init() {}
}

/// All that there is to see of recording at one instant.
package struct RecordingSnapshot: Sendable {
  package enum State: Hashable, Sendable {
    /// The microphone is closed.
    case idle
    /// The microphone is open, nothing is written.
    case armed
    /// The take begins by itself in so many seconds.
    case countdown(seconds: Double)
    /// A take is open and waits for sound louder than the threshold.
    case waiting
    case recording
    case paused
    /// The take's last sound is on its way to the disk.
    case saving
  }
  package var state = State.idle
  /// A take is open, but the microphone is gone: it goes on by itself when one comes back.
  package var isInterrupted = false
  package var options = RecorderOptions()
  package var input = InputState()
  /// What is recorded, or would be; nil before the device's rate is known.
  package var format: TakeFormat?
  /// How much sound is in the take.
  package var elapsed = FrameCount.zero
  /// Where the picture stands, in the take or, without one, in what was listened to: runs on smoothly, up to a tenth of a
  /// second behind what has come.
  package var position = FrameCount.zero
  /// Rate x bits x channels / 8; of a coding that loses some, what it is told to spend.
  package var bytesPerSecond = 0
  /// The size of the take's file.
  package var fileBytes: Int64 = 0
  /// For how long the disk has room; nil while nobody knows.
  package var diskSeconds: Double?
  /// Where the take is written.
  package var path: PathBytes?
  /// Where takes are kept; nil without a home folder.
  package var folder: PathBytes?
  /// A meter a channel of the recording.
  package var meters: [MeterReading] = []
  /// How many samples of the take are at or beyond full scale.
  package var overs = 0
  /// How often, and for how many frames in all, sound was missing and was made up for by silence.
  package var dropouts = 0
  package var dropoutFrames = FrameCount.zero
  /// What happened where in the take, in order; the last `RecordingMark.limit`.
  package var marks: [RecordingMark] = []
  /// Channels of the microphone on which nothing comes, from 0.
  package var deadChannels: [Int] = []
  package var pyramid: PeakPyramid?
  package var spectrum: SpectrumReading?
  /// The take that was finished last.
  package var lastTake: TakeSummary?

  package init() {}
}

/// A place in a take where something happened.
package struct RecordingMark: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Sound was missing that the microphone heard; silence of this length stands for it, so that the take keeps its time.
    case dropout(FrameCount)
    /// The take was paused and went on here.
    case pause
    /// The microphone was gone, or another took its place, and sound goes on here: what came before and after lie side by
    /// side, with no silence for the time between, since nothing was there to be heard.
    case interruption
  }
  package var frame: FrameIndex
  package var kind: Kind

  package init(frame: FrameIndex, kind: Kind) {
    self.frame = frame
    self.kind = kind
  }

  /// So many marks are kept; dropouts beyond are counted only.
  package static let limit = 1000
}

/// A take whose file is closed.
package struct TakeSummary: Hashable, Sendable {
  package var path: PathBytes
  package var length: FrameCount
  package var rate: SampleRate

  package init(path: PathBytes, length: FrameCount, rate: SampleRate) {
    self.path = path
    self.length = length
    self.rate = rate
  }
}

/// What happened in the recorder, told once and in order.
package enum RecorderEvent: Hashable, Sendable {
  case started(PathBytes)
  /// The file is closed and whole; unsuccessfully when the take had to be ended early. Nil when there is no file.
  case finished(TakeSummary?, successfully: Bool)
  case encodingError(path: PathBytes?, reason: String)
  case interruptionBegan
  case interruptionEnded
  /// A take that an earlier run had left unfinished was completed.
  case recovered(TakeSummary)
  /// A take has another name now.
  case renamed(PathBytes, to: PathBytes)
  /// A take is in the trash.
  case trashed(PathBytes)
}
