import CSDL2
internal import Sound
internal import System

/// The display: which driver, how large, how fine.
enum Display {
  /// Says what we want of SDL's video before it starts.
  static func prepare() {
    SDL_setenv("SDL_VIDEO_X11_WMCLASS", "swell", 0)
    SDL_setenv("SDL_VIDEO_WAYLAND_WMCLASS", "swell", 0)
    // SDL 2 tries X11 first, and would run through Xwayland on a Wayland desktop; and where there is no display at all it
    // takes an invisible one, in which the program would run unseen for ever.
    let drivers = Environment.variable("WAYLAND_DISPLAY") != nil ? "wayland,x11" : "x11"
    SDL_SetHint(SDL_HINT_VIDEODRIVER, drivers)
    // Else the window's surface would go through OpenGL, ten times as dear.
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0")
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1")
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0")
  }

  /// The name of SDL's video driver; empty before video has started.
  static var driver: String { SDL_GetCurrentVideoDriver().map { String(cString: $0) } ?? "" }

  /// The scale that the desktop asks for where the window's units are device pixels: GDK_SCALE, else the font resolution of
  /// the X resources (Xft.dpi, 96 being 1), in quarters.
  static var scale: Float {
    guard driver == "x11" else { return 1 }
    if let text = Environment.variable("GDK_SCALE")?.shown, let scale = Float(text) { return limited(scale) }
    return XResources.fontResolution.map { limited(($0 / 96 * 4).rounded() / 4) } ?? 1
  }

  static func limited(_ scale: Float) -> Float { scale.isFinite ? min(max(scale, 0.5), 4) : 1 }

  /// The part of the first display that panels leave free.
  static var usableBounds: SDL_Rect {
    var bounds = SDL_Rect(x: 0, y: 0, w: 1280, h: 720)
    SDL_GetDisplayUsableBounds(0, &bounds)
    return bounds
  }

  /// Where a window opens: where it was if any of its title bar can be seen there, else in the middle; never larger than
  /// the display.
  static func place(_ geometry: WindowGeometry?, scale: Float) -> SDL_Rect {
    let bounds = usableBounds
    let centre = Int32(bitPattern: UInt32(shim_SDL_WINDOWPOS_CENTERED))
    guard let geometry, geometry.width > 0, geometry.height > 0 else {
      let width = min(Int32(Window.usual.width * scale), bounds.w)
      return SDL_Rect(x: centre, y: centre, w: width, h: min(Int32(Window.usual.height * scale), bounds.h))
    }
    func clamped(_ value: Int) -> Int32 { Int32(min(max(value, -100_000), 100_000)) }
    var bar = SDL_Rect(x: clamped(geometry.x), y: clamped(geometry.y), w: clamped(geometry.width), h: 40)
    var area = SDL_Rect()
    let isSeen = (0..<SDL_GetNumVideoDisplays()).contains { display in
      var common = SDL_Rect()
      return SDL_GetDisplayBounds(display, &area) == 0 && SDL_IntersectRect(&bar, &area, &common) == SDL_TRUE
        && common.w >= 80 && common.h >= 20
    }
    if !isSeen { area = bounds }
    return SDL_Rect(
      x: isSeen ? bar.x : centre, y: isSeen ? bar.y : centre, w: min(bar.w, area.w),
      h: min(clamped(geometry.height), area.h))
  }
}
