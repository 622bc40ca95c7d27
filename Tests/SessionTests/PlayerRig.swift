import Control
import Glibc
import Session
import Sound
import System
import TestSupport

/// A player with a loudspeaker of the test's own: a clock that is turned by hand, and a record of all that was heard.
final class PlayerRig {
  static let rate = 48_000
  static let bufferFrames = 512

  let folder = try! TemporaryFolder()
  let feed = Feed.make(capacity: 1 << 17)
  let player: Player
  /// Rings when a worker has something to tell.
  private let bell: Monitor<Int>
  private var heardBells = 0
  var device = DeviceState()
  var now: Int64 = 1_000_000_000_000
  /// What the loudspeaker has played, left and right.
  var left: [Float] = []
  var right: [Float] = []
  var events: [PlayerEvent] = []

  init(_ settings: PlayerSettings = PlayerSettings()) {
    let bell = Monitor(0)
    self.bell = bell
    device.status = .open
    device.rate = SampleRate(hertz: Self.rate)
    device.bufferFrames = Self.bufferFrames
    player = Player(feed: FeedPointer(feed), settings: settings) { bell.withLock { $0 += 1 } }
  }

  deinit {
    // The deck's thread may still hold the feed's address, so the feed stays.
    player.stop()
  }

  /// A WAV of float samples in the rig's folder.
  func wave(_ name: String, _ channels: [[Float]], hertz: Int = rate) -> PathBytes {
    try! folder.write(WaveFile.float32(channels, hertz: hertz), to: name)
  }

  /// Lets workers report until `condition` holds, without the loudspeaker running; false after 10 s.
  func settle(_ condition: (Player) -> Bool) -> Bool {
    let deadline = Clock.seconds() + 10
    while true {
      update()
      if condition(player) { return true }
      guard Clock.seconds() < deadline else { return false }
      _ = bell.wait(atMost: 0.005) { [heardBells] in $0 > heardBells ? $0 : nil }.map { heardBells = $0 }
    }
  }

  /// Runs the loudspeaker for one buffer, once the deck has it ready.
  func play() {
    _ = settle { player in
      player.snapshot.transport != .playing || self.feed.pointee.ahead >= Self.bufferFrames
        || self.feed.pointee.endPosition != nil || self.feed.pointee.isFlushing
    }
    var buffer = [Float](repeating: 9, count: Self.bufferFrames * 2)
    buffer.withUnsafeMutableBufferPointer { feed.pointee.render(into: $0, at: now) }
    for frame in 0..<Self.bufferFrames {
      left.append(buffer[frame * 2])
      right.append(buffer[frame * 2 + 1])
    }
    now += Int64(Self.bufferFrames) * 1_000_000_000 / Int64(Self.rate)
    update()
  }

  func play(seconds: Double) {
    for _ in 0..<Int(seconds * Double(Self.rate) / Double(Self.bufferFrames)) { play() }
  }

  /// Asks for a seek and waits until the deck has got there: the clock here runs faster than any deck.
  func seek(_ command: PlayerCommand) {
    player.obey(command)
    _ = settle { _ in self.feed.pointee.isFlushing }
  }

  /// Plays until the player comes to rest; false after `seconds` of sound.
  func playToEnd(atMost seconds: Double = 60) -> Bool {
    for _ in 0..<Int(seconds * Double(Self.rate) / Double(Self.bufferFrames)) {
      play()
      if player.snapshot.transport == .stopped { return true }
    }
    return false
  }

  /// Opens files and waits until the first is loaded and decoded ahead.
  func open(_ paths: PathBytes..., options: StartOptions = StartOptions()) -> Bool {
    let before = player.snapshot.track?.id
    player.open(paths, options)
    return settle { player in
      player.snapshot.track != nil && player.snapshot.track?.id != before && self.feed.pointee.ahead > 0
    }
  }

  /// Where the heard sound begins: the first sample above a threshold.
  var onset: Int? { left.firstIndex { abs($0) > 1e-4 } }

  private func update() {
    player.update(at: now, device: device)
    events += player.takeEvents()
  }
}
