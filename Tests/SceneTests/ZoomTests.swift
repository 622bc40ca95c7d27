import Control
import Foundation
import Scene
import Sound
import Testing

struct ZoomTests {
  private let desk = Desk()

  init() {
    desk.snapshot = playingSnapshot()
    desk.frame()
  }

  private func wheel(_ notches: Float, at x: Float, _ modifiers: Modifiers = []) {
    desk.frame([.wheel(x: 0, y: notches, at: Point(x, 440), modifiers)])
  }

  @Test func `zoom while following keeps the playhead in the middle`() {
    let before = desk.view.secondsPerPoint
    wheel(3, at: 300)
    #expect(desk.view.scroll == .following)
    #expect(desk.playhead == 655)
    #expect(abs(before / desk.view.secondsPerPoint - pow(10, 0.3)) < 1e-9)
  }

  @Test(arguments: [64, 301, 655, 900, 1245] as [Float], [1, -1] as [Float])
  func `a free or paused zoom keeps what lies under the pointer within a pixel`(x: Float, direction: Float) {
    for isPlaying in [true, false] {
      desk.snapshot.transport = isPlaying ? .playing : .paused
      desk.view = ViewState()
      desk.frame()
      if isPlaying { wheel(0.01, at: 700, .shift) }
      // Where the pointer is on the track, by the place of the playhead, which is known.
      func pointed() -> Double {
        Double(desk.snapshot.position.rawValue) + Double(x - desk.playheadPlace) * desk.framesPerColumn
      }
      let before = pointed()
      for notch in 1...10 {
        wheel(direction, at: x)
        #expect(abs(pointed() - before) <= 1.01 * desk.framesPerColumn, "after \(notch) notches")
      }
    }
  }

  @Test(arguments: [1, 2] as [Float])
  func `zoom ends at 24 pixels a sample and at the whole song`(scale: Float) {
    desk.scale = scale
    desk.frame()
    for _ in 0..<200 { desk.press("+") }
    #expect(abs(desk.framesPerColumn * 24 * Double(scale) - 1) < 1e-9)
    desk.press("+")
    #expect(abs(desk.framesPerColumn * 24 * Double(scale) - 1) < 1e-9)
    for _ in 0..<200 { desk.press("-") }
    #expect(abs(desk.framesPerColumn * Double(scale) - 237 * 44_100 / 1182) < 1e-6)
    let whole = desk.view.secondsPerPoint
    wheel(-5, at: 400)
    #expect(desk.view.secondsPerPoint == whole)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 0, -1, 1e300])
  func `a zoom from a damaged state is brought within bounds`(zoom: Double) {
    desk.view.secondsPerPoint = zoom
    for key: Key in ["c", "+", "-", "z", "z"] { desk.press(key) }
    #expect((1 / 24.1...(237 * 44_100 / 1182.0 + 1)).contains(desk.framesPerColumn))
  }

  @Test func `a track shorter than the view at its closest still has a view`() {
    desk.snapshot = playingSnapshot(seconds: 0.01, at: 0.005)
    desk.frame()
    for key: Key in ["+", "-", "z", "z", "c"] { desk.press(key) }
    #expect(desk.lanes.allSatisfy { $0.columns.count == 1182 })
    #expect(abs(desk.framesPerColumn) > 0)
  }

  @Test func `Z shows the whole song and then what was shown before`() {
    wheel(-1, at: 700, .shift)
    wheel(4, at: 500)
    let (zoom, scroll) = (desk.view.secondsPerPoint, desk.view.scroll)
    desk.press("z")
    #expect(desk.view.scroll == .free(origin: 0))
    #expect(desk.lanes[0].columns.allSatisfy { $0.low <= $0.high })
    #expect(abs(desk.framesPerColumn - 237 * 44_100 / 1182) < 1e-6)
    desk.press("z")
    #expect(desk.view.secondsPerPoint == zoom && desk.view.scroll == scroll)
  }

  @Test func `scrolling ends where half the view would be empty`() {
    for _ in 0..<300 { wheel(5, at: 700, .shift) }
    #expect(desk.lanes[0].columns[..<591].allSatisfy { $0.low > $0.high })
    #expect(desk.lanes[0].columns[592].low <= desk.lanes[0].columns[592].high)
    for _ in 0..<300 { wheel(-5, at: 700, .shift) }
    #expect(desk.lanes[0].columns[592...].allSatisfy { $0.low > $0.high })
    #expect(desk.lanes[0].columns[589].low <= desk.lanes[0].columns[589].high)
  }

  @Test func `hours into a track a step of a column is still a step of a column`() {
    // 26 hours at 192 kHz lie far beyond what a float can count.
    let rate = SampleRate(hertz: 192_000)
    desk.snapshot.track!.rate = rate
    desk.snapshot.track!.length = rate.frames(inSeconds: 26 * 3600)
    desk.snapshot.pyramid = nil
    desk.view.secondsPerPoint = 32.0 / 192_000
    let start = rate.frames(inSeconds: 25 * 3600 + 1234.5)
    desk.snapshot.position = .zero + start
    desk.frame()
    wheel(0.001, at: 700, .shift)
    let before = desk.playhead!
    for step in 1...100 {
      desk.snapshot.position = .zero + start + FrameCount(32 * step)
      desk.frame()
      #expect(desk.playhead == before + Float(step))
    }
  }

  // MARK: Seeking

  @Test func `a click seeks to the frame under it`() throws {
    let commands = desk.click(Point(655 + 118, 440))
    guard case .player(.seek(let frame))? = commands.first, commands.count == 1 else {
      Issue.record("\(commands)")
      return
    }
    let expected = Double(desk.snapshot.position.rawValue) + 118 * desk.framesPerColumn
    #expect(abs(Double(frame.rawValue) - expected) <= desk.framesPerColumn)
  }

  @Test func `a click before the start or after the end seeks to the start or the end`() {
    desk.snapshot.position = .zero
    desk.frame()
    #expect(desk.click(Point(100, 440)) == [.player(.seek(to: .zero))])
    desk.snapshot.position = FrameIndex(237 * 44_100)
    desk.frame()
    #expect(desk.click(Point(1200, 440)) == [.player(.seek(to: FrameIndex(237 * 44_100)))])
  }

  @Test func `the Stop key and a lost focus end a drag`() {
    for end: InputEvent in [.key("s", [], isRepeat: false), .focusLost] {
      desk.frame([.pressed(.left, at: Point(700, 440), clicks: 1, [])])
      desk.frame([end])
      let scroll = desk.view.scroll
      #expect(desk.frame([.moved(Point(900, 440))]) == [])
      #expect(desk.view.scroll == scroll)
      #expect(desk.frame([.released(.left, at: Point(900, 440), [])]) == [])
    }
  }
}

extension Desk {
  /// Where the playhead is or would be, in logical pixels, to a part of one.
  var playheadPlace: Float {
    let columns = Double(snapshot.position.rawValue) / framesPerColumn
    return switch view.scroll {
    case .following: 655 + Float(columns - columns.rounded(.down))
    case .free(let origin): 64 + Float((Double(snapshot.position.rawValue) - origin) / framesPerColumn)
    }
  }
}
