import Foundation
import Scene
import Sound
import Stage
import System
import TestSupport
import Testing

extension StageTests {
  @Suite struct Letters {
    private let fonts = Fonts()
    private let plain = TextStyle(15)

    /// What a text leaves on black, row by row.
    private func ink(_ text: String, _ style: TextStyle = TextStyle(15), scale: Float = 1) -> Image {
      let painter = Painter(fonts: fonts, assets: nil, covers: nil)
      var image = Image(width: Int(200 * scale), height: Int(40 * scale))
      let size = Size(200, 40)
      image.paint(
        DrawList(size, [.fill(Rect(0, 0, 200, 40), .black), .text(text, at: Point(10, 10), style, .text)]),
        with: painter,
        scale: scale)
      return image
    }

    private func rows(_ image: Image) -> [Int] {
      (0..<image.height).filter { y in (0..<image.width).contains { image.red($0, y) > 40 } }
    }

    @Test func `digits are of one width where numbers run, and not elsewhere`() {
      let tabular = TextStyle(15, tabular: true)
      let widths = (0...9).map { fonts.measure(String(repeating: "\($0)", count: 20), tabular) }
      #expect(Set(widths).count == 1)
      #expect(fonts.measure("1:11.1", tabular) == fonts.measure("8:00.8", tabular))
      #expect(fonts.measure("1111", plain) < fonts.measure("0000", plain))
    }

    @Test(arguments: [1, 1.25, 2, 3] as [Float])
    func `a text is as wide at every scale`(scale: Float) {
      let text = "Harbour Lights, in the morning"
      let width = fonts.measure(text, plain)
      fonts.scale = scale
      #expect(abs(fonts.measure(text, plain) - width) < width * 0.02)
    }

    @Test func `a longer text is wider, and no text has no width`() {
      #expect(fonts.measure("", plain) == 0)
      #expect(fonts.measure("ab", plain) > fonts.measure("a", plain))
      #expect(fonts.measure("a ", plain) > fonts.measure("a", plain))
    }

    @Test func `what is drawn ends where the measure says`() {
      let text = "HIMNH"
      let width = fonts.measure(text, plain)
      let image = ink(text)
      let last = (0..<200).last { x in (0..<40).contains { image.red(x, $0) > 60 } }!
      #expect(abs(Float(last) - (10 + width)) < 3)
    }

    @Test(arguments: ["日本語", "العربية", "שלום", "ไทย", "Ελληνικά", "Кириллица", "한국어"])
    func `letters that the font lacks come from another, each its own`(text: String) {
      let image = ink(text)
      #expect(!rows(image).isEmpty)
      for letter in Set(text) where letter.unicodeScalars.first!.properties.isAlphabetic {
        #expect(ink(String(letter)) != ink("\u{FFFD}"), "\(letter) is a box")
      }
    }

    @Test func `Arabic letters join`() {
      let joined = fonts.measure("ببب", plain)
      let apart = fonts.measure("ب", plain) * 3
      #expect(joined < apart * 0.9)
    }

    @Test func `Hebrew runs from right to left`() {
      let both = ink("אב")
      let alone = ink("ב")
      // The second letter stands first.
      let width = Int(fonts.measure("ב", plain)) - 1
      for y in 0..<40 { for x in 10..<10 + width { #expect(both[x, y] == alone[x, y]) } }
    }

    @Test func `marks stay with their letters`() {
      #expect(fonts.measure("e\u{302}\u{323}", plain) < fonts.measure("e", plain) * 1.3)
      #expect(ink("e\u{301}") != ink("e"))
    }

    @Test func `a line stands on one baseline whatever fonts it needs`() {
      // Capital letters without descenders end on the baseline in each font.
      let latin = rows(ink("HHH")).last!
      #expect(abs(rows(ink("Ж")).last! - latin) <= 1)
      #expect(abs(rows(ink("ΗΠ")).last! - latin) <= 1)
      #expect(abs(rows(ink("H한")).last! - latin) <= 3)
    }

    @Test(arguments: [11, 13, 15, 20, 28] as [Float])
    func `a text stands within its box, give or take a row`(size: Float) {
      let box = 9..<11 + Int((size * 1.2).rounded(.up))
      let letters = "ÅHgjy|"
      for row in rows(ink(letters, TextStyle(size))) { #expect(box.contains(row)) }
    }

    @Test(arguments: [
      "\u{10FFFE}", "🎵", "👩‍🚀", "\u{FE0F}", "\u{200D}", "\t\n\r", "\u{202E}abc",
      String(repeating: "Z\u{310}", count: 3000),
    ])
    func `no text stops the painter`(text: String) {
      _ = ink(text)
      #expect(fonts.measure(text, plain) >= 0)
    }

    @Test func `a letter of no font at all is drawn as a sensible sign`() {
      #expect(!rows(ink("\u{10FFFE}")).isEmpty)
      #expect(fonts.problem == nil)
    }

    @Test func `without any font there is a sentence, and everything else is drawn`() throws {
      let folder = try TemporaryFolder()
      let configuration = folder.path.appending("fonts.conf")
      let text = "<fontconfig><cachedir>\(folder.path.shown)</cachedir></fontconfig>"
      try Files.replace(configuration, with: Array(text.utf8))
      setenv("FONTCONFIG_FILE", configuration.shown, 1)
      defer { unsetenv("FONTCONFIG_FILE") }
      let fonts = Fonts()
      #expect(fonts.family == nil)
      #expect(fonts.measure("abc", plain) >= 0)
      #expect(fonts.problem?.hasPrefix("No font was found") == true)
      var image = Image(width: 40, height: 40)
      image.paint(
        DrawList(Size(40, 40), [.text("abc", at: Point(0, 0), plain, .text), .fill(Rect(20, 20, 5, 5), .text)]),
        with: Painter(fonts: fonts, assets: nil, covers: nil))
      #expect(image[22, 22] == Theme.dark.colour(.text))
    }

    @Test func `the desktop's resolution for text is found among its resources`() {
      #expect(XResources.resolution(in: "Xcursor.size:\t24\nXft.dpi:\t192\nXft.rgba:\tnone\n") == 192)
      #expect(XResources.resolution(in: "Xft.dpi: 120.5") == 120.5)
      for text in ["", "Xft.dpi:", "Xft.dpi: many", "Xft.dpi: 0", "Xft.dpi: 1e9", "*Xft.dpi.x: 96"] {
        #expect(XResources.resolution(in: text) == nil)
      }
    }
  }
}
