/// Tells from the callback's count whether a device still asks for sound.
///
/// Some sound servers go without a word when they are killed, and the callback simply stops.
package struct CallbackWatch {
  /// The count is looked at this often.
  package static let seconds = 0.5
  /// When it has stood still so many times in a row the device is dead.
  ///
  /// 1.5 s of being watched, so never because the program itself was stopped or asleep.
  static let patience = 3
  /// Before it has risen a few times: a sound server may take some seconds to wake its device.
  static let firstPatience = 10

  private let first: Int
  private var last: Int
  private var stillness = 0

  /// Watches a device that has just been opened, at this count.
  package init(count: Int) {
    first = count
    last = count
  }

  /// Takes the count of now; true when the device is dead.
  package mutating func isDead(at count: Int) -> Bool {
    stillness = count == last ? stillness + 1 : 0
    last = count
    return stillness >= (count - first > 4 ? Self.patience : Self.firstPatience)
  }
}
