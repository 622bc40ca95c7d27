package import Sound

/// The two flags that a listener sets on a track; between them it is played round and round.
///
/// A is the first frame of the region and B the first behind it. One flag alone makes no region. Whoever sets them in the
/// wrong order means the other one: A never lies behind B.
package struct RegionFlags: Hashable, Sendable {
  package private(set) var a: FrameIndex?
  package private(set) var b: FrameIndex?

  package init() {}

  package init(a: FrameIndex?, b: FrameIndex?) {
    self.a = a.map { max($0, .zero) }
    self.b = b.map { max($0, .zero) }
    settle()
  }

  package init(_ region: Range<FrameIndex>) { self.init(a: region.lowerBound, b: region.upperBound) }

  /// What is played round and round, a frame long at least; nil while a flag is missing.
  package var region: Range<FrameIndex>? {
    guard let a, let b else { return nil }
    return a..<b
  }

  package var isEmpty: Bool { a == nil && b == nil }

  package mutating func setA(_ frame: FrameIndex) { self = Self(a: frame, b: b) }
  package mutating func setB(_ frame: FrameIndex) { self = Self(a: a, b: frame) }

  /// The same on a track of this length: what lies beyond its end is gone, and so is a flag at no frame.
  package func clamped(to length: FrameCount) -> RegionFlags {
    let end: FrameIndex = .zero + length
    return RegionFlags(a: a.flatMap { $0 < end ? $0 : nil }, b: a ?? .zero < end ? b.map { min($0, end) } : nil)
  }

  private mutating func settle() {
    guard let first = a, let last = b else { return }
    a = min(first, last)
    // No region is empty.
    b = max(first, last, min(first, last) + FrameCount(1))
  }
}

/// The flags of a file, to be kept until it is played again.
package struct KeptFlags: Hashable, Sendable {
  package var path: PathBytes
  package var flags: RegionFlags

  package init(path: PathBytes, flags: RegionFlags) {
    self.path = path
    self.flags = flags
  }
}
