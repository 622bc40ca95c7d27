import Control
import Scene
import Sound
import Testing

struct RecordTests {
  private let desk = Desk()

  init() {
    desk.snapshot = playingSnapshot()
    desk.snapshot.recording = RecordingSnapshot()
    desk.frame()
  }

  private func click(_ text: String) throws -> [Command] { desk.click(try #require(desk.place(of: text))) }

  /// A state of the recorder, and what keys and buttons ask for in it.
  private struct Promise {
    var state: RecordingSnapshot.State
    var title: String
    /// The words of the two buttons of the head and what they ask for; nil where they do not answer.
    var left: (String, [Command]?)
    var right: (String, [Command]?)
    var record: [Command]
    var stop: [Command]
    var escape: [Command]
  }

  private static let promises = [
    Promise(
      state: .armed, title: "Ready to record", left: ("Close", [.recorder(.disarm)]),
      right: ("Record", [.recorder(.startOrPause)]), record: [.recorder(.startOrPause)], stop: [.recorder(.disarm)],
      escape: [.recorder(.disarm)]),
    Promise(
      state: .countdown(seconds: 2.2), title: "Starting in 3 s", left: ("Close", [.recorder(.disarm)]),
      right: ("Stop", [.recorder(.stop)]), record: [], stop: [.recorder(.stop)], escape: [.recorder(.disarm)]),
    Promise(
      state: .waiting, title: "Waiting for sound", left: ("Pause", [.recorder(.startOrPause)]),
      right: ("Stop", [.recorder(.stop)]), record: [.recorder(.startOrPause)], stop: [.recorder(.stop)], escape: []),
    Promise(
      state: .recording, title: "Recording", left: ("Pause", [.recorder(.startOrPause)]),
      right: ("Stop", [.recorder(.stop)]), record: [.recorder(.startOrPause)], stop: [.recorder(.stop)], escape: []),
    Promise(
      state: .paused, title: "Paused", left: ("Resume", [.recorder(.startOrPause)]),
      right: ("Stop", [.recorder(.stop)]), record: [.recorder(.startOrPause)], stop: [.recorder(.stop)], escape: []),
    Promise(
      state: .saving, title: "Saving…", left: ("Pause", nil), right: ("Stop", nil), record: [], stop: [], escape: []),
  ]

  @Test func `in every state keys and buttons ask for what they say`() throws {
    for promise in Self.promises {
      func fresh() -> Desk {
        let desk = Desk()
        desk.snapshot = playingSnapshot()
        desk.openRecordView(recordingSnapshot(promise.state))
        return desk
      }
      #expect(fresh().texts(.head).first == promise.title)
      for (word, commands) in [promise.left, promise.right] {
        let desk = fresh()
        #expect(desk.click(try #require(desk.place(of: word))) == commands ?? [], "\(word) while \(promise.state)")
      }
      #expect(fresh().press("r") == promise.record, "R while \(promise.state)")
      #expect(fresh().press("s") == promise.stop, "S while \(promise.state)")
      #expect(fresh().press(.mediaStop) == promise.stop)
      #expect(fresh().press(.escape) == promise.escape, "Esc while \(promise.state)")
      for (icon, commands) in [(Icon.record, promise.record), (.stop, promise.stop)] {
        let desk = fresh()
        #expect(desk.click(try #require(desk.place(of: icon))) == commands, "\(icon) while \(promise.state)")
      }
    }
  }

  @Test func `R, the round button and Record in the head open the view, which arms first`() throws {
    for open in 0..<3 {
      let desk = Desk()
      desk.snapshot = playingSnapshot()
      desk.frame()
      let commands =
        switch open {
        case 0: desk.press("r")
        case 1: desk.click(try #require(desk.place(of: .record)))
        default: desk.click(try #require(desk.place(of: "Record")))
        }
      #expect(commands == [.recorder(.arm)])
      #expect(desk.view.isRecordViewOpen && desk.texts(.head).first == "Opening the microphone…")
      #expect(desk.press(.escape) == [.recorder(.disarm)])
      #expect(!desk.view.isRecordViewOpen && desk.texts(.head).first == "Low Tide, Morning")
    }
  }

  @Test func `while a take is open nothing plays, opens or leaves, and it says why`() throws {
    let tries: [[InputEvent]] = [
      [.key(.escape, [], isRepeat: false)], [.key(.space, [], isRepeat: false)], [.key("k", [], isRepeat: false)],
      [.key(.mediaPlayPause, [], isRepeat: false)], [.key("o", [], isRepeat: false)],
      [.key("n", [], isRepeat: false)], [.key("5", [], isRepeat: false)], [.key(.left, [], isRepeat: false)],
      [.key("g", [], isRepeat: false)], [.dropped([PathBytes("/a.wav")])],
    ]
    for events in tries {
      desk.snapshot.recording = recordingSnapshot()
      #expect(desk.frame(events) == [], "\(events)")
      #expect(desk.view.isRecordViewOpen && desk.view.overlay == .none)
      #expect(desk.texts(.head).contains("The recording goes on until Stop (S)."), "\(events)")
      let end = try #require(desk.result.nextFrame)
      desk.frame(after: end - desk.time)
      #expect(!desk.texts(.head).contains("The recording goes on until Stop (S)."))
    }
    for icon: Icon in [.play, .pause, .previous, .next, .loopOff] {
      if let place = desk.place(of: icon) { #expect(desk.click(place) == [], "\(icon)") }
    }
    #expect(desk.press(.up) == [.player(.stepVolume(1))] && desk.press("m") == [.player(.toggleMute)])
  }

  @Test func `ready to record, files can be opened, which closes the microphone`() {
    desk.openRecordView(recordingSnapshot(.armed))
    let path = PathBytes("/a.wav")
    #expect(desk.frame([.dropped([path])]) == [.recorder(.disarm), .player(.open([path]))])
    #expect(!desk.view.isRecordViewOpen)
  }

  @Test func `a take that is open is shown, whoever began it`() {
    desk.snapshot.recording = recordingSnapshot()
    desk.frame()
    #expect(desk.view.isRecordViewOpen && desk.texts(.head).first == "Recording")
  }

  @Test func `device, rate, format, file, level, room, time, size and pace are told`() {
    desk.openRecordView(recordingSnapshot())
    #expect(
      desk.texts(.head) == [
        "Recording", "Built-in Microphone · 48 kHz · 24-bit FLAC · Music/Recordings/2026-11-30 09.41.05.flac",
        "\u{2212}18.6 dBFS", "15 h 12 min left on disk", "Pause", "Stop",
      ])
    #expect(desk.texts(.time) == ["0:42.7", "18.4 MB · 288 kB/s"])
    #expect(desk.texts(.meters) == ["L R peak \u{2212}4.2 dB"])
  }

  @Test func `what goes wrong is told in red before all else`() {
    var recording = recordingSnapshot()
    recording.dropouts = 2
    recording.dropoutFrames = FrameCount(4800)
    recording.deadChannels = [1]
    desk.openRecordView(recording)
    let red = desk.orders(.head).compactMap { order in
      if case .text(let text, _, _, .record, _) = order { text } else { nil }
    }
    #expect(red == ["2 dropouts, 0.1 s lost · nothing on the right channel · ", "Stop"])
  }

  @Test func `the waveform grows up to the playhead in the middle, and marks stand where sound is missing`() throws {
    var recording = recordingSnapshot(seconds: 10)
    let dropout = RecordingMark(frame: FrameIndex(9 * 48_000), kind: .dropout(FrameCount(24_000)))
    recording.marks = [RecordingMark(frame: FrameIndex(8 * 48_000), kind: .pause), dropout]
    desk.openRecordView(recording)
    let panel = try #require(desk.panel(.waveform))
    let field = Rect(panel.rect.x + 44, panel.rect.y + 24, panel.rect.width - 58, panel.rect.height - 30)
    let middle = field.x + (field.width / 2).rounded(.down)
    let triangle = panel.orders.contains {
      if case .triangle(_, _, let tip, _) = $0 { abs(tip.x - middle) <= 1 } else { false }
    }
    #expect(triangle)
    guard case .waveform(_, let columns, let split, _) = panel.orders.first(where: { $0.isWaveform }) else {
      Issue.record("no lane")
      return
    }
    #expect(split == columns.count, "nothing is still to come")
    let known = columns.lastIndex { $0.low <= $0.high }
    #expect(abs((known ?? 0) - columns.count / 2) <= 2)
    // 10 s over 1182 points.
    let second = Float(1182.0 / 10)
    let band = panel.orders.compactMap { order -> Rect? in
      if case .fill(let rect, .record, _, _) = order { rect } else { nil }
    }
    #expect(band.count == 1)
    #expect(abs(band[0].x - (middle - second)) < 1.5 && abs(band[0].width - second / 2) < 1.5)
    let pause = panel.orders.compactMap { order -> Rect? in
      if case .fill(let rect, .accent, _, _) = order { rect } else { nil }
    }
    #expect(pause.count == 1 && abs(pause[0].x - (middle - 2 * second)) < 1.5)
  }

  @Test func `the waveform ends at the playhead though more is known`() throws {
    var recording = recordingSnapshot(seconds: 10)
    recording.position = recording.elapsed - FrameCount(4800)
    desk.openRecordView(recording)
    #expect(desk.texts(.time).first == "0:09.9")
    let panel = try #require(desk.panel(.waveform))
    guard case .waveform(_, let columns, _, _) = panel.orders.first(where: { $0.isWaveform }) else {
      Issue.record("no lane")
      return
    }
    let known = try #require(columns.lastIndex { $0.low <= $0.high })
    // The tenth of a second beyond would be 12 columns.
    #expect(abs(known - columns.count / 2) <= 2, "\(known)")
  }

  @Test func `zoom, spectrum and scrolling work on what is recorded, and a click seeks nothing`() throws {
    desk.openRecordView(recordingSnapshot(seconds: 10))
    let before = desk.view.secondsPerPoint
    #expect(desk.press("+") == [] && desk.view.secondsPerPoint < before)
    #expect(desk.press("v") == [.player(.setSpectrumScale(.linear))])
    let point = try #require(desk.panel(.waveform)).rect.center
    #expect(desk.click(point) == [])
    desk.frame([.wheel(x: 0, y: 1, at: point, .shift)])
    #expect(desk.view.scroll != .following)
    #expect(desk.press("c") == [] && desk.view.scroll == .following)
    #expect(desk.click(try #require(desk.panel(.overview)).rect.center) == [])
    #expect(desk.click(try #require(desk.panel(.time)).rect.center) == [])
  }

  @Test func `the threshold stands on the meters at its level`() {
    var recording = recordingSnapshot(.waiting)
    recording.options.trigger = SoundTrigger(threshold: -30)
    desk.openRecordView(recording)
    let lines = desk.orders(.meters).compactMap { order -> Rect? in
      if case .fill(let rect, .accent, _, _) = order { rect } else { nil }
    }
    let bar = desk.orders(.meters).compactMap { order -> Rect? in
      if case .fill(let rect, .button, _, _) = order, rect.width == 120 { rect } else { nil }
    }
    #expect(lines.count == 1 && bar.count == 2)
    #expect(abs(lines[0].center.x - bar[0].center.x) <= 1, "-30 dB is the middle of -60 to 0")
  }

  // MARK: settings

  private func openSettings(_ recording: RecordingSnapshot) {
    desk.size = Size(1280, 800)
    desk.openRecordView(recording)
    desk.press(",", .control)
  }

  @Test(arguments: [
    ("USB", RecorderCommand.setDevice("USB")), ("As the system chooses", .setDevice(nil)), ("WAV", .setCoding(.wav)),
    ("AAC", .setCoding(.aac)), ("16-bit", .setWidth(.int16)), ("44.1 kHz", .setRate(SampleRate(hertz: 44_100))),
    ("As the microphone", .setRate(nil)), ("Mono", .setChannels(.mono)), ("Right", .setChannels(.right)),
    ("50 ms", .setBuffer(milliseconds: 50)), ("Nothing", .setPreRoll(seconds: 0)),
    ("\u{2212}40 dB", .setTrigger(SoundTrigger(threshold: -40, holdSeconds: 3))), ("Off", .setTrigger(nil)),
    ("In 10 s", .setTimer(RecordingTimer(startInSeconds: 10))),
    ("Hear the microphone", .setMonitoring(true)), ("Silent", .setMonitoring(false)),
    ("After 5 min", .setTimer(RecordingTimer(stopAfterSeconds: 300))),
  ])
  func `every choice asks for itself`(word: String, command: RecorderCommand) throws {
    openSettings(recordingSnapshot(.armed))
    #expect(try click(word) == [.recorder(command)])
    #expect(desk.view.overlay == .recordSettings)
  }

  @Test func `an open take fixes what it is made of, not its threshold`() throws {
    var recording = recordingSnapshot()
    recording.options.trigger = SoundTrigger(threshold: -40, holdSeconds: 3)
    openSettings(recording)
    for word in ["WAV", "16-bit", "44.1 kHz", "Mono", "50 ms", "In 10 s", "After 1 min"] {
      #expect(try click(word) == [], "\(word)")
    }
    #expect(
      try click("\u{2212}20 dB") == [.recorder(.setTrigger(SoundTrigger(threshold: -20, holdSeconds: 3)))])
    #expect(try click("USB") == [.recorder(.setDevice("USB"))])
  }

  @Test func `the line under the title opens the settings, and the folder is shown in the browser`() throws {
    desk.openRecordView(recordingSnapshot(.armed))
    _ = try click("Built-in Microphone · 48 kHz · 24-bit FLAC · u/Music/Recordings")
    #expect(desk.view.overlay == .recordSettings)
    #expect(desk.texts(.overlayList).contains("/home/u/Music/Recordings"))
    #expect(desk.texts(.overlay).contains("288 kB/s · 1.04 GB an hour"))
    let folder = PathBytes("/home/u/Music/Recordings")
    #expect(try click("Show") == [.library(.list(folder))])
    #expect(desk.view.overlay == .browser)
  }

  @Test func `the browser has a button for the recordings`() throws {
    desk.snapshot.recording = recordingSnapshot(.idle)
    desk.press("o")
    let button = try #require(desk.place(of: .microphone))
    #expect(desk.click(button) == [.library(.list(PathBytes("/home/u/Music/Recordings")))])
  }

  @Test func `settings that do not fit scroll, by wheel, arrow and focus`() throws {
    desk.size = Size(480, 320)
    desk.openRecordView(recordingSnapshot(.armed))
    desk.press(",", .control)
    #expect(desk.place(of: "By hand") == nil)
    for _ in 0..<40 { desk.press(.down) }
    #expect(desk.place(of: "By hand") != nil)
    desk.frame([.wheel(x: 0, y: 50, at: Point(240, 160), [])])
    #expect(desk.place(of: "By hand") == nil)
    desk.press(.tab, .shift)
    #expect(desk.place(of: "Show") != nil, "the last control has the focus")
    desk.press(.tab)
    #expect(desk.place(of: "As the system chooses") != nil)
    #expect(desk.press(.enter) == [.recorder(.setDevice(nil))])
  }
}

struct TakeTests {
  private let desk = Desk()

  init() {
    desk.snapshot = playingSnapshot()
    desk.frame()
    desk.finishTake()
  }

  private func click(_ text: String) throws -> [Command] { desk.click(try #require(desk.place(of: text))) }

  @Test func `a finished take leads back to the player and is offered`() throws {
    #expect(!desk.view.isRecordViewOpen)
    #expect(desk.texts(.take) == ["Saved 2026-11-30 09.41.05.flac · 0:42.7", "Rename", "Delete", "Keep"])
    #expect(try click("Keep") == [])
    #expect(desk.panel(.take) == nil)
  }

  @Test func `the browser opens over it`() {
    #expect(desk.press("o") == [.library(.list(nil))])
    #expect(desk.view.overlay == .browser && desk.panel(.take) == nil)
    desk.press(.escape)
    #expect(desk.panel(.take) != nil)
  }

  @Test func `it is deleted with a click`() throws {
    #expect(try click("Delete") == [.recorder(.deleteTake(finishedTake.path))])
    #expect(desk.panel(.take) == nil)
  }

  @Test func `it gets the name that is typed`() throws {
    #expect(try click("Rename") == [])
    #expect(desk.texts(.overlay).contains("2026-11-30 09.41.05"))
    // All of it is chosen: one key takes it away.
    desk.press(.backspace)
    #expect(desk.press(.enter) == [] && desk.view.overlay == .rename, "no name is none")
    desk.type("Hello you")
    #expect(desk.press(.enter) == [.recorder(.renameTake(finishedTake.path, to: "Hello you"))])
    #expect(desk.view.overlay == .rename && desk.press(.enter) == [], "it waits for the disk, and asks once")
    // The offer stays, under the new name.
    desk.snapshot.recording!.lastTake!.path = PathBytes("/home/u/Music/Recordings/Hello you.flac")
    desk.frame()
    #expect(desk.view.overlay == .none)
    #expect(desk.texts(.take).first == "Saved Hello you.flac · 0:42.7")
  }

  @Test func `a name that is refused stays in the field, to be mended beside the notice`() throws {
    _ = try click("Rename")
    desk.type("a/b")
    #expect(desk.press(.enter) == [.recorder(.renameTake(finishedTake.path, to: "a/b"))])
    desk.snapshot.notices = [Notice(id: 1, kind: .error, text: "“a/b” cannot be the name of a recording.")]
    desk.frame()
    #expect(desk.texts(.overlay).contains("a/b") && desk.texts(.toasts).count == 2)
    let (toasts, field) = (try #require(desk.panel(.toasts)), try #require(desk.panel(.overlay)))
    #expect(toasts.rect.y >= field.rect.bottom, "the notice lies over the field")
    for _ in 0..<2 { desk.press(.backspace) }
    #expect(desk.press(.enter) == [.recorder(.renameTake(finishedTake.path, to: "a"))])
  }

  @Test func `the old name again changes nothing and closes the field`() throws {
    _ = try click("Rename")
    desk.press(.enter)
    desk.frame()
    #expect(desk.view.overlay == .none)
  }

  @Test func `what is typed takes the place of the old name, and an arrow keeps it`() throws {
    _ = try click("Rename")
    desk.type("x")
    #expect(desk.press(.enter) == [.recorder(.renameTake(finishedTake.path, to: "x"))])
    desk.press(.escape)
    for (key, name) in [(Key.right, "2026-11-30 09.41.05!"), (.home, "!2026-11-30 09.41.05")] {
      _ = try click("Rename")
      desk.press(key)
      desk.type("!")
      #expect(desk.press(.enter) == [.recorder(.renameTake(finishedTake.path, to: name))])
      desk.press(.escape)
    }
    _ = try click("Rename")
    desk.press(.end)
    desk.press("a", .control)
    desk.type("y")
    #expect(desk.press(.enter) == [.recorder(.renameTake(finishedTake.path, to: "y"))])
  }

  @Test func `the offer ends with Esc, another track, another recording`() {
    for end in 0..<3 {
      let desk = Desk()
      desk.snapshot = playingSnapshot()
      desk.finishTake()
      #expect(desk.panel(.take) != nil)
      switch end {
      case 0: #expect(desk.press(.escape) == [])
      case 1:
        desk.snapshot.track!.id = TrackID(8)
        desk.snapshot.track!.path = PathBytes("/other.wav")
        desk.frame()
      default: #expect(desk.press("r") == [.recorder(.arm)])
      }
      desk.frame()
      #expect(desk.panel(.take) == nil)
    }
  }

  @Test func `a take that comes to nothing leaves the view armed`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.openRecordView(recordingSnapshot())
    desk.snapshot.recording = recordingSnapshot(.armed)
    desk.frame()
    #expect(desk.view.isRecordViewOpen && desk.panel(.take) == nil)
  }
}

extension Order {
  fileprivate var isWaveform: Bool { if case .waveform = self { true } else { false } }
}
