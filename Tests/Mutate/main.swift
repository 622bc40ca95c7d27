// Opens and decodes mutated files, or reads mutated state, one seed after the other, and says which seed it is at: so that
// whoever started it knows which one has crashed it, hung, or eaten the memory.
//
//   mutate make FOLDER                            what the program itself keeps: state, waveforms, notes, takes
//   mutate sound|kept FOLDER FIRST COUNT [STEP]   mutations of FOLDER's files, of the seeds FIRST, FIRST + STEP, …
//
// Prints each seed before it begins, and "done" at the end. A seed that takes longer than MUTATE_SECONDS (6) ends it by
// SIGALRM; one that needs MUTATE_MEGABYTES (400) more than the first ones, with status 3.

import Glibc
import Sound
import System
import TestSupport

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(2) }
let folder = PathBytes(arguments[2])

switch arguments[1] {
case "make": try KeptFiles.make(in: folder)
case "sound", "kept":
  guard arguments.count >= 5, let first = Int(arguments[3]), let count = Int(arguments[4]) else { exit(2) }
  let step = arguments.count > 5 ? Int(arguments[5]) ?? 1 : 1
  let scratch = try TemporaryFolder()
  let originals = try Originals(in: folder)
  var watch = Watch()
  for seed in stride(from: first, to: first + count * step, by: step) {
    watch.begin(seed)
    var noise = Noise(seed: UInt64(seed))
    let (name, bytes) = originals.mutated(with: &noise)
    if arguments[1] == "sound" {
      try MutatedSound.use(bytes, in: scratch, &noise)
    } else {
      try KeptFiles.use(bytes, of: name, in: scratch)
    }
    watch.end(seed)
  }
  // What is left of the scratch folder goes with it.
  withExtendedLifetime(scratch) {}
  Terminal.write("done\n")
default: exit(2)
}

/// Names the seed that hangs or eats the memory.
struct Watch {
  private static let seconds = Environment.variable("MUTATE_SECONDS").flatMap { UInt32($0.shown) } ?? 6
  private static let megabytes = Environment.variable("MUTATE_MEGABYTES").flatMap { Int($0.shown) } ?? 400
  private var base: Int?
  private var count = 0

  func begin(_ seed: Int) {
    Terminal.write("\(seed)\n")
    alarm(Self.seconds)
  }

  mutating func end(_ seed: Int) {
    alarm(0)
    count += 1
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    // The libraries and their tables have come by then.
    if count == 20 { base = usage.ru_maxrss }
    if let base, usage.ru_maxrss - base > Self.megabytes << 10 { exit(3) }
  }
}
