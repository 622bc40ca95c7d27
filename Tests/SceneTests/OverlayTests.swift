import Control
import Scene
import Sound
import Testing

struct GoToTests {
  private let desk = Desk()

  init() {
    desk.snapshot = playingSnapshot()
    desk.frame()
    desk.press("g")
  }

  @Test(arguments: [("1:23.4", 83.4), ("83", 83), ("0:00:03", 3), ("99:00", 237)])
  func `a typed time is gone to, within the track`(text: String, seconds: Double) {
    desk.type(text)
    let frame = FrameIndex.zero + SampleRate(hertz: 44_100).frames(inSeconds: seconds)
    #expect(desk.press(.enter) == [.player(.seek(to: frame))])
    #expect(desk.view.overlay == .none)
  }

  @Test func `what is no time says so and stays`() {
    desk.type("1:x")
    #expect(desk.press(.enter) == [])
    #expect(desk.view.overlay == .goTo)
    #expect(desk.texts(.overlay).contains { $0.contains("such as 1:23.4") })
    desk.press(.backspace)
    #expect(!desk.texts(.overlay).contains { $0.contains("such as 1:23.4") })
    #expect(desk.press(.escape) == [])
    #expect(desk.view.overlay == .none)
  }

  @Test func `Space types, and nothing plays or pauses`() {
    #expect(desk.press(.space) == [])
    #expect(desk.press("5") == [])
  }
}

struct SettingsTests {
  private let desk = Desk()

  init() {
    desk.snapshot = playingSnapshot()
    desk.snapshot.output.names = ["Built-in", "HDMI"]
    desk.snapshot.output.wanted = "USB DAC"
    desk.frame()
    desk.press(",", .control)
  }

  private func click(_ text: String) throws -> [Command] { desk.click(try #require(desk.place(of: text))) }

  @Test func `a device is chosen from those there are, and one that is gone is named`() throws {
    #expect(try click("HDMI") == [.player(.setDevice("HDMI"))])
    #expect(try click("As the system chooses") == [.player(.setDevice(nil))])
    #expect(try click("USB DAC (not there now)") == [.player(.setDevice("USB DAC"))])
  }

  @Test func `size and spectrum are set`() throws {
    #expect(try click("+") == [.window(.stepScale(1))])
    #expect(try click("\u{2212}") == [.window(.stepScale(-1))])
    #expect(try click("As the display") == [.window(.stepScale(0))])
    #expect(try click("Linear") == [.player(.setSpectrumScale(.linear))])
    #expect(try click("Logarithmic") == [.player(.setSpectrumScale(.logarithmic))])
    #expect(desk.texts(.overlay).contains("100 %"))
  }

  @Test func `the keyboard reaches them`() {
    desk.press(.tab)
    desk.press(.tab)
    #expect(desk.press(.enter) == [.player(.setDevice("Built-in"))])
  }
}

struct ToastTests {
  private let desk = Desk()
  private let sentence = "Can’t play “holiday notes.mp3”: it holds text, not audio."

  init() {
    desk.snapshot = playingSnapshot()
    desk.frame()
  }

  private func notice(_ id: Int, _ kind: Notice.Kind = .error, _ text: String? = nil) -> Notice {
    Notice(id: id, kind: kind, text: text ?? "Sentence \(id).")
  }

  /// Obeys the commands as a player does: what is dismissed goes.
  private func obey(_ commands: [Command]) {
    for case .player(.dismissNotice(let id)) in commands { desk.snapshot.notices.removeAll { $0.id == id } }
  }

  @Test func `an error stays six seconds at least, information four, then each is dismissed once`() {
    for (kind, least) in [(Notice.Kind.error, 6.0), (.information, 4.0)] {
      desk.snapshot.notices = [notice(kind == .error ? 1 : 2, kind, sentence)]
      #expect(desk.frame() == [])
      #expect(desk.texts(.toasts).contains(sentence))
      desk.frame(after: least - 0.1)
      #expect(desk.texts(.toasts).contains(sentence))
      let end = desk.result.nextFrame
      #expect(end != nil && end! >= desk.time && end! <= desk.time + 2)
      let commands = desk.frame(after: end! - desk.time)
      #expect(commands == [.player(.dismissNotice(kind == .error ? 1 : 2))])
      #expect(desk.texts(.toasts) == [])
      #expect(desk.frame(after: 1) == [], "it is not dismissed twice while the player has not heard")
      #expect(desk.result.nextFrame == nil)
    }
  }

  @Test func `a long sentence stays longer and is wrapped whole`() {
    let long = String(repeating: "It goes on and on. ", count: 20)
    desk.snapshot.notices = [notice(1, .error, long)]
    desk.frame()
    #expect(desk.frame(after: 10) == [])
    let lines = desk.texts(.toasts).filter { $0 != "Dismiss" }
    #expect(lines.count > 3)
    #expect(lines.joined(separator: " ") + " " == long)
  }

  @Test func `Dismiss takes one away`() throws {
    desk.snapshot.notices = [notice(1), notice(2, .information)]
    desk.frame()
    let button = try #require(desk.place(of: "Dismiss"))
    obey(desk.click(button))
    #expect(desk.snapshot.notices.map(\.id) == [2])
    desk.frame()
    #expect(desk.texts(.toasts) == ["Sentence 2.", "Dismiss"])
  }

  @Test func `three at most are shown, and those that wait get their time later`() {
    desk.snapshot.notices = (1...5).map { notice($0) }
    desk.frame()
    #expect(desk.texts(.toasts).filter { $0 != "Dismiss" } == ["Sentence 1.", "Sentence 2.", "Sentence 3."])
    obey(desk.frame(after: 6.1))
    #expect(desk.snapshot.notices.map(\.id) == [4, 5])
    obey(desk.frame())
    #expect(desk.texts(.toasts).filter { $0 != "Dismiss" } == ["Sentence 4.", "Sentence 5."])
    obey(desk.frame(after: 5.5))
    #expect(desk.snapshot.notices.map(\.id) == [4, 5])
    obey(desk.frame(after: 0.6))
    #expect(desk.snapshot.notices.isEmpty)
  }

  @Test func `the edge tells an error from information`() {
    desk.snapshot.notices = [notice(1), notice(2, .information)]
    desk.frame()
    desk.frame(after: 1)
    let edges = desk.orders(.toasts).compactMap { order -> Ink? in
      if case .fill(let rect, let ink, _, 1) = order, rect.width == 4 { ink } else { nil }
    }
    #expect(edges == [.record, .accent])
  }

  @Test func `a toast stands over an overlay and can be dismissed there`() throws {
    desk.press("?")
    desk.snapshot.notices = [notice(7)]
    desk.frame()
    #expect(desk.click(try #require(desk.place(of: "Dismiss"))) == [.player(.dismissNotice(7))])
    #expect(desk.view.overlay == .help)
  }
}
