import Control
import Glibc
import Library
import Session
import Sound
import Stage
import System

/// `swell record`: takes without a window.
enum RecordCommand {
  /// Runs with what follows `record` on the command line; gives the process's status.
  static func run(arguments: [PathBytes]) -> Int32 {
    do throws(ArgumentError) {
      let request = try RecordRequest(arguments)
      if request.wantsHelp {
        Terminal.write(RecordRequest.usage)
        return 0
      }
      // Before any other thread: Ctrl+C ends the take properly.
      Signals.listen(wake: {})
      return request.wantsList ? list() : RecordRun(request).run()
    } catch {
      Terminal.write("\(error)\n", toErrors: true)
      return 2
    }
  }

  private static func list() -> Int32 {
    let microphone = Microphone(intake: IntakePointer(Intake.make(capacity: 1024)), bell: {})
    microphone.waitForNames(atMost: 3)
    let names = microphone.state.names
    for name in names { Terminal.write(name + "\n") }
    if names.isEmpty { Terminal.write("There is no microphone.\n", toErrors: true) }
    _ = microphone.end()
    return names.isEmpty ? 1 : 0
  }
}

/// What `swell record` is asked for.
struct RecordRequest: Equatable {
  var wantsHelp = false
  var wantsList = false
  var file: PathBytes?
  var options = RecorderOptions()

  static let usage = """
    usage: swell record [options]

      -o FILE            write to this file, which must not exist (else to the folder of recordings)
      --seconds N        stop after N seconds (else at Ctrl+C)
      --device NAME      record from this microphone
      --list             name the microphones there are
      --format FORMAT    flac, wav, aac or opus (by FILE's ending, else flac)
      --rate HZ          record at this rate (else at the microphone's)
      --channels WHICH   1 or mono, 2 or stereo, left, right (stereo)
      --bits N           16, 24, or 32 for float in WAV (24)
      --buffer MS        how much the microphone hands over at once (20)

    """

  init(_ arguments: [PathBytes]) throws(ArgumentError) {
    // There is no view of the microphone beforehand, and what was asked for is the sound from now on.
    // Longer than it takes to notice that the microphone is open: a take begins with the first sound there is.
    options.preRollSeconds = 1
    var format: TakeCoding?
    var buffer: Int?
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let text = argument.shown
      if text == "--help" || text == "-h" {
        wantsHelp = true
        return
      }
      if text == "--list" {
        wantsList = true
        continue
      }
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts.first.map(String.init) ?? text
      guard Self.names.contains(name) else {
        let help = "swell record --help"
        throw text.hasPrefix("-") ? .unknownOption(name, help: help) : .unknownWord(text, help: help)
      }
      let inline = argument.bytes.dropFirst(name.utf8.count + 1)
      let bytes = parts.count == 2 ? PathBytes(bytes: Array(inline)) : rest.popFirst()
      guard let bytes else { throw .missingValue(option: name) }
      switch name {
      case "-o": file = bytes
      case "--format": format = try Self.coding(bytes.shown)
      case "--buffer": buffer = try Self.number(name, bytes.shown, 1...60_000, "milliseconds")
      default: try take(name, bytes.shown)
      }
    }
    if let file {
      try Self.check(file)
      if let format {
        try Self.check(file, isOf: format)
      } else {
        format = try Self.coding(of: file)
      }
    }
    options.coding = format ?? .flac
    if let buffer {
      if let refusal = options.refusal(ofBuffer: buffer) { throw .refused(refusal) }
      options.bufferMilliseconds = buffer
    }
    guard options.coding.widths.isEmpty || options.coding.widths.contains(options.width) else {
      throw .refused("\(options.coding.rawValue.uppercased()) has no samples of \(options.width.bits) bits.")
    }
  }

  private static let names = [
    "-o", "--format", "--buffer", "--seconds", "--device", "--rate", "--channels", "--bits",
  ]

  private mutating func take(_ name: String, _ value: String) throws(ArgumentError) {
    switch name {
    case "--seconds":
      guard let seconds = Double(value), seconds > 0, seconds < 1e7 else {
        throw .badValue(option: name, value: value, wants: "seconds above 0")
      }
      options.timer.stopAfterSeconds = seconds
    case "--device": options.device = value
    case "--rate":
      options.rate = SampleRate(hertz: try Self.number(name, value, 1000...384_000, "hertz from 1000 to 384000"))
    case "--channels":
      guard let channels = ["1": .mono, "2": .stereo][value] ?? ChannelChoice(rawValue: value) else {
        throw .badValue(option: name, value: value, wants: "1, 2, mono, stereo, left or right")
      }
      options.channels = channels
    default:
      guard let width = SampleWidth.allCases.first(where: { "\($0.bits)" == value }) else {
        throw .badValue(option: name, value: value, wants: "16, 24 or 32")
      }
      options.width = width
    }
  }

  /// Refuses what is no name of a file.
  private static func check(_ file: PathBytes) throws(ArgumentError) {
    if file.bytes.isEmpty { throw .refused("The option -o needs the name of a file.") }
    if file == PathBytes("-") {
      throw .refused("A recording needs a file: it is written in more than one place. (“-o ./-” makes one named “-”.)")
    }
  }

  /// Refuses a name that ends as files of another format do.
  private static func check(_ file: PathBytes, isOf format: TakeCoding) throws(ArgumentError) {
    guard let other = (try? coding(of: file)) ?? nil, other != format else { return }
    throw .refused(
      "“\(file.lastComponent.shown)” ends as \(other.rawValue.uppercased()) does, but --format says "
        + "\(format.rawValue): leave one of them out, or make them agree.")
  }

  /// By the ending of the name; nil for a name without one.
  private static func coding(of file: PathBytes) throws(ArgumentError) -> TakeCoding? {
    let name = file.lastComponent.shown.lowercased()
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let ending = String(name[name.index(after: dot)...])
    if let coding = TakeCoding.allCases.first(where: { $0.fileExtension == ending }) { return coding }
    throw .refused("There is no format for names in “.\(ending)”: use .flac, .wav, .m4a or .opus, or say --format.")
  }

  private static func coding(_ value: String) throws(ArgumentError) -> TakeCoding {
    guard let coding = value == "m4a" ? .aac : TakeCoding(rawValue: value) else {
      throw .badValue(option: "--format", value: value, wants: "flac, wav, aac or opus")
    }
    return coding
  }

  private static func number(
    _ name: String, _ value: String, _ range: ClosedRange<Int>, _ wants: String
  ) throws(ArgumentError) -> Int {
    guard let number = Int(value), range.contains(number) else {
      throw .badValue(option: name, value: value, wants: wants)
    }
    return number
  }
}

/// One take without a window, from the microphone to its file.
final class RecordRun {
  /// How often the crank is turned, in seconds.
  private static let turnSeconds = 0.05
  private let intake = IntakePointer(Intake.make())
  private let microphone: Microphone
  private let recorder: Recorder
  private let showsProgress = isatty(STDERR_FILENO) == 1
  private var result: (take: TakeSummary?, successfully: Bool)?
  private var line = ""
  private var hasBegun = false
  private let request: RecordRequest

  init(_ request: RecordRequest) {
    self.request = request
    microphone = Microphone(intake: intake, bell: {})
    var options = request.options
    options.folder = StateStore.peek().recording.folder
    recorder = Recorder(intake: intake, options: options, file: request.file.map(Files.absolute))
  }

  func run() -> Int32 {
    if let wanted = request.options.device {
      microphone.waitForNames(atMost: 3)
      guard microphone.state.names.contains(wanted) else {
        Terminal.write(
          "There is no microphone “\(wanted)”; “swell record --list” names those there are.\n", toErrors: true)
        end()
        return 1
      }
    }
    recorder.obey(.arm)
    while result == nil {
      begin()
      if Signals.wantsQuit { stop() }
      turn()
      if result == nil { usleep(UInt32(Self.turnSeconds * 1e6)) }
    }
    turn()
    show("")
    end()
    guard let result, let take = result.take else { return 1 }
    // What was asked for from a script can be told to it: where the take is.
    Terminal.write("\(take.path.shown)\n")
    return result.successfully ? 0 : 1
  }

  /// Begins the take once the microphone is open: by then its name is known, and what it heard so far is kept.
  private func begin() {
    guard !hasBegun, microphone.state.status == .open else {
      // Its reason has been told, or is just being.
      if !hasBegun, microphone.state.status == .lost { result = (nil, false) }
      return
    }
    hasBegun = true
    recorder.obey(.start)
  }

  private func stop() {
    if hasBegun { recorder.obey(.stop) } else { result = (nil, false) }
  }

  private func turn() {
    Microphone.pollChanges().forEach(microphone.handle)
    recorder.update(at: Clock.nanoseconds(), input: microphone.state)
    microphone.follow(recorder.wantedInput)
    for event in recorder.takeEvents() {
      if case .finished(let take, let successfully) = event { result = (take, successfully) }
    }
    let seen = recorder.snapshot
    for notice in recorder.takeNotices() {
      show("")
      Terminal.write(notice.text + "\n", toErrors: true)
    }
    if showsProgress, result == nil { show(progress(seen)) }
  }

  private func end() {
    let isWhole = recorder.finish()
    if !isWhole {
      Terminal.write("The disk does not answer; the recording is completed at the next start.\n", toErrors: true)
    }
    _ = microphone.end()
    // The intake stays: a hanging sound system may still write to it, and the process ends now.
  }

  /// Puts a line in the place of the one before.
  private func show(_ text: String) {
    guard showsProgress, text != line else { return }
    line = text
    Terminal.write("\r\u{1B}[K" + text, toErrors: true)
  }

  private func progress(_ seen: RecordingSnapshot) -> String {
    guard let format = seen.format else { return "Opening the microphone …" }
    let tenths = Int(format.rate.seconds(of: seen.elapsed) * 10)
    let seconds = tenths / 10 % 60
    let time = "\(tenths / 600):\(seconds < 10 ? "0" : "")\(seconds).\(tenths % 10)"
    let size = "\(seen.fileBytes / 1_000_000).\(seen.fileBytes / 100_000 % 10) MB"
    let level = seen.meters.map(\.peak).max() ?? -.infinity
    let shown = level.isFinite ? "\(Int(level.rounded())) dB" : "silence"
    var parts = [time, size, shown]
    if seen.overs > 0 { parts.append("\(seen.overs) over") }
    if seen.dropouts > 0 { parts.append("\(seen.dropouts) dropouts") }
    if let left = seen.diskSeconds { parts.append("\(Int(left / 3600)) h \(Int(left / 60) % 60) min left") }
    return (seen.isInterrupted ? "Interrupted · " : "") + parts.joined(separator: " · ")
  }
}
