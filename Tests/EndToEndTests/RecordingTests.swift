import Foundation
import Testing

@Suite struct RecordingTests {
  /// So many kills for each format: two, and more when there is time.
  static let kills = ProcessInfo.processInfo.environment["SWELL_SOAK"] == nil ? 2 : 20
  static let endings = ["flac", "wav", "m4a", "opus"]

  @Test(arguments: endings, 0..<kills)
  func `what was recorded until a second before a kill is in a file that others open`(ending: String, seed: Int) throws
  {
    let run = RecordingRun("a.\(ending)", ["--bits", "16"])
    try #require(run.waitForFile(), "\(run.errors)")
    let started = Date()
    usleep(UInt32.random(in: 700_000...3_000_000))
    run.signal(SIGKILL)
    let seconds = Date().timeIntervalSince(started)
    _ = run.end()
    let found = RecordingRun.decoded(run.take)
    #expect(Double(found.count / 2) / 48_000 >= seconds - 1, "\(found.count / 2) frames in \(seconds) s")
    let isExact = ending == "flac" || ending == "wav"
    let isHeard = !isExact || RecordingRun.isHeard(found)
    #expect(isHeard)

    // The next start completes it, and says so.
    let next = RecordingRun("next.wav", ["--seconds", "0.1"], in: run.folder)
    #expect(next.end() == 0)
    #expect(next.notices.contains("The recording “a.\(ending)”, which was cut off, is whole again."))
    let whole = RecordingRun.decoded(run.take)
    #expect(abs(whole.count - found.count) <= 2 * 1024)
    let isSame = !isExact || whole == found
    #expect(isSame)
    let another = RecordingRun("other.wav", ["--seconds", "0.1"], in: run.folder)
    #expect(another.end() == 0)
    #expect(another.notices == [])
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a log-out, Ctrl+C and a closed terminal end the take properly`(number: Int32) throws {
    let run = RecordingRun("a.flac", ["--bits", "16"])
    try #require(run.waitForFile(bytes: 100_000), "\(run.errors)")
    run.signal(number)
    let asked = Date()
    #expect(run.end() == 0)
    #expect(Date().timeIntervalSince(asked) < 1.5)
    #expect(run.output == run.take.path + "\n")
    let found = RecordingRun.decoded(run.take)
    #expect(found.count > 24_000)
    let isHeard = RecordingRun.isHeard(found)
    #expect(isHeard)
    let notes = run.folder.appendingPathComponent("state/swell/takes").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: notes) == [])
  }

  @Test func `a take of so many seconds has so many, to the frame`() {
    let run = RecordingRun("a.wav", ["--bits", "16", "--seconds", "2.5"])
    #expect(run.end() == 0)
    let found = RecordingRun.decoded(run.take)
    #expect(found.count == 240_000)
    let isWhole = RecordingRun.isHeard(found)
    #expect(isWhole)
    #expect(run.notices == [])
  }

  @Test func `a disk that sleeps for ten seconds loses nothing`() {
    let faults = ["FAULT_BLOCK_AT": "200000", "FAULT_BLOCK_SECONDS": "10"]
    let run = RecordingRun("a.wav", ["--bits", "16", "--seconds", "14"], faults: faults)
    #expect(run.end() == 0)
    let found = RecordingRun.decoded(run.take)
    #expect(found.count == 14 * 96_000)
    let isWhole = RecordingRun.isHeard(found)
    #expect(isWhole)
    #expect(run.notices == [])
  }

  @Test(arguments: endings, [ENOSPC, EDQUOT, EIO])
  func `a disk that is full ends the take, tells, and leaves it whole`(ending: String, number: Int32) {
    let run = RecordingRun(
      "a.\(ending)", ["--bits", "16"], faults: ["FAULT_REFUSE_AT": "60000", "FAULT_ERRNO": "\(number)"])
    #expect(run.end() == 1)
    let notice = run.notices.first ?? ""
    let reason =
      [ENOSPC: "the disk is full", EDQUOT: "your quota of the disk is used up", EIO: "input/output error"][number]!
    #expect(notice.hasPrefix("The recording “a.\(ending)” had to end: \(reason)."), "\(run.errors)")
    let found = RecordingRun.decoded(run.take)
    #expect(found.count > 2000, "\(found.count)")
    let isHeard = (ending != "flac" && ending != "wav") || RecordingRun.isHeard(found)
    #expect(isHeard)
  }

  @Test(arguments: endings)
  func `a take that failed and cannot be looked at any more is kept all the same`(ending: String) {
    let faults = ["FAULT_REFUSE_AT": "60000", "FAULT_ERRNO": "\(EIO)", "FAULT_UNREADABLE": "/a.\(ending)"]
    let run = RecordingRun("a.\(ending)", ["--bits", "16"], faults: faults)
    #expect(run.end() == 1)
    #expect(run.notices.first?.contains("had to end: input/output error") == true, "\(run.errors)")
    #expect(RecordingRun.decoded(run.take).count > 2000)
  }

  @Test(arguments: endings, ["0", "600"])
  func `a disk without room for any sound leaves no file behind, and tells`(ending: String, room: String) {
    let faults = ["FAULT_REFUSE_AT": room, "FAULT_ERRNO": "\(ENOSPC)"]
    let run = RecordingRun("a.\(ending)", ["--bits", "16"], faults: faults)
    #expect(run.end() == 1)
    #expect(run.notices.count == 1 && run.notices[0].contains("the disk is full"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: run.take.path))
  }

  @Test func `the data are synced at least once a second`() throws {
    let folder = FileManager.default.temporaryDirectory
    let log = folder.appendingPathComponent("syncs-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: log) }
    let run = RecordingRun("a.flac", ["--seconds", "6"], faults: ["FAULT_SYNCS": log.path])
    #expect(run.end() == 0)
    let times = try String(contentsOf: log, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
    // The microphone is a little faster than time: six seconds of sound take five.
    #expect(times.count >= 6, "\(times)")
    for (earlier, later) in zip(times, times.dropFirst()) { #expect(later - earlier <= 1000, "\(times)") }
  }

  @Test func `a program that was stopped for three seconds tells so, and keeps the time`() throws {
    let run = RecordingRun("a.wav", ["--bits", "16", "--seconds", "8"])
    try #require(run.waitForFile(bytes: 200_000), "\(run.errors)")
    run.signal(SIGSTOP)
    usleep(3_000_000)
    run.signal(SIGCONT)
    #expect(run.end() == 0)
    #expect(run.notices.contains { $0.hasPrefix("Sound was lost on its way from the microphone") }, "\(run.errors)")
    let found = RecordingRun.decoded(run.take)
    #expect(found.count == 8 * 96_000)
    // About three seconds of silence in one piece.
    var longest = 0
    var length = 0
    for sample in found {
      length = sample == 0 ? length + 1 : 0
      longest = max(longest, length)
    }
    #expect((2.0...3.5).contains(Double(longest) / 96_000), "\(Double(longest) / 96_000)")
  }

  @Test func `a take whose folder is deleted is kept all the same`() throws {
    let run = RecordingRun("away/a.flac", ["--bits", "16"], names: true)
    // The folder is not there at first, so that it can be told.
    #expect(run.end() == 1)
    #expect(run.notices.first?.hasPrefix("Can’t record to") == true)

    let home = FileManager.default.temporaryDirectory.appendingPathComponent("swell-home-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    let second = RecordingRun("unused", ["--bits", "16"], names: false, in: home)
    let takes = home.appendingPathComponent("Music/Recordings")
    let deadline = Date() + 20
    func size() -> Int {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: takes.path)) ?? []
      return names.reduce(0) { sum, name in
        sum
          + ((try? FileManager.default.attributesOfItem(atPath: takes.appendingPathComponent(name).path))?[.size]
            as? Int ?? 0)
      }
    }
    while Date() < deadline, size() < 200_000 { usleep(5000) }
    try FileManager.default.removeItem(at: takes)
    while Date() < deadline, size() < 400_000 { usleep(5000) }
    second.signal(SIGTERM)
    #expect(second.end() == 0)
    #expect(second.notices.contains { $0.contains("was deleted or its disk taken away") }, "\(second.errors)")
    let path = second.output.trimmingCharacters(in: .newlines)
    let found = RecordingRun.decoded(URL(fileURLWithPath: path))
    #expect(found.count > 100_000)
    let isHeard = RecordingRun.isHeard(found)
    #expect(isHeard)
  }

  @Test func `two programs that begin at once write two takes`() {
    let home = FileManager.default.temporaryDirectory.appendingPathComponent("swell-home-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    let runs = (0..<3).map { _ in RecordingRun("unused", ["--seconds", "0.5"], names: false, in: home) }
    for run in runs { #expect(run.end() == 0, "\(run.errors)") }
    #expect(Set(runs.map(\.output)).count == 3)
    for run in runs {
      let path = run.output.trimmingCharacters(in: .newlines)
      #expect(RecordingRun.decoded(URL(fileURLWithPath: path)).count == 48_000)
    }
  }

  @Test func `a name that no recording can have is refused with its reason`() {
    let refusals = [
      ("-", "A recording needs a file"), ("", "The option -o needs the name of a file."),
      ("a.mp3", "There is no format for names in “.mp3”: use .flac, .wav, .m4a or .opus, or say --format."),
    ]
    for (name, reason) in refusals {
      let run = RecordingRun("unused", ["-o", name, "--seconds", "0.1"], names: false)
      #expect(run.end() == 2)
      #expect(run.notices.first?.contains(reason) == true, "\(run.errors)")
    }
    let run = RecordingRun("b.mp3", ["--format", "flac", "--bits", "16", "--seconds", "0.2"])
    #expect(run.end() == 0)
    let again = RecordingRun("unused", ["-o", run.take.path, "--format", "flac", "--seconds", "0.2"], names: false)
    #expect(again.end() == 1)
    #expect(
      again.notices == [
        "Can’t record to “b.mp3”: there is a file of this name, and none is written over. Choose another name."
      ])
    #expect(RecordingRun.decoded(run.take).count == 19_200)
  }
}
