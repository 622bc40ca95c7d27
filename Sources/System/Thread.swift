import CSystem
import Glibc
import Synchronization

/// A named thread of the kernel's that runs one function to its end and is joined.
///
/// The body must watch whatever tells it to stop: nothing here interrupts it.
package final class Thread: @unchecked Sendable {
  private var handle: pthread_t = 0
  private let joined = Atomic<Bool>(false)

  private final class Start: @unchecked Sendable {
    let name: String
    let niceness: Int32
    let body: @Sendable () -> Void
    init(name: String, niceness: Int32, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.niceness = niceness
      self.body = body
    }
  }

  /// Starts `body` on a thread of this name (15 bytes are shown); `niceness` above 0 lowers its priority.
  package init(name: String, niceness: Int32 = 0, body: @escaping @Sendable () -> Void) {
    let start = Unmanaged.passRetained(Start(name: name, niceness: niceness, body: body))
    let status = pthread_create(&handle, nil, runThread, start.toOpaque())
    precondition(status == 0, "the kernel has no thread left")
  }

  /// Waits for the body's end.
  ///
  /// Once, from one thread.
  package func join() {
    guard !joined.exchange(true, ordering: .relaxed) else { return }
    pthread_join(handle, nil)
  }

  /// Lets the thread go its own way: it is not waited for when the program ends.
  package func abandon() {
    guard !joined.exchange(true, ordering: .relaxed) else { return }
    pthread_detach(handle)
  }

  /// How long the processor has worked for it; 0 once it has ended.
  ///
  /// Before `join` and `abandon`, from one thread.
  package var workSeconds: Double {
    var clock = clockid_t()
    var time = timespec()
    guard pthread_getcpuclockid(handle, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Lets it run only where no other thread wants the processor.
  ///
  /// Before `join` and `abandon`, from one thread.
  package func makeIdle() {
    var parameters = sched_param()
    pthread_setschedparam(handle, shim_SCHED_IDLE, &parameters)
  }

  /// A thread that nobody holds any more is let go, so that the kernel frees it at its end.
  deinit { abandon() }

  fileprivate static func run(_ argument: UnsafeMutableRawPointer) {
    let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
    _ = String(decoding: start.name.utf8.prefix(15), as: UTF8.self).withCString {
      pthread_setname_np(pthread_self(), $0)
    }
    if start.niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(gettid()), start.niceness) }
    start.body()
  }
}

/// A free function, since a closure made elsewhere might be bound to the main actor and trap on another thread.
private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  Thread.run(argument!)
  return nil
}
