import Media
import Sound
import System

/// `swell info [--json] FILE...`: what decoding the whole of each file shows.
enum InfoCommand {
  /// Runs with what follows `info` on the command line; gives the process's status.
  static func run(arguments: [PathBytes]) -> Int32 { 0 }
}
