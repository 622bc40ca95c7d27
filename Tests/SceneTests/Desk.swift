import Control
import Foundation
import Scene
import Sound
import Synchronization

/// A window with a player behind it, as a test drives it: what the hands do goes in, commands and pictures come out.
final class Desk {
  var snapshot = Snapshot()
  var view = ViewState()
  var size = Size(1280, 720)
  var scale: Float = 1
  var time = 100.0
  var pointer: Point?
  /// What the last frame gave.
  var result = FrameResult()

  /// Every letter as wide as every other, so that no font decides a test.
  static func measure(_ text: String, _ style: TextStyle) -> Float { Float(text.count) * style.size * 0.55 }

  @discardableResult
  func frame(_ events: [InputEvent] = [], after seconds: Double = 0) -> [Command] {
    time += seconds
    for event in events {
      switch event {
      case .moved(let point), .pressed(_, let point, _, _), .released(_, let point, _), .wheel(_, _, let point, _):
        pointer = point
      case .pointerLeft: pointer = nil
      default: break
      }
    }
    let input = Input(size: size, scale: scale, time: time, pointer: pointer, events: events)
    result = Scene.frame(snapshot: snapshot, input: input, view: &view, measure: Self.measure)
    return result.commands
  }

  @discardableResult
  func press(_ key: Key, _ modifiers: Modifiers = [], isRepeat: Bool = false) -> [Command] {
    frame([.key(key, modifiers, isRepeat: isRepeat)])
  }

  /// A key and the text that it types, as a keyboard gives them.
  @discardableResult
  func type(_ text: String) -> [Command] {
    var commands: [Command] = []
    for letter in text {
      let key: Key = letter == " " ? .space : .character(Character(letter.lowercased()))
      commands += frame([.key(key, letter.isUppercase ? .shift : [], isRepeat: false), .text(String(letter))])
    }
    return commands
  }

  @discardableResult
  func click(_ point: Point, clicks: Int = 1) -> [Command] {
    frame([.moved(point), .pressed(.left, at: point, clicks: clicks, []), .released(.left, at: point, [])])
  }

  /// The orders of one panel of the last picture.
  func orders(_ id: PanelID) -> [Order] { panel(id)?.orders ?? [] }
  func panel(_ id: PanelID) -> Panel? { result.list.panels.first { $0.id == id } }

  /// The texts of one panel, or of the whole picture.
  func texts(_ id: PanelID? = nil) -> [String] {
    result.list.panels.filter { id == nil || $0.id == id }.flatMap(\.orders).compactMap {
      if case .text(let string, _, _, _, _) = $0 { string } else { nil }
    }
  }

  /// The middle of the first text that reads so.
  func place(of text: String) -> Point? {
    for order in result.list.panels.reversed().flatMap(\.orders) {
      if case .text(text, let at, let style, _, _) = order {
        return Point(at.x + Self.measure(text, style) / 2, at.y + style.size * 0.6)
      }
    }
    return nil
  }

  func place(of icon: Icon) -> Point? {
    for order in result.list.panels.reversed().flatMap(\.orders) {
      if case .icon(icon, let rect, _, _) = order { return rect.center }
    }
    return nil
  }
}

/// A snapshot of a stereo song of 3:57.0 at 44.1 kHz, 1:38.4 into it, wholly scanned.
func playingSnapshot(
  seconds: Double = 237, at position: Double = 98.4, rate: Int = 44_100, channels: Int = 2, isPlaying: Bool = true
) -> Snapshot {
  var snapshot = Snapshot()
  let hertz = SampleRate(hertz: rate)
  let length = hertz.frames(inSeconds: seconds)
  snapshot.transport = isPlaying ? .playing : .paused
  snapshot.track = TrackSummary(
    id: TrackID(1), path: PathBytes("/music/low tide.flac"), title: "Low Tide, Morning", artist: "Harbour Lights",
    album: nil, format: "FLAC · 44.1 kHz · 24-bit · stereo", rate: hertz, channelCount: channels,
    channelNames: channels == 2 ? ["L", "R"] : [], length: length, lengthIsEstimate: false, cover: nil)
  snapshot.position = .zero + hertz.frames(inSeconds: position)
  snapshot.pyramid = Songs.pyramid(frames: Int(length.rawValue), channels: channels)
  snapshot.spectrum = spectrumReading()
  snapshot.meters = (0..<min(channels, 8)).map {
    MeterReading(peak: -9 - Float($0), hold: -4.2 - Float($0), isOver: false)
  }
  snapshot.volume = Volume(clamping: Decibels(-6))
  snapshot.queue.count = 2
  snapshot.queue.index = 0
  snapshot.queue.hasNext = true
  return snapshot
}

func spectrumReading(_ scale: SpectrumScale = .logarithmic, top: Double = 22_050) -> SpectrumReading {
  let edges: [Float] = (0...64).map { band in
    switch scale {
    case .logarithmic: Float(27.5 * pow(20_000 / 27.5, Double(band) / 64))
    case .linear: Float(top * Double(band) / 64)
    }
  }
  let levels: [Float] = (0..<64).map { -20 - Float($0) }
  return SpectrumReading(scale: scale, levels: levels, holds: levels.map { $0 + 4 }, edges: edges)
}

/// Sound made once and kept, since many tests look at it.
enum Songs {
  private struct Key: Hashable {
    var frames: Int
    var channels: Int
  }
  private static let made = Mutex<[Key: PeakPyramid]>([:])

  /// A song of pulses that swell over 64 Ki frames, then begin again a little softer.
  static func pyramid(frames: Int, channels: Int) -> PeakPyramid {
    made.withLock { made in
      let key = Key(frames: frames, channels: channels)
      if let pyramid = made[key] { return pyramid }
      var builder = PyramidBuilder(channelCount: channels)
      let block = SampleBlock(channelCount: channels, capacity: 1 << 16)
      for channel in 0..<channels {
        let plane = block.plane(channel)
        for i in 0..<block.capacity {
          plane[i] = (i % 8192 < 400 ? 0.9 : 0.1) * Float(i % 16_384) / 16_384 * (i & 1 == 0 ? 1 : -0.7)
        }
      }
      var done = 0
      while done < frames {
        block.frameCount = min(block.capacity, frames - done)
        for channel in 0..<channels { block.plane(channel)[channel] = 1 - Float(done % 1_000_003) / 1_000_003 }
        builder.append(block)
        done += block.frameCount
      }
      builder.finish()
      made[key] = builder.snapshot()
      return made[key]!
    }
  }

  /// The pyramid of what a formula gives for each frame, cut off while it is still being scanned if it is not `complete`.
  static func pyramid(
    frames: Int, complete: Bool = true, mostBins: Int = PyramidBuilder.levelZeroBins, _ sample: (Int) -> Float
  ) -> PeakPyramid {
    var builder = PyramidBuilder(channelCount: 1, mostBins: mostBins)
    let block = SampleBlock(channelCount: 1, capacity: frames)
    for i in 0..<frames { block.plane(0)[i] = sample(i) }
    block.frameCount = frames
    builder.append(block)
    if complete { builder.finish() }
    return builder.snapshot()
  }
}
