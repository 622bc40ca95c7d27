import Glibc
import Sound

let arguments = (1..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }.map { argument in
  PathBytes(bytes: Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
}
guard arguments.first == PathBytes("info") else { exit(2) }
exit(InfoCommand.run(arguments: Array(arguments.dropFirst())))
