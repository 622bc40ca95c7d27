import Foundation
import Sound
import TestSupport

/// A WAV file of 32-bit floats: RIFF, "fmt " of 16 bytes with format 3, "data".
func waveFile(_ channels: [[Float]], rate: Int = 48_000) -> [UInt8] {
  let frames = channels[0].count
  let block = channels.count * 4
  var bytes: [UInt8] = []
  bytes.reserveCapacity(44 + frames * block)
  func put<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }
  bytes += Array("RIFF".utf8)
  put(UInt32(36 + frames * block))
  bytes += Array("WAVEfmt ".utf8)
  put(UInt32(16))
  put(UInt16(3))
  put(UInt16(channels.count))
  put(UInt32(rate))
  put(UInt32(rate * block))
  put(UInt16(block))
  put(UInt16(32))
  bytes += Array("data".utf8)
  put(UInt32(frames * block))
  for frame in 0..<frames { for channel in channels { put(channel[frame].bitPattern) } }
  return bytes
}

/// A tone of a level in dBFS.
func tone(_ hertz: Double, _ level: Double = -12, seconds: Double = 20, rate: Int = 48_000) -> [Float] {
  Signal.sine(hertz: hertz, rate: rate, frames: Int(seconds * Double(rate)), amplitude: pow(10, level / 20))
}

/// 20 s in which what is heard tells the place: 300 Hz, and 40 Hz more each second.
func risingTone() -> [Float] {
  var turns = 0.0
  return (0..<960_000).map { i in
    turns += (300 + 40 * Double(i) / 48_000) / 48_000
    return Float(0.25 * sin(2 * .pi * turns))
  }
}
