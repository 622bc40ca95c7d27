import Media
import Sound
import TestSupport
import Testing

@Suite struct ChannelTests {
  struct Layout: Sendable, CustomTestStringConvertible {
    var file: String
    var arguments: [String]
    var channels: Int
    var layout: String
    var names: [String]
    var testDescription: String { "\(layout) in \(file)" }
  }

  private static let six = ["L", "R", "C", "LFE", "Lb", "Rb"]
  private static let side = ["L", "R", "C", "LFE", "Ls", "Rs"]
  private static let eight = ["L", "R", "C", "LFE", "Lb", "Rb", "Ls", "Rs"]
  static let layouts = [
    Layout(file: "a.wav", arguments: ["-c:a", "pcm_s16le"], channels: 6, layout: "5.1", names: six),
    Layout(file: "b.flac", arguments: [], channels: 6, layout: "5.1", names: six),
    Layout(file: "c.m4a", arguments: ["-b:a", "384k"], channels: 6, layout: "5.1", names: six),
    Layout(file: "d.ogg", arguments: ["-c:a", "libvorbis"], channels: 6, layout: "5.1", names: six),
    Layout(
      file: "e.opus", arguments: ["-c:a", "libopus", "-mapping_family", "1"], channels: 6, layout: "5.1", names: six),
    Layout(file: "f.ac3", arguments: ["-b:a", "448k"], channels: 6, layout: "5.1", names: side),
    Layout(file: "g.wv", arguments: [], channels: 6, layout: "5.1", names: six),
    Layout(file: "h.wav", arguments: ["-c:a", "pcm_s24le"], channels: 8, layout: "7.1", names: eight),
    Layout(file: "i.flac", arguments: [], channels: 8, layout: "7.1", names: eight),
  ]

  /// Each channel has a tone of its own; the low-frequency one a low tone, since codings cut it off.
  private static func hertz(_ channel: Int) -> Double { channel == 3 ? 60 : 400 + 200 * Double(channel) }

  @Test(arguments: layouts)
  func `every channel stays where it belongs`(_ layout: Layout) throws {
    let folder = try TemporaryFolder()
    let tones = (0..<layout.channels).map {
      Signal.sine(hertz: Self.hertz($0), rate: 48000, frames: 48000, amplitude: 0.3)
    }
    let path = try folder.encode(
      tones, hertz: 48000, ["-af", "aformat=channel_layouts=\(layout.layout)"] + layout.arguments, as: layout.file)
    let file = try AudioFile(path: path)
    #expect(file.format.layoutName.hasPrefix(layout.layout))
    if !layout.names.isEmpty { #expect(file.format.channelNames == layout.names) }
    let decoded = try decodeRest(of: file)
    try #require(decoded.count == layout.channels)
    // Named speakers hold the tone that was made for them, in whatever order the coding keeps them.
    for (channel, name) in file.format.channelNames.enumerated() {
      let made =
        (layout.channels == 6 ? Self.six : Self.eight).firstIndex(of: name)
        ?? Self.side.firstIndex(of: name) ?? channel
      let level = amplitude(of: Self.hertz(made), in: decoded[channel][12000..<36000], rate: 48000)
      // The codings that listen like an ear keep little of the lowest.
      #expect(abs(level - 0.3) < (name == "LFE" ? 0.1 : 0.03), "\(name)")
    }
  }

  @Test func `sixty-four channels are played, sixty-five refused in words`() throws {
    let folder = try TemporaryFolder()
    let planes = (0..<65).map { Signal.sine(hertz: 100, rate: 8000, frames: 100, amplitude: Double($0) / 65) }
    let most = try folder.write(WaveFile.float32(Array(planes[..<64]), hertz: 8000), to: "64.wav")
    #expect(try decode(most) == Array(planes[..<64]))
    let file = try AudioFile(path: most)
    #expect(file.format.layoutName == "64 channels")
    #expect(file.format.channelNames.last == "64")
    let more = try folder.write(WaveFile.float32(planes, hertz: 8000), to: "65.wav")
    #expect(refusal(more) == .tooManyChannels(more, count: 65))
  }

  @Test func `rates from 100 Hz to 1 MHz are played, others refused in words`() throws {
    let folder = try TemporaryFolder()
    for hertz in [100, 44101, 1_000_000] {
      let path = try folder.write(WaveFile.float32([[0.5, 0.5]], hertz: hertz), to: "\(hertz).wav")
      #expect(try AudioFile(path: path).format.rate == SampleRate(hertz: hertz))
    }
    for hertz in [1, 99, 1_000_001, 1_000_000_000] {
      let path = try folder.write(WaveFile.float32([[0.5, 0.5]], hertz: hertz), to: "\(hertz).wav")
      let error = try #require(refusal(path))
      #expect(error == .rateOutOfRange(path, hertz: hertz))
      #expect(error.description.contains("\(hertz) Hz"))
    }
  }
}
