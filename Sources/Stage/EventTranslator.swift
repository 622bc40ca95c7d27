import CSDL2
internal import Scene
internal import Sound

/// SDL's events in the words of the scene.
///
/// Main thread. It keeps what spans several events: a drop that is still arriving, a sign whose text is still to come.
struct EventTranslator {
  /// Logical pixels for one of the units in which SDL tells places.
  var logicalPerUnit: Float = 1
  private(set) var pointer: Point?
  private(set) var events: [InputEvent] = []
  private var drop: [PathBytes] = []
  /// A sign, or a key under Shift or Alt, that was pressed, until the text that it types has come.
  private var pending: (key: Key, modifiers: Modifiers, isRepeat: Bool)?

  /// The number of the user event by which other threads wake the loop.
  static let wakeEvent = SDL_RegisterEvents(1)

  /// What has been gathered, and an end to what was still waiting for more.
  mutating func takeEvents() -> [InputEvent] {
    settle()
    let taken = events
    events = []
    return taken
  }

  /// Takes an event of the hands; false when it is none.
  mutating func take(_ event: SDL_Event) -> Bool {
    if SDL_EventType(event.type) == SDL_TEXTINPUT {
      type(event.text)
      return true
    }
    settle()
    switch SDL_EventType(event.type) {
    case SDL_MOUSEMOTION: move(to: place(event.motion.x, event.motion.y))
    case SDL_MOUSEBUTTONDOWN, SDL_MOUSEBUTTONUP: press(event.button)
    case SDL_MOUSEWHEEL: turn(event.wheel)
    case SDL_KEYDOWN: strike(event.key)
    case SDL_DROPBEGIN: drop = []
    case SDL_DROPFILE, SDL_DROPTEXT: receive(event.drop)
    case SDL_DROPCOMPLETE:
      if !drop.isEmpty { events.append(.dropped(drop)) }
      drop = []
    case SDL_WINDOWEVENT: return cross(event.window)
    default: return false
    }
    return true
  }

  private func place(_ x: Int32, _ y: Int32) -> Point { Point(Float(x) * logicalPerUnit, Float(y) * logicalPerUnit) }

  private mutating func move(to point: Point) {
    pointer = point
    // Only the last of several moves in a row can be seen.
    if case .moved = events.last { events.removeLast() }
    events.append(.moved(point))
  }

  private mutating func press(_ event: SDL_MouseButtonEvent) {
    let button: PointerButton
    switch UInt32(event.button) {
    case UInt32(SDL_BUTTON_LEFT): button = .left
    case UInt32(SDL_BUTTON_MIDDLE): button = .middle
    case UInt32(SDL_BUTTON_RIGHT): button = .right
    default: return
    }
    let point = place(event.x, event.y)
    pointer = point
    if event.state == UInt8(SDL_PRESSED) {
      events.append(.pressed(button, at: point, clicks: Int(event.clicks), Self.held))
    } else {
      events.append(.released(button, at: point, Self.held))
    }
  }

  private mutating func turn(_ event: SDL_MouseWheelEvent) {
    let sign: Float = event.direction == SDL_MOUSEWHEEL_FLIPPED.rawValue ? -1 : 1
    let x = event.preciseX * sign
    let y = event.preciseY * sign
    guard x.isFinite, y.isFinite, x != 0 || y != 0 else { return }
    events.append(.wheel(x: x, y: y, at: pointer ?? place(event.mouseX, event.mouseY), Self.held))
  }

  private mutating func strike(_ event: SDL_KeyboardEvent) {
    guard let key = Key(sdl: event.keysym) else { return }
    let modifiers = Modifiers(sdl: event.keysym.mod)
    let isRepeat = event.repeat != 0
    let types = modifiers.isDisjoint(with: [.control, .command])
    if types, key.isSign || key.isCharacter && !modifiers.isDisjoint(with: [.shift, .alt]) {
      pending = (key, modifiers, isRepeat)
    } else {
      events.append(.key(key, modifiers, isRepeat: isRepeat))
    }
  }

  private mutating func type(_ event: SDL_TextInputEvent) {
    let text = withUnsafeBytes(of: event.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if var struck = pending {
      pending = nil
      if text.utf8.count == 1, let typed = text.first, typed.isASCII, typed != " " {
        struck.key = .character(typed.lowercased().first!)
        // The Alt that chooses a key's third sign (AltGr) is no modifier of the sign.
        struck.modifiers.remove(.alt)
      }
      events.append(.key(struck.key, struck.modifiers, isRepeat: struck.isRepeat))
    }
    if !text.isEmpty { events.append(.text(text)) }
  }

  /// Gives out a sign that no text followed.
  private mutating func settle() {
    guard let struck = pending else { return }
    pending = nil
    events.append(.key(struck.key, struck.modifiers, isRepeat: struck.isRepeat))
  }

  private mutating func receive(_ event: SDL_DropEvent) {
    guard let file = event.file else { return }
    defer { SDL_free(file) }
    guard SDL_EventType(event.type) == SDL_DROPFILE else { return }
    drop.append(PathBytes(bytes: Array(UnsafeRawBufferPointer(start: file, count: SDL_strlen(file)))))
  }

  /// What a window event means to the hands; false when it means something to the window as well.
  private mutating func cross(_ event: SDL_WindowEvent) -> Bool {
    switch SDL_WindowEventID(UInt32(event.event)) {
    case SDL_WINDOWEVENT_LEAVE:
      pointer = nil
      events.append(.pointerLeft)
      return true
    case SDL_WINDOWEVENT_FOCUS_LOST:
      events.append(.focusLost)
      return true
    default: return false
    }
  }

  private static var held: Modifiers { Modifiers(sdl: UInt16(truncatingIfNeeded: SDL_GetModState().rawValue)) }
}
