import CRubberBand
package import Sound

/// Stereo sound made longer or shorter with its pitch kept.
///
/// One thread at a time, and none that must not wait: the library allocates. Output frame k sounds at input frame
/// k · `speed`, since the library's delay is dropped; an attack lies within 10 ms of its place (measured from 0.25 to 4, at
/// 44.1 to 192 kHz), and steady sound up to 17 ms late at 0.25. Rubber Band's finer engine is used, as the faster one bends
/// a pure tone by up to a hundredth. It works at 44.1 or 48 kHz, whatever the rate of the sound, so that what lies above
/// 22 kHz is lost, and costs 5 to 20 per cent of a core.
package final class Stretcher {
  private let speed: Double
  private let engine: RubberBandState
  /// On the way to the library's rate and back; nil where that is the sound's own.
  private let inward: StereoResampler?
  private let outward: StereoResampler?
  /// What the library takes at once, and one side of what it gives.
  private var planes: (left: [Float], right: [Float])
  private var output: [Float] = []
  /// The first frames of a sound, until there are enough to fill the library's first window; interleaved.
  private var beginning: [Float] = []
  /// How much is put in before them.
  private let padding: Int
  private var hasBegun = false
  /// Frames of output that are still to be thrown away.
  private var delay: Int
  private var taken: Int64 = 0
  private var given: Int64 = 0
  /// How many frames come out in all, once that is known.
  private var whole = Int64.max

  private static let chunk = 512
  /// When it slows down, attacks come too early, by about so many frames for each 1/speed more, at 44.1 and at 48 kHz; so
  /// much more is put in before the sound.
  private static let attackFrames = 250.0

  /// For sound at a rate; `speed` is 2 where it is to last half as long.
  package init(rate: SampleRate, speed: Double) {
    self.speed = speed
    // Attacks are smeared differently at each rate, and at high ones by more than 50 ms.
    let inner = SampleRate(hertz: rate.hertz % 11_025 == 0 ? 44_100 : 48_000)
    inward = rate == inner ? nil : StereoResampler(from: rate, to: inner)
    outward = rate == inner ? nil : StereoResampler(from: inner, to: rate)
    let options =
      RubberBandOptionProcessRealTime.rawValue | RubberBandOptionEngineFiner.rawValue
      | RubberBandOptionThreadingNever.rawValue | RubberBandOptionChannelsTogether.rawValue
    engine = rubberband_new(UInt32(inner.hertz), 2, Int32(bitPattern: options), 1 / speed, 1)
    rubberband_set_max_process_size(engine, UInt32(Self.chunk))
    delay = Int(rubberband_get_start_delay(engine))
    planes = (Array(repeating: 0, count: Self.chunk), Array(repeating: 0, count: Self.chunk))
    let late = speed < 1 ? Int(Self.attackFrames * (1 - speed)) : 0
    padding = Int(rubberband_get_preferred_start_pad(engine)) + late
  }

  deinit { rubberband_delete(engine) }

  /// Takes interleaved stereo frames and gives out those that are ready, in calls of `body` (frames, their count).
  package func process(_ frames: UnsafePointer<Float>, count: Int, into body: (UnsafePointer<Float>, Int) -> Void) {
    taken += Int64(count)
    if let inward {
      inward.process(frames, count: count) { take($0, $1, into: body) }
    } else {
      take(frames, count, into: body)
    }
  }

  /// Gives out the rest at the end of the sound, so that all of it lasts as long as the speed says, to the frame.
  package func flush(into body: (UnsafePointer<Float>, Int) -> Void) {
    whole = Int64((Double(taken) / speed).rounded())
    inward?.flush { take($0, $1, into: body) }
    if !hasBegun { begin(into: body) }
    for i in 0..<Self.chunk { (planes.left[i], planes.right[i]) = (0, 0) }
    // The library keeps some windows back; a second of silence pushes out more than all of it.
    var silence = 0
    while given < whole, silence < 200_000 {
      process(Self.chunk, into: body)
      silence += Self.chunk
    }
  }

  /// Takes frames at the library's rate.
  private func take(_ frames: UnsafePointer<Float>, _ count: Int, into body: (UnsafePointer<Float>, Int) -> Void) {
    if hasBegun { return put(frames, count, into: body) }
    beginning += UnsafeBufferPointer(start: frames, count: count * 2)
    if beginning.count >= padding * 2 { begin(into: body) }
  }

  /// Starts with what is there, before which its mirror image is put where the library would like silence.
  ///
  /// A sound that is taken up in its middle would begin with a step, which is heard as a click when it is slowed down.
  private func begin(into body: (UnsafePointer<Float>, Int) -> Void) {
    hasBegun = true
    var mirror = [Float](repeating: 0, count: padding * 2)
    for i in 0..<min(padding, beginning.count / 2) {
      let at = (padding - 1 - i) * 2
      (mirror[at], mirror[at + 1]) = (beginning[i * 2], beginning[i * 2 + 1])
    }
    mirror.withUnsafeBufferPointer { put($0.baseAddress!, padding, into: body) }
    beginning.withUnsafeBufferPointer {
      if let frames = $0.baseAddress { put(frames, $0.count / 2, into: body) }
    }
    beginning = []
  }

  private func put(_ frames: UnsafePointer<Float>, _ count: Int, into body: (UnsafePointer<Float>, Int) -> Void) {
    var done = 0
    while done < count {
      let part = min(Self.chunk, count - done)
      for i in 0..<part {
        planes.left[i] = frames[(done + i) * 2]
        planes.right[i] = frames[(done + i) * 2 + 1]
      }
      process(part, into: body)
      done += part
    }
  }

  /// Puts the first `count` frames of the planes in and gives out what that brings.
  private func process(_ count: Int, into body: (UnsafePointer<Float>, Int) -> Void) {
    planes.left.withUnsafeBufferPointer { left in
      planes.right.withUnsafeBufferPointer { right in
        withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: 2) { input in
          input[0] = left.baseAddress
          input[1] = right.baseAddress
          rubberband_process(engine, input.baseAddress, UInt32(count), 0)
        }
      }
    }
    while true {
      let ready = Int(rubberband_available(engine))
      guard ready > 0 else { return }
      retrieve(ready, into: body)
    }
  }

  private func retrieve(_ ready: Int, into body: (UnsafePointer<Float>, Int) -> Void) {
    // Both sides one after the other, then the same frames interleaved.
    if output.count < ready * 4 { output = Array(repeating: 0, count: ready * 4) }
    output.withUnsafeMutableBufferPointer { buffer in
      let left = buffer.baseAddress!
      let frames = left + ready * 2
      let got = withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>?.self, capacity: 2) { sides in
        sides[0] = left
        sides[1] = left + ready
        return Int(rubberband_retrieve(engine, sides.baseAddress, UInt32(ready)))
      }
      let dropped = min(delay, got)
      delay -= dropped
      guard got > dropped else { return }
      for i in 0..<(got - dropped) {
        frames[i * 2] = left[dropped + i]
        frames[i * 2 + 1] = left[ready + dropped + i]
      }
      if let outward {
        outward.process(frames, count: got - dropped) { give($0, $1, into: body) }
      } else {
        give(frames, got - dropped, into: body)
      }
    }
  }

  /// Gives frames out, as far as the sound goes.
  private func give(_ frames: UnsafePointer<Float>, _ ready: Int, into body: (UnsafePointer<Float>, Int) -> Void) {
    let count = Int(min(Int64(ready), whole - given))
    guard count > 0 else { return }
    given += Int64(count)
    body(frames, count)
  }
}
