import Media
import Sound

/// A report for people.
extension FileReport {
  var text: String {
    var lines = [path.shown]
    guard let sound else { return (lines + ["  \(error ?? "")", ""]).joined(separator: "\n") }
    let tags = sound.tags
    for (name, value) in [("Title", tags.title), ("Artist", tags.artist), ("Album", tags.album)] {
      if let value { lines.append(line(name, PathBytes(value).shown)) }
    }
    lines.append(line("Format", sound.format.summary))
    let rate = sound.format.rate
    lines.append(line("Length", "\(clock(rate.seconds(of: sound.frames))) (\(sound.frames.rawValue) frames)"))
    for (name, level) in zip(sound.format.channelNames, sound.levels) {
      lines.append(line("Level \(name)", "peak \(decibels(level.peak)), RMS \(decibels(level.rms))"))
    }
    if sound.skippedStretches > 0 {
      lines.append(
        line(
          "Damage",
          sound.skippedStretches == 1 ? "1 place was left out" : "\(sound.skippedStretches) places were left out"))
    }
    if let error { lines.append(line("Stopped", error)) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func line(_ name: String, _ value: String) -> String {
    "  " + name + String(repeating: " ", count: max(10 - name.count, 1)) + value
  }

  /// Such as "1:02:03.4".
  private func clock(_ seconds: Double) -> String {
    let tenths = Int((seconds * 10).rounded(.down))
    let (hours, minutes) = (tenths / 36000, tenths / 600 % 60)
    let rest = "\(tenths / 10 % 60)"
    let padded = rest.count < 2 ? "0" + rest : rest
    let front = hours > 0 ? "\(hours):" + (minutes < 10 ? "0" : "") : ""
    return front + "\(minutes):\(padded).\(tenths % 10)"
  }

  private func decibels(_ level: Decibels) -> String {
    guard level.value.isFinite else { return "−∞ dB" }
    let tenths = Int((level.value * 10).rounded())
    return (tenths < 0 ? "−" : "") + "\(abs(tenths) / 10).\(abs(tenths) % 10) dB"
  }
}
