/// Which of a microphone's channels go into the recording.
package enum ChannelChoice: String, Hashable, Sendable, CaseIterable {
  /// All channels joined into one.
  case mono
  /// The first channel alone.
  case left
  /// The second channel alone.
  case right
  /// The first two as they are; a microphone with one channel gives both sides alike.
  case stereo

  /// How many channels the recording has.
  package var channelCount: Int { self == .stereo ? 2 : 1 }

  /// Fills `planes` with `count` frames taken from interleaved frames of `channelCount` channels.
  ///
  /// Mono is the mean, so full scale on all channels stays full scale, and two equal channels come out bit for bit.
  /// Samples that are not finite become silence. Plane `c` begins at `planes(c)`.
  package func take(
    _ frames: UnsafePointer<Float>, count: Int, of channelCount: Int, into planes: (Int) -> UnsafeMutablePointer<Float>
  ) {
    switch self {
    case .left: copy(frames, count, stride: channelCount, into: planes(0))
    case .right: copy(frames + min(1, channelCount - 1), count, stride: channelCount, into: planes(0))
    case .stereo:
      copy(frames, count, stride: channelCount, into: planes(0))
      copy(frames + min(1, channelCount - 1), count, stride: channelCount, into: planes(1))
    case .mono:
      let plane = planes(0)
      let share = 1 / Float(channelCount)
      for i in 0..<count {
        var sum: Float = 0
        for channel in 0..<channelCount { sum += frames[i * channelCount + channel] }
        let mean = sum * share
        plane[i] = mean.isFinite ? mean : 0
      }
    }
  }

  private func copy(_ from: UnsafePointer<Float>, _ count: Int, stride: Int, into plane: UnsafeMutablePointer<Float>) {
    for i in 0..<count {
      let sample = from[i * stride]
      plane[i] = sample.isFinite ? sample : 0
    }
  }
}

/// Notices a channel of a microphone on which nothing comes while another has sound.
///
/// Time is handed in.
package struct ChannelWatch: Hashable, Sendable {
  /// Below this a channel counts as dead, as an amplitude: -80 dBFS, under any microphone's own noise.
  static let silence: Float = 1e-4
  /// Above this there is sound to be heard: -50 dBFS.
  static let sound: Float = 3.2e-3
  /// So long must another channel have sounded while this one did not, in seconds.
  static let patience = 2.0

  /// How long others sounded since each channel was last heard, in seconds.
  private var missed: [Double]

  package init(channelCount: Int) { missed = Array(repeating: 0, count: channelCount) }

  /// Takes note of `seconds` of sound in which each channel's highest absolute sample was `peaks`.
  package mutating func update(peaks: [Float], seconds: Double) {
    guard peaks.count == missed.count else { return }
    let isSounding = peaks.contains { $0 > Self.sound }
    for channel in peaks.indices {
      if peaks[channel] >= Self.silence {
        missed[channel] = 0
      } else if isSounding {
        missed[channel] += seconds
      }
    }
  }

  /// The channels on which nothing comes, from 0.
  package var deadChannels: [Int] { missed.indices.filter { missed[$0] >= Self.patience } }
}
