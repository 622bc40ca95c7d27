import Glibc

/// The X server's resources, where desktops keep the resolution for text.
///
/// SDL has libX11 loaded already and tells nothing of them, so three of its functions are looked up by name.
package enum XResources {
  private typealias Open = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
  private typealias Text = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
  private typealias Close = @convention(c) (OpaquePointer?) -> Int32

  /// Xft.dpi, in dots per inch; nil where it is not set.
  ///
  /// About 1 ms.
  static var fontResolution: Float? {
    guard let open = dlsym(nil, "XOpenDisplay"), let text = dlsym(nil, "XResourceManagerString"),
      let close = dlsym(nil, "XCloseDisplay"), let display = unsafeBitCast(open, to: Open.self)(nil)
    else { return nil }
    defer { _ = unsafeBitCast(close, to: Close.self)(display) }
    return unsafeBitCast(text, to: Text.self)(display).flatMap { resolution(in: String(cString: $0)) }
  }

  /// The value of the line "Xft.dpi:".
  package static func resolution(in resources: String) -> Float? {
    for line in resources.split(whereSeparator: \.isNewline) where line.hasPrefix("Xft.dpi:") {
      guard let value = Float(line.dropFirst(8).filter { !$0.isWhitespace }), 48...1000 ~= value else { return nil }
      return value
    }
    return nil
  }
}
