import Control
import Scene
import Sound
import Testing

struct KeyTests {
  /// What the listener is promised, key by key; written by hand from the product's description, not from the table.
  private static let promises: [(Key, Modifiers, [Command])] = [
    (.space, [], [.player(.playPause)]), ("k", [], [.player(.playPause)]), (.mediaPlayPause, [], [.player(.playPause)]),
    ("s", [], [.player(.stop)]), (.mediaStop, [], [.player(.stop)]),
    (.left, [], [.player(.seekBy(seconds: -5))]), (.right, [], [.player(.seekBy(seconds: 5))]),
    (.left, .shift, [.player(.seekBy(seconds: -1))]), (.right, .shift, [.player(.seekBy(seconds: 1))]),
    ("j", [], [.player(.seekBy(seconds: -10))]), ("l", [], [.player(.seekBy(seconds: 10))]),
    (.left, .control, [.player(.seekBy(seconds: -60))]), (.right, .control, [.player(.seekBy(seconds: 60))]),
    (.home, [], [.player(.seek(to: .zero))]), (.end, [], [.player(.seekToFraction(1))]),
    ("0", [], [.player(.seekToFraction(0))]), ("7", [], [.player(.seekToFraction(0.7))]),
    // French keyboards have the digits under Shift.
    ("7", .shift, [.player(.seekToFraction(0.7))]),
    (.up, [], [.player(.stepVolume(1))]), (.down, [], [.player(.stepVolume(-1))]), ("m", [], [.player(.toggleMute)]),
    ("l", .control, [.player(.cycleLoop)]), ("n", [], [.player(.next)]), ("p", [], [.player(.previous)]),
    (.mediaNext, [], [.player(.next)]), (.mediaPrevious, [], [.player(.previous)]),
    ("v", [], [.player(.setSpectrumScale(.linear))]),
    ("f", [], [.window(.toggleFullScreen)]), (.function(11), [], [.window(.toggleFullScreen)]),
    ("+", .control, [.window(.stepScale(1))]), ("+", [.control, .shift], [.window(.stepScale(1))]),
    ("=", .control, [.window(.stepScale(1))]), ("-", .control, [.window(.stepScale(-1))]),
    ("0", .control, [.window(.stepScale(0))]),
    (.escape, [], []), ("[", [], [.player(.setFlagA)]), ("]", [], [.player(.setFlagB)]),
    ("<", [], [.player(.stepSpeed(-1))]), (">", .shift, [.player(.stepSpeed(1))]),
    ("x", [], [.player(.setSpeed(.normal))]), ("\\", [], [.player(.setFlags(RegionFlags()))]),
    ("q", .control, [.window(.quit)]), ("w", .control, [.window(.quit)]),
    ("o", [], [.library(.list(nil))]), ("r", [], [.recorder(.arm)]),
    // Not ours: nothing happens.
    ("q", [], []), ("s", .control, []), ("s", .alt, []), ("o", .control, []),
    (.delete, [], []), (.backspace, [], []), ("d", [], []),
  ]

  @Test func `every key does what is promised`() {
    for (key, modifiers, commands) in Self.promises {
      let desk = Desk()
      desk.snapshot = playingSnapshot()
      desk.frame()
      #expect(desk.press(key, modifiers) == commands, "\(key) \(modifiers)")
    }
  }

  @Test func `keys that change the view change it`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.frame()
    #expect(desk.press("t") == [] && desk.view.showsRemaining)
    #expect(desk.press("g") == [] && desk.view.overlay == .goTo)
    #expect(desk.press(.escape) == [] && desk.view.overlay == .none)
    #expect(desk.press("?", .shift) == [] && desk.view.overlay == .help)
    #expect(desk.press(.function(1)) == [] && desk.view.overlay == .none)
    #expect(desk.press(",", .control) == [] && desk.view.overlay == .settings)
    #expect(desk.press(.escape) == [] && desk.view.overlay == .none)
    #expect(desk.press("z") == [] && desk.view.scroll == .free(origin: 0))
    #expect(desk.press("c") == [] && desk.view.scroll == .following)
    let before = desk.view.secondsPerPoint
    desk.press("+")
    #expect(desk.view.secondsPerPoint < before)
    desk.press("-")
    #expect(abs(desk.view.secondsPerPoint / before - 1) < 1e-9)
    #expect(desk.press("=") == [] && desk.view.secondsPerPoint < before)
  }

  @Test func `comma and point move by one column of the picture`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.frame()
    // 10 s over 1182 columns.
    let frames = FrameCount(Int((44_100 * 10.0 / 1182).rounded()))
    #expect(desk.press(".") == [.player(.seekByFrames(frames))])
    #expect(desk.press(",") == [.player(.seekByFrames(FrameCount(-frames.rawValue)))])
  }

  @Test func `the help shows every binding, with keys that do it`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.size = Size(1280, 900)
    desk.press("?")
    let texts = desk.texts(.overlayList)
    for binding in KeyTable.bindings {
      #expect(texts.contains(binding.help))
      #expect(texts.contains(binding.caption))
      for chord in binding.chords {
        let found = KeyTable.action(for: chord.key, chord.modifiers)
        #expect(found?.action == chord.action && found?.repeats == binding.repeats)
      }
    }
    #expect(texts.contains("Space, K") && texts.contains("← →") && texts.contains("0 … 9") && texts.contains("⇧← ⇧→"))
  }

  @Test func `holding a key repeats seeking, volume, speed and zoom, and nothing else`() {
    for binding in KeyTable.bindings {
      for chord in binding.chords {
        let desk = Desk()
        desk.snapshot = playingSnapshot()
        desk.frame()
        let zoom = desk.view.secondsPerPoint
        let commands = desk.press(chord.key, chord.modifiers, isRepeat: true)
        let did = !commands.isEmpty || desk.view.secondsPerPoint != zoom || desk.view.overlay != .none
        let may =
          switch chord.action {
          case .send(.seekBy), .seekByColumns, .send(.stepVolume), .send(.stepSpeed), .zoom: true
          // Repeats where there is a recording to be started by sound.
          case .threshold: false
          default: false
          }
        #expect(did == may, "\(binding.help)")
      }
    }
  }

  @Test func `without a track only what needs none is asked for`() {
    for binding in KeyTable.bindings {
      for chord in binding.chords {
        let desk = Desk()
        desk.frame()
        for command in desk.press(chord.key, chord.modifiers) {
          switch command {
          case .player(.stepVolume), .player(.toggleMute), .player(.cycleLoop), .player(.setSpectrumScale), .window,
            .library, .recorder(.arm):
            continue
          default: Issue.record("\(binding.help) asks for \(command)")
          }
        }
      }
    }
  }

  @Test func `D plays the demo when nothing is loaded and there is one`() {
    let desk = Desk()
    desk.frame()
    #expect(desk.press("d") == [])
    desk.snapshot.hasDemo = true
    #expect(desk.press("d") == [.player(.openDemo)])
  }

  @Test func `Space plays and pauses under the help and the settings too`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    for key: Key in ["?", .function(1)] {
      desk.press(key)
      #expect(desk.press(.space) == [.player(.playPause)])
    }
    desk.press(",", .control)
    #expect(desk.press(.space) == [.player(.playPause)])
  }

  @Test func `Tab walks through all controls and back, and Enter presses the one with the ring`() throws {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.frame()
    func ring() -> Rect? {
      for order in desk.result.list.panels.flatMap(\.orders) {
        if case .stroke(let rect, .accent, _, 2, _) = order { return rect }
      }
      return nil
    }
    #expect(ring() == nil)
    #expect(desk.press(.enter) == [])
    var rings: [Rect] = []
    var asked: [[Command]] = []
    for _ in 0..<11 {
      desk.press(.tab)
      rings.append(try #require(ring()))
      asked.append(desk.press(.enter))
      if desk.view.overlay != .none { desk.press(.escape) }
      if desk.view.isRecordViewOpen { desk.press(.escape) }
      // Opening and closing the browser or the record view loses the place: go on from where it was.
      for _ in 0..<rings.count where ring() != rings.last { desk.press(.tab) }
    }
    #expect(Set(rings).count == 11, "open, record, previous, stop, play, record, next, loop, speed, mute, volume")
    #expect(
      asked == [
        [.library(.list(nil))], [.recorder(.arm)], [.player(.previous)], [.player(.stop)], [.player(.playPause)],
        [.recorder(.arm)], [.player(.next)], [.player(.cycleLoop)], [.player(.setSpeed(.normal))],
        [.player(.toggleMute)], [.player(.setVolume(.full))],
      ])
    desk.press(.tab)
    #expect(ring() == rings.first)
    desk.press(.tab, .shift)
    #expect(ring() == rings.last)
    #expect(desk.press(.space) == [.player(.playPause)], "Space never presses a focused control")
    desk.click(Point(700, 450))
    #expect(ring() == nil, "a click hides the ring")
  }
}
