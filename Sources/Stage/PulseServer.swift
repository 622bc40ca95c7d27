import CSDL2
import Glibc

// SDL 2.26 copies the names of the default loudspeaker and microphone that PulseAudio tells, and crashes when there is none:
// a server without any device tells a null pointer, one that dies tells nothing. SDL asks through this function, and the
// program's own comes before libpulse's; it asks libpulse, and lets SDL hear of empty names instead.

/// What `pa_server_info` of libpulse begins with; its layout is part of that library's interface.
private struct ServerInfo {
  var texts: (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?)
  /// Format, rate, channels.
  var sampleSpec: (Int32, UInt32, UInt32)
  var defaultSink: UnsafePointer<CChar>?
  var defaultSource: UnsafePointer<CChar>?
}

private typealias Answer = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void
private typealias Question = @convention(c) (OpaquePointer?, Answer?, UnsafeMutableRawPointer?) -> OpaquePointer?

/// Who asked: what to call, and with what.
private struct Asker {
  var answer: Answer
  var data: UnsafeMutableRawPointer?
}

/// An empty text that stays.
nonisolated(unsafe) private let noName = UnsafePointer<CChar>(strdup(""))

private let libpulse: Question? = {
  let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT
  return dlsym(next, "pa_context_get_server_info").map { unsafeBitCast($0, to: Question.self) }
}()

/// libpulse's question, as SDL finds it.
///
/// SDL's threads. It is seen outside this room because the linker shows C libraries only what is.
@_cdecl("pa_context_get_server_info")
package func askPulseServer(
  _ context: OpaquePointer?,
  _ answer: (@convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void)?,
  _ data: UnsafeMutableRawPointer?
) -> OpaquePointer? {
  guard let libpulse, let answer else { return nil }
  let asker = UnsafeMutablePointer<Asker>.allocate(capacity: 1)
  asker.initialize(to: Asker(answer: answer, data: data))
  let operation = libpulse(context, hearPulseServer, asker)
  // Without an operation nobody answers.
  if operation == nil { asker.deallocate() }
  return operation
}

private func hearPulseServer(
  _ context: OpaquePointer?, _ info: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?
) {
  guard let data else { return }
  let pointer = data.assumingMemoryBound(to: Asker.self)
  let asker = pointer.move()
  pointer.deallocate()
  guard let info = info?.assumingMemoryBound(to: ServerInfo.self) else { return }
  if info.pointee.defaultSink == nil { info.pointee.defaultSink = noName }
  if info.pointee.defaultSource == nil { info.pointee.defaultSource = noName }
  asker.answer(context, info, asker.data)
}
