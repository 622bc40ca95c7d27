internal import Analysis
internal import Control
internal import Sound

/// What comes in from the microphone, as the spectrum's bars and the meters show it.
///
/// Main thread.
struct InputEar {
  var scale = SpectrumScale.logarithmic
  private var analyzer: SpectrumAnalyzer?
  private var ballistics = SpectrumBallistics()
  private var meter = PeakMeter(channelCount: 1)
  private var lastListened: Int64?

  var meters: [MeterReading] {
    meter.readings.map { MeterReading(peak: $0.peak, hold: $0.hold, isOver: $0.isOver) }
  }

  var reading: SpectrumReading? {
    analyzer.map {
      SpectrumReading(scale: scale, levels: ballistics.levels, holds: ballistics.holds, edges: $0.edges)
    }
  }

  /// Moves on to `nanoseconds`; `peaks` are those of each channel since the last time, nil where nothing came.
  mutating func listen(at nanoseconds: Int64, to history: History?, peaks: [Float]?) {
    let elapsed = min(Double(nanoseconds - (lastListened ?? nanoseconds)) * 1e-9, 1)
    lastListened = nanoseconds
    if let peaks, meter.readings.count != peaks.count { meter = PeakMeter(channelCount: peaks.count) }
    // Between two callbacks nothing comes, which is no silence.
    meter.update(
      elapsed: elapsed, peaks: history == nil ? nil : peaks ?? Array(repeating: 0, count: meter.readings.count))
    ballistics.advance(by: elapsed, towards: history.flatMap { analyze($0) })
  }

  private mutating func analyze(_ history: History) -> [Float]? {
    let bandScale: BandScale = scale == .linear ? .linear : .logarithmic
    if analyzer?.rate != history.rate || analyzer?.scale != bandScale {
      analyzer = SpectrumAnalyzer(rate: history.rate, scale: bandScale)
      ballistics = SpectrumBallistics()
    }
    guard let analyzer else { return nil }
    let start = history.end - analyzer.windowFrames
    return analyzer.analyze(channelCount: history.channelCount) { channel, buffer in
      history.read(channel: channel, from: start, into: buffer)
    }
  }
}
