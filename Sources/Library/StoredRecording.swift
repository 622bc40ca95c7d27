internal import Control
internal import Sound

/// How recordings are made, in JSON.
struct StoredRecording: Codable {
  private var device: String?
  private var coding: String?
  private var width: String?
  private var rate: Int?
  private var channels: String?
  private var buffer: Int?
  private var preRoll: Double?
  private var threshold: Float?
  private var hold: Double?
  private var monitoring: Bool?
  private var folder: StoredPath?

  init(_ options: RecorderOptions) {
    device = options.device
    coding = options.coding.rawValue
    width = options.width.rawValue
    rate = options.rate?.hertz
    channels = options.channels.rawValue
    buffer = options.bufferMilliseconds
    preRoll = options.preRollSeconds
    threshold = options.trigger?.threshold
    hold = options.trigger?.holdSeconds
    monitoring = options.isMonitoring
    folder = options.folder.map(StoredPath.init)
  }

  /// What is missing or not known has its first value.
  var options: RecorderOptions {
    var options = RecorderOptions()
    options.device = device
    options.coding = coding.flatMap(TakeCoding.init) ?? options.coding
    options.width = width.flatMap(SampleWidth.init) ?? options.width
    options.rate = rate.map(SampleRate.init(hertz:))
    options.channels = channels.flatMap(ChannelChoice.init) ?? options.channels
    options.bufferMilliseconds = buffer ?? options.bufferMilliseconds
    options.preRollSeconds = preRoll ?? options.preRollSeconds
    if let threshold { options.trigger = SoundTrigger(threshold: threshold, holdSeconds: hold ?? 3) }
    options.isMonitoring = monitoring ?? false
    options.folder = folder?.path
    return options
  }
}
