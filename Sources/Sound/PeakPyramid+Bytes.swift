// What the cache needs of a complete pyramid: its level 0 taken out, and a pyramid built of such a level.
extension PeakPyramid {
  /// The number of bins of level 0, the same for every channel.
  var levelZeroCount: Int { channels[0].levels[0].count }

  /// Hands out level 0, channel after channel, in chunks.
  func visitLevelZero(_ body: ([PeakBin]) -> Void) {
    for channel in channels {
      channel.levels[0].chunks.forEach(body)
      body(channel.levels[0].tail)
    }
  }

  /// The same with bins of at least `frames` frames: what a scan would have made that had begun with those.
  func coarsened(to frames: Int) -> PeakPyramid {
    var pyramid = self
    while pyramid.baseFrames < frames {
      for channel in pyramid.channels.indices {
        let odd = pyramid.channels[channel].dropFinest()
        if pyramid.channels[channel].levels.isEmpty { pyramid.channels[channel].levels = [Level()] }
        // A finished track's last bin is short; above, it is still to be told apart from what is not known.
        if let odd { pyramid.channels[channel].append([odd]) }
      }
      pyramid.baseFrames *= 2
    }
    return pyramid
  }

  /// A complete pyramid of level 0 as bytes, a row a channel; nil where a bin is none that sound can have.
  init?(levelZero rows: [UnsafeRawBufferPointer], baseFrames: Int, length: FrameCount) {
    self.init(channelCount: rows.count)
    for (channel, row) in rows.enumerated() {
      let count = row.count / 12
      let bins = [PeakBin](unsafeUninitializedCapacity: count) { bins, filled in
        for i in 0..<count { bins[i] = PeakBin(bytes: row, at: i * 12) }
        filled = count
      }
      guard Self.arePossible(bins) else { return nil }
      channels[channel].append(bins)
    }
    self.baseFrames = baseFrames
    self.length = length
    isComplete = true
    version = 1
  }

  /// More energy than that of any sound; the sum of all bins stays finite.
  private static let mostEnergy: Float = 1e30

  /// Whether extremes are in order and everything is finite, so that no picture is made of nonsense.
  private static func arePossible(_ bins: [PeakBin]) -> Bool {
    var isGood = true
    for bin in bins {
      let sane = bin.low <= bin.high && bin.low > -.infinity && bin.high < .infinity
      isGood = isGood && sane && bin.energy >= 0 && bin.energy <= mostEnergy
    }
    return isGood
  }
}

extension PeakBin {
  fileprivate init(bytes: UnsafeRawBufferPointer, at place: Int) {
    func float(_ offset: Int) -> Float {
      Float(
        bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place + offset, as: UInt32.self)))
    }
    self.init(low: float(0), high: float(4), energy: float(8))
  }
}
