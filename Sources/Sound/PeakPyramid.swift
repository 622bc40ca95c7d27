/// A track's waveform at every zoom, growing while the track is still being decoded.
///
/// Level `k` of a channel has one bin per `baseFrames << k` frames, each joining two of the level below; bin `i` covers
/// the frames `i * width ..< (i + 1) * width`, so bins sit on absolute frame numbers and a picture made of them never
/// dances. Only whole bins are kept while the scan goes on, so what is not yet known is never drawn; the last bin of a
/// finished track may be short.
///
/// A value of immutable chunks: a copy costs references. Bounded: all channels together hold at most
/// `PyramidBuilder.levelZeroBins` bins of level 0 (twice that over all levels, 12 bytes each: 25 MB); a longer track doubles
/// `baseFrames` instead.
package struct PeakPyramid: Sendable {
  /// One channel's bins of one width: full chunks of `chunkBins` bins, then the rest.
  struct Level: Sendable {
    static let chunkBins = 4096
    var chunks: [[PeakBin]] = []
    var tail: [PeakBin] = []

    var count: Int { chunks.count * Self.chunkBins + tail.count }

    subscript(index: Int) -> PeakBin {
      let chunk = index / Self.chunkBins
      return chunk < chunks.count ? chunks[chunk][index % Self.chunkBins] : tail[index % Self.chunkBins]
    }

    mutating func append(_ bins: ArraySlice<PeakBin>) {
      var rest = bins
      while !rest.isEmpty {
        if tail.isEmpty { tail.reserveCapacity(min(Self.chunkBins, rest.count)) }
        let part = rest.prefix(Self.chunkBins - tail.count)
        tail += part
        rest = rest.dropFirst(part.count)
        guard tail.count == Self.chunkBins else { return }
        chunks.append(tail)
        tail = []
      }
    }

    /// The joins of these pairs of bins, none of which is in two chunks.
    func joined(pairs: Range<Int>) -> [PeakBin] {
      [PeakBin](unsafeUninitializedCapacity: pairs.count) { joined, filled in
        while filled < pairs.count {
          let first = (pairs.lowerBound + filled) * 2
          let chunk = first / Self.chunkBins
          let count = min(pairs.count - filled, (Self.chunkBins - first % Self.chunkBins) / 2)
          (chunk < chunks.count ? chunks[chunk] : tail).withUnsafeBufferPointer { bins in
            let bins = bins.baseAddress! + first % Self.chunkBins
            for i in 0..<count {
              (joined.baseAddress! + filled + i).initialize(to: bins[2 * i].joined(with: bins[2 * i + 1]))
            }
          }
          filled += count
        }
      }
    }
  }

  /// One channel's bins of all widths, finest first.
  struct Channel: Sendable {
    var levels = [Level()]

    /// Appends bins to level 0 and, wherever that makes pairs, their joins to the levels above.
    mutating func append(_ bins: [PeakBin]) {
      levels[0].append(bins[...])
      var level = 0
      while true {
        let have = level + 1 < levels.count ? levels[level + 1].count : 0
        let pairs = levels[level].count / 2
        guard pairs > have else { return }
        let joined = levels[level].joined(pairs: have..<pairs)
        if level + 1 == levels.count { levels.append(Level()) }
        levels[level + 1].append(joined[...])
        level += 1
      }
    }

    /// Makes level 1 the finest; gives the last bin of the old level 0 if it had no partner.
    mutating func dropFinest() -> PeakBin? {
      let finest = levels.removeFirst()
      return finest.count % 2 == 1 ? finest[finest.count - 1] : nil
    }
  }

  /// The frames of one bin of level 0; a power of two.
  package internal(set) var baseFrames = PyramidBuilder.finestFrames
  /// How many frames have gone in.
  package internal(set) var length = FrameCount.zero
  /// True when the last frame has gone in and `length` is the track's true length.
  package internal(set) var isComplete = false
  /// Grows with every publication, so that a picture made of this pyramid knows when it is stale.
  package internal(set) var version = 0
  var channels: [Channel]

  init(channelCount: Int) { channels = Array(repeating: Channel(), count: channelCount) }

  package var channelCount: Int { channels.count }
  package var levelCount: Int { channels[0].levels.count }

  /// The extremes and energy of one channel over a range of frames, widened to whole bins of level 0.
  ///
  /// Nil where nothing is known yet. Climbs from both ends of the range, so it reads at most two bins of each level:
  /// under a microsecond for any range.
  package func peak(channel: Int, from start: FrameIndex, to end: FrameIndex) -> Peak? {
    let levels = channels[channel].levels
    let base = Int64(baseFrames)
    var low = max(start.rawValue, 0) / base
    var high = min((max(end.rawValue, 0) + base - 1) / base, Int64(levels[0].count))
    guard low < high else { return nil }
    let frames = min(high * base, length.rawValue) - low * base
    var bin = PeakBin.empty
    var level = 0
    while low < high {
      let bins = levels[level]
      if low & 1 == 1 {
        bin = bin.joined(with: bins[Int(low)])
        low += 1
      }
      if high & 1 == 1 {
        high -= 1
        bin = bin.joined(with: bins[Int(high)])
      }
      low >>= 1
      high >>= 1
      level += 1
    }
    return Peak(bin, frames: frames)
  }

  /// The highest absolute sample and the root mean square of one channel, as far as it is known.
  package func overall(channel: Int) -> (peak: Float, rms: Float) {
    guard let peak = peak(channel: channel, from: .zero, to: .zero + length) else { return (0, 0) }
    return (max(abs(peak.low), abs(peak.high)), peak.rms)
  }
}
