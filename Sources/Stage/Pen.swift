internal import Scene

/// Draws single orders.
struct Pen {
  let fonts: Fonts
  let icons: Icons
  let covers: Covers?
  let theme: Theme
  let scratch: CoverageScratch
  let scale: Float

  /// The device pixels of a panel.
  func pixels(_ rect: Rect) -> PixelRect { Edges(rect, scale).rounded }

  func draw(_ order: Order, on canvas: Canvas) {
    switch order {
    case .fill(let rect, let ink, let radius, let opacity):
      let edges = Edges(rect, scale)
      canvas.fill(edges.shape(radius: radius * scale), theme.colour(ink), opacity: opacity)
    case .stroke(let rect, let ink, let radius, let width, let opacity):
      let shape = Edges(rect, scale).shape(radius: radius * scale)
      canvas.fill(shape, hole: shape.inset(thickness(width)), theme.colour(ink), opacity: opacity)
    case .dashes(let rect, let ink, let radius):
      let shape = Edges(rect, scale).shape(radius: radius * scale)
      canvas.dashes(shape, width: thickness(1), dash: 6 * scale, theme.colour(ink))
    case .text(let text, let place, let style, let ink, let opacity):
      write(text, at: place, style, ink, opacity, on: canvas)
    case .icon(let icon, let rect, let ink, let opacity):
      let box = Edges(rect, scale).rounded
      guard !box.isEmpty, box.intersects(canvas.clip) else { return }
      let mask = icons.mask(icon, width: box.right - box.left, height: box.bottom - box.top)
      canvas.stamp(mask, x: box.left, y: box.top, theme.colour(ink), opacity: opacity)
    case .waveform(let rect, let columns, let split, let ink):
      let edges = Edges(rect, scale)
      canvas.clipped(to: edges.rounded).columns(
        columns, left: Int(edges.left.rounded()), top: edges.top, bottom: edges.bottom, split: split, theme.colour(ink))
    case .polyline(let points, let width, let ink, let opacity):
      canvas.lines(points.map(device), width: width * scale, theme.colour(ink), opacity: opacity, scratch)
    case .triangle(let a, let b, let c, let ink):
      canvas.triangle(device(a), device(b), device(c), theme.colour(ink))
    case .image(let image, let rect, let radius):
      let edges = Edges(rect, scale)
      let box = edges.rounded
      guard box.intersects(canvas.clip),
        let picture = covers?.picture(image, width: box.right - box.left, height: box.bottom - box.top)
      else { return }
      canvas.lay(picture, x: box.left, y: box.top, within: edges.shape(radius: radius * scale))
    }
  }

  private func device(_ point: Point) -> Point { Point(point.x * scale, point.y * scale) }

  /// A line's thickness in whole device pixels.
  private func thickness(_ width: Float) -> Float { max((width * scale).rounded(), 1) }

  private func write(
    _ text: String, at place: Point, _ style: TextStyle, _ ink: Ink, _ opacity: Float, on canvas: Canvas
  ) {
    let top = (place.y * scale).rounded()
    let left = (place.x * scale * Float(Face.steps)).rounded()
    guard abs(top) < 100_000, abs(left) < 400_000 else { return }
    // Marks may stand a little out of the box.
    let height = (style.size * 2 * scale).rounded(.up)
    guard top - height < Float(canvas.clip.bottom), top + 2 * height > Float(canvas.clip.top) else { return }
    let line = fonts.line(text, style)
    let baseline = Int(top) + fonts.baseline(style)
    let colour = theme.colour(ink)
    for piece in line.pieces {
      let pen = Int(left) + piece.x
      let pixel = pen >> 2
      let run = fonts.run(piece, phase: pen - pixel * Face.steps)
      let x = pixel + run.left
      switch run.image {
      case .mask(let mask): canvas.stamp(mask, x: x, y: baseline + run.top, colour, opacity: opacity)
      case .picture(let picture): canvas.lay(picture, x: x, y: baseline + run.top, opacity: opacity)
      }
    }
  }
}
