package import Sound

/// What a file's sound is made of, known once it is open.
package struct StreamFormat: Hashable, Sendable {
  /// Such as "WAV" or "Matroska".
  package var container: String
  /// Such as "PCM", "FLAC" or "AAC".
  package var codec: String
  package var rate: SampleRate
  /// One for each channel, in the order of the samples; 1 to 64.
  package var speakers: [Speaker]
  /// Such as "stereo" or "5.1".
  package var layoutName: String
  /// Nil for codings that have none.
  package var bitsPerSample: Int?
  /// Nil while nobody can tell.
  package var estimatedLength: FrameCount?
  /// True where the length is counted and not guessed.
  package var lengthIsExact: Bool

  package init(
    container: String, codec: String, rate: SampleRate, speakers: [Speaker], layoutName: String, bitsPerSample: Int?,
    estimatedLength: FrameCount?, lengthIsExact: Bool
  ) {
    self.container = container
    self.codec = codec
    self.rate = rate
    self.speakers = speakers
    self.layoutName = layoutName
    self.bitsPerSample = bitsPerSample
    self.estimatedLength = estimatedLength
    self.lengthIsExact = lengthIsExact
  }

  package var channelCount: Int { speakers.count }
  /// "L", "R", "C", "LFE", "Ls", "Rs" …; "M" for mono, numbers where unknown.
  package var channelNames: [String] { speakers.map(\.shortName) }

  /// One line for the eye, such as "FLAC · 44.1 kHz · 24-bit · stereo".
  package var summary: String {
    var parts = [codec == "PCM" ? container : codec, rateText]
    if let bitsPerSample { parts.append("\(bitsPerSample)-bit") }
    parts.append(layoutName)
    return parts.joined(separator: " · ")
  }

  private var rateText: String {
    guard rate.hertz >= 1000 else { return "\(rate.hertz) Hz" }
    var digits = String(rate.hertz % 1000 + 1000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(rate.hertz / 1000)" + (digits.isEmpty ? "" : ".\(digits)") + " kHz"
  }
}
