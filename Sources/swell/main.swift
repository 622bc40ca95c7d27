import Glibc
import Sound
import Stage
import System

Trace.mark("main")
Memory.keepLittle()
do throws(ArgumentError) {
  switch try Request(Array(Arguments.all.dropFirst())) {
  case .help: Terminal.write(HelpText.usage)
  case .version: Terminal.write("swell \(HelpText.version)\n")
  case .info(let arguments): exit(InfoCommand.run(arguments: arguments))
  case .record(let arguments): exit(RecordCommand.run(arguments: arguments))
  case .window(let options):
    Locale.useUTF8()
    Signals.listen(wake: Window.wake)
    exit(Program(options).run())
  }
} catch {
  Terminal.write("\(error)\n", toErrors: true)
  exit(2)
}
