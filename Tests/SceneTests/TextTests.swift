import Control
import Scene
import Sound
import TestSupport
import Testing

struct TimeTextTests {
  private static let rate = SampleRate(hertz: 44_100)

  private func clock(seconds: Double, hertz: Int = 44_100) -> String {
    let rate = SampleRate(hertz: hertz)
    return TimeText.clock(tenths: TimeText.tenths(frames: rate.frames(inSeconds: seconds).rawValue, rate: rate))
  }

  @Test(arguments: [
    (0, "0:00.0"), (0.04, "0:00.0"), (0.06, "0:00.1"), (9.94, "0:09.9"), (59.94, "0:59.9"), (59.96, "1:00.0"),
    (98.4, "1:38.4"), (599.96, "10:00.0"), (3599.94, "59:59.9"), (3599.96, "1:00:00.0"), (3723.4, "1:02:03.4"),
    (360_000, "100:00:00.0"),
  ])
  func `a time is rounded to tenths and carried over`(seconds: Double, text: String) {
    #expect(clock(seconds: seconds) == text)
    #expect(clock(seconds: seconds, hertz: 48_000) == text)
  }

  @Test func `position and remaining add up to the total for any length at any rate`() throws {
    var noise = Noise(seed: 7)
    for _ in 0..<5000 {
      let rate = SampleRate(
        hertz: [100, 7999, 8000, 44_100, 44_101, 48_000, 192_000, 1_000_000].randomElement(using: &noise)!)
      let length = Int64.random(in: 0...(Int64(rate.hertz) * 100_000), using: &noise)
      let position = Int64.random(in: 0...length, using: &noise)
      let reading = TimeReading(
        position: FrameIndex(position), length: FrameCount(length), isEstimate: false, rate: rate)
      let remaining = try #require(reading.remainingText)
      #expect(remaining.first == "\u{2212}")
      let sum = tenths(reading.positionText) + tenths(String(remaining.dropFirst()))
      #expect(sum == tenths(reading.totalText), "\(position) of \(length) at \(rate.hertz)")
    }
  }

  /// The tenths that a clock text shows, read back digit by digit.
  private func tenths(_ text: String) -> Int {
    let parts = text.split { $0 == ":" || $0 == "." }.map { Int($0)! }
    return parts.dropLast().reduce(0) { $0 * 60 + $1 } * 10 + parts.last!
  }

  @Test func `at the end nothing remains, whatever the fraction of a tenth`() {
    for frames: Int64 in [1, 2204, 2205, 4409, 44_099, 2_644_236] {
      let reading = TimeReading(
        position: FrameIndex(frames), length: FrameCount(frames), isEstimate: false, rate: Self.rate)
      #expect(reading.remainingText == "\u{2212}0:00.0")
      #expect(reading.positionText == reading.totalText)
    }
  }

  @Test func `an estimate says so and never shows less than what was heard`() {
    let reading = TimeReading(
      position: FrameIndex(Self.rate.hertz * 70), length: FrameCount(Self.rate.hertz * 60), isEstimate: true,
      rate: Self.rate)
    #expect(reading.positionText == "1:10.0")
    #expect(reading.totalText == "about 1:10.0")
    #expect(reading.remainingText == "\u{2212}0:00.0")
  }

  @Test func `an unknown length shows no number`() {
    let reading = TimeReading(position: FrameIndex(44_100), length: nil, isEstimate: true, rate: Self.rate)
    #expect(reading.totalText == "…")
    #expect(reading.remainingText == nil)
  }

  @Test(
    arguments: [
      ("83", 83), ("1:23.4", 83.4), ("1:02:03", 3723), ("0:00", 0), (":30", nil), ("1:", nil), ("", nil), ("abc", nil),
      ("1:2x", nil), ("1:23,5", 83.5), (".5", 0.5), ("5.", nil), ("1.5:20", nil), ("1:2:3:4", nil), ("-5", nil),
      ("90:00", 5400), ("1234567890", nil),
    ] as [(String, Double?)])
  func `a typed time is read or refused`(text: String, seconds: Double?) {
    #expect(TimeText.seconds(typed: text) == seconds)
  }
}

struct NumberTextTests {
  @Test(arguments: [
    (-6.0, 1, "\u{2212}6.0"), (0.04, 1, "0.0"), (-0.04, 1, "0.0"), (-0.05, 1, "\u{2212}0.1"), (12.345, 2, "12.35"),
    (999.5, 0, "1000"), (-27.44, 1, "\u{2212}27.4"), (0.5, 3, "0.500"), (.infinity, 1, "∞"),
    (-.infinity, 1, "\u{2212}∞"),
  ])
  func `a number has its decimals and the true minus sign`(value: Double, decimals: Int, text: String) {
    #expect(NumberText.fixed(value, decimals: decimals) == text)
  }

  @Test func `thousands have commas`() {
    #expect(
      [0, 7, 999, 1000, 1284, 1_234_567, -1284].map(NumberText.grouped) == [
        "0", "7", "999", "1,000", "1,284", "1,234,567", "\u{2212}1,284",
      ])
  }

  @Test func `frequencies and sizes choose their unit and never show four figures before the point`() {
    #expect(
      [27.5, 99.9, 554.37, 999.6, 1234, 12_345].map(NumberText.hertz) == [
        "27.5 Hz", "99.9 Hz", "554 Hz", "1.00 kHz", "1.23 kHz", "12.3 kHz",
      ])
    #expect([50, 1000, 2500, 20_000].map(NumberText.axisHertz) == ["50", "1k", "2.5k", "20k"])
    #expect(
      [812, 4200, 999_999, 43_000_000, 5_400_000_000].map(NumberText.bytes) == [
        "812 B", "4.2 kB", "1.0 MB", "43 MB", "5.4 GB",
      ])
  }
}

struct TextFieldTests {
  private func typed(_ text: String) -> TextField {
    var field = TextField()
    field.insert(text)
    return field
  }

  private func edit(_ field: inout TextField, _ key: Key, _ modifiers: Modifiers) -> Bool { field.edit(key, modifiers) }

  @Test func `typed text goes in at the caret`() {
    var field = typed("hour")
    #expect(edit(&field, .home, []))
    field.insert("har")
    #expect(field.text == "harhour")
    #expect(field.beforeCaret == "har")
  }

  @Test func `backspace takes a letter as it is seen, with Control a word`() {
    var field = typed("e\u{301}👩‍👩‍👧 two words")
    #expect(edit(&field, .backspace, .control))
    #expect(field.text == "e\u{301}👩‍👩‍👧 two ")
    #expect(edit(&field, .backspace, .control))
    #expect(field.text == "e\u{301}👩‍👩‍👧 ")
    #expect(edit(&field, .backspace, []))
    #expect(edit(&field, .backspace, []))
    #expect(field.text == "e\u{301}")
    #expect(edit(&field, .backspace, []))
    #expect(edit(&field, .backspace, []))
    #expect(field.text == "")
  }

  @Test func `a combining sign joins the letter before the caret`() {
    var field = typed("e")
    field.insert("\u{301}")
    #expect(field.text == "é")
    #expect(edit(&field, .backspace, []))
    #expect(field.text == "")
  }

  @Test func `arrows, Home, End and Delete move and delete`() {
    var field = typed("abc")
    #expect(edit(&field, .left, []))
    #expect(edit(&field, .delete, []))
    #expect(field.text == "ab")
    #expect(edit(&field, .home, []))
    #expect(edit(&field, .right, []))
    field.insert("X")
    #expect(field.text == "aXb")
    #expect(edit(&field, .end, []))
    field.insert("Y")
    #expect(field.text == "aXbY")
    #expect(!edit(&field, .up, []))
  }

  @Test func `control characters are not typed`() {
    #expect(typed("a\n\t\u{7F}b").text == "ab")
  }
}
