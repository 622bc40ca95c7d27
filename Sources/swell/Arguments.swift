import Control
import Glibc
import Sound

/// What the command line asks for.
enum Request: Equatable {
  case help
  case version
  /// `swell info`, with what comes after it.
  case info([PathBytes])
  /// `swell record`, with what comes after it.
  case record([PathBytes])
  case window(WindowOptions)
}

/// How the window and the first track begin.
struct WindowOptions: Equatable {
  var paths: [PathBytes] = []
  var startSeconds = 0.0
  /// How fast everything is played.
  var speed = Speed.normal
  /// How often the first track is played again; nil leaves it to the loop mode.
  var repeats: Int?
  var delaySeconds = 0.0
  /// How often the spectrum is analysed, in hertz.
  var analysisHertz = 60.0
  /// Device pixels for a logical pixel; nil is the display's own.
  var scale: Double?
}

/// Why a command line is not understood.
enum ArgumentError: Error, Equatable {
  case unknownOption(String, help: String = "swell --help")
  /// A word where only options can be.
  case unknownWord(String, help: String)
  case missingValue(option: String)
  case badValue(option: String, value: String, wants: String)
  /// Understood, but impossible; with the sentence that says why.
  case refused(String)
}

extension ArgumentError: CustomStringConvertible {
  var description: String {
    switch self {
    case .unknownOption(let option, let help): "There is no option “\(option)”; “\(help)” lists them."
    case .unknownWord(let word, let help): "“\(word)” is no option; “\(help)” lists them."
    case .missingValue(let option): "The option \(option) needs a value."
    case .badValue(let option, let value, let wants): "The option \(option) wants \(wants), not “\(value)”."
    case .refused(let reason): reason
    }
  }
}

extension Request {
  /// Reads the arguments after the program's name.
  init(_ arguments: [PathBytes]) throws(ArgumentError) {
    if arguments.first == PathBytes("info") {
      self = .info(Array(arguments.dropFirst()))
      return
    }
    if arguments.first == PathBytes("record") {
      self = .record(Array(arguments.dropFirst()))
      return
    }
    var options = WindowOptions()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let text = argument.shown
      if argument == PathBytes("--") {
        options.paths += rest
        break
      }
      guard text.hasPrefix("-"), text != "-" else {
        options.paths.append(argument)
        continue
      }
      if text == "--help" || text == "-h" {
        self = .help
        return
      }
      if text == "--version" {
        self = .version
        return
      }
      try options.take(text, &rest)
    }
    self = .window(options)
  }
}

extension WindowOptions {
  /// Takes one option and its value, which is the next argument or stands behind an equals sign.
  fileprivate mutating func take(_ text: String, _ rest: inout ArraySlice<PathBytes>) throws(ArgumentError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard ["--at", "--loops", "--speed", "--start-in", "--rate", "--scale"].contains(name) else {
      throw .unknownOption(name)
    }
    guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst()?.shown else {
      throw .missingValue(option: name)
    }
    func number(_ range: ClosedRange<Double>, _ wants: String) throws(ArgumentError) -> Double {
      guard let number = Double(value), range.contains(number) else {
        throw .badValue(option: name, value: value, wants: wants)
      }
      return number
    }
    switch name {
    case "--at":
      guard let seconds = TimeText.seconds(typed: value) else {
        throw .badValue(option: name, value: value, wants: "a time such as 83 or 1:23.4")
      }
      startSeconds = seconds
    case "--loops":
      guard let count = Int(value), (0...1_000_000).contains(count) else {
        throw .badValue(option: name, value: value, wants: "a whole number from 0 to 1000000")
      }
      repeats = count
    case "--speed": speed = Speed(clamping: try number(0.25...4, "a factor from 0.25 to 4"))
    case "--start-in": delaySeconds = try number(0...86_400, "seconds from 0 to 86400")
    case "--rate": analysisHertz = try number(1...240, "hertz from 1 to 240")
    default: scale = try number(0.5...4, "a factor from 0.5 to 4")
    }
  }
}

/// The command line as the kernel handed it over.
enum Arguments {
  /// Every argument as bytes, the program's name first.
  static var all: [PathBytes] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      CommandLine.unsafeArgv[index].map { pointer in
        PathBytes(bytes: Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))))
      }
    }
  }
}
