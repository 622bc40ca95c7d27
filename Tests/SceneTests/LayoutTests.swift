import Control
import Scene
import Sound
import Testing

/// Windows from the smallest to beyond 4K, at the scales of displays.
private let windows: [(Size, Float)] = [
  (Size(480, 320), 1), (Size(480, 320), 2), (Size(520, 900), 1), (Size(640, 360), 1), (Size(640, 480), 1.25),
  (Size(759, 600), 1), (Size(760, 440), 1), (Size(800, 600), 1), (Size(960, 540), 1.5), (Size(1024, 500), 1),
  (Size(1024, 768), 1), (Size(936, 700), 1), (Size(940, 700), 1), (Size(1168, 700), 1), (Size(1280, 441), 1),
  (Size(1280, 720), 1),
  (Size(1366, 768), 1), (Size(1920, 1080), 2), (Size(2560, 320), 1), (Size(3840, 2160), 1), (Size(5120, 2880), 1),
]

private let base: Set<PanelID> = [
  .head, .spectrum, .waveform, .overview, .time, .transport, .meters, .volume, .empty,
]

struct LayoutTests {
  /// The states in which the window may be, by name.
  private static func desks() -> [(String, Desk)] {
    func desk(_ change: (Desk) -> Void) -> Desk {
      let desk = Desk()
      desk.snapshot = playingSnapshot()
      change(desk)
      return desk
    }
    let long =
      "A Very Long Title That Goes On And On, As Titles Of Live Recordings Like To Do (Remastered, Part 2 of 7)"
    return [
      ("playing", desk { _ in }),
      ("free", desk { $0.view.scroll = .free(origin: 1e6) }),
      (
        "long",
        desk {
          $0.snapshot = playingSnapshot(seconds: 400_000, at: 123_456.7, rate: 100, channels: 8)
          $0.snapshot.track!.title = long
          $0.snapshot.track!.artist = long
          $0.snapshot.track!.channelNames = ["L", "R", "C", "LFE", "Ls", "Rs", "Lrs", "Rrs"]
          $0.snapshot.track!.lengthIsEstimate = true
          $0.snapshot.pyramid = nil
          $0.snapshot.track!.cover = CoverImage(track: TrackID(1), bytes: [1])
          $0.snapshot.volume = Volume(clamping: Decibels(-60))
          $0.view.showsRemaining = true
        }
      ),
      (
        "lost",
        desk {
          $0.snapshot.transport = .interrupted
          $0.snapshot.output.status = .lost
          $0.snapshot.output.problem = "The device “\(long)” went away."
        }
      ),
      (
        "empty",
        desk {
          $0.snapshot = Snapshot()
          $0.snapshot.hasDemo = true
          $0.snapshot.recents = (0..<9).map {
            RecentItem(path: PathBytes("/\($0)"), title: long, detail: "1:12:40 · MP3")
          }
        }
      ),
      ("armed", desk { $0.openRecordView(recordingSnapshot(.armed)) }),
      ("recording", desk { $0.openRecordView(recordingSnapshot()) }),
      (
        "recording in trouble",
        desk {
          var recording = recordingSnapshot(seconds: 100_000)
          recording.isInterrupted = true
          recording.input.status = .lost
          recording.input.problem = "The microphone “\(long)” went away."
          recording.input.device = long
          recording.dropouts = 12_345
          recording.dropoutFrames = FrameCount(9_999_999)
          recording.deadChannels = [0, 1]
          recording.fileBytes = 123_456_789_012
          recording.diskSeconds = 1e9
          recording.marks = (0..<900).map {
            RecordingMark(frame: FrameIndex($0 * 5_333_000), kind: .dropout(FrameCount(48_000)))
          }
          recording.options.trigger = SoundTrigger()
          recording.path = PathBytes("/" + long)
          $0.openRecordView(recording)
        }
      ),
      (
        "recording with a hint",
        desk {
          $0.openRecordView(recordingSnapshot())
          $0.press(.escape)
        }
      ),
      (
        "opening",
        desk {
          $0.snapshot = Snapshot()
          $0.snapshot.isOpening = true
        }
      ),
    ]
  }

  private static func overlays() -> [(String, Desk)] {
    func desk(_ change: (Desk) -> Void) -> Desk {
      let desk = Desk()
      desk.snapshot = playingSnapshot()
      desk.snapshot.browser = listing(
        count: 300, folder: "/a/rather/long/path/to/a/folder/of/music/with/many/levels/in/it")
      desk.snapshot.output.names = (0..<12).map { "Output device number \($0) with a long and winding name" }
      change(desk)
      return desk
    }
    return [
      ("help", desk { $0.view.overlay = .help }), ("settings", desk { $0.view.overlay = .settings }),
      ("browser", desk { $0.press("o") }),
      (
        "typing",
        desk {
          $0.press("o")
          $0.frame([.text(String(repeating: "wide ", count: 40))])
        }
      ),
      ("time", desk { $0.view.overlay = .goTo }),
      (
        "settings of recording",
        desk {
          var recording = recordingSnapshot(.armed)
          recording.input.names = (0..<9).map { "Microphone number \($0) with a long and winding name" }
          recording.options.trigger = SoundTrigger(threshold: -33, holdSeconds: 4.5)
          recording.options.bufferMilliseconds = 123
          $0.openRecordView(recording)
          $0.press(",", .control)
        }
      ),
      (
        "take and toasts",
        desk {
          $0.finishTake()
          $0.snapshot.notices = [Notice(id: 1, kind: .error, text: "A sentence.")]
        }
      ),
      (
        "name",
        desk {
          $0.finishTake()
          $0.view.overlay = .rename
          $0.frame([.text(String(repeating: "wide ", count: 40))])
        }
      ),
      (
        "toasts",
        desk { desk in
          desk.snapshot.notices = (1...5).map {
            Notice(id: $0, kind: .error, text: String(repeating: "A sentence that is long. ", count: $0 * 2))
          }
        }
      ),
    ]
  }

  @Test(arguments: windows)
  func `nothing overlaps, is cut or lies outside`(size: Size, scale: Float) {
    for (name, desk) in Self.desks() {
      (desk.size, desk.scale) = (size, scale)
      desk.frame()
      let where_ = "\(name) at \(size.width)x\(size.height)"
      let window = Rect(0, 0, size.width, size.height)
      let panels = desk.result.list.panels.filter { base.contains($0.id) }
      for (index, panel) in panels.enumerated() {
        #expect(window.holds(panel.rect), "\(panel.id) of \(where_)")
        for other in panels[..<index] {
          #expect(!panel.rect.intersects(other.rect), "\(panel.id), \(other.id) of \(where_)")
        }
      }
      checkTexts(desk, where_)
      for panel in desk.result.list.panels {
        for order in panel.orders {
          #expect(panel.rect.holds(order.bounds), "\(order) in \(panel.id) of \(where_)")
        }
      }
    }
  }

  @Test(arguments: windows)
  func `overlays fit too, their lists scroll`(size: Size, scale: Float) {
    for (name, desk) in Self.overlays() {
      (desk.size, desk.scale) = (size, scale)
      desk.frame()
      let where_ = "\(name) at \(size.width)x\(size.height)"
      let window = Rect(0, 0, size.width, size.height)
      for panel in desk.result.list.panels {
        #expect(window.holds(panel.rect), "\(panel.id) of \(where_)")
        // What is scrolled may be cut at the list's edge, but not at its sides.
        for order in panel.orders {
          var bounds = order.bounds
          if panel.id == .overlayList { (bounds.y, bounds.height) = (panel.rect.y, 0) }
          #expect(panel.rect.holds(bounds), "\(order) in \(panel.id) of \(where_)")
        }
      }
      checkTexts(desk, where_, in: [.overlay, .overlayList, .toasts])
    }
  }

  /// No line of text lies on another, as far as letters reach.
  private func checkTexts(_ desk: Desk, _ place: String, in panels: Set<PanelID> = base) {
    var texts: [(String, Rect)] = []
    for panel in desk.result.list.panels where panels.contains(panel.id) {
      for order in panel.orders {
        guard case .text(let string, let at, let style, _, _) = order else { continue }
        #expect(!string.isEmpty, "an empty text in \(panel.id) of \(place)")
        let width = Desk.measure(string, style)
        texts.append((string, Rect(at.x, at.y + style.size * 0.2, width, style.size * 0.8)))
      }
    }
    for (index, text) in texts.enumerated() {
      for other in texts[..<index] {
        #expect(!text.1.intersects(other.1), "“\(text.0)” lies on “\(other.0)” of \(place)")
      }
    }
  }

  @Test func `tight windows lose the spectrum first and keep waveform, overview and buttons`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    var heights: [Float] = []
    for height in stride(from: 1000 as Float, through: 320, by: -20) {
      desk.size = Size(1280, height)
      desk.frame()
      heights.append(desk.panel(.spectrum)?.rect.height ?? 0)
      #expect((desk.panel(.waveform)?.rect.height ?? 0) >= 150)
      #expect(desk.panel(.overview) != nil && desk.place(of: .pause) != nil)
    }
    #expect(heights.last == 0 && heights.first! > 300)
  }

  @Test func `at the narrowest everything is where the design has it`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.size = Size(480, 320)
    desk.frame()
    #expect(desk.panel(.spectrum) == nil && desk.panel(.meters) == nil)
    #expect(desk.panel(.waveform)?.rect == Rect(12, 38, 456, 150))
    #expect(desk.panel(.overview)?.rect == Rect(12, 196, 456, 44))
    #expect(desk.place(of: .pause) == Point(130, 280))
    #expect(desk.texts(.time) == ["1:38.4 / 3:57.0"])
    #expect(desk.lanes.map(\.rect.x) == [24, 24] && desk.lanes[0].columns.count == 432)
  }

  @Test func `a narrow head has what happened in it, and not the reasons`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.snapshot.output.status = .lost
    desk.size = Size(640, 360)
    for (whole, short) in [
      ("There is no sound: nobody answers (connection refused). It goes on.", "There is no sound: nobody answers"),
      ("The output device was removed. It plays on.", "The output device was removed."), ("Short", "Short"),
    ] {
      desk.snapshot.output.problem = whole
      desk.frame()
      #expect(desk.texts(.head) == [short])
    }
  }

  @Test func `columns are device pixels at every scale`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    for scale: Float in [1, 1.25, 1.5, 2, 2.75] {
      desk.scale = scale
      desk.frame()
      for lane in desk.lanes + desk.lanes(in: .overview) {
        #expect(abs(Float(lane.columns.count) - lane.rect.width * scale) < 0.01)
        #expect(abs((lane.rect.x * scale).rounded() - lane.rect.x * scale) < 0.01)
      }
    }
  }

  @Test func `a long title ends in an ellipsis before the button`() throws {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.snapshot.track!.title = String(repeating: "Long ", count: 60)
    desk.frame()
    let title = try #require(desk.texts(.head).first)
    #expect(title.hasPrefix("Long Long") && title.hasSuffix("…"))
    #expect(Desk.measure(title, TextStyle(19)) > 1000)
  }

  @Test func `a window smaller than the smallest is drawn without a fault`() {
    for (name, desk) in Self.desks() + Self.overlays() {
      for size in [Size(1, 1), Size(100, 50), Size(0, 0), Size(479, 319)] {
        desk.size = size
        desk.frame([.moved(Point(0.5, 0.5))])
        #expect(!desk.result.list.panels.isEmpty, "\(name)")
      }
    }
  }
}

extension Rect {
  /// Whether another lies within, give or take half a pixel of rounding.
  fileprivate func holds(_ other: Rect) -> Bool {
    other.x >= x - 0.51 && other.y >= y - 0.51 && other.right <= right + 0.51 && other.bottom <= bottom + 0.51
  }
}

extension Order {
  /// What an order may mark.
  fileprivate var bounds: Rect {
    switch self {
    case .fill(let rect, _, _, _), .stroke(let rect, _, _, _, _), .dashes(let rect, _, _), .icon(_, let rect, _, _),
      .waveform(let rect, _, _, _), .image(_, let rect, _):
      return rect
    case .text(let string, let at, let style, _, _):
      return Rect(at.x, at.y, Desk.measure(string, style), (style.size * 1.2).rounded(.up))
    case .polyline(let points, _, _, _): return Self.around(points)
    case .triangle(let a, let b, let c, _): return Self.around([a, b, c])
    }
  }

  private static func around(_ points: [Point]) -> Rect {
    let (xs, ys) = (points.map(\.x), points.map(\.y))
    return Rect(xs.min()!, ys.min()!, xs.max()! - xs.min()!, ys.max()! - ys.min()!)
  }
}
