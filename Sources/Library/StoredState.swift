package import Control
package import Sound

/// What is remembered from one run to the next.
package struct StoredState: Hashable, Sendable {
  /// Where the window lay, in the display's pixels.
  package struct Window: Codable, Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int
    package var isMaximised: Bool

    private enum CodingKeys: String, CodingKey {
      case x, y, width, height
      case isMaximised = "maximised"
    }

    package init(x: Int, y: Int, width: Int, height: Int, isMaximised: Bool) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
      self.isMaximised = isMaximised
    }
  }

  package static let recentsLimit = 20
  /// More than this is not kept of a queue: 10,000 paths are about 1 MB.
  package static let queueLimit = 10_000
  /// The flags of so many files are kept.
  package static let flagsLimit = 500

  package var volume = Volume.full
  package var isMuted = false
  package var loop = LoopMode.off
  /// The output device that was asked for; nil is the system's default.
  package var deviceName: String?
  package var window: Window?
  /// The zoom of the waveform: seconds for one logical pixel; nil is as it likes.
  package var secondsPerPoint: Double?
  /// The chosen scale of the interface; nil is the display's own.
  package var interfaceScale: Double?
  package var spectrumScale = SpectrumScale.logarithmic
  package var queue: [PathBytes] = []
  /// The place of the loaded track in the queue.
  package var queueIndex: Int?
  /// How far that track was played, in its own frames.
  package var position = FrameIndex.zero
  /// Files that were played, the last one first.
  package var recents: [RecentItem] = []
  /// The flags of files on which some were set, those set last first.
  package var flags: [KeptFlags] = []
  /// The folder that was last shown in the browser.
  package var browserFolder: PathBytes?
  /// How recordings are made; the timer is not remembered.
  package var recording = RecorderOptions()

  package init() {}

  /// Puts a file at the head of the recents, out of its older place.
  package mutating func remember(_ item: RecentItem) {
    recents.removeAll { $0.path == item.path }
    recents.insert(item, at: 0)
    recents.removeLast(max(0, recents.count - Self.recentsLimit))
  }

  /// The same with everything impossible left out, which a file edited by hand may hold.
  package var sane: StoredState {
    var state = self
    if let window, !Self.isPossible(window) { state.window = nil }
    if let seconds = secondsPerPoint, !(1e-9...1e5).contains(seconds) { state.secondsPerPoint = nil }
    if let scale = interfaceScale, !(0.25...8).contains(scale) { state.interfaceScale = nil }
    if queue.count > Self.queueLimit || queue.contains(where: \.isImpossible) { state.queue = [] }
    if let index = queueIndex, !state.queue.indices.contains(index) { state.queueIndex = nil }
    if state.queueIndex == nil || position < .zero { state.position = .zero }
    state.recents = Array(recents.filter { !$0.path.isImpossible }.prefix(Self.recentsLimit))
    state.flags = Array(flags.filter { !$0.path.isImpossible && !$0.flags.isEmpty }.prefix(Self.flagsLimit))
    if browserFolder?.isImpossible == true { state.browserFolder = nil }
    if recording.folder?.isImpossible == true { state.recording.folder = nil }
    if recording.refusal(ofBuffer: recording.bufferMilliseconds) != nil {
      state.recording.bufferMilliseconds = RecorderOptions().bufferMilliseconds
    }
    if !(0...RecorderOptions.longestPreRoll).contains(recording.preRollSeconds) {
      state.recording.preRollSeconds = RecorderOptions().preRollSeconds
    }
    if let rate = recording.rate, !(1000...384_000).contains(rate.hertz) { state.recording.rate = nil }
    return state
  }

  private static func isPossible(_ window: Window) -> Bool {
    let places = -100_000...100_000
    let lengths = 1...100_000
    return places.contains(window.x) && places.contains(window.y) && lengths.contains(window.width)
      && lengths.contains(window.height)
  }
}

extension PathBytes {
  /// No file can have this path: the kernel takes 4,095 bytes and no zero among them.
  fileprivate var isImpossible: Bool { bytes.isEmpty || bytes.count > 4095 || bytes.contains(0) }
}
