import Control
import Foundation
import Scene
import Sound
import Testing

struct VolumeTests {
  /// The volume that a click at a share of the slider asks for.
  private func click(_ share: Float) -> Double? {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.frame()
    guard case .player(.setVolume(let volume))? = desk.click(Point(1098 + 108 * share, 670)).first else { return nil }
    return volume.decibels.value
  }

  @Test func `a click on the slider asks for the level of that place`() {
    #expect(click(1.01) == 0)
    // (1 + dB / 60)³ is the place; a pixel is 0.6 dB at most up there.
    for share: Float in [0.1, 0.25, 0.5, 0.73, 0.9] {
      let expected = 60 * (cbrt(Double(share)) - 1)
      #expect(abs((click(share) ?? 1) - expected) <= 0.051, "\(share)")
    }
    #expect(click(-0.01) == -.infinity)
  }

  @Test func `the knob stands where a click asks for its level`() {
    for decibels in stride(from: -59.5, through: 0, by: 0.5) {
      let volume = Volume(clamping: Decibels(decibels))
      let again = VolumeScale.volume(at: VolumeScale.place(of: volume))
      #expect(abs(again.decibels.value - decibels) < 0.06)
    }
    #expect(VolumeScale.place(of: Volume(clamping: .silence)) == 0)
  }

  @Test func `at the design's size -6 dB is where the design has it`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.frame()
    let knob = desk.orders(.volume).compactMap { order -> Rect? in
      if case .fill(let rect, .text, radius: 8, _) = order { rect } else { nil }
    }.first
    #expect(abs((knob?.center.x ?? 0) - 1176) <= 1.5 && knob?.center.y == 670)
  }

  @Test func `dragging goes on outside the slider and ends with the button`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.frame()
    desk.frame([.pressed(.left, at: Point(1150, 670), clicks: 1, [])])
    #expect(desk.frame([.moved(Point(1300, 100))]) == [.player(.setVolume(.full))])
    #expect(desk.frame([.moved(Point(900, 100))]) == [.player(.setVolume(Volume(clamping: .silence)))])
    #expect(desk.frame([.released(.left, at: Point(900, 100), [])]) == [])
    #expect(desk.frame([.moved(Point(1150, 670))]) == [])
  }

  @Test func `a double click is 0 dB`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.frame()
    #expect(desk.click(Point(1120, 670), clicks: 2) == [.player(.setVolume(.full))])
    #expect(desk.frame([.moved(Point(1110, 670))]) == [])
  }

  @Test func `the wheel over it steps, and parts of notches add up`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.frame()
    let point = Point(1150, 660)
    #expect(desk.frame([.wheel(x: 0, y: 1, at: point, [])]) == [.player(.stepVolume(1))])
    #expect(desk.frame([.wheel(x: 0, y: -2, at: point, [])]) == [.player(.stepVolume(-2))])
    #expect(desk.frame([.wheel(x: 0, y: 0.4, at: point, [])]) == [])
    #expect(desk.frame([.wheel(x: 0, y: 0.4, at: point, [])]) == [])
    #expect(desk.frame([.wheel(x: 0, y: 0.4, at: point, [])]) == [.player(.stepVolume(1))])
  }

  @Test func `the level and mute are told in words`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    for (volume, words) in [
      (-6.0, "\u{2212}6.0 dB"), (0, "0.0 dB"), (-.infinity, "\u{2212}∞ dB"), (-60, "\u{2212}60.0 dB"),
    ] {
      desk.snapshot.volume = Volume(clamping: Decibels(volume))
      desk.frame()
      #expect(desk.texts(.volume) == [words])
    }
    desk.snapshot.isMuted = true
    desk.frame()
    #expect(desk.texts(.volume) == ["mute"])
    #expect(desk.place(of: .speakerMuted) != nil)
  }
}
