internal import Control
internal import Sound

/// What spectrum, waveform, overview, meters and clock are of: the loaded track, or what the microphone hears.
struct Subject {
  /// Tells pictures apart; below zero for what the microphone hears.
  var id: TrackID
  var rate: SampleRate
  var channelCount: Int
  var channelNames: [String]
  /// What is heard now; of a recording its end so far.
  var position: FrameIndex
  var pyramid: PeakPyramid?
  var spectrum: SpectrumReading?
  var meters: [MeterReading]
  /// The position moves on by itself.
  var isRunning: Bool
  /// It grows as it is heard, and nothing is still to come.
  var isLive: Bool

  init(_ track: TrackSummary, _ snapshot: Snapshot) {
    id = track.id
    rate = track.rate
    channelCount = track.channelCount
    channelNames = track.channelNames
    position = snapshot.position
    pyramid = snapshot.pyramid
    spectrum = snapshot.spectrum
    meters = snapshot.meters
    isRunning = snapshot.transport == .playing
    isLive = false
  }

  init(_ recording: RecordingSnapshot) {
    // Each take begins at its own zero, and so does listening.
    id = TrackID(recording.hasTake ? -2 : -1)
    rate = recording.format?.rate ?? recording.input.rate ?? SampleRate(hertz: 48_000)
    channelCount = recording.format?.channelCount ?? recording.options.channels.channelCount
    channelNames = channelCount == 2 ? ["L", "R"] : []
    position = .zero + recording.position
    pyramid = recording.pyramid
    spectrum = recording.spectrum
    meters = recording.meters
    isRunning = recording.state != .paused
    isLive = true
  }
}

extension RecordingSnapshot {
  /// A take is open, or on its way to the disk.
  var hasTake: Bool {
    switch state {
    case .idle, .armed, .countdown: false
    case .waiting, .recording, .paused, .saving: true
    }
  }
}
