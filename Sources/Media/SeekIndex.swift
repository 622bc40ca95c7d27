/// A frame of the track that was met by counting from the start.
package struct SeekMark: Hashable, Sendable {
  /// In the stream's time base.
  var timestamp: Int64
  /// The frame of the track.
  var position: Int64
  /// Where it lies in the file, for bare frames; −1 where the container finds it by itself.
  var byte: Int64 = -1
}

/// Marks in the order of the track, by which a seek finds its place to the sample.
///
/// A container's clock may be too coarse for samples (Matroska counts milliseconds), run on where sound is missing, or not
/// be there at all; the count is what is heard. At most 4 marks of 24 bytes for each second: 3.5 MB for 10 hours.
struct SeekIndex {
  private(set) var marks: [SeekMark] = []

  /// Adds a mark in its place, usually the last; not one that is there already or contradicts its neighbours.
  mutating func add(_ mark: SeekMark) {
    let place = count { $0.position < mark.position }
    if place > 0, marks[place - 1].timestamp >= mark.timestamp { return }
    if place < marks.count, marks[place].position == mark.position || marks[place].timestamp <= mark.timestamp {
      return
    }
    marks.insert(mark, at: place)
  }

  /// The last mark not after a time stamp.
  func mark(atOrBefore timestamp: Int64) -> SeekMark? { mark(behind: count { $0.timestamp <= timestamp }) }

  /// The last mark not after a frame.
  func mark(atOrBeforePosition position: Int64) -> SeekMark? { mark(behind: count { $0.position <= position }) }

  /// The first mark after a time stamp.
  func mark(after timestamp: Int64) -> SeekMark? {
    let place = count { $0.timestamp <= timestamp }
    return place < marks.count ? marks[place] : nil
  }

  private func mark(behind count: Int) -> SeekMark? { count > 0 ? marks[count - 1] : nil }

  /// How many marks at the beginning are like that.
  private func count(_ isBefore: (SeekMark) -> Bool) -> Int {
    var low = 0
    var high = marks.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(marks[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
