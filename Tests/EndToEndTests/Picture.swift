import Foundation

/// The pixels of a window.
struct Picture: Hashable {
  struct Pixel: Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    /// True where no part is farther away than `tolerance`.
    func isNear(_ other: Pixel, within tolerance: Int = 24) -> Bool {
      abs(Int(red) - Int(other.red)) <= tolerance && abs(Int(green) - Int(other.green)) <= tolerance
        && abs(Int(blue) - Int(other.blue)) <= tolerance
    }
  }
  var width: Int
  var height: Int
  var pixels: [Pixel]

  subscript(x: Int, y: Int) -> Pixel { pixels[y * width + x] }

  /// From a portable pixmap: "P6", width, height, 255, and three bytes a pixel.
  init(pixmap bytes: [UInt8]) throws {
    let words = bytes.prefix(64).split(maxSplits: 4, whereSeparator: { $0 == 10 || $0 == 32 })
    let numbers = words.dropFirst().prefix(3).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard words.count == 5, words[0].elementsEqual("P6".utf8), numbers.count == 3, numbers[2] == 255,
      bytes.count == words[4].startIndex + numbers[0] * numbers[1] * 3
    else { throw Child.Failure(description: "This is no picture: \(bytes.count) bytes.") }
    (width, height) = (numbers[0], numbers[1])
    pixels = stride(from: words[4].startIndex, to: bytes.count, by: 3).map {
      Pixel(red: bytes[$0], green: bytes[$0 + 1], blue: bytes[$0 + 2])
    }
  }

  private init(width: Int, height: Int, pixels: [Pixel]) {
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  /// A part of it.
  func cut(x: Range<Int>, y: Range<Int>) -> Picture {
    let (x, y) = (x.clamped(to: 0..<width), y.clamped(to: 0..<height))
    return Picture(width: x.count, height: y.count, pixels: y.flatMap { row in x.map { self[$0, row] } })
  }

  /// How many pixels differ from another picture of the same size.
  func difference(to other: Picture) -> Int {
    guard width == other.width, height == other.height else { return .max }
    return zip(pixels, other.pixels).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
  }

  /// The longest run of one colour in a row of these, from left to right.
  func longestRun(of colour: Pixel, x: Range<Int>, y: Range<Int>) -> (y: Int, x: Range<Int>)? {
    var best: (y: Int, x: Range<Int>)?
    for row in y {
      var start: Int?
      for column in x.lowerBound...x.upperBound {
        if column < x.upperBound, self[column, row].isNear(colour) {
          start = start ?? column
        } else if let first = start {
          if column - first > best?.x.count ?? 0 { best = (row, first..<column) }
          start = nil
        }
      }
    }
    return best
  }
}
