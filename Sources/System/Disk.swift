import Glibc
package import Sound

/// What the file systems have room for.
package enum Disk {
  /// The bytes that this user may still write where `path` lies, or would lie; nil when nobody can tell.
  ///
  /// Waits for the disk.
  package static func freeBytes(at path: PathBytes) -> Int64? {
    var place = path
    while true {
      var info = statvfs()
      if place.withCPath({ statvfs($0, &info) }) == 0 { return Int64(info.f_bavail) * Int64(info.f_frsize) }
      guard errno == ENOENT, place.parent != place, place.bytes.contains(UInt8(ascii: "/")) else { return nil }
      place = place.parent
    }
  }
}
