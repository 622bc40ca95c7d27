import CSystem
import Glibc

/// The processor cores of the machine.
package enum Processors {
  /// How many this process may use; at least 1.
  ///
  /// Those that it was not kept from by taskset or a container, which the mere number of cores does not tell.
  package static var count: Int {
    // A bit for each of 8192 cores, more than the kernel knows of.
    var mask = [UInt64](repeating: 0, count: 128)
    guard sched_getaffinity(0, mask.count * 8, &mask) >= 0 else { return 1 }
    return max(mask.reduce(0) { $0 + $1.nonzeroBitCount }, 1)
  }

  /// True when of late there was about as much to do as they can.
  package static var areBusy: Bool {
    var load = 0.0
    return getloadavg(&load, 1) == 1 && load > 0.8 * Double(count)
  }
}
