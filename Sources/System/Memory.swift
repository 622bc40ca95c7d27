import CSystem

/// What the process keeps of the memory that it no longer needs.
package enum Memory {
  /// Keeps large pieces apart, so that each goes back to the system as soon as it is free; at the start of the process.
  ///
  /// Else the library raises the bound with every large piece that it sees, and the tables of long files tear holes.
  package static func keepLittle() {
    _ = mallopt(shim_M_MMAP_THRESHOLD, 1 << 20)
    _ = mallopt(shim_M_TRIM_THRESHOLD, 1 << 20)
  }

  /// Gives back what is free; any thread, some milliseconds.
  package static func giveBack() { _ = malloc_trim(0) }
}
