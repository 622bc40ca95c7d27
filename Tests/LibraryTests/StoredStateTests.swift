import Control
import Sound
import Testing

@testable import Library

struct StoredStateTests {
  /// A state in which nothing is as in a new one.
  static let full: StoredState = {
    var state = StoredState()
    state.volume = Volume(clamping: Decibels(-12.5))
    state.isMuted = true
    state.loop = .queue
    state.deviceName = "Kopfhörer \"A\"\n\u{1F3A7}"
    state.window = .init(x: -40, y: 12, width: 1280, height: 720, isMaximised: true)
    state.secondsPerPoint = 8.25
    state.interfaceScale = 1.75
    state.spectrumScale = .linear
    state.queue = [
      PathBytes("/m/a b%20#\n.flac"), PathBytes(bytes: [0x2F, 0x63, 0xE9]), PathBytes("/m/日本 e\u{301}.wav"),
    ]
    state.queueIndex = 2
    state.position = FrameIndex(Int64(1) << 53 + 1)
    state.recents = [RecentItem(path: PathBytes(bytes: [0x2F, 0xFF]), title: "A", detail: "3:57 · FLAC")]
    state.flags = [
      KeptFlags(path: PathBytes(bytes: [0x2F, 0xFF]), flags: RegionFlags(a: FrameIndex(7), b: FrameIndex(9))),
      KeptFlags(path: PathBytes("/b"), flags: RegionFlags(a: nil, b: FrameIndex(Int64(1) << 53 + 1))),
    ]
    state.browserFolder = PathBytes(bytes: [0x2F, 0xFE])
    return state
  }()

  @Test func `what is written is what is read`() throws {
    #expect(try StoredState(decoding: Self.full.encoded()) == Self.full)
    #expect(try StoredState(decoding: StoredState().encoded()) == StoredState())
    var silent = StoredState()
    silent.volume = Volume(clamping: .silence)
    #expect(try StoredState(decoding: silent.encoded()).volume == silent.volume)
  }

  @Test func `the file reads as its description says`() throws {
    let text = #"""
      {
        "version": 1, "volume": null, "muted": false, "loop": "queue", "device": "Built-in Audio",
        "window": {"x": 0, "y": 0, "width": 1280, "height": 720, "maximised": false},
        "secondsPerPoint": 8.5, "interfaceScale": 2, "spectrum": "logarithmic",
        "queue": ["/music/a.flac", {"base64": "L211c2ljL2NhZukud2F2"}], "queueIndex": 0, "position": 441000,
        "recents": [{"path": "/music/a.flac", "title": "A", "detail": "3:57"}],
        "flags": [{"path": "/music/a.flac", "a": 44100, "b": 88200}], "browserFolder": "/music"
      }
      """#
    let state = try StoredState(decoding: Array(text.utf8))
    #expect(state.volume.decibels == .silence)
    #expect(state.loop == .queue)
    #expect(state.window == .init(x: 0, y: 0, width: 1280, height: 720, isMaximised: false))
    #expect(state.queue[1] == PathBytes(bytes: Array("/music/caf".utf8) + [0xE9] + Array(".wav".utf8)))
    #expect(state.position == FrameIndex(441_000))
    #expect(state.recents.map(\.title) == ["A"])
    #expect(state.flags.map(\.flags.region) == [FrameIndex(44_100)..<FrameIndex(88_200)])
  }

  @Test func `a file of an older or a newer program is read as far as it is understood`() throws {
    #expect(try StoredState(decoding: Array("{}".utf8)) == StoredState())
    let newer = #"{"version": 7, "volume": -6, "loop": "shuffle", "hologram": {"a": [1, null]}, "spectrum": "mel"}"#
    let state = try StoredState(decoding: Array(newer.utf8))
    #expect(state.volume.decibels.value == -6)
    #expect(state.loop == .off)
    #expect(state.spectrumScale == .logarithmic)
  }

  @Test(arguments: [
    "", " ", "null", "[]", "3", "\"\"", "{", "{]", #"{"volume": "loud"}"#, #"{"queue": 3}"#, #"{"queue": [3]}"#,
    #"{"queue": [{"base64": "?"}]}"#, #"{"window": []}"#, #"{"position": 1.5}"#, #"{"position": 1e40}"#,
    #"{"muted": "yes"}"#, #"{"recents": [{}]}"#, #"{"volume": 1e999}"#, #"{"queueIndex": -99999999999999999999}"#,
    "\u{0}\u{0}\u{0}\u{0}", String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 100_000),
  ])
  func `what is no such file throws`(_ text: String) {
    #expect(throws: (any Error).self) { try StoredState(decoding: Array(text.utf8)) }
  }

  @Test func `impossible values are left out`() throws {
    let text = #"""
      {"volume": 90, "window": {"x": 0, "y": 0, "width": 0, "height": -5, "maximised": false}, "secondsPerPoint": -1,
       "interfaceScale": 1e300, "queue": ["/a"], "queueIndex": 1, "position": 99, "browserFolder": "",
       "recents": [{"path": "", "title": "", "detail": ""}, {"path": "/a\u0000b", "title": "", "detail": ""}]}
      """#
    var expected = StoredState()
    expected.queue = [PathBytes("/a")]
    #expect(try StoredState(decoding: Array(text.utf8)) == expected)
    let before = #"{"queue": ["/a"], "queueIndex": 0, "position": -1}"#
    #expect(try StoredState(decoding: Array(before.utf8)).position == .zero)
    var broken = StoredState()
    broken.secondsPerPoint = .nan
    broken.interfaceScale = .infinity
    #expect(try StoredState(decoding: broken.encoded()) == StoredState())
  }

  @Test func `recents keep the last twenty, each once`() {
    var state = StoredState()
    for number in [1, 2, 3, 1] + Array(4...23) {
      state.remember(RecentItem(path: PathBytes("/\(number)"), title: "\(number)", detail: ""))
    }
    #expect(state.recents.map(\.title) == (4...23).reversed().map(String.init))
    state.remember(RecentItem(path: PathBytes("/9"), title: "nine", detail: ""))
    #expect(state.recents.count == 20)
    #expect(state.recents.filter { $0.path == PathBytes("/9") }.map(\.title) == ["nine"])
    #expect(state.recents.first?.title == "nine")
  }

  @Test(arguments: 0..<300)
  func `a damaged file is read or refused; it never traps`(seed: Int) throws {
    var chance = Chance(state: UInt64(seed))
    var bytes = try Self.full.encoded()
    for _ in 0...Int.random(in: 0...6, using: &chance) {
      let place = Int.random(in: bytes.indices, using: &chance)
      switch Int.random(in: 0...3, using: &chance) {
      case 0: bytes[place] = .random(in: 0...255, using: &chance)
      case 1: bytes[place] = Array("0123456789-.eE\"{}[],:\\untrfal".utf8).randomElement(using: &chance)!
      case 2: bytes.remove(at: place)
      default: bytes.insert(contentsOf: bytes[place...].prefix(9), at: Int.random(in: bytes.indices, using: &chance))
      }
    }
    guard let state = try? StoredState(decoding: bytes) else { return }
    #expect(state == state.sane)
    #expect(try StoredState(decoding: state.encoded()) == state)
  }
}
