import Glibc

/// The terminal, or whatever the three standard streams are joined to.
package enum Terminal {
  /// Writes all of a text, waiting as long as its reader wants; what cannot be written is given up,
  /// and false is returned.
  @discardableResult
  package static func write(_ text: String, toErrors: Bool = false) -> Bool {
    write(Array(text.utf8), to: toErrors ? STDERR_FILENO : STDOUT_FILENO)
  }

  @discardableResult
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, bytes.count - done) }
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        // Whoever shares the stream with us made it one that does not wait.
        var wish = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&wish, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
