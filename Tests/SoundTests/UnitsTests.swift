import Sound
import TestSupport
import Testing

@Test func `half the amplitude is six decibels less, and silence has no level`() {
  #expect(Decibels(amplitude: 1).value == 0)
  #expect(abs(Decibels(amplitude: 0.5).value + 6.0206) < 1e-4)
  #expect(abs(Decibels(-20).amplitude - 0.1) < 1e-12)
  #expect(Decibels(amplitude: 0) == .silence && Decibels(amplitude: -1) == .silence)
  #expect(Decibels.silence.amplitude == 0 && Decibels.silence < Decibels(-300))
}

@Test func `seconds become the nearest frame, and no time is too far`() {
  let rate = SampleRate(hertz: 44_100)
  #expect(rate.frames(inSeconds: 1) == FrameCount(44_100))
  #expect(rate.frames(inSeconds: 0.00002) == FrameCount(1))
  #expect(rate.frames(inSeconds: -1) == FrameCount(-44_100))
  #expect(rate.seconds(of: FrameCount(22_050)) == 0.5)
  #expect(rate.frames(inSeconds: .infinity) > FrameCount(1 << 60))
  #expect(rate.frames(inSeconds: -1e300) < FrameCount(-(1 << 60)))
  #expect(rate.frames(inSeconds: .nan) == .zero)
}

@Test func `a block knows its end, drops its front and forgets what is not a number`() {
  let block = SampleBlock([[1, .nan, 3, -.infinity], [5, 6, 7, 8]], start: FrameIndex(100))
  #expect(block.end == FrameIndex(104))
  block.silenceNonFinite()
  #expect(Array(block.channel(0)) == [1, 0, 3, 0])
  block.dropFirst(1)
  #expect(Array(block.channel(0)) == [0, 3, 0] && Array(block.channel(1)) == [6, 7, 8])
  #expect(block.start == FrameIndex(101) && block.end == FrameIndex(104))
  block.dropFirst(-5)
  #expect(block.frameCount == 3)
  block.dropFirst(10)
  #expect(block.frameCount == 0 && block.start == block.end)
}

struct PathCase: Sendable {
  var path: String
  var parent: String
  var last: String
}

@Test(arguments: [
  PathCase(path: "/music/a.mp3", parent: "/music", last: "a.mp3"),
  PathCase(path: "/music//deep///a b.mp3", parent: "/music//deep", last: "a b.mp3"),
  PathCase(path: "/music/", parent: "/", last: "music"),
  PathCase(path: "/", parent: "/", last: "/"),
  PathCase(path: "a.mp3", parent: ".", last: "a.mp3"),
  PathCase(path: "folder/a", parent: "folder", last: "a"),
  PathCase(path: "/a", parent: "/", last: "a"),
])
func `a path has a parent and a last component`(_ path: PathCase) {
  #expect(PathBytes(path.path).parent == PathBytes(path.parent))
  #expect(PathBytes(path.path).lastComponent == PathBytes(path.last))
}

@Test func `components are joined by one slash`() {
  #expect(PathBytes("/").appending("a") == PathBytes("/a"))
  #expect(PathBytes("/a").appending("b") == PathBytes("/a/b"))
  #expect(PathBytes("/a/").appending("b") == PathBytes("/a/b"))
  #expect(PathBytes("").appending("b") == PathBytes("b"))
}

@Test func `a path is shown without harm, whatever its bytes`() {
  let latin = PathBytes(bytes: [0x63, 0x61, 0x66, 0xE9, 0x2E, 0x77, 0x61, 0x76])
  #expect(latin.shown == "caf\u{FFFD}.wav")
  #expect(latin.bytes.count == 8)
  #expect(PathBytes("a\nb\t\u{7F}").shown == "a\u{240A}b\u{2409}\u{2421}")
  #expect(PathBytes("gpj.\u{202E}3pm\u{2028}\u{85}").shown == "gpj.\u{FFFD}3pm\u{FFFD}\u{FFFD}")
  #expect(PathBytes("日本語 ♪ 🎧.flac").shown == "日本語 ♪ 🎧.flac")
}
