import Foundation
import Media
import Sound
import Testing

@testable import Library
@testable import System

@Suite(.serialized) struct RecordingsTests {
  private let url = FileManager.default.temporaryDirectory.appendingPathComponent("recordings-\(UUID().uuidString)")
  private var folder: PathBytes { PathBytes(url.path) }
  private let time = LocalTime(year: 2026, month: 1, day: 3, hour: 4, minute: 5, second: 6)
  private let format = TakeFormat(coding: .flac, width: .int16, rate: SampleRate(hertz: 8000), channelCount: 1)
  private let tags = TakeTags(title: "t", date: "d", device: "m")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  private func take(_ path: PathBytes, frames: Int = 20_000, isWhole: Bool = true) throws {
    let file = try TakeFile(creating: path, format: format, tags: tags)
    let block = SampleBlock(channelCount: 1, capacity: frames)
    block.frameCount = frames
    try file.write(block)
    if isWhole { try file.finish() } else { try file.flush() }
  }

  private func names(_ folder: PathBytes) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.shown)) ?? []).sorted()
  }

  @Test func `takes are named by date and time, and none takes another's place`() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    let chosen = url.appendingPathComponent("new/folder")
    try FileManager.default.createDirectory(at: chosen, withIntermediateDirectories: true)
    let recordings = Recordings(folder: PathBytes(chosen.path))!
    for _ in 0..<3 {
      try recordings.create(at: time, fileExtension: "flac") { (path) throws(TakeError) in
        _ = try TakeFile(creating: path, format: format, tags: tags)
      }
    }
    #expect(
      names(recordings.folder) == [
        "2026-01-03 04.05.06 (2).flac", "2026-01-03 04.05.06 (3).flac", "2026-01-03 04.05.06.flac",
      ])
    #expect(try recordings.takes().count == 3)
  }

  @Test func `a chosen folder that is not there is not made, since its disk may be gone`() {
    defer { try? FileManager.default.removeItem(at: url) }
    let missing = folder.appending("stick")
    #expect {
      try Recordings(folder: missing)!.create(at: time, fileExtension: "flac") { (path) throws(TakeError) in
        _ = try TakeFile(creating: path, format: format, tags: tags)
      }
    } throws: { "\($0)".hasPrefix("Can’t record to “\(missing.shown)”: no such file or directory.") }
    #expect(names(folder) == [])
  }

  @Test func `a folder is looked at before takes are kept in it`() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    try Recordings.check(folder)
    let file = folder.appending("a.flac")
    try take(file)
    let refusals = [
      (folder.appending("none"), ENOENT), (file, ENOTDIR), (PathBytes("/proc/self"), EACCES),
    ]
    for (folder, code) in refusals where folder != PathBytes("/proc/self") || getuid() != 0 {
      #expect(throws: LibraryError.cannotRecordTo(folder, SystemError(code: code))) { try Recordings.check(folder) }
    }
  }

  @Test func `a folder that cannot be made is told by name`() {
    defer { try? FileManager.default.removeItem(at: url) }
    let recordings = Recordings(folder: PathBytes("/proc/nowhere/takes"))!
    #expect {
      try recordings.create(at: time, fileExtension: "wav") { (path) throws(TakeError) in
        _ = try TakeFile(creating: path, format: format, tags: tags)
      }
    } throws: { "\($0)".hasPrefix("Can’t record to “/proc/nowhere/takes”") }
  }

  @Test func `a take is renamed, keeps its ending, and never takes another's place`() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    let first = folder.appending("a.flac")
    try take(first)
    try take(folder.appending("b.flac"))
    #expect(throws: LibraryError.cannotRename(first, to: folder.appending("b.flac"), SystemError(code: EEXIST))) {
      try Recordings.rename(first, to: "b")
    }
    let renamed = try Recordings.rename(first, to: " Übung 2.flac ")
    #expect(renamed == folder.appending("Übung 2.flac"))
    #expect(names(folder) == ["b.flac", "Übung 2.flac"])
    for bad in ["", " ", "x/y", ".hidden", String(repeating: "x", count: 300)] {
      #expect(throws: LibraryError.badName(bad)) { try Recordings.rename(renamed, to: bad) }
    }
  }

  @Test func `the trash keeps the file and where it came from`() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    setenv("XDG_DATA_HOME", url.appendingPathComponent("data").path, 1)
    defer { unsetenv("XDG_DATA_HOME") }
    let path = folder.appending("50 % ü.flac")
    for _ in 0..<2 {
      try take(path)
      try Trash.put(path)
    }
    let trash = folder.appending("data/Trash")
    #expect(names(trash.appending("files")) == ["50 % ü.2.flac", "50 % ü.flac"])
    #expect(names(trash.appending("info")) == ["50 % ü.2.flac.trashinfo", "50 % ü.flac.trashinfo"])
    let note = try String(contentsOfFile: trash.appending("info/50 % ü.flac.trashinfo").shown, encoding: .utf8)
    let lines = note.split(separator: "\n")
    #expect(lines[0] == "[Trash Info]")
    #expect(lines[1] == "Path=\(url.path)/50%20%25%20%C3%BC.flac")
    #expect(lines[2].wholeMatch(of: /DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) != nil)
    #expect(names(folder) == ["data"])
    #expect(throws: LibraryError.self) { try Trash.put(path) }
  }

  @Test func `an unfinished take is completed once its owner is gone, and not before`() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    let journal = TakeJournal(folder: folder.appending("journal"))
    let path = folder.appending("a.flac")
    try take(path, isWhole: false)
    do {
      let note = try #require(journal.note(path))
      #expect(journal.recover() == [])
      #expect(names(folder.appending("journal")).count == 1)
      _ = note
    }
    let recovered = journal.recover()
    guard case .completed(let found, let mended)? = recovered.first else {
      Issue.record("\(recovered)")
      return
    }
    #expect(found == path && mended.rate.hertz == 8000)
    #expect(mended.length.rawValue > 18_000)
    #expect(names(folder.appending("journal")) == [])
    #expect(journal.recover() == [])
  }

  @Test func `a take that was deleted, or is none, is no longer waited for`() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    let journal = TakeJournal(folder: folder.appending("journal"))
    let path = folder.appending("a.flac")
    try Data("no take at all".utf8).write(to: url.appendingPathComponent("a.flac"))
    do { _ = journal.note(path) }
    #expect(journal.recover() == [.failed(.cannotComplete(path))])
    #expect(try Data(contentsOf: url.appendingPathComponent("a.flac")) == Data("no take at all".utf8))
    do { _ = journal.note(folder.appending("gone.flac")) }
    #expect(journal.recover() == [])
    #expect(names(folder.appending("journal")) == [])
    // But its whole disk may only be away.
    do { _ = journal.note(folder.appending("away/gone.flac")) }
    #expect(journal.recover() == [])
    #expect(names(folder.appending("journal")).count == 1)
  }
}
