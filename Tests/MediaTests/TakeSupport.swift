import Foundation
import Media
import Sound
import System
import Testing

/// A folder of one test's own, gone with it.
final class TakeFolder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("take-\(UUID().uuidString)")
  init() { try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: url) }
  func path(_ name: String) -> PathBytes { PathBytes(url.appendingPathComponent(name).path) }
}

/// Runs a program and gives its status and what it wrote.
func runProgram(_ program: String, _ arguments: [String]) -> (status: Int32, output: Data, errors: String) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  let output = FileManager.default.temporaryDirectory.appendingPathComponent("out-\(UUID().uuidString)")
  let errors = output.appendingPathExtension("err")
  for url in [output, errors] { try! Data().write(to: url) }
  defer { for url in [output, errors] { try? FileManager.default.removeItem(at: url) } }
  process.standardOutput = FileHandle(forWritingAtPath: output.path)
  process.standardError = FileHandle(forWritingAtPath: errors.path)
  process.standardInput = FileHandle.nullDevice
  try! process.run()
  process.waitUntilExit()
  return (
    process.terminationStatus, (try? Data(contentsOf: output)) ?? Data(),
    (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
  )
}

/// The interleaved samples that ffmpeg, another program, finds in a file.
func decoded(_ path: PathBytes) -> (samples: [Float], complaints: String) {
  let result = runProgram(
    "ffmpeg",
    [
      "-nostdin", "-v", "warning", "-guess_layout_max", "0", "-i", "file:" + path.shown, "-f", "f32le", "-c:a",
      "pcm_f32le", "-",
    ])
  let samples = result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  return (samples, result.errors)
}

/// How many frames our own reader finds in a file.
func framesFound(_ path: PathBytes) throws -> Int64 {
  let file = try AudioFile(path: path, cancellation: Cancellation())
  let block = SampleBlock(channelCount: file.format.channelCount, capacity: 4096)
  var frames: Int64 = 0
  while try file.read(into: block) { frames += Int64(block.frameCount) }
  #expect(file.skippedStretches == 0)
  return frames
}

func probed(_ path: PathBytes, _ entries: String) -> String {
  let result = runProgram(
    "ffprobe", ["-v", "error", "-show_entries", entries, "-of", "default=nw=1", "file:" + path.shown])
  return String(decoding: result.output, as: UTF8.self)
}

extension TakeFormat {
  static func of(_ coding: TakeCoding, _ width: SampleWidth = .int16, _ hertz: Int = 48_000, _ channels: Int = 2)
    -> Self
  {
    TakeFormat(coding: coding, width: width, rate: SampleRate(hertz: hertz), channelCount: channels)
  }
}

/// A tone of another frequency on each channel, on the steps of `bits`; -6 dBFS.
func tone(_ format: TakeFormat, frames: Int, bits: Int = 16) -> [Float] {
  let full = Double(1 << (bits - 1))
  return (0..<frames * format.channelCount).map { index in
    let frequency = 440.0 * Double(index % format.channelCount + 1)
    let time = Double(index / format.channelCount) / Double(format.rate.hertz)
    return Float((0.5 * sin(2 * .pi * frequency * time) * full).rounded() / full)
  }
}

/// Hands interleaved samples to a take in blocks of changing length.
func feed(_ samples: [Float], to take: TakeFile, flushEvery: Int = 24_000) throws {
  let channels = take.format.channelCount
  let frames = samples.count / channels
  var done = 0
  var length = 1
  var flushed = 0
  while done < frames {
    let block = SampleBlock(channelCount: channels, capacity: 10_000)
    block.frameCount = min(length, frames - done)
    for channel in 0..<channels {
      for i in 0..<block.frameCount { block.plane(channel)[i] = samples[(done + i) * channels + channel] }
    }
    try take.write(block)
    done += block.frameCount
    length = length * 3 % 9973
    if done - flushed >= flushEvery {
      try take.flush()
      flushed = done
    }
  }
}

let takeTags = TakeTags(title: "Übung 1", date: "2026-11-30T18:20:05", device: "Built-in Microphone")
