internal import Control
internal import Library
internal import Sound

// What is ordered, obeyed between the frames between which it was given.
extension Drain {
  func collectOrders() {
    orders.withLock {
      pending += $0
      $0 = []
    }
    obeyWhatNeedsNoSound()
  }

  /// Settings hold at once, and a resting microphone has nothing to wait for.
  func obeyWhatNeedsNoSound() {
    while let (order, _) = pending.first {
      switch order {
      case .settings, .rest: obey(order)
      default: return
      }
      pending.removeFirst()
    }
  }

  /// Obeys what was ordered so long ago that no sound is coming any more; a take begins only with sound.
  func obeyOverdue(_ now: Int64) {
    while let (order, time) = pending.first, now - time > Self.orderPatience {
      if case .begin(let order) = order, history == nil {
        // Taken back before it came to anything.
        guard pending.dropFirst().contains(where: { if case .end = $0.order { true } else { false } }) else { return }
        pending.removeFirst()
        seen.withdrawn = order.number
        publish(withPyramid: false)
        continue
      }
      pending.removeFirst()
      obey(order)
      publish(withPyramid: true)
    }
  }

  func obey(_ order: Order) {
    switch order {
    case .settings(let new): change(to: new)
    case .begin(let order): begin(order)
    case .pause:
      guard take != nil, mode != .listening else { return }
      mode = .paused
      joint = .pause
      preRoll.clear()
    case .resume:
      guard mode == .paused else { return }
      quiet = 0
      mode = settings.trigger == nil ? .recording : .waiting
    case .end: endTake()
    case .rest:
      guard take == nil else { return }
      history = nil
      preRoll.clear()
      let withdrawn = seen.withdrawn
      seen = View()
      seen.withdrawn = withdrawn
      publish(withPyramid: false)
    }
  }

  func change(to new: DrainSettings) {
    let old = settings
    settings = new
    // A take keeps the channels it began with.
    if take != nil { settings.channels = old.channels }
    if settings.channels != old.channels, history != nil { startListening() }
  }
}
