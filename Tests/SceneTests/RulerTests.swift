import Control
import Scene
import Sound
import Testing

struct RulerTests {
  @Test(arguments: [8000, 44_100, 48_000, 192_000])
  func `marks are evenly spread, readable and far enough apart at every zoom`(hertz: Int) throws {
    let rate = SampleRate(hertz: hertz)
    var zoom = 1.0
    while zoom < 1e7 {
      let lens = Lens(framesPerColumn: zoom, first: Int64(50_000_000 / zoom), count: 1182)
      let ruler = Ruler(lens, rate: rate, spacing: 92, length: nil)
      #expect((1...14).contains(ruler.marks.count), "\(ruler.marks.count) marks at \(zoom)")
      let gaps = zip(ruler.marks, ruler.marks.dropFirst()).map { $1.offset - $0.offset }
      if let least = gaps.min(), let most = gaps.max() { #expect(least >= 91 && most - least <= 1) }
      for mark in ruler.marks {
        // The label, read back, names the frame under the mark.
        let seconds = try #require(TimeText.seconds(typed: mark.text))
        let frame = rate.frames(inSeconds: seconds)
        #expect(abs(lens.offset(of: .zero + frame) - mark.offset) <= 1, "\(mark.text) at \(zoom)")
      }
      zoom *= 1.7
    }
  }

  @Test func `nothing is marked before the start or after the end`() {
    let lens = Lens(framesPerColumn: 441, first: -600, count: 1200)
    let ruler = Ruler(lens, rate: SampleRate(hertz: 44_100), spacing: 90, length: FrameCount(3 * 44_100))
    #expect(ruler.marks.map(\.text) == ["0:00", "0:01", "0:02", "0:03"])
    #expect(ruler.marks.map(\.offset) == [600, 700, 800, 900])
  }
}
