import Glibc
import Synchronization

// PulseAudio moves a recording on to another microphone when its own goes, or when somebody wishes so, and SDL tells nobody.
// The program's own function comes before libpulse's; it asks libpulse, and asks to be told of moves too.

/// How often the sound server has moved a recording to another microphone since the program began.
///
/// Stored by SDL's capture thread.
let pulseMoves = Atomic<Int>(0)

private typealias MoveNotice = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void
private typealias Connect =
  @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, UnsafeRawPointer?, UInt32) -> Int32
private typealias Listen = @convention(c) (OpaquePointer?, MoveNotice?, UnsafeMutableRawPointer?) -> Void

private let connect: Connect? = following("pa_stream_connect_record").map { unsafeBitCast($0, to: Connect.self) }
private let listen: Listen? = following("pa_stream_set_moved_callback").map { unsafeBitCast($0, to: Listen.self) }

/// The function of this name in the libraries after the program itself.
private func following(_ name: String) -> UnsafeMutableRawPointer? {
  dlsym(UnsafeMutableRawPointer(bitPattern: -1), name)  // RTLD_NEXT
}

/// libpulse's function, as SDL finds it.
///
/// SDL's threads. It is seen outside this room because the linker shows C libraries only what is.
@_cdecl("pa_stream_connect_record")
package func connectPulseRecord(
  _ stream: OpaquePointer?, _ device: UnsafePointer<CChar>?, _ attributes: UnsafeRawPointer?, _ flags: UInt32
) -> Int32 {
  // No context is what libpulse says when it cannot (pulse/def.h: -PA_ERR_INVALID).
  guard let connect else { return -3 }
  listen?(stream, { _, _ in pulseMoves.add(1, ordering: .relaxed) }, nil)
  return connect(stream, device, attributes, flags)
}
