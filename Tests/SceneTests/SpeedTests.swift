import Control
import Scene
import Sound
import Testing

struct SpeedTests {
  @Test func `steps are a twentieth, above 2 a quarter, and stay within the limits`() {
    #expect(Speed.normal.stepped(1) == Speed(clamping: 1.05))
    #expect(Speed.normal.stepped(-1) == Speed(clamping: 0.95))
    #expect(Speed(clamping: 2).stepped(1) == Speed(clamping: 2.25))
    #expect(Speed(clamping: 2.25).stepped(-1) == Speed(clamping: 2))
    #expect(Speed(clamping: 2).stepped(-1) == Speed(clamping: 1.95))
    #expect(Speed(clamping: 1.33).stepped(1) == Speed(clamping: 1.35))
    #expect(Speed(clamping: 1.33).stepped(-1) == Speed(clamping: 1.3))
    #expect(Speed.fastest.stepped(1) == .fastest && Speed.slowest.stepped(-3) == .slowest)
    #expect(Speed.normal.stepped(100) == .fastest && Speed.fastest.stepped(-28) == .normal)
    #expect(Speed(clamping: 99) == .fastest && Speed(clamping: .nan) == .normal)
  }

  @Test func `a speed reads as short as it can`() {
    let texts = [1, 1.25, 0.5, 2, 0.95, 1.05].map { Speed(clamping: $0).text }
    #expect(texts == ["1×", "1.25×", "0.5×", "2×", "0.95×", "1.05×"])
  }

  @Test func `the speed stands beside the buttons, the wheel changes it and a click makes it normal`() throws {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.snapshot.speed = Speed(clamping: 1.25)
    desk.frame()
    let place = try #require(desk.place(of: "1.25×"))
    #expect(desk.frame([.wheel(x: 0, y: 1, at: place, [])]) == [.player(.stepSpeed(1))])
    #expect(desk.frame([.wheel(x: 0, y: -2, at: place, [])]) == [.player(.stepSpeed(-2))])
    #expect(desk.click(place) == [.player(.setSpeed(.normal))])
  }

  @Test(arguments: [Size(480, 320), Size(780, 600)])
  func `where the button has no room the clock tells a speed that is not the usual one`(size: Size) {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.size = size
    desk.frame()
    #expect(!desk.texts().contains { $0.contains("×") })
    desk.snapshot.speed = Speed(clamping: 0.5)
    desk.frame()
    #expect(desk.texts().contains { $0.hasPrefix("0.5× · ") })
  }

  @Test func `the song moving on faster is no jump`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.snapshot.speed = .fastest
    desk.frame()
    desk.press(.right)
    desk.snapshot.position = desk.snapshot.position + FrameCount(5 * 44_100)
    desk.frame(after: 0.02)
    desk.frame([.wheel(x: 0, y: 3, at: Point(500, 440), .shift)])
    let free = desk.view.scroll
    desk.snapshot.position = desk.snapshot.position + FrameCount(4 * 44_100 * 2 / 10)
    desk.frame(after: 0.2)
    #expect(desk.view.scroll == free)
  }
}
