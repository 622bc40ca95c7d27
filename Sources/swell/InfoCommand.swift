import FoundationEssentials
import Media
import Sound
import System

/// `swell info [--json] FILE...`: what decoding the whole of each file shows.
enum InfoCommand {
  /// Runs with what follows `info` on the command line; gives the process's status.
  static func run(arguments: [PathBytes]) -> Int32 {
    var wantsJSON = false
    var files: [PathBytes] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == PathBytes("--json") {
        wantsJSON = true
      } else if argument == PathBytes("--") {
        files += rest
        break
      } else if argument.bytes.count > 1, argument.bytes.first == UInt8(ascii: "-") {
        return refuse("There is no option “\(argument.shown)”.")
      } else {
        files.append(argument)
      }
    }
    guard !files.isEmpty else { return refuse("No file is given.") }
    let reports = files.map(FileReport.init(decoding:))
    guard Terminal.write(wantsJSON ? json(reports) + "\n" : reports.map(\.text).joined(separator: "\n")) else {
      Terminal.write("swell info: what was found out could not be written.\n", toErrors: true)
      return 1
    }
    return reports.allSatisfy(\.plays) ? 0 : 1
  }

  private static func refuse(_ reason: String) -> Int32 {
    Terminal.write("swell info: \(reason) “swell --help” tells how it is used.\n", toErrors: true)
    return 2
  }

  private static func json(_ reports: [FileReport]) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes, .sortedKeys]
    let data = (try? encoder.encode(reports)) ?? Data("[]".utf8)
    return String(decoding: data, as: UTF8.self)
  }
}
