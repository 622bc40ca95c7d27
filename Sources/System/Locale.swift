import Glibc

/// The encoding that C libraries take text to be in.
package enum Locale {
  /// Makes it UTF-8, whatever the environment says, for window titles and typed letters.
  ///
  /// Once, before other threads start. The other parts of the locale stay as they are in C: numbers keep their point.
  package static func useUTF8() {
    if setlocale(LC_CTYPE, ""), let name = nl_langinfo(Int32(CODESET)), strcmp(name, "UTF-8") == 0 { return }
    _ = setlocale(LC_CTYPE, "C.UTF-8")
  }

  private static func setlocale(_ category: Int32, _ name: String) -> Bool { Glibc.setlocale(category, name) != nil }
}
