/// Values kept until together they cost more than the limit; then those unused for longest go.
struct BoundedCache<Key: Hashable, Value> {
  private struct Entry {
    var value: Value
    var cost: Int
    var lastUse: Int
  }
  private var entries: [Key: Entry] = [:]
  private var clock = 0
  private(set) var cost = 0
  let limit: Int

  /// A cache of at most `limit` in the unit in which costs are told (bytes).
  init(limit: Int) { self.limit = limit }

  /// The value of a key, made now if there is none.
  mutating func value(_ key: Key, cost costOf: (Value) -> Int, make: () -> Value) -> Value {
    clock += 1
    if let value = use(key) { return value }
    let value = make()
    let price = costOf(value)
    entries[key] = Entry(value: value, cost: price, lastUse: clock)
    cost += price
    if cost > limit { shrink() }
    return value
  }

  private mutating func use(_ key: Key) -> Value? {
    guard let index = entries.index(forKey: key) else { return nil }
    entries.values[index].lastUse = clock
    return entries.values[index].value
  }

  /// Halves what is kept, so that this is rarely done; the newest always stays.
  private mutating func shrink() {
    for (key, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      if cost <= limit / 2 || entry.lastUse == clock { break }
      cost -= entry.cost
      entries[key] = nil
    }
  }

  mutating func removeAll() {
    entries = [:]
    cost = 0
  }
}
