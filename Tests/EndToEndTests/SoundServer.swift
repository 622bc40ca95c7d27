import Foundation
import Glibc
import Sound
import System
import TestSupport
import Testing

/// A sound server of a test's own, which may be held, killed, and started anew in the same place.
final class SoundServer {
  enum Kind: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case pulseAudio
    /// PipeWire with its own door for PulseAudio's programs.
    case pipeWirePulse
    /// PipeWire itself.
    case pipeWire
    var testDescription: String { rawValue }
  }

  let kind: Kind
  /// For the programs that are to use it.
  let environment: [String: String]
  private let folder: TemporaryFolder
  private let tools: [String: String]
  private var servers: [Child] = []
  private var silence: Child?

  /// Starts nothing yet.
  init(_ kind: Kind, at desk: Desk) throws {
    self.kind = kind
    folder = try TemporaryFolder()
    let path = folder.path.shown
    _ = folder.path.withCString { chmod($0, 0o700) }
    _ = folder.appending("pulse").withCString { mkdir($0, 0o700) }
    environment = [
      "XDG_RUNTIME_DIR": path, "PULSE_SERVER": "unix:\(path)/pulse/native", "PULSE_RUNTIME_PATH": path + "/pulse",
      "PULSE_STATE_PATH": path + "/state", "PIPEWIRE_RUNTIME_DIR": path,
      "SDL_AUDIODRIVER": kind == .pipeWire ? "pipewire" : "pulseaudio",
    ]
    var own = ["HOME": path, "XDG_CONFIG_HOME": path + "/config", "XDG_STATE_HOME": path + "/state"]
    // PulseAudio ends where another has taken its name on the bus, as the desk's has.
    if kind == .pulseAudio { own["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent" }
    tools = desk.environment.merging(environment) { $1 }.merging(own) { $1 }
  }

  deinit { (servers + [silence].compactMap(\.self)).forEach { $0.send(SIGKILL) } }

  /// Starts PulseAudio with these loudspeakers, and does not wait for it.
  func launch(_ loudspeakers: String...) throws { try launch(loudspeakers) }

  private func launch(_ loudspeakers: [String]) throws {
    let socket = "module-native-protocol-unix auth-anonymous=1 socket=\(folder.path.shown)/pulse/native"
    let sinks = loudspeakers.flatMap { ["-L", Self.sink($0)] }
    servers = [
      try serve(
        "pulseaudio", "-n", "-L", socket, "--exit-idle-time=-1", "--daemonize=no", "--use-pid-file=no",
        "--disable-shm=yes", "--realtime=no", "--high-priority=no", more: sinks)
    ]
  }

  /// Starts it, with these loudspeakers, of which the first is the default, and waits until it answers.
  func start(_ loudspeakers: String...) throws {
    switch kind {
    case .pulseAudio:
      try launch(loudspeakers)
      try waitForAnswer()
    case .pipeWire, .pipeWirePulse:
      servers = [try serve("pipewire")]
      try eventually("PipeWire's socket") {
        FileManager.default.fileExists(atPath: folder.path.shown + "/pipewire-0") ? () : nil
      }
      servers += [try serve("wireplumber"), try serve("pipewire-pulse")]
      try waitForAnswer()
      for name in loudspeakers { try add(name) }
      if let first = loudspeakers.first {
        // Its manager of devices comes up later than itself.
        try eventually("a default loudspeaker") { (try? control("set-default-sink", first)) != nil ? () : nil }
      }
    }
    if let first = loudspeakers.first { try keepAwake(first) }
  }

  /// A loudspeaker that nobody uses wakes up two seconds late.
  private func keepAwake(_ loudspeaker: String) throws {
    let format = ["--latency-msec=10", "--rate=48000", "--channels=2", "--format=float32le", "/dev/zero"]
    silence = try Child("pacat", (["--device=\(loudspeaker)"] + format).map { PathBytes($0) }, environment: tools)
    try eventually("a loudspeaker that is awake", atMost: 20) {
      String(decoding: try control("list", "short", "sinks"), as: UTF8.self).contains("RUNNING") ? () : nil
    }
  }

  private static func sink(_ name: String) -> String {
    "module-null-sink sink_name=\(name) rate=48000 channels=2 format=float32le"
  }

  private func serve(_ program: String, _ arguments: String..., more: [String] = []) throws -> Child {
    try Child(program, (arguments + more).map { PathBytes($0) }, environment: tools)
  }

  private func waitForAnswer() throws {
    try eventually("an answer of the sound server", atMost: 20) { (try? control("info")) != nil ? () : nil }
  }

  /// Asks it for something, as `pactl` does.
  @discardableResult
  func control(_ words: String...) throws -> [UInt8] {
    try Child.run("pactl", words, environment: tools, atMost: 10)
  }

  /// Plugs a loudspeaker in.
  func add(_ loudspeaker: String) throws {
    try control("load-module", "module-null-sink", "sink_name=\(loudspeaker)", "rate=48000", "channels=2")
  }

  /// Pulls a loudspeaker out.
  func remove(_ loudspeaker: String) throws {
    let modules = String(decoding: try control("list", "short", "modules"), as: UTF8.self).split(separator: "\n")
    for line in modules where line.contains("sink_name=\(loudspeaker) ") || line.hasSuffix("sink_name=\(loudspeaker)") {
      try control("unload-module", String(line.prefix { $0 != "\t" }))
    }
  }

  /// Sends all its processes a signal.
  func send(_ signal: Int32) { servers.forEach { $0.send(signal) } }

  /// Ends it as a crash does.
  func kill() {
    send(SIGKILL)
    servers.forEach { _ = $0.waitForEnd(atMost: 10) }
    silence?.send(SIGKILL)
    servers = []
  }

  /// An ear at a loudspeaker; whoever has it ends it.
  func ear(at loudspeaker: String = "out") throws -> Ear { try Ear(environment: tools, loudspeaker: loudspeaker) }
}
