import Glibc
import Synchronization
import System

/// SIGTERM, SIGINT and SIGHUP end the program as its own Quit does; a closed terminal is no reason to stop playing.
enum Signals {
  private static let asked = Atomic<Bool>(false)

  static var wantsQuit: Bool { asked.load(ordering: .acquiring) }

  /// Starts listening, before any other thread is started; `wake` is called on the listening thread.
  ///
  /// The signals are blocked everywhere and waited for in one place, so that no call of any library is interrupted.
  static func listen(wake: @escaping @Sendable () -> Void) {
    signal(SIGPIPE, SIG_IGN)
    let set = endings
    var blocked = set
    pthread_sigmask(SIG_BLOCK, &blocked, nil)
    Thread(name: "signals") {
      var waited = set
      var caught: Int32 = 0
      while sigwait(&waited, &caught) == 0 {
        asked.store(true, ordering: .releasing)
        wake()
      }
    }.abandon()
  }

  private static var endings: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, signal) }
    return set
  }
}
