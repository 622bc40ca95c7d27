import Foundation
import Glibc
import Sound
import System

private let starting = NSLock()

/// Another program, started with bytes for arguments, whose words are caught and whose end is noticed.
///
/// Any thread may wait for it.
final class Child: @unchecked Sendable {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// How it ended: its status, or the signal that ended it.
  enum End: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
  }

  let pid: pid_t
  let name: String
  private let output = Monitor<[UInt8]>([])
  private let errors = Monitor<[UInt8]>([])
  private let end = Monitor<End?>(nil)
  /// While this end is open, so is the child's standard input.
  private var input: Int32

  /// Starts a program that is looked for in PATH.
  ///
  /// `environment` is all it gets. `listener`, where given, takes what it prints, on a thread of its own, instead of `output`.
  init(
    _ program: String, _ arguments: [PathBytes] = [], environment: [String: String], hasInput: Bool = false,
    listener: (@Sendable (UnsafeRawBufferPointer) -> Void)? = nil
  ) throws {
    name = program
    // No other child may be started between a pipe's making and its marking, or it would hold the pipe open.
    starting.lock()
    defer { starting.unlock() }
    let (stdin, stdout, stderr) = (try Pipe(), try Pipe(), try Pipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, stdin.reading, 0)
    posix_spawn_file_actions_adddup2(&actions, stdout.writing, 1)
    posix_spawn_file_actions_adddup2(&actions, stderr.writing, 2)
    // The tests' threads hold back signals; a child that inherited this could not be ended.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var argv = ([PathBytes(program)] + arguments).map { $0.withCPath { strdup($0) } } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var started: pid_t = 0
    let code = posix_spawnp(&started, program, &actions, &attributes, &argv, &envp)
    for descriptor in [stdin.reading, stdout.writing, stderr.writing] { close(descriptor) }
    input = stdin.writing
    pid = started
    if !hasInput || code != 0 { closeInput() }
    guard code == 0 else {
      close(stdout.reading)
      close(stderr.reading)
      throw Failure(description: "\(program) cannot be started: \(String(cString: strerror(code)))")
    }
    let (output, errors, end) = (output, errors, end)
    let outputThread = System.Thread(name: "child output") {
      Self.drain(stdout.reading) { bytes in
        if let listener { listener(bytes) } else { output.withLock { $0 += bytes } }
      }
    }
    let errorThread = System.Thread(name: "child errors") {
      Self.drain(stderr.reading) { bytes in errors.withLock { $0 += bytes } }
    }
    let pid = pid
    System.Thread(name: "child end") {
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      // The end is told when its last word has been read.
      outputThread.join()
      errorThread.join()
      let signal = status & 0x7f
      end.withLock { $0 = signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal) }
    }.abandon()
  }

  deinit {
    closeInput()
    if end.withLock({ $0 }) == nil { kill(pid, SIGKILL) }
  }

  private struct Pipe {
    let reading: Int32
    let writing: Int32
    init() throws {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw Failure(description: "There is no pipe left.") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (reading, writing) = (ends[0], ends[1])
    }
  }

  private static func drain(_ descriptor: Int32, _ body: (UnsafeRawBufferPointer) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    close(descriptor)
  }

  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// What it has printed until now.
  var printed: String { output.withLock { String(decoding: $0, as: UTF8.self) } }
  var printedBytes: [UInt8] { output.withLock { $0 } }
  /// What it has said to the error stream until now.
  var complaints: String { errors.withLock { String(decoding: $0, as: UTF8.self) } }
  var isRunning: Bool { end.withLock { $0 } == nil }

  func send(_ signal: Int32) { if isRunning { kill(pid, signal) } }

  /// How it ended; nil when it has not within `seconds`.
  func waitForEnd(atMost seconds: Double) -> End? { end.wait(atMost: seconds) { $0 } }

  /// Waits until it has printed this.
  func waitForOutput(_ text: String, atMost seconds: Double) -> Bool {
    output.wait(atMost: seconds) { String(decoding: $0, as: UTF8.self).contains(text) ? true : nil } ?? false
  }

  /// Runs a program to its end, which must come within `seconds`, and gives what it printed.
  ///
  /// A status other than 0 is thrown.
  @discardableResult
  static func run(
    _ program: String, _ arguments: [String], environment: [String: String], atMost seconds: Double = 20
  ) throws -> [UInt8] {
    let child = try Child(program, arguments.map { PathBytes($0) }, environment: environment)
    guard let end = child.waitForEnd(atMost: seconds) else {
      child.send(SIGKILL)
      throw Failure(description: "\(program) \(arguments) did not end within \(seconds) s")
    }
    guard end == .status(0) else {
      throw Failure(description: "\(program) \(arguments) ended with \(end): \(child.complaints)")
    }
    return child.printedBytes
  }
}
