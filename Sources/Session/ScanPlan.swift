internal import Media
internal import Sound

/// Into how many stretches a file is cut, and by how many it is decoded.
struct ScanPlan: Hashable {
  /// A multiple of `StretchBoard.blockFrames`.
  var stretchFrames: Int64
  /// The stretches before this one may be jumped to; 1 where there is nothing to jump to.
  var jumps = 1
  var workers = 1

  /// The bounds of a stretch: 6 s at 44.1 kHz, which the picture grows by; 48 s, which bounds what waits to be joined.
  private static let shortest: Int64 = 1 << 18
  private static let longest: Int64 = 1 << 21
  /// Samples of all channels in a stretch, for files of many channels.
  private static let mostSamples: Int64 = 1 << 23
  /// A jump must not cost more than this share of the stretch that it leads to.
  private static let jumpShare: Int64 = 16
  /// Every worker: so that the last ones are not left to one while the others have nothing more to do.
  private static let stretchesOfWorker: Int64 = 8
  /// What the readers' indexes may take in all: 64 MiB, of which one is 37 for 10 h in an MP4.
  private static let mostIndexBytes = 64 << 20

  init(file: AudioFile, cores: Int) {
    self.init(
      rule: file.cutRule, length: file.format.estimatedLength, preroll: file.prerollFrames,
      channelCount: file.format.channelCount,
      cores: min(cores, max(Self.mostIndexBytes / max(file.indexBytes, 1), 1)))
  }

  init(rule: CutRule, length: FrameCount?, preroll: FrameCount, channelCount: Int, cores: Int) {
    let most = min(Self.longest, Self.mostSamples / Int64(channelCount))
    let least = max(Self.shortest, preroll.rawValue * Self.jumpShare)
    stretchFrames = Self.whole(min(Self.shortest, most))
    guard rule != .never, cores > 1, let length else { return }
    let share = length.rawValue / (Int64(cores) * Self.stretchesOfWorker)
    let wanted = Self.whole(max(min(share, most), min(least, most)))
    let count = (length.rawValue + wanted - 1) / wanted
    guard count > 1 else { return }
    stretchFrames = wanted
    jumps = Int(clamping: count)
    workers = min(cores, jumps)
  }

  private static func whole(_ frames: Int64) -> Int64 {
    let block = Int64(StretchBoard.blockFrames)
    return max(frames / block, 1) * block
  }
}
