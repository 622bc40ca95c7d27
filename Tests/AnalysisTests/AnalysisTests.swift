import Analysis
import Foundation
import Sound
import TestSupport
import Testing

private let floor = SpectrumBallistics.floor

extension SpectrumAnalyzer {
  /// An analyzer at the rate of a compact disc, if no other is given.
  fileprivate convenience init(_ scale: BandScale, hertz: Int = 44_100) {
    self.init(rate: SampleRate(hertz: hertz), scale: scale)
  }

  /// The levels of these channels, of which the ear is at the middle.
  fileprivate func levels(of channels: [Float]...) -> [Float] {
    analyze(channelCount: channels.count) { channel, buffer in
      let samples = channels[channel]
      let start = samples.count / 2 - buffer.count / 2
      for i in buffer.indices { buffer[i] = samples[start + i] }
    }
  }

  /// The levels of a sine.
  fileprivate func levels(hertz: Double, amplitude: Double = 1, phase: Double = 0.1) -> [Float] {
    levels(of: sine(hertz, amplitude: amplitude, phase: phase))
  }

  fileprivate func sine(_ hertz: Double, amplitude: Double = 1, phase: Double = 0.1) -> [Float] {
    Signal.sine(hertz: hertz, rate: rate.hertz, frames: windowFrames, amplitude: amplitude, phase: phase)
  }

  /// The band in which a frequency lies.
  fileprivate func band(of hertz: Double) -> Int { edges.lastIndex { Double($0) <= hertz }! }
}

/// The highest bar.
private func top(_ levels: [Float]) -> Int { levels.indices.max { levels[$0] < levels[$1] }! }

@Test(arguments: [BandScale.logarithmic, .linear], [8_000, 22_050, 44_100, 48_000, 96_000, 192_000, 384_000])
func `a full-scale sine of 1 kHz reads 0.0, and a tenth of it exactly 20.0 less`(scale: BandScale, hertz: Int) {
  let analyzer = SpectrumAnalyzer(scale, hertz: hertz)
  let loud = analyzer.levels(hertz: 1_000)
  let soft = analyzer.levels(hertz: 1_000, amplitude: 0.1)
  // 1 kHz is an edge of linear bars at 8 kHz, and lights both then.
  #expect(loud[analyzer.band(of: 1_000)] == loud.max()!)
  #expect(abs(loud.max()!) < 0.02)
  #expect(abs(loud.max()! - soft.max()! - 20) < 0.001)
}

@Test func `the bars lie where they are said to lie`() {
  let logarithmic = SpectrumAnalyzer(.logarithmic).edges
  #expect(logarithmic.count == 65 && logarithmic[0] == 27.5 && abs(logarithmic[64] - 20_000) < 0.1)
  for (low, high) in zip(logarithmic, logarithmic.dropFirst()) { #expect(abs(high / low - 1.10843) < 1e-4) }
  let linear = SpectrumAnalyzer(.linear, hertz: 48_000).edges
  #expect(linear.count == 65 && linear == (0...64).map { Float($0) * 375 })
}

@Test func `the window is 186 ms long at every rate, and twice that where low bands are narrow`() {
  for hertz in [100, 8_000, 11_025, 44_100, 48_000, 96_000, 192_000, 1_000_000] {
    let least = 8_192 * Double(hertz) / 44_100
    let linear = Double(SpectrumAnalyzer(.linear, hertz: hertz).windowFrames)
    #expect(linear >= least && linear <= max(least * 1.26, 20))
    #expect(Double(SpectrumAnalyzer(.logarithmic, hertz: hertz).windowFrames) == linear * 2)
  }
  #expect(SpectrumAnalyzer(.linear).windowFrames == 8_192)
}

@Test(arguments: [30.0, 40, 50, 60])
func `of the lowest bars only the right one lights`(hertz: Double) {
  let analyzer = SpectrumAnalyzer(.logarithmic)
  let levels = analyzer.levels(hertz: hertz)
  let band = analyzer.band(of: hertz)
  #expect(abs(levels[band]) < 0.1)
  for other in levels.indices where other != band { #expect(levels[other] < -50) }
}

@Test func `four low tones at once are four bars`() {
  let analyzer = SpectrumAnalyzer(.logarithmic)
  let tones = [30.0, 40, 50, 60].map { analyzer.sine($0, amplitude: 0.2, phase: $0) }
  let levels = analyzer.levels(of: tones[0].indices.map { i in tones.reduce(0) { $0 + $1[i] } })
  for hertz in [30.0, 40, 50, 60] { #expect(abs(levels[analyzer.band(of: hertz)] - -13.98) < 1) }
  #expect(levels[analyzer.band(of: 35)] < -30 && levels[analyzer.band(of: 45)] < -30)
}

@Test(arguments: [BandScale.logarithmic, .linear])
func `a tone reads its level at every frequency, between the bins and on the edges of the bars`(scale: BandScale) {
  let analyzer = SpectrumAnalyzer(scale)
  var frequencies = Array(analyzer.edges.dropFirst().dropLast()).map(Double.init)
  var random = Noise(seed: 1)
  for _ in 0..<300 { frequencies.append(27.6 * pow(19_900 / 27.6, Double.random(in: 0...1, using: &random))) }
  var worst = 0.0
  for hertz in frequencies {
    let levels = analyzer.levels(hertz: hertz, phase: Double.random(in: 0...1, using: &random))
    let band = top(levels)
    #expect(abs(band - analyzer.band(of: hertz)) <= 1, "\(hertz) Hz")
    worst = max(worst, abs(Double(levels[band])))
  }
  #expect(worst < 0.2)
}

@Test func `a sweep of constant level leaves a flat line without holes`() {
  let analyzer = SpectrumAnalyzer(.logarithmic)
  // Ten octaves in 20 s; what was the highest level of each bar at 60 pictures a second?
  let frames = 20 * 44_100
  let sweep = Signal.sweep(from: 25, to: 21_500, rate: 44_100, frames: frames, amplitude: 0.5)
  var held = [Float](repeating: floor, count: 64)
  for start in stride(from: 0, to: frames - analyzer.windowFrames, by: 735) {
    let levels = analyzer.analyze(channelCount: 1) { _, buffer in
      for i in buffer.indices { buffer[i] = sweep[start + i] }
    }
    for band in levels.indices { held[band] = max(held[band], levels[band]) }
  }
  // The last bars are narrower in time than the window's middle; so is nothing below them.
  for band in 1..<63 { #expect(abs(held[band] - -6.02) < 1, "band \(band): \(held[band])") }
}

/// The second road: a direct Fourier sum in double precision over Hann's window, a full-scale sine's power being 1.
private func slowPowers(of samples: [Float]) -> [Double] {
  let count = samples.count
  let windowed = samples.enumerated().map { i, sample in
    Double(sample) * (0.5 - 0.5 * cos(2 * .pi * Double(i) / Double(count)))
  }
  let cosines = (0..<count).map { cos(2 * .pi * Double($0) / Double(count)) }
  let sines = (0..<count).map { sin(2 * .pi * Double($0) / Double(count)) }
  return (0..<count / 2).map { bin in
    var (real, imaginary) = (0.0, 0.0)
    for i in 0..<count {
      real += windowed[i] * cosines[bin * i % count]
      imaginary -= windowed[i] * sines[bin * i % count]
    }
    return (real * real + imaginary * imaginary) * 32 / 3 / Double(count * count)
  }
}

@Test func `the bars hold the power that a slow transform finds there`() {
  let analyzer = SpectrumAnalyzer(.linear, hertz: 8_000)
  let bins = analyzer.windowFrames / 2
  var (fast, slow) = ([Double](repeating: 0, count: 8), [Double](repeating: 0, count: 8))
  for seed in 0..<5 {
    let noise = Signal.noise(seed: UInt64(seed), frames: analyzer.windowFrames)
    for (band, level) in analyzer.levels(of: noise).enumerated() { fast[band / 8] += pow(10, Double(level) / 10) }
    for (bin, power) in slowPowers(of: noise).enumerated().dropFirst() { slow[bin * 8 / bins] += power }
  }
  // A bin's power may be counted beyond an edge, so eight bars together are compared. The outermost miss what belongs to
  // a constant and to half the rate.
  for part in 1..<7 { #expect(abs(10 * log10(fast[part] / slow[part])) < 0.3, "part \(part)") }
}

@Test func `white noise rises by three decibels an octave over equal ratios and lies flat over equal steps`() {
  var sums = ([Double](repeating: 0, count: 64), [Double](repeating: 0, count: 64))
  let (logarithmic, linear) = (SpectrumAnalyzer(.logarithmic), SpectrumAnalyzer(.linear))
  let turns = 40
  for turn in 0..<turns {
    let noise = Signal.noise(seed: UInt64(turn), frames: logarithmic.windowFrames)
    for (band, level) in logarithmic.levels(of: noise).enumerated() { sums.0[band] += pow(10, Double(level) / 10) }
    for (band, level) in linear.levels(of: noise).enumerated() { sums.1[band] += pow(10, Double(level) / 10) }
  }
  // A third of a square's power, twice that of a sine's, spread evenly up to half the rate.
  let density = 2.0 / 3 / 22_050
  for band in 0..<64 {
    let width = Double(logarithmic.edges[band + 1] - logarithmic.edges[band])
    // The narrowest bars hear one bin, whose power is anything; over 40 turns still 1 dB.
    let tolerance = width < 20 ? 3.0 : 1.0
    #expect(abs(10 * log10(sums.0[band] / Double(turns) / (density * width))) < tolerance, "band \(band)")
    #expect(abs(10 * log10(sums.1[band] / Double(turns) / (density * 344.53))) < 0.6, "band \(band)")
  }
}

@Test(arguments: [BandScale.logarithmic, .linear], [Float(1), -0.3])
func `a constant lights no bar`(scale: BandScale, level: Float) {
  let analyzer = SpectrumAnalyzer(scale)
  let levels = analyzer.levels(of: Array(repeating: level, count: analyzer.windowFrames))
  #expect(levels.allSatisfy { $0 == floor })
}

@Test func `a constant under a low tone does not hide it`() {
  let analyzer = SpectrumAnalyzer(.logarithmic)
  let levels = analyzer.levels(of: analyzer.sine(30, amplitude: 0.01).map { $0 + 0.5 })
  #expect(top(levels) == analyzer.band(of: 30))
  #expect(abs(levels.max()! - -40) < 0.3)
}

@Test(arguments: [BandScale.logarithmic, .linear], [1, 100, 101, 8_000, 44_100, 1_000_000])
func `silence and what is not a number read the floor at any rate, and above half the rate so does everything`(
  scale: BandScale, hertz: Int
) {
  let analyzer = SpectrumAnalyzer(scale, hertz: hertz)
  let silence = analyzer.levels(of: Array(repeating: 0, count: analyzer.windowFrames))
  #expect(silence == Array(repeating: floor, count: 64))
  let broken = analyzer.levels(of: Array(repeating: .nan, count: analyzer.windowFrames))
  #expect(broken == Array(repeating: floor, count: 64))
  let noise = analyzer.levels(of: Signal.noise(seed: 3, frames: analyzer.windowFrames))
  for band in 0..<64 {
    #expect(noise[band].isFinite)
    if Double(analyzer.edges[band]) > Double(hertz) / 2 { #expect(noise[band] == floor) }
  }
  // Nothing is kept from one picture to the next.
  #expect(analyzer.levels(of: Array(repeating: 0, count: analyzer.windowFrames)) == silence)
}

@Test func `each bar shows the loudest channel, and opposite phases do not cancel`() {
  let analyzer = SpectrumAnalyzer(.logarithmic)
  let sine = analyzer.sine(1_000, amplitude: 0.5)
  let alone = analyzer.levels(of: sine)
  #expect(analyzer.levels(of: sine, sine.map { -$0 }) == alone)
  #expect(analyzer.levels(of: sine, sine) == alone)
  let silence = [Float](repeating: 0, count: sine.count)
  #expect(analyzer.levels(of: silence, silence, silence, silence, silence, sine) == alone)
  let both = analyzer.levels(of: sine, analyzer.sine(4_000, amplitude: 0.1))
  #expect(abs(both[analyzer.band(of: 1_000)] - -6.02) < 0.02 && abs(both[analyzer.band(of: 4_000)] - -20) < 0.02)
}

@Test func `a weak tone stands beside a strong one`() {
  let analyzer = SpectrumAnalyzer(.logarithmic)
  let strong = analyzer.sine(1_000.7)
  let weak = analyzer.sine(1_300, amplitude: 0.0003)
  let levels = analyzer.levels(of: zip(strong, weak).map { $0 + $1 })
  #expect(abs(levels[analyzer.band(of: 1_300)] - -70.46) < 0.5)
  #expect(levels[analyzer.band(of: 1_150)] < -80)
}

@Test(arguments: [BandScale.logarithmic, .linear])
func `what is heard at the ear counts most, and what is outside the window not at all`(scale: BandScale) {
  let analyzer = SpectrumAnalyzer(scale)
  let ear = analyzer.windowFrames / 2
  // A burst of 3.5 kHz, which is looked at through 8192 frames.
  func level(burstAt distance: Int) -> Float {
    let samples = (0..<ear * 2).map { i in abs(i - ear - distance) < 512 ? Float(sin(Double(i) * 0.5)) : 0 }
    return analyzer.levels(of: samples)[analyzer.band(of: 3_509)]
  }
  #expect(level(burstAt: 0) > level(burstAt: 2_048) + 3)
  #expect(abs(level(burstAt: -2_048) - level(burstAt: 2_048)) < 0.1)
  #expect(level(burstAt: -4_096) < level(burstAt: 0) - 30)
  #expect(level(burstAt: 4_096) < level(burstAt: 0) - 30)
}

@Test func `analyzers may be made and used on several threads at once`() async {
  let peaks = await withTaskGroup(of: Float.self) { group in
    for index in 0..<8 {
      group.addTask {
        var highest: Float = floor
        for turn in 0..<5 {
          let analyzer = SpectrumAnalyzer(turn % 2 == 0 ? .linear : .logarithmic, hertz: 8_000 + index * 1_000)
          highest = max(highest, analyzer.levels(hertz: 1_000).max()!)
        }
        return highest
      }
    }
    return await group.reduce(into: [Float]()) { $0.append($1) }
  }
  #expect(peaks.allSatisfy { abs($0) < 0.02 })
}
