import CSDL2
import Glibc
package import Scene
package import Sound
internal import System

/// The window: takes what the hands do, shows draw lists.
///
/// Main thread, but for `wake`. There is one.
package final class Window {
  /// The smallest size, in logical pixels.
  package static let smallest = Size(480, 320)
  /// The size at the first start, in logical pixels.
  package static let usual = Size(1280, 720)

  private let window: OpaquePointer
  private let screen: any Screen
  private let fonts: Fonts
  private let covers: Covers
  private let painter: Painter
  private var translator = EventTranslator()
  private var displayScale: Float = 1
  /// The scale that was asked for instead of the display's own.
  package private(set) var chosenScale: Float?
  /// False while the window is minimised or hidden: nobody sees a frame.
  package private(set) var isVisible = true

  /// Opens the window.
  ///
  /// `geometry` is where it stood last time, `scale` device pixels for a logical one instead of the display's own, `assets`
  /// the folder with `icons` and `swell.svg`. 20 to 40 ms; throws when there is no display.
  package init(title: String, geometry: WindowGeometry?, scale: Float?, assets: PathBytes?) throws(WindowError) {
    let fonts = Fonts()
    let window = try Self.open(title, geometry, scale)
    let screen: any Screen
    if Display.driver == "wayland", let texture = TextureScreen(window) {
      screen = texture
    } else {
      screen = SurfaceScreen(window)
    }
    let covers = Covers(bell: Window.wake)
    self.window = window
    self.screen = screen
    self.fonts = fonts
    self.covers = covers
    painter = Painter(fonts: fonts, assets: assets, covers: covers)
    chosenScale = scale.map(Display.limited)
    measureDisplay()
    setIcon(assets)
  }

  deinit {
    covers.end()
    SDL_DestroyWindow(window)
    SDL_QuitSubSystem(SDL_INIT_VIDEO)
  }

  private static func open(
    _ title: String, _ geometry: WindowGeometry?, _ scale: Float?
  ) throws(WindowError) -> OpaquePointer {
    SDLLibrary.startEvents()
    Display.prepare()
    guard SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 else { throw .noDisplay(reason: SDLLibrary.lastError) }
    SDL_EnableScreenSaver()
    SDL_EventState(SDL_DROPFILE.rawValue, SDL_ENABLE)
    let place = Display.place(geometry, scale: scale ?? Display.scale)
    var flags = SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
    if geometry?.isMaximized == true { flags |= SDL_WINDOW_MAXIMIZED.rawValue }
    guard let window = SDL_CreateWindow(title, place.x, place.y, place.w, place.h, flags) else {
      let reason = SDLLibrary.lastError
      SDL_QuitSubSystem(SDL_INIT_VIDEO)
      throw .cannotOpen(reason: reason)
    }
    return window
  }

  private func setIcon(_ assets: PathBytes?) {
    guard let path = assets?.appending("swell.svg"), let source = try? Files.read(path, limit: 1 << 18),
      let surface = SVG.draw(source, width: 64, height: 64)
    else { return }
    SDL_SetWindowIcon(window, surface)
    SDL_FreeSurface(surface)
  }

  /// Sees how the window's units, device pixels and logical pixels stand to each other now.
  private func measureDisplay() {
    let units = windowSize
    let ratio = units.width > 0 ? Float(screen.size.width) / Float(units.width) : 1
    displayScale = ratio > 1 ? ratio : Display.scale
    translator.logicalPerUnit = ratio / scale
    let bounds = Display.usableBounds
    SDL_SetWindowMinimumSize(
      window, min(Int32(Self.smallest.width * scale / ratio), max(bounds.w, 1)),
      min(Int32(Self.smallest.height * scale / ratio), max(bounds.h, 1)))
  }

  private var windowSize: (width: Int, height: Int) {
    var width: Int32 = 0
    var height: Int32 = 0
    SDL_GetWindowSize(window, &width, &height)
    return (Int(width), Int(height))
  }
}

// MARK: - what it is

extension Window {
  /// The window's inside in logical pixels.
  package var size: Size { Size(Float(screen.size.width) / scale, Float(screen.size.height) / scale) }

  /// Device pixels for one logical pixel.
  package var scale: Float { chosenScale ?? displayScale }

  /// Another scale than the display's own, from ½ to 4; nil goes back to it.
  package func setScale(_ scale: Float?) {
    chosenScale = scale.map(Display.limited)
    measureDisplay()
  }

  /// Larger or smaller by quarters; 0 goes back to the display's own.
  ///
  /// Not so large that the smallest window would not find room where this one stands.
  package func stepScale(_ steps: Int) {
    guard steps != 0 else { return setScale(nil) }
    var x: Int32 = 0
    var y: Int32 = 0
    SDL_GetWindowPosition(window, &x, &y)
    let bounds = Display.usableBounds
    let pixelsPerUnit = Float(screen.size.width) / Float(max(windowSize.width, 1))
    let room = (Float(bounds.x + bounds.w - max(x, 0)), Float(bounds.y + bounds.h - max(y, 0)))
    let most = min(room.0 / Self.smallest.width, room.1 / Self.smallest.height) * pixelsPerUnit
    let wanted = ((scale * 4).rounded() + Float(steps)) / 4
    setScale(steps > 0 ? max(min(wanted, (most * 4).rounded(.down) / 4), scale) : wanted)
  }

  /// How wide a text is drawn, in logical pixels.
  package var measure: TextMeasure {
    fonts.scale = scale
    return { [fonts] text, style in fonts.measure(text, style) }
  }

  /// Why text cannot be drawn, as a sentence; known after the first frame.
  package var fontProblem: String? { fonts.problem }

  package var title: String {
    get { String(cString: SDL_GetWindowTitle(window)) }
    set { if newValue != title { SDL_SetWindowTitle(window, newValue) } }
  }

  package var isFullScreen: Bool {
    get {
      SDL_GetWindowFlags(window) & SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue == SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue
    }
    set {
      if newValue != isFullScreen {
        SDL_SetWindowFullscreen(window, newValue ? SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue : 0)
      }
    }
  }

  /// Where it stands, to be given to the next one; nil in full screen.
  package var geometry: WindowGeometry? {
    guard !isFullScreen else { return nil }
    var x: Int32 = 0
    var y: Int32 = 0
    SDL_GetWindowPosition(window, &x, &y)
    // SDL tells where the inside is and is told where the frame shall be: without this it would walk down the screen.
    var top: Int32 = 0
    var left: Int32 = 0
    if SDL_GetWindowBordersSize(window, &top, &left, nil, nil) == 0 { (x, y) = (x - left, y - top) }
    let size = windowSize
    let isMaximized = SDL_GetWindowFlags(window) & SDL_WINDOW_MAXIMIZED.rawValue != 0
    return WindowGeometry(x: Int(x), y: Int(y), width: size.width, height: size.height, isMaximized: isMaximized)
  }
}

// MARK: - the turn of the crank

extension Window {
  /// Makes `wait` return soon.
  ///
  /// Any thread.
  @Sendable
  package static func wake() {
    var event = SDL_Event()
    event.type = EventTranslator.wakeEvent
    SDL_PushEvent(&event)
  }

  /// Waits for something to happen, at most until `time` on the monotonic clock in seconds (nil: for as long as it takes),
  /// and tells what did.
  ///
  /// While it waits it takes no CPU.
  package func wait(until time: Double?) -> Happenings {
    var happenings = Happenings(input: Input(size: size, scale: scale, time: 0))
    var event = SDL_Event()
    if SDL_PollEvent(&event) == 1 || Self.sleep(until: time, &event) {
      repeat { take(event, &happenings) } while SDL_PollEvent(&event) == 1
    }
    happenings.input = Input(
      size: size, scale: scale, time: Clock.seconds(), pointer: nil, events: translator.takeEvents())
    happenings.input.pointer = translator.pointer
    return happenings
  }

  /// True when an event came before the time did.
  private static func sleep(until time: Double?, _ event: inout SDL_Event) -> Bool {
    guard let time else { return SDL_WaitEvent(&event) == 1 }
    while true {
      let rest = time - Clock.seconds()
      if rest <= 0 { return false }
      if rest >= 0.001 {
        if SDL_WaitEventTimeout(&event, Int32(min(rest * 1000, 1e9))) == 1 { return true }
      } else {
        // SDL waits whole milliseconds; the last part of one is slept, or frames would come in uneven steps.
        usleep(UInt32(rest * 1e6))
      }
    }
  }

  private func take(_ event: SDL_Event, _ happenings: inout Happenings) {
    if translator.take(event) { return }
    switch SDL_EventType(event.type) {
    case SDL_QUIT: happenings.wantsQuit = true
    case SDL_AUDIODEVICEADDED where event.adevice.iscapture == 1,
      SDL_AUDIODEVICEREMOVED where event.adevice.iscapture == 1:
      if let change = OutputChange(input: event) { happenings.inputs.append(change) }
    case SDL_AUDIODEVICEADDED where event.adevice.iscapture == 0: happenings.outputs.append(.added)
    case SDL_AUDIODEVICEREMOVED where event.adevice.iscapture == 0:
      happenings.outputs.append(.removed(event.adevice.which))
    case SDL_RENDER_TARGETS_RESET, SDL_RENDER_DEVICE_RESET:
      painter.forget()
      happenings.needsFrame = true
    case SDL_WINDOWEVENT: take(event.window, &happenings)
    default: break
    }
  }

  private func take(_ event: SDL_WindowEvent, _ happenings: inout Happenings) {
    switch SDL_WindowEventID(UInt32(event.event)) {
    case SDL_WINDOWEVENT_CLOSE: happenings.wantsQuit = true
    case SDL_WINDOWEVENT_MINIMIZED, SDL_WINDOWEVENT_HIDDEN: isVisible = false
    case SDL_WINDOWEVENT_SIZE_CHANGED, SDL_WINDOWEVENT_DISPLAY_CHANGED:
      measureDisplay()
      happenings.needsFrame = true
    case SDL_WINDOWEVENT_SHOWN, SDL_WINDOWEVENT_EXPOSED, SDL_WINDOWEVENT_RESTORED, SDL_WINDOWEVENT_MAXIMIZED:
      isVisible = true
      painter.forget()
      happenings.needsFrame = true
    default: break
    }
  }

  /// Shows a list; what is on the screen already is left alone.
  package func present(_ list: DrawList) {
    guard isVisible, let (canvas, isNew) = screen.canvas() else { return }
    if isNew { painter.forget() }
    screen.present(painter.paint(list, on: canvas, scale: scale))
  }
}
