/// The places at which the frames of a coding may begin: all multiples of its block length behind the first.
///
/// By these a time stamp in milliseconds tells the sample, if the blocks are longer than its doubt.
struct FrameGrid {
  /// The first frame may be shorter, where the coding's delay was cut off.
  private let firstFrames: Int64
  private var common: Int64 = 0
  private var seen = 0

  /// So many frames tell the length of the blocks.
  private static let enough = 3

  init(firstFrames: Int64) { self.firstFrames = firstFrames }

  /// Too few were met to tell.
  var wantsMore: Bool { seen < Self.enough }

  /// Takes note of the length of a frame behind another, so that it is whole.
  mutating func learn(_ frames: Int) {
    guard wantsMore else { return }
    seen += 1
    var (a, b) = (common, Int64(frames))
    while b != 0 { (a, b) = (b, a % b) }
    common = a
  }

  /// The length of the blocks, once it is known.
  var unit: Int64? { seen == Self.enough && common > 0 ? common : nil }

  /// The one place that lies so near; nil where there is none, or more than one, or the blocks are not known yet.
  func place(near position: Int64, within doubt: Int64) -> Int64? {
    guard let unit, unit > 2 * (2 * doubt + 1), position > firstFrames / 2 else { return nil }
    let offset = position - firstFrames
    let nearest = firstFrames + (offset + (offset < 0 ? -unit : unit) / 2) / unit * unit
    return abs(nearest - position) <= doubt ? nearest : nil
  }
}
