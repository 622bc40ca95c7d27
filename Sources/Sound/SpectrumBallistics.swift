/// Bars that jump up at once and fall at a fixed pace, with caps that stay a while at the highest level and then sink.
///
/// Time is handed in, so the picture is the same at every frame rate. In silence the caps do not wait: all is at the floor
/// within a second.
package struct SpectrumBallistics: Sendable {
  package static let bandCount = 64
  /// The level that is drawn as nothing, in dBFS.
  package static let floor: Float = -90
  /// From full scale to the floor in 0.82 s, in decibels per second.
  static let fall: Float = 110
  /// How long a cap stays, in seconds.
  static let holdSeconds: Float = 0.8
  /// How fast a cap sinks after that, in decibels per second.
  static let sink: Float = 30

  /// The bars in dBFS, lowest band first.
  package private(set) var levels = [Float](repeating: floor, count: bandCount)
  /// The caps in dBFS, never below their bars.
  package private(set) var holds = [Float](repeating: floor, count: bandCount)
  /// How long each cap still stays, in seconds.
  private var waits = [Float](repeating: 0, count: bandCount)

  package init() {}

  /// True when every bar and cap lies at the floor: the next frame of silence looks like this one.
  package var isAtRest: Bool { holds.allSatisfy { $0 <= Self.floor } }

  /// Moves on by `seconds` towards the measured `levels` in dBFS; nil stands for silence.
  package mutating func advance(by seconds: Double, towards target: [Float]?) {
    let elapsed = Float(max(seconds, 0))
    let isSilent = target?.allSatisfy { !($0 > Self.floor) } ?? true
    for band in levels.indices {
      let fallen = max(levels[band] - Self.fall * elapsed, Self.floor)
      // Not a number is never greater.
      if let target, target[band] > fallen { levels[band] = target[band] } else { levels[band] = fallen }
      // The part of this step in which the cap no longer waits.
      let sinking = max(elapsed - waits[band], 0)
      waits[band] = max(waits[band] - elapsed, 0)
      var cap = holds[band] - (isSilent ? Self.fall * elapsed : Self.sink * sinking)
      if levels[band] >= cap {
        cap = levels[band]
        if !isSilent { waits[band] = Self.holdSeconds }
      }
      holds[band] = cap
    }
  }
}
