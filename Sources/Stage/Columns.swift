import Glibc
internal import Scene

/// How strongly the parts of a waveform's column are drawn, in 256ths.
struct ColumnStrength {
  /// Between the root mean square and the peaks.
  var outline: Float
  /// Up to the root mean square.
  var body: Float

  static let heard = ColumnStrength(outline: 108, body: 256)
  static let coming = ColumnStrength(outline: 76, body: 187)
}

extension Canvas {
  /// A lane of waveform: a column a pixel from `left` on, ±1 at `top` and `bottom`; dimmed from column `split` on.
  ///
  /// Eight columns at a time: how strong each pixel is goes into a small table, which is then laid on the picture row by row.
  /// About 0.6 ns a pixel of the columns' height.
  func columns(_ columns: [WaveColumn], left: Int, top: Float, bottom: Float, split: Int, _ ink: Pixel) {
    let first = max(clip.left - left, 0)
    let last = min(clip.right - left, columns.count)
    guard first < last, top < bottom, clip.top < clip.bottom else { return }
    let brush = Brush(ink)
    columns.withUnsafeBufferPointer { columns in
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: (clip.bottom - clip.top) * ColumnTable.width) { room in
        var table = ColumnTable(room.baseAddress!, top: top, bottom: bottom, rows: clip.top..<clip.bottom)
        var i = first
        while i < last {
          let count = min(ColumnTable.width, last - i)
          table.clear()
          for lane in 0..<count {
            table.add(columns[i + lane], lane: lane, i + lane < split ? .heard : .coming)
          }
          if count == ColumnTable.width {
            for y in table.used { brush.blend(row(y) + left + i, table.alphas(y)) }
          } else {
            for y in table.used {
              for lane in 0..<count {
                let place = row(y) + left + i + lane
                place.pointee = blend(place.pointee, ink, table.alpha(y, lane))
              }
            }
          }
          i += count
        }
      }
    }
  }
}

/// How strong the pixels of a few neighbouring columns are, in 256ths; each number stands twice in its 32 bits, as the
/// brush wants it.
private struct ColumnTable {
  static let width = 8

  private let cells: UnsafeMutablePointer<UInt32>
  private let rows: Range<Int>
  private let middle: Float
  private let half: Float
  /// The rows that are not empty.
  private(set) var used = 0..<0

  /// A table of `rows` rows in `cells`; ±1 lie at `top` and `bottom`.
  init(_ cells: UnsafeMutablePointer<UInt32>, top: Float, bottom: Float, rows: Range<Int>) {
    self.cells = cells
    self.rows = rows
    half = (bottom - top) / 2
    middle = top + half
    memset(cells, 0, rows.count * Self.width * 4)
  }

  mutating func clear() {
    if !used.isEmpty { memset(cell(used.lowerBound), 0, used.count * Self.width * 4) }
    used = 0..<0
  }

  @inline(__always)
  private func cell(_ y: Int) -> UnsafeMutablePointer<UInt32> { cells + (y &- rows.lowerBound) &* Self.width }

  @inline(__always)
  func alphas(_ y: Int) -> SIMD16<UInt16> { UnsafeRawPointer(cell(y)).loadUnaligned(as: SIMD16<UInt16>.self) }

  func alpha(_ y: Int, _ lane: Int) -> UInt32 { cell(y)[lane] & 0xFFFF }

  @inline(__always)
  mutating func add(_ column: WaveColumn, lane: Int, _ strength: ColumnStrength) {
    guard column.low <= column.high else { return }
    var high = middle - min(max(column.high, -1), 1) * half
    var low = middle - min(max(column.low, -1), 1) * half
    var loud = column.rms > 0 ? min(column.rms, 1) * half : 0
    if low - high < 1 {
      // Silence is a line of one whole pixel.
      high = min((high + low) / 2, middle + half - 1).rounded(.down)
      low = high + 1
      loud = half
    }
    let touched = add(from: high, to: low, lane, strength.outline)
    used = used.isEmpty ? touched : min(used.lowerBound, touched.lowerBound)..<max(used.upperBound, touched.upperBound)
    _ = add(from: max(high, middle - loud), to: min(low, middle + loud), lane, strength.body - strength.outline)
  }

  /// Adds to the cells between two heights, and to those at its ends as much as they are covered.
  @inline(__always)
  private func add(from: Float, to: Float, _ lane: Int, _ strength: Float) -> Range<Int> {
    guard from < to else { return rows.lowerBound..<rows.lowerBound }
    let first = max(Int(from.rounded(.down)), rows.lowerBound)
    let last = min(Int(to.rounded(.up)), rows.upperBound)
    guard first < last else { return rows.lowerBound..<rows.lowerBound }
    func part(_ y: Int) -> UInt32 {
      UInt32((min(to, Float(y + 1)) - max(from, Float(y))) * strength) &* 0x10001
    }
    var place = cell(first) + lane
    place.pointee &+= part(first)
    guard last - first > 1 else { return first..<last }
    let whole = UInt32(strength) &* 0x10001
    let end = cell(last - 1) + lane
    place += Self.width
    while place < end {
      place.pointee &+= whole
      place += Self.width
    }
    end.pointee &+= part(last - 1)
    return first..<last
  }
}
