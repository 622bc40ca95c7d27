import Glibc
package import Sound

/// What the environment tells: variables, the program's own place, the folders of the XDG base directory specification.
package enum Environment {
  /// The bytes of a variable; nil when unset or empty.
  package static func variable(_ name: String) -> PathBytes? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return PathBytes(bytes: Array(UnsafeRawBufferPointer(start: value, count: strlen(value))))
  }

  /// The home folder, by HOME or the user database; nil when there is none.
  package static var home: PathBytes? {
    if let home = variable("HOME") { return home }
    guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return nil }
    return PathBytes(bytes: Array(UnsafeRawBufferPointer(start: folder, count: strlen(folder))))
  }

  /// One of the XDG base folders, with our own name added; nil without a home. (XDG Base Directory 0.8, section 3.)
  package enum Folder: String, Sendable {
    case config = "XDG_CONFIG_HOME"
    case cache = "XDG_CACHE_HOME"
    case state = "XDG_STATE_HOME"

    /// Where it lies for this run.
    package var path: PathBytes? { path(base: variable(rawValue), home: Environment.home) }

    /// Where it lies if its variable says `base`, which counts only from the root.
    package func path(base: PathBytes?, home: PathBytes?) -> PathBytes? {
      if let base, base.bytes.first == UInt8(ascii: "/") { return base.appending("swell") }
      let under =
        switch self {
        case .config: ".config"
        case .cache: ".cache"
        case .state: ".local/state"
        }
      return home.map { $0.appending(under).appending("swell") }
    }
  }

  /// Where this program's binary lies.
  package static var executable: PathBytes? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    return PathBytes(bytes: buffer[..<count].map { UInt8(bitPattern: $0) })
  }

  /// The folder of the program's own files: `../share/swell` beside an installed binary, or `Assets` of the build tree.
  package static var assets: PathBytes? {
    guard let executable else { return nil }
    let installed = executable.parent.parent.appending("share/swell")
    if (try? Files.status(of: installed))?.kind == .folder { return installed }
    var folder = executable.parent
    for _ in 0..<5 {
      let candidate = folder.appending("Assets")
      if (try? Files.status(of: candidate))?.kind == .folder { return candidate }
      folder = folder.parent
    }
    return nil
  }
}
