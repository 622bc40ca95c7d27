import Foundation
import Media
import Sound
import TestSupport
import Testing

@Suite struct StereoStreamTests {
  private func format(_ speakers: [Speaker], _ hertz: Int) -> StreamFormat {
    StreamFormat(
      container: "WAV", codec: "PCM", rate: SampleRate(hertz: hertz), speakers: speakers, layoutName: "",
      bitsPerSample: nil, estimatedLength: nil, lengthIsExact: false)
  }

  /// What comes out for channels that go in in blocks of `size` frames: left and right.
  private func stereo(
    _ channels: [[Float]], _ speakers: [Speaker], from hertz: Int, to output: Int, blocks size: Int = 1000
  ) throws -> [[Float]] {
    let stream = try StereoStream(format: format(speakers, hertz), to: SampleRate(hertz: output))
    return collect(channels, through: stream, blocks: size)
  }

  private func collect(_ channels: [[Float]], through stream: StereoStream, blocks size: Int) -> [[Float]] {
    var sides: [[Float]] = [[], []]
    func take(_ frames: UnsafePointer<Float>, _ count: Int) {
      for i in 0..<count {
        sides[0].append(frames[i * 2])
        sides[1].append(frames[i * 2 + 1])
      }
    }
    for start in stride(from: 0, to: channels[0].count, by: size) {
      stream.process(SampleBlock(channels.map { Array($0[start..<min(start + size, $0.count)]) }), into: take)
    }
    stream.flush(into: take)
    return sides
  }

  @Test func `mono comes out on both sides at its own level`() throws {
    let tone = Signal.sine(hertz: 1000, rate: 48000, frames: 48000, amplitude: 0.5)
    #expect(try stereo([tone], [.mono], from: 48000, to: 48000) == [tone, tone])
    for side in try stereo([tone], [.mono], from: 48000, to: 44100) {
      #expect(abs(amplitude(of: 1000, in: side[2000..<(2000 + 22050)], rate: 44100) - 0.5) < 1e-4)
    }
  }

  @Test func `stereo at the same rate passes untouched`() throws {
    let sound = testSound(seconds: 0.5, rate: 44100)
    #expect(try stereo(sound, [.left, .right], from: 44100, to: 44100) == sound)
  }

  @Test func `surround keeps the centre and the rear, each on its side, at the levels of BS.775`() throws {
    let speakers: [Speaker] = [.left, .right, .center, .lowFrequency, .sideLeft, .sideRight]
    let whole = 1 / (1 + 2 * 0.5.squareRoot())
    let expected: [(Double, Double)] = [(1, 0), (0, 1), (0.7071, 0.7071), (0, 0), (0.7071, 0), (0, 0.7071)]
    for (channel, gains) in expected.enumerated() {
      var channels = [[Float]](repeating: [0, 0, 0], count: 6)
      channels[channel] = [1, -1, 0.5]
      let sides = try stereo(channels, speakers, from: 48000, to: 48000)
      #expect(abs(Double(sides[0][0]) - gains.0 * whole) < 1e-4)
      #expect(abs(Double(sides[1][1]) + gains.1 * whole) < 1e-4)
    }
  }

  @Test(arguments: [
    [Speaker.left, .right, .center], [.left, .right, .center, .lowFrequency, .backLeft, .backRight],
    [.left, .right, .center, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight],
    (1...16).map { .unknown($0) }, [.lowFrequency, .lowFrequency, .lowFrequency],
    [.left, .right, .topCenter, .topFrontLeft, .wideRight, .backCenter],
  ])
  func `full scale in all channels at once stays within full scale, and is heard on both sides`(_ speakers: [Speaker])
    throws
  {
    for sign: Float in [1, -1] {
      let sides = try stereo(speakers.map { _ in [sign, sign] }, speakers, from: 48000, to: 48000)
      for side in sides { #expect(side.allSatisfy { abs($0) <= 1.00001 && abs($0) > 0.4 }) }
    }
  }

  @Test(arguments: [(44100, 48000), (48000, 44100), (8000, 48000), (96000, 44100), (44101, 48000), (192_000, 48000)])
  func `output frame k sounds at input frame k times the ratio, and the length is kept`(_ input: Int, _ output: Int)
    throws
  {
    let hertz = 997.0
    let tone = Signal.sine(hertz: hertz, rate: input, frames: input, amplitude: 0.5)
    let side = try stereo([tone], [.mono], from: input, to: output)[0]
    #expect(abs(side.count - output) <= 2)
    // The same sine made at the other rate: a shift of a hundredth of a frame would show.
    let ideal = Signal.sine(hertz: hertz, rate: output, frames: output, amplitude: 0.5)
    let middle = output / 4..<output * 3 / 4
    #expect(clearance(Array(ideal[middle]), Array(side[middle])) > 75)
    // At both ends the filter has only one side to look at.
    #expect(clearance(Array(ideal[..<(output / 50)]), Array(side[..<(output / 50)])) > 20)
  }

  @Test func `the largest and smallest rates can be resampled`() throws {
    for (input, output) in [(100, 192_000), (1_000_000, 8000), (352_800, 44100), (100, 8000)] {
      let side = try stereo([[Float](repeating: 0.5, count: input)], [.mono], from: input, to: output)[0]
      #expect(abs(side.count - output) <= output / input + 2)
      #expect(abs(side[output / 2] - 0.5) < 0.001)
    }
  }

  @Test func `tones above the new rate's limit are gone`() throws {
    let tone = Signal.sine(hertz: 30000, rate: 96000, frames: 96000)
    let side = try stereo([tone], [.mono], from: 96000, to: 44100)[0]
    #expect(side[1000..<40000].allSatisfy { abs($0) < 0.001 })
  }

  @Test func `after a reset nothing of the old sound is left, and the size of blocks never matters`() throws {
    let sound = testSound(seconds: 0.5, rate: 44100)
    let stream = try StereoStream(format: format([.left, .right], 44100), to: SampleRate(hertz: 48000))
    let first = collect(sound, through: stream, blocks: 1000)
    stream.process(SampleBlock(sound.map { $0.map { $0 * 0.9 } })) { _, _ in }
    stream.reset()
    let second = collect(sound, through: stream, blocks: 333)
    #expect(first[0].count == second[0].count)
    for (a, b) in zip(first, second) { #expect(clearance(a, b) > 110) }
  }
}
