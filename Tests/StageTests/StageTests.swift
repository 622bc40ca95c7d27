import CSDL2
import Foundation
import Testing

/// Everything of this room, one after the other: SDL and its fonts belong to one thread at a time.
@Suite(.serialized)
struct StageTests {}

/// SDL without a screen and without a loudspeaker.
enum Headless {
  private static let once: Void = {
    setenv("SDL_VIDEODRIVER", "dummy", 1)
    setenv("SDL_AUDIODRIVER", "dummy", 1)
  }()

  static func prepare() { once }
}
