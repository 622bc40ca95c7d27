import Control
import Scene
import Sound
import Testing

@Test func `a press of the play button asks for play or pause`() throws {
  var desk = Desk()
  desk.snapshot = playingSnapshot()
  desk.frame()
  let button = try #require(desk.place(of: .pause))
  #expect(desk.click(button) == [.player(.playPause)])
}
