/// A waveform as bytes, as it is kept in the cache.
///
/// Numbers are little-endian. A file is a head, sections, and a checksum:
///
///     0   8  "SWELLWF" and a zero
///     8   4  version of the format: 1
///     12  4  number of sections
///     16  8  length of the whole file in bytes
///     24     sections: 4 letters, 4 zero bytes, 8 bytes of length, the content, zeros up to a multiple of 8
///     end 8  XXH64 of all bytes before it
///
///     KEY    8 size of the sound file, 8 its time of change in ns, 8 decoder, 4 stream, 4 length of the path, its bytes
///     FACT   8 length in frames, 4 stretches left out, 4 zero bytes
///     BINS   8 frames of a bin, 8 bins of a channel, 4 channels, 4 zero bytes, then channel after channel its bins:
///            4 lowest sample, 4 highest, 4 sum of squares (floats, full scale 1)
///     HUE    kept free for the colour of each bin
///
/// Sections that a reader does not know are passed over.
package enum PyramidBytes {
  static let magic: [UInt8] = Array("SWELLWF\0".utf8)
  static let version: UInt32 = 1
  static let headLength = 24
  static let checksumLength = 8
  /// 128 frames, 2.9 ms at 44.1 kHz.
  ///
  /// That makes 2.5 MB for 5 minutes of stereo. What is closer is drawn from samples.
  package static let finestFrames = 128
  /// More than any waveform takes, whose level 0 is bounded, with room for sections to come.
  package static let mostBytes = PyramidBuilder.levelZeroBins * 24 + (1 << 16)

  enum Section: String {
    case key = "KEY "
    case facts = "FACT"
    case bins = "BINS"
  }

  /// The bytes of a complete waveform, with bins no finer than `finestFrames`.
  package static func encode(_ waveform: Waveform, key: WaveformKey) -> [UInt8] {
    precondition(waveform.pyramid.isComplete)
    let pyramid = waveform.pyramid.coarsened(to: finestFrames)
    let bins = pyramid.channelCount * pyramid.levelZeroCount
    var out = ByteWriter(capacity: 256 + key.path.bytes.count + bins * 12)
    out.bytes += magic
    out.put(version)
    out.put(UInt32(3))
    out.put(UInt64(0))
    out.section(.key) { out in
      out.put(key.size)
      out.put(key.modified)
      out.put(key.decoder)
      out.put(UInt32(clamping: key.stream))
      out.put(UInt32(clamping: key.path.bytes.count))
      out.bytes += key.path.bytes
    }
    out.section(.facts) { out in
      out.put(pyramid.length.rawValue)
      out.put(UInt32(clamping: waveform.skippedStretches))
      out.put(UInt32(0))
    }
    out.section(.bins) { out in
      out.put(UInt64(pyramid.baseFrames))
      out.put(UInt64(pyramid.levelZeroCount))
      out.put(UInt32(pyramid.channelCount))
      out.put(UInt32(0))
      pyramid.visitLevelZero { out.put(bins: $0) }
    }
    out.overwrite(UInt64(out.bytes.count + checksumLength), at: 16)
    out.put(Hash64.of(out.bytes))
    return out.bytes
  }

  /// The waveform of just this sound; nil where the bytes are damaged, of another version, or of something else.
  ///
  /// Never traps, whatever the bytes are. About 1 ms for 5 minutes of stereo.
  package static func decode(_ bytes: [UInt8], key: WaveformKey) -> Waveform? {
    bytes.withUnsafeBytes { bytes in
      guard let sections = sections(bytes) else { return nil }
      guard let keyBytes = sections[.key], holds(keyBytes, key) else { return nil }
      guard var facts = sections[.facts].map(ByteReader.init), let frames = facts.int64(), frames > 0,
        let skipped = facts.uint32()
      else { return nil }
      guard let binBytes = sections[.bins], let pyramid = pyramid(binBytes, length: FrameCount(frames)) else {
        return nil
      }
      return Waveform(pyramid: pyramid, skippedStretches: Int(skipped))
    }
  }

  /// The known sections of a file that is whole.
  private static func sections(_ bytes: UnsafeRawBufferPointer) -> [Section: UnsafeRawBufferPointer]? {
    let end = bytes.count - checksumLength
    guard end >= headLength, bytes.prefix(magic.count).elementsEqual(magic) else { return nil }
    var head = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[magic.count..<headLength]))
    guard head.uint32() == version, let count = head.uint32(), head.uint64() == UInt64(bytes.count) else { return nil }
    var checksum = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[end...]))
    guard checksum.uint64() == Hash64.of(UnsafeRawBufferPointer(rebasing: bytes[..<end])) else { return nil }
    var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[headLength..<end]))
    var found: [Section: UnsafeRawBufferPointer] = [:]
    for _ in 0..<count {
      guard let name = reader.take(4), reader.take(4) != nil, let length = reader.uint64().flatMap(Int.init(exactly:)),
        let content = reader.take(length), reader.take(-length & 7) != nil
      else { return nil }
      if let section = Section(rawValue: String(decoding: name, as: UTF8.self)) { found[section] = content }
    }
    return found
  }

  private static func holds(_ bytes: UnsafeRawBufferPointer, _ key: WaveformKey) -> Bool {
    var reader = ByteReader(bytes)
    guard reader.int64() == key.size, reader.int64() == key.modified, reader.uint64() == key.decoder,
      reader.uint32() == UInt32(clamping: key.stream), let length = reader.uint32(), let path = reader.take(Int(length))
    else { return false }
    return path.elementsEqual(key.path.bytes)
  }

  private static func pyramid(_ bytes: UnsafeRawBufferPointer, length: FrameCount) -> PeakPyramid? {
    var reader = ByteReader(bytes)
    guard let base = reader.uint64(), let count = reader.uint64(), let channels = reader.uint32(),
      reader.uint32() != nil, base >= UInt64(PyramidBuilder.finestFrames), base <= 1 << 40, base & (base - 1) == 0,
      channels > 0, channels <= 64, count > 0, count <= UInt64(PyramidBuilder.levelZeroBins) / UInt64(channels),
      UInt64(length.rawValue - 1) / base + 1 == count, reader.rest == Int(count) * Int(channels) * 12
    else { return nil }
    var rows: [UnsafeRawBufferPointer] = []
    for _ in 0..<channels {
      guard let row = reader.take(Int(count) * 12) else { return nil }
      rows.append(row)
    }
    return PeakPyramid(levelZero: rows, baseFrames: Int(base), length: length)
  }
}
