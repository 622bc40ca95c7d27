import Glibc

/// The terminal, or whatever the three standard streams are joined to.
package enum Terminal {
  package static func write(_ text: String, toErrors: Bool = false) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.write(toErrors ? STDERR_FILENO : STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { return }
    }
  }
}
