import CSDL2
import Control
import Foundation
import Library
import Scene
import Session
import Sound
import Stage
import System
import TestSupport
import Testing

extension StageTests {
  /// The whole program but for its `main`, upon SDL's dummy display and loudspeaker, in the hands of chance.
  @Suite struct Storm {
    /// 400 commands; 10,000 in the soak, which also runs them under the Address and the Thread Sanitizer.
    private static let count =
      ProcessInfo.processInfo.environment["SWELL_COMMANDS"].flatMap { Int($0) }
      ?? (ProcessInfo.processInfo.environment["SWELL_SOAK"] == nil ? 400 : 10_000)

    @Test(arguments: [ProcessInfo.processInfo.environment["SWELL_SEED"].flatMap { UInt64($0) } ?? 1])
    func `after any commands it plays what it is given`(seed: UInt64) throws {
      Headless.prepare()
      let program = try StormyProgram(seed: seed)
      for _ in 0..<Self.count {
        program.doSomething()
        program.turn()
        try #require(program.complaint == nil, "\(program.complaint ?? "")")
      }
      try program.expectToPlay()
      program.end()
    }
  }
}

/// Session, scene and stage, held together as the program holds them.
private final class StormyProgram {
  private let folder = try! TemporaryFolder()
  private let feed = Feed.make(capacity: 1 << 18)
  private let speaker: Speaker
  private let player: Player
  private let browser: FolderBrowser
  private let window: Window
  private let handle: OpaquePointer
  private var view = ViewState()
  private var chance: Noise
  private var files: [PathBytes] = []
  private var deviceIsOpen = false
  /// What was wrong in the last turn.
  private(set) var complaint: String?

  init(seed: UInt64) throws {
    chance = Noise(seed: seed)
    window = try Window(title: "Swell", geometry: nil, scale: 1, assets: Place.assets)
    // The window there is.
    handle = try #require((1...10_000).lazy.compactMap { SDL_GetWindowFromID($0) }.first)
    speaker = Speaker(feed: feed, bell: Window.wake)
    var settings = PlayerSettings()
    settings.waveforms = WaveformCache(folder: folder.appending("cache"), mostBytes: 1 << 20)
    player = Player(feed: FeedPointer(feed), settings: settings, wake: Window.wake)
    browser = FolderBrowser(folder: folder.path, bell: Window.wake)
    try makeFiles()
  }

  private func makeFiles() throws {
    let kinds: [(String, Double, [String])] = [
      ("a.wav", 0.3, []), ("b.flac", 4, []), ("c.mp3", 6, ["-write_xing", "0"]), ("d.m4a", 3, []), ("f.opus", 2, []),
      ("e.ogg", 5, ["-c:a", "libvorbis"]), ("g.wav", 90, ["-ar", "22050", "-ac", "1"]), ("h.wav", 2, ["-ac", "6"]),
      ("i.mka", 8, []), ("j.aac", 7, []), ("k.mp3", 60, []), ("l.wma", 3, []), ("m.flac", 70, ["-ar", "96000"]),
    ]
    for (name, seconds, arguments) in kinds {
      let file = folder.appending(name)
      let sound = "aevalsrc=0.4*sin(2000*t)|0.3*sin(5000*t*t):s=44100:d=\(seconds)"
      let process = try Process.run(
        URL(fileURLWithPath: "/usr/bin/ffmpeg"),
        arguments: ["-nostdin", "-v", "quiet", "-y", "-f", "lavfi", "-i", sound] + arguments + [file.shown])
      process.waitUntilExit()
      try #require(process.terminationStatus == 0, "\(name)")
      files.append(file)
    }
    files.append(try folder.write(Array("words".utf8), to: "n.txt"))
    files.append(try folder.write([], to: "o.mp3"))
    files.append(folder.appending("missing.wav"))
    files.append(folder.path)
  }

  // MARK: one turn

  /// As `Program.turn`.
  func turn() {
    let happened = window.wait(until: 0)
    happened.outputs.forEach(speaker.handle)
    player.update(at: Clock.nanoseconds(), device: speaker.state)
    var snapshot = player.snapshot
    snapshot.browser = browser.listing
    let result = frame(snapshot: snapshot, input: happened.input, view: &view, measure: window.measure)
    if window.isVisible { window.present(result.list) }
    result.commands.forEach(obey)
    if player.wantsDevice { speaker.open(player.wantedDevice) } else { speaker.close() }
    _ = player.takeEvents()
    check(snapshot)
  }

  private func obey(_ command: Command) {
    switch command {
    case .player(let command): player.obey(command)
    case .library(let command): browser.obey(command)
    case .window(.toggleFullScreen): window.isFullScreen.toggle()
    case .window(.leaveFullScreen): window.isFullScreen = false
    case .window(.stepScale(let steps)): window.stepScale(steps)
    case .window(.quit), .recorder: break
    }
  }

  private func check(_ snapshot: Snapshot) {
    guard let track = snapshot.track else {
      if snapshot.transport != .empty { complaint = "\(snapshot.transport) without a track" }
      return
    }
    if snapshot.position < .zero { complaint = "at \(snapshot.position)" }
    if let length = track.length, !track.lengthIsEstimate, snapshot.position > .zero + length {
      complaint = "at \(snapshot.position) of \(length)"
    }
    if let pyramid = snapshot.pyramid, pyramid.channelCount != track.channelCount { complaint = "another's waveform" }
  }

  // MARK: chance

  private func pick(_ range: Range<Int>) -> Int { .random(in: range, using: &chance) }
  private func path() -> PathBytes { files[pick(0..<files.count)] }

  func doSomething() {
    switch pick(0..<20) {
    case 0..<8: player.obey(randomCommand())
    case 8: resize()
    case 9:
      for event in [Events.drop(SDL_DROPBEGIN), Events.drop(SDL_DROPFILE, path().bytes), Events.drop(SDL_DROPCOMPLETE)]
      {
        Events.push(event)
      }
    case 10: changeFile()
    case 11..<14: wheel()
    case 14..<17: mouse()
    case 17: usleep(UInt32(pick(0..<60_000)))
    default: key()
    }
  }

  private func randomCommand() -> PlayerCommand {
    switch pick(0..<29) {
    case 0...2: .open((0..<pick(1..<4)).map { _ in path() })
    case 3: .enqueue([path()])
    case 4, 5: .play
    case 6: .pause
    case 7: .playPause
    case 8: .stop
    case 9...11: .seek(to: FrameIndex(Int64(pick(-1000..<400_000))))
    case 12: .seekBy(seconds: Double(pick(-20..<20)))
    case 13: .seekByFrames(FrameCount(Int64(pick(-3..<3))))
    case 14: .seekToFraction(Double(pick(0..<100)) / 90)
    case 15, 16: .next
    case 17: .previous
    case 18: .stepVolume(pick(-3..<4))
    case 19: .toggleMute
    case 20: .setLoop(LoopMode.allCases[pick(0..<3)])
    case 21: .setSpectrumScale(SpectrumScale.allCases[pick(0..<2)])
    case 22: .setDevice([nil, "none such"][pick(0..<2)])
    case 23: .setFlagA
    case 24: .setFlagB
    case 25:
      .setFlags(
        pick(0..<3) == 0
          ? RegionFlags()
          : RegionFlags(
            a: FrameIndex(Int64(pick(-5..<60_000))), b: pick(0..<3) == 0 ? nil : FrameIndex(Int64(pick(0..<99_000)))))
    case 26: .stepSpeed(pick(-2..<3))
    case 27: .setSpeed(Speed(clamping: Double(pick(0..<25)) / 6))
    default: .showSamples(FrameIndex(Int64(pick(0..<50_000)))..<FrameIndex(Int64(pick(50_000..<200_000))))
    }
  }

  private func resize() {
    switch pick(0..<6) {
    case 0: Events.push(Events.window(SDL_WINDOWEVENT_MINIMIZED))
    case 1: Events.push(Events.window(SDL_WINDOWEVENT_RESTORED))
    default:
      Events.push(Events.window(SDL_WINDOWEVENT_RESTORED))
      SDL_SetWindowSize(handle, Int32(pick(480..<1900)), Int32(pick(320..<1100)))
    }
  }

  /// Somebody cuts or replaces one of the files, which may be playing.
  private func changeFile() {
    let file = files[pick(0..<2)]
    if pick(0..<2) == 0 {
      _ = file.withCPath { truncate($0, off_t(pick(0..<60_000))) }
    } else {
      let sound = Signal.noise(seed: UInt64(pick(0..<100)), frames: pick(100..<100_000), amplitude: 0.2)
      try? Files.replace(file, with: WaveFile.float32([sound, sound], hertz: 48_000))
    }
  }

  private func wheel() {
    Events.push(Events.move(Int32(pick(0..<1280)), Int32(pick(0..<720))))
    var event = Events.wheel(Float(pick(-3..<4)), Float(pick(-9..<10)), 0)
    event.wheel.which = 0
    Events.push(event)
  }

  private func mouse() {
    let (x, y) = (Int32(pick(0..<1280)), Int32(pick(0..<720)))
    let button = UInt8([1, 1, 1, 1, 2, 3][pick(0..<6)])
    Events.push(Events.button(SDL_MOUSEBUTTONDOWN, button, x, y, clicks: UInt8(pick(1..<3))))
    for _ in 0..<pick(0..<6) { Events.push(Events.move(x + Int32(pick(-200..<200)), y + Int32(pick(-9..<9)))) }
    if pick(0..<8) > 0 { Events.push(Events.button(SDL_MOUSEBUTTONUP, button, x, y, clicks: 1)) }
  }

  private static let keys: [(SDL_Scancode, SDL_KeyCode)] = [
    (SDL_SCANCODE_SPACE, SDLK_SPACE), (SDL_SCANCODE_LEFT, SDLK_LEFT), (SDL_SCANCODE_RIGHT, SDLK_RIGHT),
    (SDL_SCANCODE_UP, SDLK_UP), (SDL_SCANCODE_DOWN, SDLK_DOWN), (SDL_SCANCODE_HOME, SDLK_HOME),
    (SDL_SCANCODE_END, SDLK_END), (SDL_SCANCODE_TAB, SDLK_TAB), (SDL_SCANCODE_RETURN, SDLK_RETURN),
    (SDL_SCANCODE_ESCAPE, SDLK_ESCAPE), (SDL_SCANCODE_PAGEUP, SDLK_PAGEUP), (SDL_SCANCODE_PAGEDOWN, SDLK_PAGEDOWN),
    (SDL_SCANCODE_BACKSPACE, SDLK_BACKSPACE), (SDL_SCANCODE_F1, SDLK_F1), (SDL_SCANCODE_F11, SDLK_F11),
    (SDL_SCANCODE_DELETE, SDLK_DELETE),
  ]

  private func key() {
    let held = [KMOD_NONE, KMOD_NONE, KMOD_NONE, KMOD_LSHIFT, KMOD_LCTRL][pick(0..<5)]
    if pick(0..<2) == 0 {
      let (place, key) = Self.keys[pick(0..<Self.keys.count)]
      for _ in 0..<pick(1..<5) { Events.push(Events.key(place, Int32(bitPattern: key.rawValue), held)) }
    } else {
      let letter = Array("abcdefghijklmnopqrstuvwxyz0123456789+-=,.?/")[pick(0..<43)]
      Events.push(Events.key(SDL_SCANCODE_UNKNOWN, Int32(letter.asciiValue!), held))
      if held == KMOD_NONE { Events.push(Events.text(String(letter))) }
    }
  }

  // MARK: the end

  /// That a song it is given now is played.
  func expectToPlay() throws {
    Events.push(Events.window(SDL_WINDOWEVENT_RESTORED))
    player.obey(.setLoop(.off))
    player.obey(.open([files[10]]))
    let limit = Clock.seconds() + 60
    while Clock.seconds() < limit {
      turn()
      let seen = player.snapshot
      if seen.track?.path == files[10], seen.transport == .playing, seen.position > FrameIndex(10_000) { return }
      usleep(2000)
    }
    Issue.record("It does not play: \(player.snapshot.transport), \(speaker.state)")
  }

  func end() {
    player.stop()
    browser.stop()
    #expect(speaker.end())
    // The feed stays: the deck's thread may be about to look at it.
  }
}
