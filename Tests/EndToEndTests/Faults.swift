import Foundation

/// The disk that misbehaves: `faults.c`, compiled once.
enum Faults {
  static let library: String = {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("faults.c")
    let library = FileManager.default.temporaryDirectory.appendingPathComponent("swell-faults-\(getpid()).so")
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["cc", "-O1", "-shared", "-fPIC", "-o", library.path, source.path, "-ldl"]
    try! compiler.run()
    compiler.waitUntilExit()
    precondition(compiler.terminationStatus == 0, "cc cannot compile faults.c")
    return library.path
  }()
}
