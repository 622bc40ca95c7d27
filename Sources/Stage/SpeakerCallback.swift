import CSDL2
internal import Sound

/// What SDL calls on its own thread when the device wants sound; `context` is the feed.
func speakerCallback(_ context: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32) {
  renderSound(context, bytes, count)
}

/// Fills the device's buffer; takes no lock, allocates and retains nothing, which the compiler checks.
@_noLocks
private func renderSound(
  _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32
) {
  let entered = shim_callback_nanoseconds()
  guard let context, let bytes else { return }
  let feed = context.assumingMemoryBound(to: Feed.self)
  let samples = UnsafeMutableRawPointer(bytes).assumingMemoryBound(to: Float.self)
  let output = UnsafeMutableBufferPointer(start: samples, count: Int(count) / 4)
  feed.pointee.render(into: output, at: entered)
}
