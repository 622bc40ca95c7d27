/// One line of text that is being typed.
package struct TextField: Hashable, Sendable {
  package private(set) var text = ""
  /// How many characters lie before the caret.
  package private(set) var caret = 0
  /// All of it is chosen: what is typed takes its place.
  package private(set) var isChosen = false

  package init() {}

  package var beforeCaret: String { String(text.prefix(caret)) }

  /// A field with a text that the first letter typed replaces.
  package init(chosen text: String) {
    insert(text)
    isChosen = !self.text.isEmpty
  }

  package mutating func insert(_ typed: String) {
    if isChosen { clear() }
    let clean = typed.filter { character in !character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }
    let index = text.index(text.startIndex, offsetBy: caret)
    let rest = text[index...].count
    text.insert(contentsOf: clean, at: index)
    // Counted from the end: what was typed may join the character before it.
    caret = text.count - rest
  }

  /// Obeys a key of editing; false when the key is none.
  package mutating func edit(_ key: Key, _ modifiers: Modifiers) -> Bool {
    if key == .character("a"), modifiers.contains(.control) {
      isChosen = !text.isEmpty
      return true
    }
    let wasChosen = isChosen
    isChosen = false
    switch key {
    case .backspace where wasChosen, .delete where wasChosen: clear()
    case .left where wasChosen: caret = 0
    case .right where wasChosen: caret = text.count
    case .backspace: remove(from: modifiers.contains(.control) ? wordStart : max(caret - 1, 0), to: caret)
    case .delete: remove(from: caret, to: min(caret + 1, text.count))
    case .left: caret = modifiers.contains(.control) ? wordStart : max(caret - 1, 0)
    case .right: caret = min(caret + 1, text.count)
    case .home: caret = 0
    case .end: caret = text.count
    default:
      isChosen = wasChosen
      return false
    }
    return true
  }

  package mutating func clear() { self = TextField() }

  private mutating func remove(from start: Int, to end: Int) {
    let low = text.index(text.startIndex, offsetBy: start)
    text.removeSubrange(low..<text.index(low, offsetBy: end - start))
    caret = start
  }

  /// Where the word before the caret begins, spaces after it included.
  private var wordStart: Int {
    let characters = Array(text)
    var start = caret
    while start > 0, characters[start - 1] == " " { start -= 1 }
    while start > 0, characters[start - 1] != " " { start -= 1 }
    return start
  }
}
