import Foundation
import Glibc
import Media
import Sound
import System
import TestSupport
import Testing

/// Runs a program of the system's with its output thrown away; gives its status.
@discardableResult
func run(_ program: String, _ arguments: [String]) throws -> Int32 {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/" + program)
  process.arguments = arguments
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  try process.run()
  process.waitUntilExit()
  return process.terminationStatus
}

extension TemporaryFolder {
  /// Encodes channels with ffmpeg, from a float WAV that this writes byte by byte; gives the new file's path.
  func encode(_ channels: [[Float]], hertz: Int, _ arguments: [String], inputs: [String] = [], as name: String) throws
    -> PathBytes
  {
    let source = try write(WaveFile.float32(channels, hertz: hertz), to: name + ".source.wav")
    let file = appending(name)
    let status = try run(
      "ffmpeg",
      ["-v", "error", "-y", "-bitexact", "-i", source.shown] + inputs + ["-map_metadata", "-1"] + arguments + [
        file.shown
      ])
    try #require(status == 0, "ffmpeg made no \(name)")
    return file
  }
}

/// All samples of a file, a plane a channel, read in blocks of `size` frames.
func decode(_ path: PathBytes, blocks size: Int = 4096) throws -> [[Float]] {
  let file = try AudioFile(path: path)
  return try decodeRest(of: file, blocks: size)
}

func decodeRest(of file: AudioFile, blocks size: Int = 4096, atMost limit: Int = .max) throws -> [[Float]] {
  let block = SampleBlock(channelCount: file.format.channelCount, capacity: size)
  var channels = [[Float]](repeating: [], count: file.format.channelCount)
  while channels[0].count < limit {
    let expected = file.position
    guard try file.read(into: block) else { break }
    #expect(block.start == expected)
    for index in channels.indices { channels[index] += block.channel(index) }
  }
  return channels
}

/// The error with which a file is refused; nil when it opens.
func refusal(_ path: PathBytes) -> MediaError? {
  do {
    _ = try AudioFile(path: path)
    return nil
  } catch { return error }
}

/// How far a signal stands above its difference from another, in decibels, over the length of the shorter.
func clearance(_ signal: [Float], _ other: [Float]) -> Double {
  var (power, difference) = (0.0, 0.0)
  for (a, b) in zip(signal, other) {
    power += Double(a) * Double(a)
    difference += Double(a - b) * Double(a - b)
  }
  return difference == 0 ? .infinity : 10 * log10(power / difference)
}

/// The amplitude of one frequency in a signal, by correlation with its sine and cosine over whole turns.
func amplitude(of hertz: Double, in signal: some Collection<Float>, rate: Int) -> Double {
  var (sine, cosine) = (0.0, 0.0)
  for (i, sample) in signal.enumerated() {
    let angle = 2 * .pi * (hertz * Double(i) / Double(rate)).truncatingRemainder(dividingBy: 1)
    sine += Double(sample) * sin(angle)
    cosine += Double(sample) * cos(angle)
  }
  return 2 * (sine * sine + cosine * cosine).squareRoot() / Double(signal.count)
}

/// Two channels that tell every moment and both sides apart: a rising tone, and a steady one with a little noise.
func testSound(seconds: Double, rate: Int) -> [[Float]] {
  let frames = Int(seconds * Double(rate))
  let noise = Signal.noise(seed: 7, frames: frames, amplitude: 0.02)
  let tone = Signal.sine(hertz: 1000, rate: rate, frames: frames, amplitude: 0.25)
  return [
    Signal.sweep(from: 100, to: 3000, rate: rate, frames: frames, amplitude: 0.5), zip(tone, noise).map { $0 + $1 },
  ]
}
