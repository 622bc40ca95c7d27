internal import Control
internal import Library
internal import Media
internal import Sound
import Synchronization
internal import System

/// Writes takes: codes what the drain has queued, and sees it to the disk at least once a second.
///
/// The thread `write` and what others may know of it. Only this thread waits for the disk.
final class TakeWriter: Sendable {
  enum Report: Sendable {
    case began(number: Int, PathBytes)
    /// The take is closed; `problem` is the sentence when it had to be ended early.
    case finished(number: Int, TakeSummary?, problem: String?)
    /// Something to tell while the take goes on.
    case warned(String)
    case recovered(TakeSummary)
    case notRecovered(String)
    case renamed(PathBytes, PathBytes)
    case trashed(PathBytes)
    case refused(String)
    /// Takes cannot be kept in this folder.
    case folderRefused(PathBytes, String)
  }

  /// How it stands, for the eye.
  struct Progress: Hashable, Sendable {
    var path: PathBytes?
    var bytes: Int64 = 0
    /// What of the take is in the file, in frames of the sound.
    var frames = FrameCount.zero
    var freeBytes: Int64?
    /// How often the data were synced.
    var syncs = 0
  }

  let queue = TakeQueue()
  let reports: Inbox<Report>
  private let progress = Mutex(Progress())
  private let hasEnded = Monitor(false)

  init(reports: Inbox<Report>, journal: TakeJournal) {
    self.reports = reports
    let thread = Thread(name: "write") { [self] in
      var desk = WriterDesk(writer: self, journal: journal)
      desk.run()
      hasEnded.withLock { $0 = true }
    }
    // Waited for in `stop`, by its own sign: a join would hang with a dead disk.
    thread.abandon()
  }

  var current: Progress { progress.withLock { $0 } }

  fileprivate func note(_ change: (inout Progress) -> Void) { progress.withLock { change(&$0) } }

  /// Writes what waits and ends; false when the disk does not answer in `seconds`.
  func stop(patience seconds: Double) -> Bool {
    queue.close()
    return hasEnded.wait(atMost: seconds) { $0 ? true : nil } ?? false
  }
}

/// What lies before the writer's thread.
private struct WriterDesk {
  /// Data go to the disk this often: half of what may be lost.
  static let syncSeconds = 0.5
  static let freeSpaceSeconds = 2.0
  /// With less room than this the user is warned.
  static let lowSeconds = 300.0

  let writer: TakeWriter
  let journal: TakeJournal
  var open: OpenTake?
  var watched: PathBytes?
  var lastSync = 0.0
  var lastLook = -Double.infinity

  /// A take whose file is open.
  struct OpenTake {
    let order: TakeOrder
    let file: TakeFile
    let note: TakeJournal.Note?
    var path: PathBytes
    let zeros: SampleBlock
    var hasWarned = false
  }

  init(writer: TakeWriter, journal: TakeJournal) {
    self.writer = writer
    self.journal = journal
  }

  mutating func run() {
    while let items = writer.queue.take(atMost: open == nil ? .infinity : TakeQueue.batchSeconds * 1.2) {
      for item in items { attempt { (desk) throws(TakeError) in try desk.handle(item) } }
      attempt { (desk) throws(TakeError) in try desk.settle() }
      lookAtDisk()
    }
    attempt { (desk) throws(TakeError) in try desk.end() }
  }

  /// A take that fails ends with what is in its file; what comes behind it is done all the same, but for its sound.
  private mutating func attempt(_ work: (inout WriterDesk) throws(TakeError) -> Void) {
    do { try work(&self) } catch {
      guard let take = open else { return }
      fail(take, error)
    }
  }

  private mutating func handle(_ item: TakeQueue.Item) throws(TakeError) {
    switch item {
    case .begin(let order, let format): begin(order, format)
    case .block(let block): try open?.file.write(block)
    case .silence(let frames): try writeSilence(frames)
    case .end: try end()
    case .rename(let take, let name):
      do {
        let renamed = try Recordings.rename(take, to: name)
        // A file that does not take it keeps its old title, which is no loss.
        try? TakeTitle.set(renamed.shownStem, in: renamed)
        writer.reports.send(.renamed(take, renamed))
      } catch { writer.reports.send(.refused("\(error)")) }
    case .trash(let take):
      do {
        try Trash.put(take)
        writer.reports.send(.trashed(take))
      } catch { writer.reports.send(.refused("\(error)")) }
    case .watch(let place):
      watched = place
      lastLook = -.infinity
    case .check(let folder):
      do { try Recordings.check(folder) } catch { writer.reports.send(.folderRefused(folder, "\(error)")) }
    case .recover: recover()
    }
  }

  // MARK: one take

  private mutating func begin(_ order: TakeOrder, _ format: TakeFormat) {
    let make: (PathBytes) throws(TakeError) -> (TakeFile, PathBytes) = { (path) throws(TakeError) in
      let tags = TakeTags(
        title: path.shownStem, date: order.time.date + "T" + order.time.time(), device: order.device)
      return (try TakeFile(creating: path, format: format, tags: tags), path)
    }
    do throws(TakeError) {
      let file: TakeFile
      let path: PathBytes
      switch order.place {
      case .file(let place): (file, path) = try make(place)
      case .recordings(let recordings):
        let made = try recordings.createSomewhere(
          at: order.time, fileExtension: format.coding.fileExtension, make: make)
        (file, path) = made.take
        if let refused = made.refused {
          writer.reports.send(.warned("\(refused) This one goes to “\(path.parent.shown)”."))
        }
      }
      open = OpenTake(
        order: order, file: file, note: journal.note(path), path: path,
        zeros: SampleBlock(channelCount: format.channelCount, capacity: 8192))
      watched = path
      lastSync = 0
      writer.note {
        $0.path = path
        $0.bytes = file.bytes
        $0.frames = .zero
      }
      writer.reports.send(.began(number: order.number, path))
    } catch {
      writer.reports.send(.finished(number: order.number, nil, problem: "\(error)"))
    }
  }

  private mutating func writeSilence(_ frames: Int) throws(TakeError) {
    guard let open else { return }
    var left = frames
    while left > 0 {
      open.zeros.frameCount = min(left, open.zeros.capacity)
      try open.file.write(open.zeros)
      left -= open.zeros.frameCount
      // A long silence must not keep the header waiting.
      try open.file.flush()
    }
  }

  /// Hands all to the kernel, and what is due to the disk.
  private mutating func settle() throws(TakeError) {
    guard let open else { return }
    try open.file.flush()
    writer.note {
      $0.bytes = open.file.bytes
      $0.frames = open.file.frames
    }
    guard Clock.seconds() - lastSync >= Self.syncSeconds else { return }
    lastSync = Clock.seconds()
    try open.file.sync()
    writer.note { $0.syncs += 1 }
    try follow()
  }

  /// Notices when somebody has moved or deleted the file meanwhile.
  private mutating func follow() throws(TakeError) {
    guard let open else { return }
    guard let now = open.file.currentPath else { return try rescue() }
    guard now != open.path, open.path.bytes.first == UInt8(ascii: "/") || Files.absolute(open.path) != now else {
      return
    }
    self.open?.path = now
    open.note?.move(to: now)
    writer.note { $0.path = now }
  }

  /// The file was deleted, or its disk is no longer in its place: goes on in a new one that holds all there was.
  private mutating func rescue() throws(TakeError) {
    guard let open else { return }
    let old = open.path
    let recordings: Recordings?
    switch open.order.place {
    case .file(let path): recordings = Recordings(folder: path.parent)
    case .recordings(let folder): recordings = folder
    }
    guard let recordings else { throw .cannotWrite(old, SystemError(code: 2)) }
    let path = try recordings.createSomewhere(
      at: open.order.time, fileExtension: open.file.format.coding.fileExtension
    ) { (path) throws(TakeError) in
      try open.file.move(creating: path)
      return path
    }.take
    self.open?.path = path
    open.note?.move(to: path)
    writer.note { $0.path = path }
    writer.reports.send(
      .warned(
        "The recording “\(old.lastComponent.shown)” was deleted or its disk taken away; all of it is kept as “\(path.shown)”."
      ))
  }

  private mutating func end() throws(TakeError) {
    guard let take = open else { return }
    try take.file.finish()
    close(take)
  }

  /// Closes a take, of which there is nothing to keep when the trigger never fired, or the stop came before the first sound.
  private mutating func close(_ take: OpenTake) {
    open = nil
    take.note?.remove()
    let path = take.file.currentPath ?? take.path
    writer.note { $0.bytes = take.file.bytes }
    let isKept = take.file.frames > .zero || (try? Files.remove(path)) == nil
    let summary = TakeSummary(path: path, length: take.file.frames, rate: take.file.format.rate)
    writer.reports.send(.finished(number: take.order.number, isKept ? summary : nil, problem: nil))
  }

  /// Closes a take that could not go on, and tells what is in its file, which may be less than what came in.
  ///
  /// Only a file to which no sound was ever handed goes; one that cannot be looked at is kept.
  private mutating func fail(_ take: OpenTake, _ error: TakeError) {
    open = nil
    if take.file.salvage() { take.note?.remove() }
    let path = take.file.currentPath ?? take.path
    let taken = writer.current.frames
    writer.note { $0.bytes = take.file.bytes }
    let format = (try? AudioFile(path: path))?.format
    let length = format?.estimatedLength ?? .zero
    if length == .zero, taken == .zero, case .cannotWrite(_, let reason) = error, (try? Files.remove(path)) != nil {
      let problem = TakeError.cannotCreate(path, reason)
      return writer.reports.send(.finished(number: take.order.number, nil, problem: "\(problem)"))
    }
    let summary =
      length > .zero
      ? TakeSummary(path: path, length: length, rate: format!.rate)
      : TakeSummary(path: path, length: taken, rate: take.file.format.rate)
    writer.reports.send(.finished(number: take.order.number, summary, problem: "\(error)"))
  }

  // MARK: the disk

  private mutating func lookAtDisk() {
    guard Clock.seconds() - lastLook >= Self.freeSpaceSeconds else { return }
    lastLook = Clock.seconds()
    let free = watched.flatMap { Disk.freeBytes(at: $0) }
    writer.note { $0.freeBytes = free }
    guard let take = open, !take.hasWarned, let free else { return }
    let seconds = Double(free) / Double(max(take.file.format.likelyBytesPerSecond, 1))
    guard seconds < Self.lowSeconds else { return }
    open?.hasWarned = true
    writer.reports.send(
      .warned("The disk is almost full: there is room for about \(max(Int(seconds), 0)) s more of this recording."))
  }

  private func recover() {
    for recovery in journal.recover() {
      switch recovery {
      case .completed(let path, let mended):
        writer.reports.send(.recovered(TakeSummary(path: path, length: mended.length, rate: mended.rate)))
      case .failed(let error): writer.reports.send(.notRecovered("\(error)"))
      }
    }
  }
}
