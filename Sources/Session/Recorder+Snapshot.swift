package import Control
internal import Library
internal import Sound
internal import System

extension Recorder {
  /// All that there is to see of recording now, as of the last `update`.
  package var snapshot: RecordingSnapshot {
    var seen = RecordingSnapshot()
    seen.state = state
    seen.isInterrupted = isInterrupted
    seen.options = options
    seen.input = input
    seen.format = format
    seen.bytesPerSecond = format.map { $0.coding.widths.isEmpty ? $0.likelyBytesPerSecond : $0.bytesPerSecond } ?? 0
    let progress = writer.current
    seen.diskSeconds = diskSeconds(progress)
    seen.position = position
    if take != nil, view.take == take {
      seen.elapsed = view.elapsed
      seen.overs = view.overs
      seen.dropouts = view.dropouts
      seen.dropoutFrames = view.dropoutFrames
      seen.marks = view.marks
    }
    if take != nil, takePath != nil {
      seen.path = progress.path
      seen.fileBytes = progress.bytes
    }
    seen.folder = folder
    seen.meters = isArmed ? ear.meters : []
    seen.deadChannels = view.deadChannels
    seen.pyramid = isArmed || take != nil ? view.pyramid : nil
    seen.spectrum = isArmed ? ear.reading : nil
    seen.lastTake = lastTake
    return seen
  }

  /// How the spectrum's bars are spread, as the player shows them.
  package func setSpectrumScale(_ scale: SpectrumScale) { ear.scale = scale }

  private var state: RecordingSnapshot.State {
    if let startsAt { return .countdown(seconds: max(Double(startsAt - now) * 1e-9, 0)) }
    guard let take else { return isArmed ? .armed : .idle }
    if isEnding { return .saving }
    guard view.take == take else { return .armed }
    return switch view.mode {
    case .listening: .armed
    case .waiting: .waiting
    case .recording: .recording
    case .paused: .paused
    }
  }

  private var format: TakeFormat? {
    if take != nil, view.take == take, let format = view.format { return format }
    guard let rate = view.history?.rate ?? options.rate else { return nil }
    return TakeFormat(
      coding: options.coding, width: options.width, rate: rate, channelCount: options.channels.channelCount)
  }

  /// For how long the disk has room, by what the take has needed so far, or by what it is likely to need.
  private func diskSeconds(_ progress: TakeWriter.Progress) -> Double? {
    guard let free = progress.freeBytes, let format else { return nil }
    var bytesPerSecond = Double(format.likelyBytesPerSecond)
    let recorded = format.rate.seconds(of: progress.frames)
    if take != nil, takePath != nil, recorded > 5 {
      // Silence needs next to nothing, and does not last.
      bytesPerSecond = max(Double(progress.bytes) / recorded, bytesPerSecond / 2)
    }
    return Double(free) / max(bytesPerSecond, 1)
  }
}
