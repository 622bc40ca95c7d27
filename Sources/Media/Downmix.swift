internal import Sound

/// How much of each channel goes to the left and to the right loudspeaker.
///
/// The weights of ITU-R BS.775-3, annex 4: the centre and the surround channels at -3 dB, those behind the listener's middle
/// to both sides, and no low-frequency effects, which small loudspeakers cannot give. Then all are made smaller by one
/// factor, so that full scale in every channel at once is full scale at the loudspeaker. Mono goes to both sides whole.
struct Downmix: Hashable {
  /// One weight a channel.
  let left: [Float]
  let right: [Float]

  /// -3 dB.
  private static let half = Float(0.5).squareRoot()

  init(_ speakers: [Speaker]) {
    if speakers.count == 1 {
      left = [1]
      right = [1]
      return
    }
    // A file of nothing but effects is heard all the same.
    let onlyEffects = speakers.allSatisfy { $0 == .lowFrequency }
    let weights = speakers.map { onlyEffects ? (1, 1) : Self.weights(of: $0) }
    let sum = max(weights.map(\.0).reduce(0, +), weights.map(\.1).reduce(0, +), 1)
    left = weights.map { $0.0 / sum }
    right = weights.map { $0.1 / sum }
  }

  private static func weights(of speaker: Speaker) -> (Float, Float) {
    switch speaker {
    case .left, .frontLeftOfCenter, .wideLeft: (1, 0)
    case .right, .frontRightOfCenter, .wideRight: (0, 1)
    case .mono, .center: (half, half)
    case .lowFrequency: (0, 0)
    case .sideLeft, .backLeft, .topFrontLeft, .topBackLeft: (half, 0)
    case .sideRight, .backRight, .topFrontRight, .topBackRight: (0, half)
    case .backCenter, .topCenter, .topFrontCenter, .topBackCenter: (0.5, 0.5)
    // Nobody says where these belong: odd ones left, even ones right, as in pairs.
    case .unknown(let number): number % 2 == 1 ? (1, 0) : (0, 1)
    }
  }

  /// Mixes a block into two planes of `frameCount` samples each.
  func mix(_ block: SampleBlock, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    mix(block, self.left, into: left)
    mix(block, self.right, into: right)
  }

  private func mix(_ block: SampleBlock, _ weights: [Float], into side: UnsafeMutablePointer<Float>) {
    let count = block.frameCount
    var isFirst = true
    for (channel, weight) in weights.enumerated() where weight != 0 {
      let samples = UnsafePointer(block.plane(channel))
      if isFirst {
        for i in 0..<count { side[i] = samples[i] * weight }
      } else {
        for i in 0..<count { side[i] += samples[i] * weight }
      }
      isFirst = false
    }
    if isFirst { side.update(repeating: 0, count: count) }
  }
}
