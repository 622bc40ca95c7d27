internal import Analysis
internal import Control
internal import Sound
internal import System

/// What is heard now, as the spectrum's bars and the meters show it.
///
/// Main thread. The spectrum is analysed at a rate of its own, around the frame that is heard; between analyses, and when
/// nothing sounds, bars and meters fall by elapsed time.
struct Ear {
  var scale: SpectrumScale
  private var analyzer: SpectrumAnalyzer?
  private var ballistics = SpectrumBallistics()
  private var meter = PeakMeter(channelCount: 1)
  private var edges: [Float] = []
  /// The scale of the bars that stand.
  private var shownScale = SpectrumScale.logarithmic
  private var lastListened: Int64?
  private var lastAnalysis: Int64 = .min / 2
  /// Up to where in which history the meters have looked.
  private var metered: (history: History, position: Int)?
  private var target: [Float]?

  /// Meters are shown for so many channels at most.
  static let mostMeters = 8

  init(scale: SpectrumScale) { self.scale = scale }

  var isAtRest: Bool { ballistics.isAtRest && meter.isAtRest }

  var reading: SpectrumReading? {
    guard !edges.isEmpty else { return nil }
    return SpectrumReading(scale: shownScale, levels: ballistics.levels, holds: ballistics.holds, edges: edges)
  }

  var meters: [MeterReading] {
    meter.readings.map { MeterReading(peak: $0.peak, hold: $0.hold, isOver: $0.isOver) }
  }

  /// There are so many channels to meter, though perhaps nothing is heard of them yet.
  mutating func expect(channelCount: Int) {
    let channels = min(channelCount, Self.mostMeters)
    if meter.readings.count != channels { meter = PeakMeter(channelCount: channels) }
  }

  /// The ear went to another place: the meters do not look at what lies between.
  mutating func jumped() { metered = nil }

  /// Moves on to `nanoseconds`, at which `place` is heard; nil is silence.
  mutating func listen(at nanoseconds: Int64, hertz: Double, to place: Place?) {
    let elapsed = min(Double(nanoseconds - (lastListened ?? nanoseconds)) * 1e-9, 1)
    lastListened = nanoseconds
    if let place {
      prepare(for: place.history)
      if Double(nanoseconds - lastAnalysis) * 1e-9 >= 1 / hertz - 0.001 {
        lastAnalysis = nanoseconds
        target = analyze(place)
      }
    } else {
      target = nil
      metered = nil
    }
    ballistics.advance(by: elapsed, towards: target)
    meter.update(elapsed: elapsed, peaks: place.map { peaks(upTo: $0) })
  }

  private mutating func prepare(for history: History) {
    let bandScale: BandScale = scale == .linear ? .linear : .logarithmic
    if analyzer?.rate != history.rate || analyzer?.scale != bandScale {
      let made = SpectrumAnalyzer(rate: history.rate, scale: bandScale)
      analyzer = made
      edges = made.edges
      if shownScale != scale { ballistics = SpectrumBallistics() }
      shownScale = scale
      target = nil
      lastAnalysis = .min / 2
    }
    expect(channelCount: history.channelCount)
  }

  private func analyze(_ place: Place) -> [Float]? {
    guard let analyzer else { return nil }
    let start = place.historyPosition - analyzer.windowFrames / 2
    return analyzer.analyze(channelCount: place.history.channelCount) { channel, buffer in
      place.history.read(channel: channel, from: start, into: buffer)
    }
  }

  /// The highest absolute sample of each channel since the last time, a quarter of a second ago at most.
  private mutating func peaks(upTo place: Place) -> [Float] {
    let history = place.history
    let most = history.rate.hertz / 4
    var start = place.historyPosition - most
    if let metered, metered.history === history { start = max(start, metered.position) }
    if metered == nil { start = place.historyPosition }
    metered = (history, place.historyPosition)
    return (0..<meter.readings.count).map { history.highest(channel: $0, from: start, to: place.historyPosition) }
  }
}
