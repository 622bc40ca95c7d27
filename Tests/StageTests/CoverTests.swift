import CSDL2
import CSDL2Image
import Control
import Foundation
import Scene
import Sound
import Stage
import System
import TestSupport
import Testing

extension StageTests {
  @Suite struct CoverPictures {
    private func png(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> UInt32) throws -> [UInt8] {
      var image = Image(width: width, height: height)
      for y in 0..<height { for x in 0..<width { image.pixels[y * width + x] = pixel(x, y) } }
      let folder = try TemporaryFolder()
      let file = URL(fileURLWithPath: folder.path.shown).appendingPathComponent("cover.png")
      try image.write(to: file)
      return Array(try Data(contentsOf: file))
    }

    /// Draws a cover over and over, as the window does, until it has come.
    private func shown(_ bytes: [UInt8], _ rect: Rect, radius: Float) -> Image {
      let bell = Monitor(0)
      let covers = Covers(bell: { bell.withLock { $0 += 1 } })
      let painter = Painter(fonts: Fonts(), assets: nil, covers: covers)
      let list = DrawList(Size(60, 60), [.image(CoverImage(track: TrackID(1), bytes: bytes), rect, radius: radius)])
      var image = Image(width: 60, height: 60)
      image.paint(list, with: painter)
      #expect(image[30, 30] == image[0, 0], "nothing is drawn before the picture has come")
      #expect(bell.wait(atMost: 20) { $0 > 0 ? true : nil } == true)
      #expect(image.paint(list, with: painter) != [])
      covers.end()
      return image
    }

    @Test func `a cover appears when it has been decoded, cut to its rectangle`() throws {
      let bytes = try png(100, 50) { x, _ in x < 50 ? 0xFF0000 : 0x0000FF }
      let image = shown(bytes, Rect(10, 10, 40, 40), radius: 8)
      // The middle square of the picture: red left, blue right.
      #expect(image[12, 30] == 0xFF0000)
      #expect(image[28, 30] == 0xFF0000)
      #expect(image[32, 30] == 0x0000FF)
      #expect(image[47, 30] == 0x0000FF)
      #expect(image[10, 10] == image[0, 0])
      #expect(image[9, 30] == image[0, 0])
      #expect(image[50, 30] == image[0, 0])
    }

    @Test func `a cover made smaller is the mean of what it was`() throws {
      let bytes = try png(80, 80) { x, y in (x + y) % 2 == 0 ? 0xFFFFFF : 0 }
      let image = shown(bytes, Rect(10, 10, 40, 40), radius: 0)
      for i in 12..<48 { #expect(abs(image.red(i, i) - 128) <= 1) }
    }

    @Test func `pictures that lie, that are broken, too large or no pictures are none`() throws {
      let good = try png(20, 20) { _, _ in 0x123456 }
      #expect(Covers.decode(good) != nil)
      var large = good
      large.replaceSubrange(16..<24, with: [0, 1, 0, 0, 0, 1, 0, 0])
      #expect(Covers.decode(large) == nil)
      #expect(Covers.decode(Array(good.prefix(good.count / 2))) == nil)
      #expect(Covers.decode([]) == nil)
      #expect(Covers.decode(Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)) == nil)
      #expect(Covers.decode([0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0x7F, 0xFF, 0x7F, 0xFF, 3, 0, 0]) == nil)
      #expect(Covers.decode(good + [UInt8](repeating: 0, count: 16 << 20)) == nil)
    }

    @Test(arguments: 0..<60)
    func `a damaged picture is decoded or refused; it never stops the program`(seed: Int) throws {
      var source = Noise(seed: UInt64(seed))
      var bytes = try png(24, 24) { x, y in UInt32(x * 10) << 16 | UInt32(y * 10) }
      for _ in 0..<6 { bytes[Int.random(in: 8..<bytes.count, using: &source)] = .random(in: 0...255, using: &source) }
      _ = Covers.decode(bytes)
    }
  }
}
