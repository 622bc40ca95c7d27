import CSDL2
internal import Scene

extension Modifiers {
  /// The keys that were held, of an event of SDL's.
  init(sdl state: UInt16) {
    let bits = UInt32(state)
    self = []
    if bits & KMOD_SHIFT.rawValue != 0 { insert(.shift) }
    if bits & KMOD_CTRL.rawValue != 0 { insert(.control) }
    if bits & KMOD_ALT.rawValue != 0 { insert(.alt) }
    if bits & KMOD_GUI.rawValue != 0 { insert(.command) }
  }
}

extension Key {
  /// The key of a press, where it can be told from the key alone; nil for keys that nothing listens to.
  ///
  /// Letters go by what is printed on them if that is Latin, else by position, so that shortcuts live on Cyrillic and Greek
  /// keyboards. Digits go by position too, where the row prints them under Shift (AZERTY). Signs go by what is printed, with
  /// the Shift of an American keyboard: the text that is typed (`EventTranslator`) corrects that for other layouts.
  init?(sdl keysym: SDL_Keysym) {
    let isShifted = UInt32(keysym.mod) & KMOD_SHIFT.rawValue != 0
    if let named = Self.named[UInt32(bitPattern: keysym.sym)] {
      self = named
    } else if let number = Self.functionNumber(keysym.scancode) {
      self = .function(number)
    } else if let digit = Self.digit(keysym.scancode), !isShifted {
      self = .character(digit)
    } else if let printed = Self.ascii(keysym.sym) {
      self = .character(isShifted ? Self.shifted[printed] ?? printed : printed)
    } else if let placed = Self.american[keysym.scancode.rawValue] {
      self = .character(isShifted ? Self.shifted[placed] ?? placed : placed)
    } else {
      return nil
    }
  }

  var isCharacter: Bool {
    if case .character = self { true } else { false }
  }

  /// True where the text that is typed knows better: the signs.
  var isSign: Bool {
    guard case .character(let character) = self else { return false }
    return !character.isLetter && !character.isNumber
  }

  private static let named: [UInt32: Key] = [
    SDLK_SPACE.rawValue: .space, SDLK_RETURN.rawValue: .enter, SDLK_KP_ENTER.rawValue: .enter,
    SDLK_ESCAPE.rawValue: .escape, SDLK_BACKSPACE.rawValue: .backspace, SDLK_DELETE.rawValue: .delete,
    SDLK_TAB.rawValue: .tab, SDLK_LEFT.rawValue: .left, SDLK_RIGHT.rawValue: .right, SDLK_UP.rawValue: .up,
    SDLK_DOWN.rawValue: .down, SDLK_HOME.rawValue: .home, SDLK_END.rawValue: .end, SDLK_PAGEUP.rawValue: .pageUp,
    SDLK_PAGEDOWN.rawValue: .pageDown, SDLK_AUDIOPLAY.rawValue: .mediaPlayPause,
    SDLK_AUDIOSTOP.rawValue: .mediaStop, SDLK_AUDIONEXT.rawValue: .mediaNext, SDLK_AUDIOPREV.rawValue: .mediaPrevious,
    SDLK_KP_PLUS.rawValue: .character("+"), SDLK_KP_MINUS.rawValue: .character("-"),
    SDLK_KP_PERIOD.rawValue: .character("."), SDLK_KP_MULTIPLY.rawValue: .character("*"),
    SDLK_KP_DIVIDE.rawValue: .character("/"),
  ]

  private static func functionNumber(_ code: SDL_Scancode) -> Int? {
    switch code.rawValue {
    case SDL_SCANCODE_F1.rawValue...SDL_SCANCODE_F12.rawValue: Int(code.rawValue - SDL_SCANCODE_F1.rawValue) + 1
    default: nil
    }
  }

  /// The digit of a place in the digits' row or on the number pad.
  private static func digit(_ code: SDL_Scancode) -> Character? {
    switch code.rawValue {
    case SDL_SCANCODE_0.rawValue, SDL_SCANCODE_KP_0.rawValue: "0"
    case SDL_SCANCODE_1.rawValue...SDL_SCANCODE_9.rawValue: character(49 + code.rawValue - SDL_SCANCODE_1.rawValue)
    case SDL_SCANCODE_KP_1.rawValue...SDL_SCANCODE_KP_9.rawValue:
      character(49 + code.rawValue - SDL_SCANCODE_KP_1.rawValue)
    default: nil
    }
  }

  private static func ascii(_ code: SDL_Keycode) -> Character? { 0x21...0x7E ~= code ? character(UInt32(code)) : nil }

  private static func character(_ ascii: UInt32) -> Character { Character(Unicode.Scalar(UInt8(ascii))) }

  /// What an American keyboard prints at each place; SDL's places are the usage numbers of USB HID 1.11, table 10.
  private static let american: [UInt32: Character] = {
    var places: [UInt32: Character] = [
      SDL_SCANCODE_MINUS.rawValue: "-", SDL_SCANCODE_EQUALS.rawValue: "=", SDL_SCANCODE_LEFTBRACKET.rawValue: "[",
      SDL_SCANCODE_RIGHTBRACKET.rawValue: "]", SDL_SCANCODE_BACKSLASH.rawValue: "\\",
      SDL_SCANCODE_NONUSHASH.rawValue: "\\", SDL_SCANCODE_SEMICOLON.rawValue: ";",
      SDL_SCANCODE_APOSTROPHE.rawValue: "'", SDL_SCANCODE_GRAVE.rawValue: "`", SDL_SCANCODE_COMMA.rawValue: ",",
      SDL_SCANCODE_PERIOD.rawValue: ".", SDL_SCANCODE_SLASH.rawValue: "/",
    ]
    for place in SDL_SCANCODE_A.rawValue...SDL_SCANCODE_Z.rawValue {
      places[place] = character(97 + place - SDL_SCANCODE_A.rawValue)
    }
    return places
  }()

  /// What Shift makes of a sign on an American keyboard.
  private static let shifted: [Character: Character] = [
    "-": "_", "=": "+", "[": "{", "]": "}", "\\": "|", ";": ":", "'": "\"", "`": "~", ",": "<", ".": ">", "/": "?",
    "1": "!", "2": "@", "3": "#", "4": "$", "5": "%", "6": "^", "7": "&", "8": "*", "9": "(", "0": ")",
  ]
}
