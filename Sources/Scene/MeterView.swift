internal import Control

extension Turn {
  /// The level that a meter draws as nothing, in dBFS.
  private static let floor: Float = -60
  /// From here on a meter is gold, in dBFS: the last 12 dB before full scale.
  private static let warm: Float = -12

  /// A bar a channel with its hold mark and its lamp, under the highest peak in figures; the threshold that starts a recording across them.
  mutating func drawMeters() {
    guard let rect = layout.meters, let meters = subject?.meters, !meters.isEmpty else { return }
    var panel = Panel(.meters, rect)
    let x = rect.x + 4
    let words = thresholdWords ?? peakLine
    panel.orders.append(text(words, .meter, .dim, x: x, middle: rect.y + 12, width: rect.width - 8))
    let (height, gap) = Self.bars(meters.count)
    for (channel, reading) in meters.prefix(Self.mostMeters).enumerated() {
      panel.orders += meter(
        reading, Rect(x, rect.y + Self.barsTop + Float(channel) * (height + gap), Self.barWidth, height))
    }
    panel.orders += thresholdOrders()
    list.panels.append(panel)
  }

  private static let mostMeters = 8
  private static let barWidth: Float = 120
  private static let barsTop: Float = 23

  /// How high a bar is, and how far it is from the next.
  private static func bars(_ count: Int) -> (height: Float, gap: Float) {
    (count <= 2 ? 7 : count <= 4 ? 4 : count <= 6 ? 3 : 2, count <= 2 ? 4 : count <= 4 ? 2 : 1)
  }

  /// All bars together; nil where none are drawn.
  var meterBars: Rect? {
    guard let rect = layout.meters, let count = subject?.meters.count, count > 0 else { return nil }
    let (height, gap) = Self.bars(count)
    return Rect(
      rect.x + 4, rect.y + Self.barsTop, Self.barWidth, Float(min(count, Self.mostMeters)) * (height + gap) - gap)
  }

  /// Where a level lies on a bar that begins at `left`.
  func place(of level: Float, _ left: Float, _ width: Float) -> Float {
    layout.snap(left + (1 - min(max(level / Self.floor, 0), 1)) * width)
  }

  /// Such as "L R peak −4.2 dB".
  private var peakLine: String {
    let highest = (subject?.meters ?? []).map(\.hold).max() ?? -.infinity
    let names = subject?.channelNames ?? []
    let prefix = subject?.meters.count == 2 && names.count == 2 ? names.joined(separator: " ") + " " : ""
    return prefix + "peak " + NumberText.decibels(Double(highest))
  }

  private func meter(_ reading: MeterReading, _ track: Rect) -> [Order] {
    func x(_ level: Float) -> Float { place(of: level, track.x, track.width) }
    let radius = min(track.height / 2, 2)
    var orders: [Order] = [.fill(track, .button, radius: radius)]
    let peak = x(reading.peak)
    let warm = x(Self.warm)
    if peak > track.x {
      orders.append(.fill(Rect(track.x, track.y, min(peak, warm) - track.x, track.height), .meterGreen, radius: 1))
    }
    if peak > warm { orders.append(.fill(Rect(warm, track.y, peak - warm, track.height), .middle)) }
    if reading.hold > Self.floor {
      orders.append(.fill(Rect(min(x(reading.hold), track.right - 1) - 1, track.y, 2, track.height), .text))
    }
    let lamp = Rect(track.right + 5, track.y, 7, track.height)
    orders.append(.fill(lamp, reading.isOver ? .record : .button, radius: radius))
    return orders
  }
}
