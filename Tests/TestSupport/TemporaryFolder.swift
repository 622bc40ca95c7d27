import Foundation
package import Sound

/// A new, empty folder that goes, with all that is in it, when this object does.
package final class TemporaryFolder: Sendable {
  package let path: PathBytes

  package init() throws {
    var template = Array("\(NSTemporaryDirectory())/swell-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    path = PathBytes(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
  }

  deinit { try? FileManager.default.removeItem(atPath: path.shown) }

  package func appending(_ name: String) -> PathBytes { path.appending(name) }

  /// Writes a file of this name and returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: PathBytes) throws -> PathBytes {
    let file = path.appending(name)
    let stream = (file.bytes + [0]).withUnsafeBufferPointer {
      $0.withMemoryRebound(to: CChar.self) { fopen($0.baseAddress!, "wb") }
    }
    guard let stream else { throw CocoaError(.fileWriteUnknown) }
    defer { fclose(stream) }
    guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else { throw CocoaError(.fileWriteUnknown) }
    return file
  }

  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> PathBytes { try write(bytes, to: PathBytes(name)) }
}
