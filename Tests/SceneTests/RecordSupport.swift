import Control
import Scene
import Sound

/// A recorder with a stereo microphone at 48 kHz, in some state, so many seconds into a take.
func recordingSnapshot(_ state: RecordingSnapshot.State = .recording, seconds: Double = 42.7) -> RecordingSnapshot {
  var recording = RecordingSnapshot()
  let rate = SampleRate(hertz: 48_000)
  recording.state = state
  recording.input.status = .open
  recording.input.device = "Built-in Microphone"
  recording.input.names = ["Built-in Microphone", "USB"]
  recording.input.rate = rate
  recording.input.channelCount = 2
  recording.format = TakeFormat(coding: .flac, width: .int24, rate: rate, channelCount: 2)
  recording.bytesPerSecond = 288_000
  recording.diskSeconds = 15 * 3600 + 12 * 60
  recording.folder = PathBytes("/home/u/Music/Recordings")
  recording.meters = [
    MeterReading(peak: -18.6, hold: -4.2, isOver: false), MeterReading(peak: -19, hold: -5, isOver: true),
  ]
  recording.pyramid = Songs.pyramid(frames: 480_000, channels: 2)
  recording.spectrum = spectrumReading()
  switch state {
  case .waiting, .recording, .paused, .saving:
    recording.elapsed = rate.frames(inSeconds: seconds)
    recording.position = recording.elapsed
    recording.fileBytes = 18_400_000
    recording.path = PathBytes("/home/u/Music/Recordings/2026-11-30 09.41.05.flac")
  default: recording.position = recording.pyramid?.length ?? .zero
  }
  return recording
}

let finishedTake = TakeSummary(
  path: PathBytes("/home/u/Music/Recordings/2026-11-30 09.41.05.flac"), length: FrameCount(2_049_600),
  rate: SampleRate(hertz: 48_000))

extension Desk {
  /// Opens the record view and goes on with what there is to see of recording.
  func openRecordView(_ recording: RecordingSnapshot) {
    frame()
    press("r")
    snapshot.recording = recording
    frame()
  }

  /// A take that was recorded, stopped and loaded.
  func finishTake() {
    openRecordView(recordingSnapshot())
    snapshot.recording = recordingSnapshot(.idle)
    snapshot.recording!.lastTake = finishedTake
    snapshot.track!.id = TrackID(7)
    snapshot.track!.path = finishedTake.path
    frame()
  }
}
