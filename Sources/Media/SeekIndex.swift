/// Time stamps met on the way from the start, with the frames counted there.
///
/// A container's clock may be too coarse for samples (Matroska counts milliseconds) or run on where sound is missing; the
/// count is what is heard. One entry for each quarter of a second: 16 bytes, 2.3 MB for 10 hours.
struct SeekIndex {
  struct Entry {
    var timestamp: Int64
    var position: Int64
  }
  private(set) var entries: [Entry] = []

  /// Adds an entry if it lies at least `spacing` frames behind the last one.
  mutating func add(timestamp: Int64, position: Int64, spacing: Int64) {
    if let last = entries.last {
      guard position - last.position >= spacing, timestamp > last.timestamp else { return }
    }
    entries.append(Entry(timestamp: timestamp, position: position))
  }

  /// The last entry not after a time stamp.
  func entry(atOrBefore timestamp: Int64) -> Entry? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].timestamp <= timestamp { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? entries[low - 1] : nil
  }

  /// The last entry not after a frame.
  func entry(atOrBeforePosition position: Int64) -> Entry? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].position <= position { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? entries[low - 1] : nil
  }
}
