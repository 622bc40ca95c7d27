import Glibc
import Testing

@testable import System

struct TerminalTests {
  @Test func `all of a text arrives through a pipe that does not wait, however slow its reader`() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (output, input) = (ends[0], ends[1])
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
    let text = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let received = Monitor<[UInt8]>([])
    let reader = Thread(name: "reader") {
      var chunk = [UInt8](repeating: 0, count: 5000)
      while true {
        let count = Glibc.read(output, &chunk, chunk.count)
        if count <= 0 { break }
        received.withLock { $0 += chunk[..<count] }
      }
    }
    Terminal.write(text, to: input)
    close(input)
    reader.join()
    close(output)
    #expect(received.withLock { $0 } == text)
  }

  @Test func `what cannot be written is given up`() {
    Terminal.write([1, 2, 3], to: -1)
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    Terminal.write([1, 2, 3], to: full)
    close(full)
  }
}
