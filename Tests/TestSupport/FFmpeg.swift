import Foundation
package import Sound

/// The interleaved samples that ffmpeg, another program, finds in a file; none when it finds no sound.
package func decodedByFFmpeg(_ path: PathBytes) -> [Float] {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["ffmpeg", "-nostdin", "-v", "error", "-i", "file:" + path.shown, "-f", "f32le", "-"]
  let output = FileManager.default.temporaryDirectory.appendingPathComponent("out-\(UUID().uuidString)")
  try! Data().write(to: output)
  defer { try? FileManager.default.removeItem(at: output) }
  process.standardOutput = FileHandle(forWritingAtPath: output.path)
  process.standardInput = FileHandle.nullDevice
  try! process.run()
  process.waitUntilExit()
  let data = (try? Data(contentsOf: output)) ?? Data()
  return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
}
