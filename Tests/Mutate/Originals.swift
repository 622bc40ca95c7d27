import Sound
import System
import TestSupport

/// Good files, and what may become of them.
struct Originals {
  private let files: [(name: PathBytes, bytes: [UInt8])]

  init(in folder: PathBytes) throws {
    // In the same order everywhere, so that a seed is the same everywhere.
    let names = try Files.names(in: folder).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    files = try names.map { ($0, try Files.read(folder.appending($0))) }
  }

  /// One of them, damaged in one to eight ways.
  func mutated(with noise: inout Noise) -> (name: PathBytes, bytes: [UInt8]) {
    let (name, original) = files[Int.random(in: 0..<files.count, using: &noise)]
    var bytes = original
    for _ in 0..<Int.random(in: 1...8, using: &noise) { damage(&bytes, &noise) }
    return (name, bytes)
  }

  /// Values at which numbers turn over.
  private static let odd: [UInt64] = [0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, .max]

  private func damage(_ bytes: inout [UInt8], _ noise: inout Noise) {
    guard bytes.count > 8 else { return bytes += [0, 0, 0, 0, 0, 0, 0, 0, 0] }
    // Most faults in the head, where they do most.
    let reach = Bool.random(using: &noise) ? min(512, bytes.count) : bytes.count
    let place = Int.random(in: 0..<reach, using: &noise)
    let rest = bytes.count - place
    switch Int.random(in: 0..<10, using: &noise) {
    case 0, 1: bytes[place] = .random(in: 0...255, using: &noise)
    case 2: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &noise)
    case 3, 4:
      let width = min([1, 2, 3, 4, 8].randomElement(using: &noise)!, rest)
      let value = Self.odd.randomElement(using: &noise)!
      let isBig = Bool.random(using: &noise)
      for i in 0..<width {
        bytes[place + i] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (isBig ? width - 1 - i : i)))
      }
    case 5: bytes.removeLast(Int.random(in: 0..<rest, using: &noise))
    case 6: bytes.removeSubrange(place..<place + Int.random(in: 0...min(rest, 300), using: &noise))
    case 7:
      let length = Int.random(in: 0...min(rest, 2000), using: &noise)
      let piece = Array(bytes[place..<place + length])
      bytes.insert(contentsOf: piece, at: Int.random(in: 0...bytes.count, using: &noise))
    case 8:
      let other = files[Int.random(in: 0..<files.count, using: &noise)].bytes
      let start = Int.random(in: 0...other.count, using: &noise)
      let end = min(start + Int.random(in: 0...1000, using: &noise), other.count)
      bytes.insert(contentsOf: other[start..<end], at: place)
    default:
      for i in place..<place + min(rest, Int.random(in: 1...64, using: &noise)) {
        bytes[i] = .random(in: 0...255, using: &noise)
      }
    }
  }
}
