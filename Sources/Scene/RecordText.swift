internal import Control
internal import Sound

/// What a recording is like, in words.
struct RecordText {
  let recording: RecordingSnapshot

  init(_ recording: RecordingSnapshot) { self.recording = recording }

  /// What the recorder does, such as "Recording" or "Paused".
  var state: String {
    if recording.isInterrupted { return "Interrupted" }
    switch recording.state {
    case .idle, .armed: return recording.input.status == .open ? "Ready to record" : "Opening the microphone…"
    case .countdown(let seconds): return "Starting in \(Int(seconds.rounded(.up))) s"
    case .waiting: return "Waiting for sound"
    case .recording: return "Recording"
    case .paused: return "Paused"
    case .saving: return "Saving…"
    }
  }

  /// Device, rate, format and file: "Microphone · 48 kHz · 24-bit FLAC · Music/Recordings/2026-11-30 09.41.05.flac".
  var detail: String {
    var parts = [recording.input.device ?? recording.options.device ?? "Default microphone"]
    if let format = recording.format {
      parts += [Self.rate(format.rate), Self.format(format)]
    }
    if let path = recording.path {
      parts.append(Self.short(path))
    } else if let folder = recording.folder {
      parts.append(Self.short(folder))
    }
    return parts.joined(separator: " · ")
  }

  /// What is wrong just now; empty when nothing is.
  var troubles: [String] {
    var troubles: [String] = []
    if recording.input.status == .lost { troubles.append(recording.input.problem ?? "No microphone") }
    if recording.dropouts > 0 {
      let seconds = (recording.format?.rate ?? SampleRate(hertz: 48_000)).seconds(of: recording.dropoutFrames)
      let count = recording.dropouts == 1 ? "1 dropout" : "\(NumberText.grouped(recording.dropouts)) dropouts"
      troubles.append("\(count), \(NumberText.fixed(seconds, decimals: seconds < 0.1 ? 3 : 1)) s lost")
    }
    if !recording.deadChannels.isEmpty {
      let names = recording.deadChannels.map { $0 == 0 ? "left" : $0 == 1 ? "right" : "\($0 + 1)th" }
      troubles.append("nothing on the \(names.joined(separator: " and the ")) channel")
    }
    if recording.overs > 0 {
      troubles.append(
        recording.overs == 1 ? "1 sample too loud" : "\(NumberText.grouped(recording.overs)) samples too loud")
    }
    return troubles
  }

  /// The highest level now: "−18.6 dBFS".
  var level: String {
    NumberText.fixed(Double(recording.meters.map(\.peak).max() ?? -.infinity), decimals: 1) + " dBFS"
  }

  /// "15 h 12 min left on disk"; nil while nobody knows.
  var room: String? { recording.diskSeconds.map { Self.span($0) + " left on disk" } }

  /// The disk is full within five minutes.
  var isRoomShort: Bool { (recording.diskSeconds ?? .infinity) < 300 }

  var clock: String {
    guard recording.hasTake, let format = recording.format else { return TimeText.clock(tenths: 0) }
    return TimeText.clock(tenths: TimeText.tenths(frames: recording.position.rawValue, rate: format.rate))
  }

  var size: String { Self.size(recording.fileBytes) }

  /// The sound's own data for each second: "288 kB/s".
  var pace: String { NumberText.bytes(Int64(recording.bytesPerSecond)) + "/s" }

  static func rate(_ rate: SampleRate) -> String {
    let hertz = Double(rate.hertz)
    let decimals = rate.hertz % 1000 == 0 ? 0 : rate.hertz % 100 == 0 ? 1 : 3
    return NumberText.fixed(hertz / 1000, decimals: decimals) + " kHz"
  }

  static func format(_ format: TakeFormat) -> String {
    let coding = coding(format.coding)
    guard !format.coding.widths.isEmpty else { return coding }
    return width(format.width) + " " + coding
  }

  static func coding(_ coding: TakeCoding) -> String {
    switch coding {
    case .flac: "FLAC"
    case .wav: "WAV"
    case .aac: "AAC"
    case .opus: "Opus"
    }
  }

  static func width(_ width: SampleWidth) -> String {
    width == .float32 ? "32-bit float" : "\(width.bits)-bit"
  }

  static func channels(_ choice: ChannelChoice) -> String {
    switch choice {
    case .mono: "Mono"
    case .left: "Left"
    case .right: "Right"
    case .stereo: "Stereo"
    }
  }

  /// The last three parts of a path.
  static func short(_ path: PathBytes) -> String {
    path.shown.split(separator: "/").suffix(3).joined(separator: "/")
  }

  /// A size that runs: "812 kB", "18.4 MB", "1.24 GB".
  static func size(_ bytes: Int64) -> String {
    let value = Double(bytes)
    if value < 999_950 { return NumberText.bytes(bytes) }
    if value < 999_950_000 { return NumberText.fixed(value / 1e6, decimals: 1) + " MB" }
    return NumberText.fixed(value / 1e9, decimals: 2) + " GB"
  }

  /// A long time in two units: "40 s", "12 min", "15 h 12 min", "17 days".
  static func span(_ seconds: Double) -> String {
    let minutes = Int(min(max(seconds, 0), 1e12) / 60)
    if minutes < 1 { return "\(Int(max(seconds, 0))) s" }
    if minutes < 60 { return "\(minutes) min" }
    if minutes < 48 * 60 { return "\(minutes / 60) h \(minutes % 60) min" }
    return "\(NumberText.grouped(minutes / 1440)) days"
  }
}
