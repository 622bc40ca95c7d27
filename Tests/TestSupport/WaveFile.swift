/// WAV files made byte by byte, so that what a test reads was written by nobody's encoder.
package enum WaveFile {
  /// The bytes of a WAV of 32-bit floats (RIFF, format tag 3); `channels` are equally long planes.
  package static func float32(_ channels: [[Float]], hertz: Int) -> [UInt8] {
    let frames = channels[0].count
    var data: [UInt8] = []
    data.reserveCapacity(frames * channels.count * 4)
    for frame in 0..<frames {
      for channel in channels { append(channel[frame].bitPattern, to: &data) }
    }
    let frameBytes = UInt16(channels.count * 4)
    var bytes = Array("RIFF".utf8)
    append(UInt32(36 + data.count), to: &bytes)
    bytes += Array("WAVEfmt ".utf8)
    append(UInt32(16), to: &bytes)
    append(UInt16(3), to: &bytes)
    append(UInt16(channels.count), to: &bytes)
    append(UInt32(hertz), to: &bytes)
    append(UInt32(hertz) * UInt32(frameBytes), to: &bytes)
    append(frameBytes, to: &bytes)
    append(UInt16(32), to: &bytes)
    bytes += Array("data".utf8)
    append(UInt32(data.count), to: &bytes)
    return bytes + data
  }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
  }
}
