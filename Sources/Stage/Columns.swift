internal import Scene

/// How strongly the parts of a waveform's column are drawn, in 256ths.
struct ColumnStrength {
  /// Between the root mean square and the peaks.
  var outline: UInt32
  /// Up to the root mean square.
  var body: UInt32

  static let heard = ColumnStrength(outline: 128, body: 256)
  static let coming = ColumnStrength(outline: 82, body: 158)
}

extension Canvas {
  /// A lane of waveform: a column a pixel from `left` on, ±1 at `top` and `bottom`; dimmed from column `split` on.
  ///
  /// Eight columns at a time, row by row. About 0.5 ns a pixel of the columns' height.
  func columns(_ columns: [WaveColumn], left: Int, top: Float, bottom: Float, split: Int, _ ink: Pixel) {
    let first = max(clip.left - left, 0)
    let last = min(clip.right - left, columns.count)
    guard first < last, top < bottom else { return }
    let half = (bottom - top) / 2
    let middle = top + half
    columns.withUnsafeBufferPointer { columns in
      var i = first
      while i < last {
        let count = min(8, last - i)
        let group = ColumnGroup(columns, at: i, count: count, middle: middle, half: half, split: split)
        if count == 8 { draw(group, x: left + i, ink) } else { draw(group, x: left + i, count: count, ink) }
        i += count
      }
    }
  }

  private func rows(of group: ColumnGroup) -> Range<Int> {
    let from = max(Int(group.top.min() >> 8), clip.top)
    let to = min(Int((group.bottom.max() + 255) >> 8), clip.bottom)
    return from..<max(from, to)
  }

  /// Eight whole columns.
  private func draw(_ group: ColumnGroup, x: Int, _ ink: Pixel) {
    let redBlue = SIMD8<UInt32>(repeating: ink & 0xFF00FF)
    let green = SIMD8<UInt32>(repeating: ink & 0x00FF00)
    for y in rows(of: group) {
      let alpha = group.alpha(y)
      let place = UnsafeMutableRawPointer(row(y) + x)
      let under = place.loadUnaligned(as: SIMD8<UInt32>.self)
      let rest = 256 &- alpha
      let a = ((under & 0xFF00FF) &* rest &+ redBlue &* alpha) &>> 8 & 0xFF00FF
      let b = ((under & 0x00FF00) &* rest &+ green &* alpha) &>> 8 & 0x00FF00
      place.storeBytes(of: a | b, as: SIMD8<UInt32>.self)
    }
  }

  /// The last few columns.
  private func draw(_ group: ColumnGroup, x: Int, count: Int, _ ink: Pixel) {
    for y in rows(of: group) {
      let alpha = group.alpha(y)
      let row = row(y)
      for i in 0..<count { row[x + i] = blend(row[x + i], ink, alpha[i]) }
    }
  }
}

/// Eight columns ready to be drawn: their ends in 256ths of a pixel.
private struct ColumnGroup {
  var top: SIMD8<Int32>
  var bottom: SIMD8<Int32>
  var bodyTop: SIMD8<Int32>
  var bodyBottom: SIMD8<Int32>
  var outline: SIMD8<UInt32>
  /// What the body has beyond the outline.
  var body: SIMD8<UInt32>

  init(
    _ columns: UnsafeBufferPointer<WaveColumn>, at first: Int, count: Int, middle: Float, half: Float, split: Int
  ) {
    let nowhere = SIMD8<Int32>(repeating: Int32.max / 2)
    top = nowhere
    bottom = ~nowhere
    bodyTop = nowhere
    bodyBottom = ~nowhere
    outline = SIMD8(repeating: ColumnStrength.coming.outline)
    body = SIMD8(repeating: ColumnStrength.coming.body - ColumnStrength.coming.outline)
    for lane in 0..<count {
      let column = columns[first + lane]
      guard column.low <= column.high else { continue }
      var high = middle - min(max(column.high, -1), 1) * half
      var low = middle - min(max(column.low, -1), 1) * half
      var body = column.rms > 0 ? min(column.rms, 1) * half : 0
      if low - high < 1 {
        // Silence is a line of one whole pixel.
        high = min((high + low) / 2, middle + half - 1).rounded(.down)
        low = high + 1
        body = half
      }
      top[lane] = Int32(high * 256)
      bottom[lane] = Int32(low * 256)
      bodyTop[lane] = Int32(max(high, middle - body) * 256)
      bodyBottom[lane] = Int32(min(low, middle + body) * 256)
      if first + lane < split {
        outline[lane] = ColumnStrength.heard.outline
        self.body[lane] = ColumnStrength.heard.body - ColumnStrength.heard.outline
      }
    }
  }

  /// How much ink row `y` gets, in 256ths.
  @inline(__always)
  func alpha(_ y: Int) -> SIMD8<UInt32> {
    let from = Int32(truncatingIfNeeded: y &* 256)
    let whole = share(top, bottom, from)
    let inner = share(bodyTop, bodyBottom, from)
    return (whole &* outline &+ inner &* body) &>> 8
  }

  /// The part of a row between two ends, in 256ths.
  @inline(__always)
  private func share(_ top: SIMD8<Int32>, _ bottom: SIMD8<Int32>, _ from: Int32) -> SIMD8<UInt32> {
    let rowTop = SIMD8<Int32>(repeating: from)
    let rowBottom = SIMD8<Int32>(repeating: from &+ 256)
    var a = top
    a.replace(with: rowTop, where: a .< rowTop)
    var b = bottom
    b.replace(with: rowBottom, where: b .> rowBottom)
    var length = b &- a
    length.replace(with: 0, where: length .< 0)
    return SIMD8<UInt32>(truncatingIfNeeded: length)
  }
}
