import CSDL2
import Control
import Foundation
import Scene
import Sound
import Stage
import System
import Testing

extension StageTests {
  /// The window upon SDL's dummy display, moved by events as SDL sends them.
  @Suite struct WindowEvents {
    let window: Window

    init() throws {
      Headless.prepare()
      window = try Window(title: "Swell", geometry: nil, scale: 1, assets: Place.assets)
      _ = window.wait(until: 0)
    }

    private func answer(_ events: [SDL_Event]) -> Happenings {
      for event in events { Events.push(event) }
      return window.wait(until: Clock.seconds() + 1)
    }

    @Test(arguments: KeyCase.all)
    func `a key is what is printed on it`(_ key: KeyCase) {
      var events = [Events.key(key.place, key.printed, key.held)]
      if let text = key.text { events.append(Events.text(text)) }
      let keys = answer(events).input.events.filter { if case .key = $0 { true } else { false } }
      #expect(keys == [.key(key.expected, key.modifiers, isRepeat: false)])
    }

    @Test func `a key that nothing listens to is no event`() {
      #expect(answer([Events.key(SDL_SCANCODE_LSHIFT, Int32(SDLK_LSHIFT.rawValue))]).input.events == [])
    }

    @Test func `typed text comes after its key, whole letters at a time`() {
      let input = answer([Events.key(SDL_SCANCODE_A, 97), Events.text("a"), Events.text("日本")]).input
      #expect(input.events == [.key(.character("a"), [], isRepeat: false), .text("a"), .text("日本")])
    }

    @Test func `a held key says that it repeats`() {
      var event = Events.key(SDL_SCANCODE_LEFT, Int32(SDLK_LEFT.rawValue))
      event.key.repeat = 1
      #expect(answer([event]).input.events == [.key(.left, [], isRepeat: true)])
    }

    @Test func `of moves in a row only the last is told`() {
      let input = answer([Events.move(3, 4), Events.move(10, 20), Events.move(30, 40)]).input
      #expect(input.events == [.moved(Point(30, 40))])
      #expect(input.pointer == Point(30, 40))
    }

    @Test func `places are in logical pixels at every scale`() {
      window.setScale(2)
      let input = answer([Events.move(30, 40), Events.button(SDL_MOUSEBUTTONDOWN, 1, 50, 60, clicks: 2)]).input
      #expect(input.scale == 2)
      #expect(input.size == Size(window.size.width, window.size.height))
      #expect(input.events == [.moved(Point(15, 20)), .pressed(.left, at: Point(25, 30), clicks: 2, [])])
    }

    @Test func `the wheel tells fractions, away from the user as positive`() {
      let natural = UInt32(SDL_MOUSEWHEEL_FLIPPED.rawValue)
      let input = answer([
        Events.move(5, 6), Events.wheel(0, 0.25, 0), Events.wheel(-1, 2, natural), Events.wheel(0, .nan, 0),
      ]).input
      #expect(
        input.events.dropFirst() == [
          .wheel(x: 0, y: 0.25, at: Point(5, 6), []), .wheel(x: 1, y: -2, at: Point(5, 6), []),
        ])
    }

    @Test func `a drop is one event, in its order, with the very bytes of the paths`() {
      let paths = ["/a/p%41#1 é 日本.wav", "/a/new\nline.wav", "/a/folder"].map { Array($0.utf8) } + [[47, 0xE9, 0xFF]]
      let events =
        [Events.drop(SDL_DROPBEGIN)] + paths.map { Events.drop(SDL_DROPFILE, $0) } + [Events.drop(SDL_DROPCOMPLETE)]
      #expect(answer(events).input.events == [.dropped(paths.map { PathBytes(bytes: $0) })])
    }

    @Test func `a drop that is still arriving waits for its end`() {
      #expect(answer([Events.drop(SDL_DROPBEGIN), Events.drop(SDL_DROPFILE, [47, 97])]).input.events == [])
      #expect(
        answer([Events.drop(SDL_DROPTEXT, [104, 105]), Events.drop(SDL_DROPCOMPLETE)]).input.events == [
          .dropped([PathBytes("/a")])
        ])
      #expect(answer([Events.drop(SDL_DROPBEGIN), Events.drop(SDL_DROPCOMPLETE)]).input.events == [])
    }

    @Test func `what the window undergoes is told`() {
      #expect(answer([Events.window(SDL_WINDOWEVENT_CLOSE)]).wantsQuit)
      #expect(answer([Events.plain(SDL_QUIT)]).wantsQuit)
      _ = answer([Events.window(SDL_WINDOWEVENT_MINIMIZED)])
      #expect(!window.isVisible)
      let back = answer([Events.window(SDL_WINDOWEVENT_RESTORED)])
      #expect(back.needsFrame)
      #expect(window.isVisible)
      let left = answer([Events.window(SDL_WINDOWEVENT_LEAVE), Events.window(SDL_WINDOWEVENT_FOCUS_LOST)])
      #expect(left.input.events == [.pointerLeft, .focusLost])
      #expect(left.input.pointer == nil)
    }

    @Test func `only output devices are told of`() {
      let happenings = answer([
        Events.device(SDL_AUDIODEVICEADDED, 0), Events.device(SDL_AUDIODEVICEREMOVED, 5),
        Events.device(SDL_AUDIODEVICEREMOVED, 6, isCapture: true),
      ])
      #expect(happenings.outputs == [.added, .removed(5)])
    }

    @Test func `any thread can wake the window, and nothing else does`() {
      let start = Clock.seconds()
      #expect(window.wait(until: start + 0.05).input.events == [])
      #expect(Clock.seconds() >= start + 0.05)
      let thread = System.Thread(name: "waker") { Window.wake() }
      _ = window.wait(until: start + 60)
      #expect(Clock.seconds() < start + 30)
      thread.join()
    }

    @Test func `a small window is not smaller than the layout allows`() {
      // SDL's dummy display is 1024 x 768.
      #expect(window.size == Size(1024, 720))
      let smaller = WindowGeometry(x: 10, y: 10, width: 100, height: 100)
      let other = try? Window(title: "Swell", geometry: smaller, scale: 1, assets: nil)
      #expect(other.map { $0.size.width >= 480 && $0.size.height >= 320 } == true)
    }

    @Test(arguments: [(10, 10), (900, 700), (5_000, 20), (-2_990, 20)])
    func `a window is never opened larger than its display, wherever it was`(x: Int, y: Int) throws {
      let larger = WindowGeometry(x: x, y: y, width: 3_000, height: 2_000)
      #expect(try Window(title: "Swell", geometry: larger, scale: 1, assets: nil).size == Size(1024, 768))
      let fitting = WindowGeometry(x: x, y: y, width: 700, height: 500)
      #expect(try Window(title: "Swell", geometry: fitting, scale: 1, assets: nil).size == Size(700, 500))
    }

    @Test func `the scale steps by quarters and goes back to the display's own`() {
      window.setScale(nil)
      let own = window.scale
      window.stepScale(1)
      #expect(window.scale == own + 0.25)
      window.stepScale(-2)
      #expect(window.scale == own - 0.25)
      window.setScale(.nan)
      #expect(window.scale == 1)
      window.setScale(100)
      #expect(window.scale == 4)
      window.stepScale(0)
      #expect(window.scale == own)
    }

    @Test func `the title is as it was set`() {
      window.title = "Möwe – Swell"
      #expect(window.title == "Möwe – Swell")
    }
  }

  @Suite struct NoWindow {
    @Test func `without a display there is one sentence that says so`() {
      Headless.prepare()
      setenv("SDL_VIDEODRIVER", "x11", 1)
      let display = getenv("DISPLAY").map { String(cString: $0) }
      setenv("DISPLAY", ":4711", 1)
      defer {
        setenv("SDL_VIDEODRIVER", "dummy", 1)
        if let display { setenv("DISPLAY", display, 1) } else { unsetenv("DISPLAY") }
      }
      do {
        _ = try Window(title: "Swell", geometry: nil, scale: nil, assets: nil)
        Issue.record("there is a window on a display that is not there")
      } catch {
        #expect(error.description.hasPrefix("Swell needs a display: "))
        #expect(error.description.hasSuffix("."))
      }
    }
  }
}

/// A key press and what it means.
struct KeyCase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var place: SDL_Scancode
  var printed: Int32
  var held: SDL_Keymod = KMOD_NONE
  var text: String?
  var expected: Key
  var modifiers: Modifiers = []

  static let all: [KeyCase] = [
    KeyCase(testDescription: "K", place: SDL_SCANCODE_K, printed: 107, text: "k", expected: .character("k")),
    KeyCase(
      testDescription: "Shift+K", place: SDL_SCANCODE_K, printed: 107, held: KMOD_LSHIFT, text: "K",
      expected: .character("k"), modifiers: .shift),
    KeyCase(testDescription: "A on AZERTY", place: SDL_SCANCODE_Q, printed: 97, text: "a", expected: .character("a")),
    KeyCase(
      testDescription: "M on AZERTY", place: SDL_SCANCODE_SEMICOLON, printed: 109, text: "m", expected: .character("m")),
    KeyCase(testDescription: "1 on AZERTY", place: SDL_SCANCODE_1, printed: 38, text: "&", expected: .character("1")),
    KeyCase(testDescription: "0 on AZERTY", place: SDL_SCANCODE_0, printed: 224, text: "à", expected: .character("0")),
    KeyCase(
      testDescription: "Shift+1 on AZERTY", place: SDL_SCANCODE_1, printed: 38, held: KMOD_LSHIFT, text: "1",
      expected: .character("1"), modifiers: .shift),
    KeyCase(
      testDescription: "? on AZERTY", place: SDL_SCANCODE_M, printed: 44, held: KMOD_LSHIFT, text: "?",
      expected: .character("?"), modifiers: .shift),
    KeyCase(
      testDescription: "K on Cyrillic", place: SDL_SCANCODE_K, printed: 0x43B, text: "л", expected: .character("k")),
    KeyCase(
      testDescription: "[ on Cyrillic", place: SDL_SCANCODE_LEFTBRACKET, printed: 0x445, text: "х",
      expected: .character("[")),
    KeyCase(
      testDescription: "? on American", place: SDL_SCANCODE_SLASH, printed: 47, held: KMOD_RSHIFT, text: "?",
      expected: .character("?"), modifiers: .shift),
    KeyCase(
      testDescription: "? without text", place: SDL_SCANCODE_SLASH, printed: 47, held: KMOD_LSHIFT,
      expected: .character("?"), modifiers: .shift),
    KeyCase(
      testDescription: "? on German", place: SDL_SCANCODE_MINUS, printed: 0xDF, held: KMOD_LSHIFT, text: "?",
      expected: .character("?"), modifiers: .shift),
    KeyCase(
      testDescription: "[ on German", place: SDL_SCANCODE_8, printed: 56, held: KMOD_RALT, text: "[",
      expected: .character("[")),
    KeyCase(
      testDescription: "Ctrl+plus", place: SDL_SCANCODE_EQUALS, printed: 61,
      held: SDL_Keymod(KMOD_LCTRL.rawValue | KMOD_LSHIFT.rawValue), expected: .character("+"),
      modifiers: [.control, .shift]),
    KeyCase(
      testDescription: "Ctrl+0", place: SDL_SCANCODE_0, printed: 48, held: KMOD_LCTRL, expected: .character("0"),
      modifiers: .control),
    KeyCase(
      testDescription: "Ctrl+L on Cyrillic", place: SDL_SCANCODE_L, printed: 0x434, held: KMOD_RCTRL,
      expected: .character("l"), modifiers: .control),
    KeyCase(
      testDescription: "number pad 7", place: SDL_SCANCODE_KP_7, printed: Int32(bitPattern: SDLK_KP_7.rawValue),
      text: "7", expected: .character("7")),
    KeyCase(
      testDescription: "number pad plus", place: SDL_SCANCODE_KP_PLUS,
      printed: Int32(bitPattern: SDLK_KP_PLUS.rawValue), text: "+", expected: .character("+")),
    KeyCase(testDescription: "Space", place: SDL_SCANCODE_SPACE, printed: 32, text: " ", expected: .space),
    KeyCase(
      testDescription: "Enter of the number pad", place: SDL_SCANCODE_KP_ENTER,
      printed: Int32(bitPattern: SDLK_KP_ENTER.rawValue), expected: .enter),
    KeyCase(
      testDescription: "F11", place: SDL_SCANCODE_F11, printed: Int32(bitPattern: SDLK_F11.rawValue),
      expected: .function(11)),
    KeyCase(
      testDescription: "Shift+Left", place: SDL_SCANCODE_LEFT, printed: Int32(bitPattern: SDLK_LEFT.rawValue),
      held: KMOD_LSHIFT, expected: .left, modifiers: .shift),
    KeyCase(
      testDescription: "media key", place: SDL_SCANCODE_AUDIOPLAY, printed: Int32(bitPattern: SDLK_AUDIOPLAY.rawValue),
      expected: .mediaPlayPause),
  ]
}

/// Events as SDL makes them.
enum Events {
  static func push(_ event: SDL_Event) {
    var event = event
    #expect(SDL_PushEvent(&event) == 1)
  }

  static func plain(_ type: SDL_EventType) -> SDL_Event {
    var event = SDL_Event()
    event.type = type.rawValue
    return event
  }

  static func key(_ place: SDL_Scancode, _ printed: Int32, _ held: SDL_Keymod = KMOD_NONE) -> SDL_Event {
    var event = plain(SDL_KEYDOWN)
    event.key.keysym = SDL_Keysym(scancode: place, sym: printed, mod: UInt16(held.rawValue), unused: 0)
    return event
  }

  static func text(_ text: String) -> SDL_Event {
    var event = plain(SDL_TEXTINPUT)
    withUnsafeMutableBytes(of: &event.text.text) { $0.copyBytes(from: Array(text.utf8)) }
    return event
  }

  static func move(_ x: Int32, _ y: Int32) -> SDL_Event {
    var event = plain(SDL_MOUSEMOTION)
    event.motion.x = x
    event.motion.y = y
    return event
  }

  static func button(_ type: SDL_EventType, _ button: UInt8, _ x: Int32, _ y: Int32, clicks: UInt8) -> SDL_Event {
    var event = plain(type)
    event.button.button = button
    event.button.state = type == SDL_MOUSEBUTTONDOWN ? 1 : 0
    event.button.clicks = clicks
    event.button.x = x
    event.button.y = y
    return event
  }

  static func wheel(_ x: Float, _ y: Float, _ direction: UInt32) -> SDL_Event {
    var event = plain(SDL_MOUSEWHEEL)
    event.wheel.preciseX = x
    event.wheel.preciseY = y
    event.wheel.direction = direction
    return event
  }

  static func drop(_ type: SDL_EventType, _ path: [UInt8]? = nil) -> SDL_Event {
    var event = plain(type)
    if let path {
      // The window frees it, as SDL says.
      let copy = SDL_malloc(path.count + 1).assumingMemoryBound(to: UInt8.self)
      copy.update(from: path + [0], count: path.count + 1)
      event.drop.file = UnsafeMutableRawPointer(copy).assumingMemoryBound(to: CChar.self)
    }
    return event
  }

  static func window(_ what: SDL_WindowEventID) -> SDL_Event {
    var event = plain(SDL_WINDOWEVENT)
    event.window.event = UInt8(what.rawValue)
    return event
  }

  static func device(_ type: SDL_EventType, _ which: UInt32, isCapture: Bool = false) -> SDL_Event {
    var event = plain(type)
    event.adevice.which = which
    event.adevice.iscapture = isCapture ? 1 : 0
    return event
  }
}
