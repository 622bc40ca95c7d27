import Control
import Foundation
import Scene
import Sound
import Testing

struct SpectrumTests {
  @Test(arguments: SpectrumScale.allCases)
  func `the place of a frequency and the frequency at a place are each other's reverse`(scale: SpectrumScale) throws {
    let axis = SpectrumAxis(spectrumReading(scale))
    for place in stride(from: 0.0, through: 1, by: 0.013) {
      let hertz = try #require(axis.frequency(at: place)).hertz
      #expect(abs(try #require(axis.place(of: hertz)) - place) < 1e-6)
    }
  }

  @Test func `the logarithmic axis spreads equal ratios evenly`() throws {
    let axis = SpectrumAxis(spectrumReading())
    // By the definition of the scale, without looking at its edges.
    for hertz in [50.0, 440, 1000, 12_345] {
      let place = try #require(axis.place(of: hertz))
      #expect(abs(place - log(hertz / 27.5) / log(20_000 / 27.5)) < 1e-5)
    }
    #expect(axis.place(of: 20) == nil)
    #expect(axis.place(of: 20_001) == nil)
  }

  @Test(arguments: [
    (440.0, "A4 0 ct"), (554.37, "C♯5 0 ct"), (554.0, "C♯5 \u{2212}1 ct"), (261.63, "C4 0 ct"), (27.5, "A0 0 ct"),
    (445, "A4 +20 ct"), (8.18, "C\u{2212}1 +1 ct"), (16_744.04, "C10 0 ct"),
  ])
  func `a note is named with its cents`(hertz: Double, name: String) {
    #expect(NoteText.name(hertz: hertz) == name)
  }

  @Test func `no note is named where there is none`() {
    #expect(NoteText.name(hertz: 0) == nil)
    #expect(NoteText.name(hertz: 7.9) == nil)
  }

  @Test func `the readout tells frequency, note and level of the bar under the pointer`() throws {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    // The middle of bar 29 of 64, between 64 and 1246.
    let x: Float = 64 + 1182 * 29.5 / 64
    desk.frame([.moved(Point(x, 200))])
    let hertz = 27.5 * pow(20_000 / 27.5, 29.5 / 64)
    let pitch = 69 + 12 * log2(hertz / 440)
    #expect(Int(hertz.rounded()) == 573 && Int(pitch.rounded()) == 74)
    #expect(desk.texts(.spectrum).contains("573 Hz · D5 \u{2212}42 ct · \u{2212}49.0 dB"))
    desk.frame([.moved(Point(700, 450))])
    #expect(!desk.texts(.spectrum).contains { $0.contains("Hz ·") })
  }

  @Test func `a bar is as high as its level on the lines`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.snapshot.spectrum!.levels = (0..<64).map { $0 == 10 ? 0 : $0 == 20 ? -45 : -90 }
    desk.snapshot.spectrum!.holds = desk.snapshot.spectrum!.levels
    desk.frame()
    var bars: [Float: Rect] = [:]
    for order in desk.orders(.spectrum) {
      if case .fill(let rect, .spectral(let place), _, 1) = order { bars[(place * 63).rounded()] = rect }
    }
    #expect(bars.count == 2, "what lies at the floor is not drawn")
    #expect(bars[10]?.y == 92 && bars[10]?.bottom == 286)
    #expect(bars[20]?.height == 97)
  }

  @Test func `linear labels stand at round frequencies and the last names the unit`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.snapshot.spectrum = spectrumReading(.linear)
    desk.frame()
    let labels = desk.texts(.spectrum).filter { $0.hasSuffix("k") || $0.hasSuffix("Hz") }
    #expect(labels.reversed() == ["2k", "4k", "6k", "8k", "10k", "12k", "14k", "16k", "18k", "20k", "22k Hz"])
  }

  @Test func `V and a click on the axis change the scale, a double click on the bars the full screen`() {
    let desk = Desk()
    desk.snapshot = playingSnapshot()
    desk.frame()
    #expect(desk.press("v") == [.player(.setSpectrumScale(.linear))])
    #expect(desk.click(Point(600, 302)) == [.player(.setSpectrumScale(.linear))])
    desk.snapshot.spectrum = spectrumReading(.linear)
    #expect(desk.press("v") == [.player(.setSpectrumScale(.logarithmic))])
    #expect(desk.click(Point(600, 200)) == [])
    #expect(desk.click(Point(600, 200), clicks: 2) == [.window(.toggleFullScreen)])
  }
}
