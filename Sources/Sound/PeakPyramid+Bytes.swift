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
      let bins = [PeakBin](unsafeUninitializedCapacity: row.count / PeakBin.byteCount) { bins, filled in
        filled = row.count / PeakBin.byteCount
        for i in 0..<filled {
          (bins.baseAddress! + i).initialize(to: PeakBin(bytes: row.baseAddress! + i * PeakBin.byteCount))
        }
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
    bins.allSatisfy { bin in
      bin.low <= bin.high && bin.low > -.infinity && bin.high < .infinity && bin.energy >= 0
        && bin.energy <= mostEnergy
    }
  }
}

extension PeakBin {
  /// Three floats.
  fileprivate static let byteCount = 12

  fileprivate init(bytes: UnsafeRawPointer) {
    func float(_ offset: Int) -> Float {
      Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    self.init(low: float(0), high: float(4), energy: float(8))
  }
}
