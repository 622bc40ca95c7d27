internal import Control

// The settings: output device, size of the interface, scale of the spectrum.
extension Turn {
  private static let rowPitch: Float = 34
  private static let mostDevices = 8

  /// The devices that are listed; a wanted one that is gone is among them.
  var deviceNames: [String] {
    var names = Array(snapshot.output.names.prefix(Self.mostDevices))
    if let wanted = snapshot.output.wanted, !names.contains(wanted) { names.append(wanted) }
    return names
  }

  /// The places of everything in the box, from the top.
  private struct Places {
    var box: Rect
    /// How much closer than designed the lines stand, in a low window: at most 1.
    var squeeze: Float
    var devices: [(index: Int?, rect: Rect)] = []
    var size: (heading: Float, down: Rect, value: Rect, up: Rect, reset: Rect)
    var scale: (heading: Float, logarithmic: Rect, linear: Rect)
  }

  private var settingsPlaces: Places {
    let count = deviceNames.count + 1
    // The lines come closer where the window is too low for them.
    let wanted = 62 + 28 + Float(count) * Self.rowPitch + 12 + 28 + 46 + 28 + 34 + 24
    let squeeze = min((input.size.height - 24) / wanted, 1)
    let box = overlayBox(480, wanted)
    let left = box.x + 28
    let width = box.width - 56
    var y = box.y + 62 * squeeze + 28 * squeeze
    let pitch = Self.rowPitch * squeeze
    let high = min(34, pitch)
    var devices: [(index: Int?, rect: Rect)] = []
    for row in 0..<count {
      devices.append((row == 0 ? nil : row - 1, layout.snap(Rect(left - 10, y, width + 20, pitch))))
      y += pitch
    }
    y += 12 * squeeze
    let sizeHeading = y + 10 * squeeze
    y += 28 * squeeze
    let down = layout.snap(Rect(left, y, 40, high))
    let value = layout.snap(Rect(left + 44, y, 72, high))
    let up = layout.snap(Rect(left + 120, y, 40, high))
    let reset = layout.snap(Rect(left + 172, y, min(150, width - 172), high))
    y += 46 * squeeze
    let scaleHeading = y + 10 * squeeze
    y += 28 * squeeze
    let logarithmic = layout.snap(Rect(left, y, 116, high))
    let linear = layout.snap(Rect(left + 124, y, 84, high))
    return Places(
      box: box, squeeze: squeeze, devices: devices, size: (sizeHeading, down, value, up, reset),
      scale: (scaleHeading, logarithmic, linear))
  }

  var settingsControls: [Control] {
    let places = settingsPlaces
    return [Control(id: .overlay, rect: places.box, takesFocus: false)]
      + places.devices.map { Control(id: .device($0.index), rect: $0.rect) }
      + [
        Control(id: .scaleDown, rect: places.size.down), Control(id: .scaleUp, rect: places.size.up),
        Control(id: .scaleReset, rect: places.size.reset),
        Control(id: .scale(spectrumIsLinear: false), rect: places.scale.logarithmic),
        Control(id: .scale(spectrumIsLinear: true), rect: places.scale.linear),
      ]
  }

  mutating func drawSettings() {
    let places = settingsPlaces
    let left = places.box.x + 28
    var panel = Panel(.overlay, places.box)
    panel.orders = overlayGround(places.box) + overlayTitle("Settings", places.box, middle: 38 * places.squeeze)
    if let first = places.devices.first {
      panel.orders.append(text("Output device", .group, .faint, x: left, middle: first.rect.y - 12 * places.squeeze))
    }
    for (index, rect) in places.devices { panel.orders += deviceRow(index, rect) }

    panel.orders.append(text("Size of the interface", .group, .faint, x: left, middle: places.size.heading))
    panel.orders += wordButton(.scaleDown, "\u{2212}", places.size.down)
    panel.orders += wordButton(.scaleUp, "+", places.size.up)
    panel.orders += wordButton(.scaleReset, "As the display", places.size.reset)
    let percent = NumberText.fixed(Double(input.scale) * 100, decimals: 0) + " %"
    panel.orders.append(
      text(percent, .button, .text, x: places.size.value.center.x, middle: places.size.value.center.y, .center))

    panel.orders.append(text("Spectrum", .group, .faint, x: left, middle: places.scale.heading))
    let isLinear = spectrumIsLinear
    panel.orders += wordButton(
      .scale(spectrumIsLinear: false), "Logarithmic", places.scale.logarithmic, isChosen: !isLinear)
    panel.orders += wordButton(.scale(spectrumIsLinear: true), "Linear", places.scale.linear, isChosen: isLinear)
    list.panels.append(panel)
  }

  private func deviceRow(_ index: Int?, _ rect: Rect) -> [Order] {
    let name = index.map { deviceNames[$0] } ?? "As the system chooses"
    let isChosen = snapshot.output.wanted == index.map { deviceNames[$0] }
    let isGone = index != nil && !snapshot.output.names.contains(name)
    var orders: [Order] = []
    let heat = heat(.device(index))
    if heat > 0 { orders.append(.fill(rect, .button, radius: 8, opacity: heat)) }
    orders += focusRing(.device(index), rect.inset(3, 3), radius: 5)
    let ring = layout.snap(Rect(rect.x + 10, rect.center.y - 7, 14, 14))
    orders.append(.stroke(ring, isChosen ? .accent : .faint, radius: 7, width: 1.5))
    if isChosen { orders.append(.fill(ring.inset(4, 4), .accent, radius: 3)) }
    let words = isGone ? "\(name) (not there now)" : name
    orders.append(
      text(words, .body, isGone ? .dim : .text, x: rect.x + 34, middle: rect.center.y, width: rect.width - 44))
    return orders
  }
}
