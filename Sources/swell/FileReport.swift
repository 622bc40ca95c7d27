import Media
import Sound
import System

/// What decoding the whole of one file shows.
struct FileReport {
  var path: PathBytes
  /// Nil where it does not play.
  var sound: Sound?
  /// The sentence that says why not, or why not to the end.
  var error: String?

  struct Sound {
    var format: StreamFormat
    var tags: Tags
    var frames: FrameCount
    var levels: [ChannelLevel]
    var skippedStretches: Int
  }

  var plays: Bool { sound != nil }

  init(decoding path: PathBytes) {
    self.path = path
    do throws(MediaError) {
      let file = try AudioFile(path: path, cancellation: Cancellation())
      let block = SampleBlock(channelCount: file.format.channelCount, capacity: 16384)
      var levels = [ChannelLevel](repeating: ChannelLevel(), count: file.format.channelCount)
      var frames = FrameCount.zero
      do throws(MediaError) {
        while try file.read(into: block) {
          for channel in levels.indices { levels[channel].add(UnsafeBufferPointer(block.channel(channel))) }
          frames = frames + FrameCount(block.frameCount)
        }
      } catch {
        self.error = error.description
      }
      sound = Sound(
        format: file.format, tags: file.tags, frames: frames, levels: levels, skippedStretches: file.skippedStretches)
    } catch {
      self.error = error.description
    }
  }
}

/// How loud one channel is over all.
struct ChannelLevel {
  private var largest: Float = 0
  private var squares = 0.0
  private var count = 0

  mutating func add(_ samples: UnsafeBufferPointer<Float>) {
    // Eight running sums, which the processor forms side by side.
    var peaks = SIMD8<Float>(repeating: 0)
    var sums = SIMD8<Float>(repeating: 0)
    var place = 0
    while place + 8 <= samples.count {
      // Short stretches in single precision, added up in double: far below 0.01 dB.
      let end = min(place + 1024, samples.count & ~7)
      sums = SIMD8(repeating: 0)
      while place < end {
        let part = UnsafeRawPointer(samples.baseAddress! + place).loadUnaligned(as: SIMD8<Float>.self)
        let size = part.replacing(with: -part, where: part .< 0)
        peaks = peaks.replacing(with: size, where: size .> peaks)
        sums += part * part
        place += 8
      }
      squares += Double(sums.sum())
    }
    largest = max(largest, peaks.max())
    for sample in samples[place...] {
      largest = max(largest, abs(sample))
      squares += Double(sample) * Double(sample)
    }
    count += samples.count
  }

  /// The largest sample without its sign.
  var peak: Decibels { Decibels(amplitude: Double(largest)) }
  /// The root of the mean square, so that a full-scale sine reads −3.01.
  var rms: Decibels { Decibels(amplitude: count > 0 ? (squares / Double(count)).squareRoot() : 0) }
}

extension FileReport: Encodable {
  private enum Key: String, CodingKey {
    case path, plays, error, container, codec, sampleRate, channels, channelLayout, bitsPerSample, frames, duration
    case peakDBFS, rmsDBFS, tags, skippedStretches
  }

  func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: Key.self)
    try box.encode(String(decoding: path.bytes, as: UTF8.self), forKey: .path)
    try box.encode(plays, forKey: .plays)
    if let error { try box.encode(error, forKey: .error) }
    guard let sound else { return }
    try box.encode(sound.format.container, forKey: .container)
    try box.encode(sound.format.codec, forKey: .codec)
    try box.encode(sound.format.rate.hertz, forKey: .sampleRate)
    try box.encode(sound.format.channelCount, forKey: .channels)
    try box.encode(sound.format.layoutName, forKey: .channelLayout)
    try box.encode(sound.format.bitsPerSample, forKey: .bitsPerSample)
    try box.encode(sound.frames.rawValue, forKey: .frames)
    try box.encode(sound.format.rate.seconds(of: sound.frames), forKey: .duration)
    try box.encode(sound.levels.map { finite($0.peak) }, forKey: .peakDBFS)
    try box.encode(sound.levels.map { finite($0.rms) }, forKey: .rmsDBFS)
    try box.encode(
      Dictionary(sound.tags.all.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }), forKey: .tags)
    try box.encode(sound.skippedStretches, forKey: .skippedStretches)
  }

  /// JSON has no infinity: silence is null.
  private func finite(_ level: Decibels) -> Double? {
    level.value.isFinite ? (level.value * 1000).rounded() / 1000 : nil
  }
}
