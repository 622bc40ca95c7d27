/// The first index at which two sounds differ by more than `tolerance`, or one ends; nil when they are alike.
package func firstDifference(
  _ a: some RandomAccessCollection<Float>, _ b: some RandomAccessCollection<Float>, tolerance: Float = 0
) -> Int? {
  for (index, pair) in zip(a, b).enumerated() where !(abs(pair.0 - pair.1) <= tolerance) { return index }
  return a.count == b.count ? nil : min(a.count, b.count)
}
