import Media
import Session
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
      let (waveform, error) = Waveform.scan(file)
      self.error = error?.description
      let pyramid = waveform.pyramid
      sound = Sound(
        format: file.format, tags: file.tags, frames: pyramid.length,
        levels: (0..<pyramid.channelCount).map { ChannelLevel(pyramid.overall(channel: $0)) },
        skippedStretches: waveform.skippedStretches)
    } catch {
      self.error = error.description
    }
  }
}

/// How loud one channel is over all.
struct ChannelLevel {
  /// The largest sample without its sign.
  var peak: Decibels
  /// The root of the mean square, so that a full-scale sine reads −3.01.
  var rms: Decibels

  init(_ level: (peak: Float, rms: Float)) {
    peak = Decibels(amplitude: Double(level.peak))
    rms = Decibels(amplitude: Double(level.rms))
  }
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
