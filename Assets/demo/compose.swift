// "Harbour, First Light": the demo track, composed and synthesised here, note by note.
//
//   swiftc -O Assets/demo/compose.swift -o compose && ./compose demo.wav
//
// Assets/demo/make.sh does this and encodes the result. The same notes come out at every run: the noise is a counted one.

import Foundation

/// 80 beats a minute: a beat is 0.75 s, a bar 3 s; twelve bars and their echo.
let rate = 44_100.0
let beat = 0.75
let bar = 4 * beat
let barCount = 12
let length = Int((Double(barCount) * bar + 2.5) * rate)

// MARK: - Tools

/// Two sides of sound, as long as the piece.
struct Track {
  var left = [Float](repeating: 0, count: length)
  var right = [Float](repeating: 0, count: length)

  /// Adds `sample(t)` for `seconds` from `start`, at a place between left (-1) and right (1) with equal power.
  mutating func add(at start: Double, for seconds: Double, pan: Double = 0, _ sample: (Double) -> Double) {
    let first = Int(start * rate)
    let l = cos((pan + 1) * .pi / 4)
    let r = sin((pan + 1) * .pi / 4)
    for i in 0..<Int(seconds * rate) where first + i < length {
      let value = sample(Double(i) / rate)
      left[first + i] += Float(value * l)
      right[first + i] += Float(value * r)
    }
  }

  mutating func mix(_ other: Track, gain: Float) {
    for i in 0..<length {
      left[i] += other.left[i] * gain
      right[i] += other.right[i] * gain
    }
  }
}

/// White noise between -1 and 1, the same at every run (Knuth's multiplier).
struct Noise {
  var state: UInt64 = 2026
  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
  }
}

/// A state variable filter of two poles (Simper's trapezoidal form): low, band and high at once.
struct Filter {
  var a = 0.0
  var b = 0.0
  mutating func step(_ input: Double, hertz: Double, damping: Double) -> (low: Double, band: Double, high: Double) {
    let g = tan(.pi * min(hertz, 18_000) / rate)
    let high = (input - (2 * damping + g) * a - b) / (1 + g * (2 * damping + g))
    let band = g * high + a
    a = g * high + band
    let low = g * band + b
    b = g * band + low
    return (low, band, high)
  }
}

/// A sawtooth whose step is rounded off over one sample on each side (PolyBLEP).
struct Saw {
  var phase: Double
  mutating func next(_ hertz: Double) -> Double {
    let step = hertz / rate
    phase += step
    if phase >= 1 { phase -= 1 }
    var value = 2 * phase - 1
    if phase < step {
      let x = phase / step
      value -= x + x - x * x - 1
    } else if phase > 1 - step {
      let x = (phase - 1) / step
      value -= x * x + x + x + 1
    }
    return value
  }
}

func hertz(_ note: Int) -> Double { 440 * pow(2, Double(note - 69) / 12) }
func sine(_ turns: Double) -> Double { sin(2 * .pi * turns) }
/// Rises from 0 to 1 between two times, without corners.
func ramp(_ t: Double, _ from: Double, _ to: Double) -> Double {
  let x = min(max((t - from) / (to - from), 0), 1)
  return x * x * (3 - 2 * x)
}

var noise = Noise()

// MARK: - The score

/// D major 9, B minor 9, G major 9 with its sharp eleventh, A suspended: one bar each, three times round.
let chords: [[Int]] = [
  [50, 57, 61, 64, 66], [47, 57, 61, 62, 66], [43, 57, 59, 62, 66], [45, 57, 59, 62, 64],
]
func chord(_ index: Int) -> [Int] { chords[index % 4] }
/// How full the piece is in each bar, 0 to 1.
let fullness = [0.08, 0.2, 0.35, 0.5, 0.8, 0.9, 0.95, 0.4, 1.0, 1.0, 0.3, 0.1]
func fullness(at t: Double) -> Double {
  let place = max(t / bar - 0.5, 0)
  let index = min(Int(place), barCount - 1)
  let next = min(index + 1, barCount - 1)
  return fullness[index] + (fullness[next] - fullness[index]) * min(place - Double(index), 1)
}
/// Bar, beat within it, length in beats, note.
let melody: [(Int, Double, Double, Int)] = [
  (4, 0, 1.5, 78), (4, 1.5, 0.5, 76), (4, 2, 2, 74), (5, 0.5, 0.5, 73), (5, 1, 1, 74), (5, 2, 2, 69),
  (6, 0, 1.5, 71), (6, 1.5, 0.5, 73), (6, 2, 1, 74), (6, 3, 1, 78), (7, 0, 2.5, 76), (7, 2.5, 0.5, 74), (7, 3, 1, 73),
  (8, 0, 1.5, 81), (8, 1.5, 0.5, 78), (8, 2, 1, 76), (8, 3, 1, 74), (9, 0, 1, 73), (9, 1, 1, 69), (9, 2, 2, 66),
  (10, 0, 3, 62),
]

// MARK: - The voices

/// Swelling chords: three detuned saws a note, spread from left to right, under a filter that opens with the piece.
func pad() -> Track {
  var track = Track()
  for index in 0..<barCount {
    for (voice, note) in chord(index).enumerated() {
      for layer in 0..<3 {
        let detune = 1 + (Double(layer) - 1) * 0.0035
        var saw = Saw(phase: Double((voice * 3 + layer) * 37 % 100) / 100)
        var filter = Filter()
        let start = Double(index) * bar
        let pitch = hertz(note) * detune
        track.add(at: start, for: bar + 2, pan: (Double(layer) - 1) * 0.8) { t in
          let now = start + t
          let cutoff = 300 + 2_600 * fullness(at: now) * (0.75 + 0.25 * sine(now / 6 + Double(voice) / 5))
          let envelope = ramp(t, 0, 1.1) * (1 - ramp(t, bar - 0.6, bar + 1.9))
          return filter.step(saw.next(pitch), hertz: cutoff, damping: 0.8).low * envelope
            * (0.02 + 0.04 * fullness(at: now))
        }
      }
    }
  }
  return track
}

/// A soft round bass, from the third bar on.
func bass() -> Track {
  var track = Track()
  let rhythm: [(Double, Double, Int)] = [(0, 1.4, 0), (1.5, 0.9, 0), (2.5, 1, 12), (3.5, 0.45, 7)]
  for index in 2..<barCount - 1 {
    for (place, beats, up) in rhythm where index > 3 || up == 0 {
      let pitch = hertz(chord(index)[0] - 12 + up)
      let seconds = beats * beat
      track.add(at: Double(index) * bar + place * beat, for: seconds + 0.08) { t in
        let envelope = ramp(t, 0, 0.012) * (1 - ramp(t, seconds - 0.02, seconds + 0.08)) * (0.55 + 0.45 * exp(-t * 3))
        let turns = pitch * t
        return (sine(turns) + 0.28 * sine(2 * turns) * exp(-t * 4) + 0.1 * sine(3 * turns) * exp(-t * 9)) * envelope
          * 0.34 * (index == 7 ? 0.5 : 1)
      }
    }
  }
  return track
}

/// Glassy plucks that climb through each chord in sixteenths and wander from side to side.
func plucks() -> Track {
  var track = Track()
  let order = [0, 2, 4, 3, 1, 3, 2, 4]
  for index in 1..<barCount - 1 {
    for step in 0..<16 {
      // Sparse at first and at last, without a gap in the middle.
      let isThin = index < 3 || index > 9
      guard !isThin || step % 4 == 0 || step % 8 == 6 else { continue }
      let notes = chord(index)
      let octave = step % 8 < 4 ? 12 : 24
      let pitch = hertz(notes[order[step % 8]] + octave)
      let level = (step % 4 == 0 ? 1.0 : 0.65) * (0.35 + 0.65 * fullness[index])
      track.add(at: Double(index) * bar + Double(step) * beat / 4, for: 0.9, pan: 0.75 * sine(Double(step) / 16)) { t in
        let bright = 1.6 * exp(-t * 16)
        return sine(pitch * t + bright * sine(3.01 * pitch * t) / 6.283) * ramp(t, 0, 0.003) * exp(-t * 5.5)
          * (1 - ramp(t, 0.8, 0.9)) * level * 0.3
      }
    }
  }
  return track
}

/// The tune: a breath of vibrato and a little of its own octave.
func lead() -> Track {
  var track = Track()
  for (index, place, beats, note) in melody {
    let pitch = hertz(note)
    let seconds = beats * beat
    track.add(at: Double(index) * bar + place * beat, for: seconds + 0.35, pan: 0.12) { t in
      let turns = pitch * t + 0.0035 * pitch / 5.2 * ramp(t, 0.15, 0.6) * (1 - cos(2 * .pi * 5.2 * t)) / 6.283
      let envelope = ramp(t, 0, 0.04) * (1 - ramp(t, seconds - 0.08, seconds + 0.35)) * (0.7 + 0.3 * exp(-t * 2.5))
      return (sine(turns) + 0.22 * sine(2 * turns) + 0.16 * sine(3 * turns) + 0.05 * sine(5 * turns)) * envelope * 0.2
    }
  }
  return track
}

/// The bars with drums: the eighth holds its breath.
let beaten = [4, 5, 6, 8, 9]
let kicks: [Double] = beaten.flatMap { index in [0, 1, 2, 2.75, 3].map { Double(index) * bar + $0 * beat } }

func drums() -> Track {
  var track = Track()
  for start in kicks {
    track.add(at: start, for: 0.4) { t in
      // The pitch falls from 150 to 46 Hz; its integral is the phase.
      sine(46 * t + 104 * (1 - exp(-t * 32)) / 32) * exp(-t * 9) * ramp(t, 0, 0.002) * (1 - ramp(t, 0.32, 0.4)) * 0.8
    }
  }
  for index in beaten {
    for place in [1.0, 3.0] {
      var filter = Filter()
      track.add(at: Double(index) * bar + place * beat, for: 0.25, pan: -0.1) { t in
        filter.step(noise.next(), hertz: 1_900, damping: 0.35).band * exp(-t * 26) * ramp(t, 0, 0.001) * 0.6
      }
    }
  }
  for index in [3] + beaten {
    for step in 0..<16 {
      var filter = Filter()
      let isOpen = step % 4 == 2
      let level = (isOpen ? 0.16 : step % 2 == 0 ? 0.09 : 0.05) * (index == 3 ? 0.6 : 1)
      track.add(at: Double(index) * bar + Double(step) * beat / 4, for: 0.3, pan: step % 2 == 0 ? 0.45 : -0.45) { t in
        filter.step(noise.next(), hertz: 8_500, damping: 0.5).high * exp(-t * (isOpen ? 14 : 60)) * ramp(t, 0, 0.001)
          * (1 - ramp(t, 0.25, 0.3)) * level
      }
    }
  }
  return track
}

/// Waves that run along the quay, a buoy's bell, a horn far out, and gulls.
func harbour() -> Track {
  var track = Track()
  for (start, side) in [(0.0, -1.0), (4.2, 1.0), (8.6, -1.0), (29.0, 1.0), (32.2, -1.0)] {
    for shift in [-0.45, 0.45] {
      var filter = Filter()
      track.add(at: start, for: 6.2, pan: min(max(side * 0.3 + shift, -1), 1)) { t in
        let swell = ramp(t, 0, 2.4) * (1 - ramp(t, 2.4, 6.2))
        return filter.step(noise.next(), hertz: 350 + 2_300 * swell, damping: 0.9).low * swell * swell * 0.12
      }
    }
  }
  // The partials of a small bell, as ratios to its strike note, and how fast each dies away.
  let partials: [(Double, Double, Double)] = [
    (0.5, 0.5, 0.7), (1, 1, 1.1), (1.19, 0.6, 1.5), (1.5, 0.35, 2), (2, 0.6, 2.4), (2.74, 0.3, 3.5), (3.76, 0.2, 5),
    (5.1, 0.14, 8),
  ]
  for (start, level, pan) in [(0.75, 1.0, -0.7), (3.0, 0.6, -0.6), (33.0, 0.9, 0.6), (35.25, 0.5, 0.7)] {
    track.add(at: start, for: 3.2, pan: pan) { t in
      partials.reduce(0) { $0 + $1.1 * sine(587.33 * $1.0 * t) * exp(-t * $1.2) } * ramp(t, 0, 0.002)
        * (1 - ramp(t, 2.4, 3.2)) * level * 0.09
    }
  }
  for start in [0.2, 30.2] {
    track.add(at: start, for: 3, pan: 0.35) { t in
      let turns = 73.42 * t
      let body = (1...7).reduce(0.0) { $0 + sine(Double($1) * turns) / Double($1 * $1) }
      return body * ramp(t, 0, 0.7) * (1 - ramp(t, 1.6, 3)) * 0.12
    }
  }
  for (start, pan, level) in [
    (5.4, 0.8, 1.0), (5.95, 0.65, 0.7), (6.4, 0.5, 0.5), (28.1, -0.8, 0.8), (28.6, -0.6, 0.6),
  ] {
    track.add(at: start, for: 0.4, pan: pan) { t in
      // A cry that falls from 2.5 to 1.3 kHz.
      let turns = 1_300 * t + 1_200 * (1 - exp(-t * 5)) / 5
      return (sine(turns) + 0.4 * sine(2 * turns) + 0.15 * sine(3 * turns)) * ramp(t, 0, 0.05) * (1 - ramp(t, 0.1, 0.4))
        * level
        * 0.035
    }
  }
  return track
}

// MARK: - The room and the desk

/// An echo of three sixteenths that hops from one side to the other.
func echo(_ dry: Track) -> Track {
  var wet = Track()
  let delay = Int(beat * 0.75 * rate)
  for i in delay..<length {
    wet.left[i] = 0.5 * (dry.right[i - delay] + wet.right[i - delay])
    wet.right[i] = 0.5 * (dry.left[i - delay] + wet.left[i - delay])
  }
  return wet
}

/// A hall: eight delay lines that feed each other through a Householder reflection, darker at each turn (Jot 1991).
func hall(_ dry: Track) -> Track {
  var wet = Track()
  let sizes = [1_423, 1_777, 2_003, 2_339, 2_713, 3_119, 3_571, 4_093]
  // -60 dB after 2.8 s.
  let keep = sizes.map { Float(pow(10, -3 * Double($0) / rate / 2.8)) }
  var lines = sizes.map { [Float](repeating: 0, count: $0) }
  var dark = [Float](repeating: 0, count: 8)
  for i in 0..<length {
    var out: SIMD8<Float> = .zero
    for k in 0..<8 {
      dark[k] += 0.55 * (lines[k][i % sizes[k]] - dark[k])
      out[k] = dark[k] * keep[k]
    }
    let shared = out.sum() / 4
    for k in 0..<8 { lines[k][i % sizes[k]] = out[k] - shared + (k % 2 == 0 ? dry.left[i] : dry.right[i]) * 0.35 }
    wet.left[i] = out[0] + out[2] - out[4] + out[6]
    wet.right[i] = out[1] - out[3] + out[5] + out[7]
  }
  return wet
}

/// Each kick pushes the pads down for a moment, which is what makes them breathe.
func breathe(_ track: inout Track) {
  for start in kicks {
    let first = Int(start * rate)
    for i in first..<min(first + Int(0.45 * rate), length) {
      let t = Double(i - first) / rate
      let gain = Float(1 - 0.75 * ramp(t, 0, 0.02) * (1 - ramp(t, 0.05, 0.45)))
      track.left[i] *= gain
      track.right[i] *= gain
    }
  }
}

func compose() -> Track {
  var pads = pad()
  breathe(&pads)
  let plucked = plucks()
  let tune = lead()
  let beats = drums()
  let sea = harbour()
  var sent = Track()
  for (part, gain) in [(pads, Float(0.3)), (plucked, 0.5), (tune, 0.45), (beats, 0.06), (sea, 0.6)] {
    sent.mix(part, gain: gain)
  }
  var echoed = Track()
  echoed.mix(plucked, gain: 0.7)
  echoed.mix(tune, gain: 0.4)
  echoed = echo(echoed)
  sent.mix(echoed, gain: 0.4)
  var sum = Track()
  for part in [pads, bass(), plucked, tune, beats, sea] { sum.mix(part, gain: 1) }
  sum.mix(echoed, gain: 0.5)
  sum.mix(hall(sent), gain: 0.3)
  return sum
}

/// Rounds the highest peaks off, sets the level, and lets the piece begin and end in silence.
func master(_ track: inout Track, gain: Float, ceiling: Float) {
  let fadeOut = 0.8 * rate
  for i in 0..<length {
    let fade = Float(min(Double(i) / (0.005 * rate), 1) * ramp(Double(length - 1 - i), 0, fadeOut))
    track.left[i] = tanh(track.left[i] * gain) * ceiling * fade
    track.right[i] = tanh(track.right[i] * gain) * ceiling * fade
  }
}

/// 32-bit float WAV: RIFF, "fmt " (16 bytes, format 3), "data".
func wav(_ track: Track) -> Data {
  var data = Data()
  func put(_ text: String) { data.append(contentsOf: text.utf8) }
  func put<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
  }
  let size = UInt32(length * 8)
  put("RIFF")
  put(36 + size)
  put("WAVEfmt ")
  put(UInt32(16))
  put(UInt16(3))
  put(UInt16(2))
  put(UInt32(rate))
  put(UInt32(rate) * 8)
  put(UInt16(8))
  put(UInt16(32))
  put("data")
  put(size)
  for i in 0..<length {
    put(track.left[i].bitPattern)
    put(track.right[i].bitPattern)
  }
  return data
}

var piece = compose()
master(&piece, gain: 1.0, ceiling: 0.85)
try wav(piece).write(to: URL(fileURLWithPath: CommandLine.arguments[1]))
