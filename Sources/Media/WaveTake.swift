internal import Sound
internal import System

/// A WAV file that grows, and becomes an RF64 when 32 bits are too few for its size.
///
///     RIFF size WAVE                      RF64 FFFFFFFF WAVE
///     JUNK 28 zeros                       ds64 28 riff-size data-size frames 0
///     fmt  18 tag channels rate bytes-per-second frame-bytes bits 0
///     fact  4 frames
///     LIST INFO INAM title (256 bytes) ICRD date ICMT device ISFT program
///     data size samples                   data FFFFFFFF samples
///
/// Microsoft's "Multimedia Programming Interface and Data Specifications 1.0"; RF64 after EBU Tech 3306. The header is
/// written anew, in one write, whenever samples were.
final class WaveTake: TakeWriting {
  /// The largest size of the whole file that any reader of plain WAV understands: some count with a sign.
  static let wideLimit: Int64 = 1 << 32 - 1

  private let file: OutputFile
  private let header: WaveTakeHeader
  private let wideLimit: Int64
  private var pending: [UInt8] = []

  init(file: OutputFile, format: TakeFormat, tags: TakeTags, wideLimit: Int64) throws(TakeFault) {
    self.file = file
    self.wideLimit = wideLimit
    header = WaveTakeHeader(format: format, words: WaveTakeHeader.words(tags))
    try file.put(header.bytes(dataBytes: 0, isWide: false))
  }

  func write(_ block: SampleBlock) throws(TakeFault) {
    let count = block.frameCount * header.frameBytes
    pending.reserveCapacity(pending.count + count)
    pending += [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let start = UnsafeMutableRawPointer(buffer.baseAddress!)
      switch header.format.width {
      case .int16: SampleWriting.int16(block, start.assumingMemoryBound(to: Int16.self))
      case .int24: SampleWriting.int24(block, start.assumingMemoryBound(to: UInt8.self))
      case .float32: SampleWriting.float32(block, start.assumingMemoryBound(to: Float.self))
      }
      filled = count
    }
    if pending.count >= 1 << 18 { try flush() }
  }

  func flush() throws(TakeFault) {
    guard !pending.isEmpty else { return }
    try file.put(pending)
    pending.removeAll(keepingCapacity: true)
    try writeHeader()
  }

  func finish() throws(TakeFault) {
    try flush()
    try close()
  }

  func close() throws(TakeFault) {
    try Self.complete(file, header: header, wideLimit: wideLimit)
  }

  private func writeHeader() throws(TakeFault) {
    let data = file.size - Int64(header.length)
    try file.mend(header.bytes(dataBytes: data, isWide: file.size > wideLimit), at: 0)
  }

  /// Makes a file whole that has our header and any number of bytes of samples.
  static func complete(_ file: OutputFile, header: WaveTakeHeader, wideLimit: Int64 = wideLimit) throws(TakeFault) {
    let frames = max(file.size - Int64(header.length), 0) / Int64(header.frameBytes)
    let data = frames * Int64(header.frameBytes)
    if file.size > Int64(header.length) + data { try file.cut(to: Int64(header.length) + data) }
    try file.mend(header.bytes(dataBytes: data, isWide: file.size + data % 2 > wideLimit), at: 0)
    // A chunk of odd length is followed by a byte that is not counted.
    if data % 2 == 1 { try file.put([0]) }
  }
}

/// Everything before the samples.
struct WaveTakeHeader {
  let format: TakeFormat
  /// The LIST chunk.
  let words: [UInt8]

  init(format: TakeFormat, words: [UInt8]) {
    self.format = format
    self.words = words
  }

  /// A header with more than this was damaged; its numbers still fit their fields.
  private static let mostChannels: UInt16 = 64
  private static let mostHertz: UInt32 = 1_000_000

  var frameBytes: Int { format.width.bits / 8 * format.channelCount }
  /// Where the samples begin.
  var length: Int { 12 + 36 + 26 + 12 + words.count + 8 }

  static func words(_ tags: TakeTags) -> [UInt8] {
    var list = ByteBuilder()
    list.text("INFO")
    for (key, value) in [
      ("INAM", tags.title), ("ICRD", tags.date), ("ICMT", tags.comment), ("ISFT", TakeTags.program),
    ] {
      // The title ends where its zeros begin.
      let room = key == "INAM" ? TakeTitle.mostBytes - value.utf8.count : 0
      let text = Array(value.utf8) + [UInt8](repeating: 0, count: room + 1)
      list.text(key)
      list.little(UInt32(text.count))
      list.bytes += text
      if text.count % 2 == 1 { list.zeros(1) }
    }
    var chunk = ByteBuilder()
    chunk.text("LIST")
    chunk.little(UInt32(list.bytes.count))
    return chunk.bytes + list.bytes
  }

  func bytes(dataBytes: Int64, isWide: Bool) -> [UInt8] {
    let riffBytes = Int64(length) - 8 + dataBytes + dataBytes % 2
    let frames = dataBytes / Int64(frameBytes)
    var header = ByteBuilder()
    header.text(isWide ? "RF64" : "RIFF")
    header.little(isWide ? UInt32.max : UInt32(riffBytes))
    header.text("WAVE")
    header.text(isWide ? "ds64" : "JUNK")
    header.little(UInt32(28))
    if isWide {
      header.little(riffBytes)
      header.little(dataBytes)
      header.little(frames)
      header.little(UInt32(0))
    } else {
      header.zeros(28)
    }
    header.text("fmt ")
    header.little(UInt32(18))
    header.little(UInt16(format.width == .float32 ? 3 : 1))
    header.little(UInt16(format.channelCount))
    header.little(UInt32(format.rate.hertz))
    header.little(UInt32(format.bytesPerSecond))
    header.little(UInt16(frameBytes))
    header.little(UInt16(format.width.bits))
    header.little(UInt16(0))
    header.text("fact")
    header.little(UInt32(4))
    header.little(UInt32(min(frames, Int64(UInt32.max))))
    header.bytes += words
    header.text("data")
    header.little(isWide ? UInt32.max : UInt32(dataBytes))
    return header.bytes
  }

  /// Reads a header that was written here; nil when it was not.
  init?(reading bytes: [UInt8]) {
    guard bytes.isText("RIFF", at: 0) || bytes.isText("RF64", at: 0), bytes.isText("WAVE", at: 8),
      bytes.isText("fmt ", at: 48), let tag = bytes.little(56, as: UInt16.self),
      let channels = bytes.little(58, as: UInt16.self), let hertz = bytes.little(60, as: UInt32.self),
      let bits = bytes.little(70, as: UInt16.self), 1...Self.mostChannels ~= channels, 1...Self.mostHertz ~= hertz,
      bytes.isText("LIST", at: 86),
      let count = bytes.little(90, as: UInt32.self), bytes.isText("data", at: 94 + Int(count)),
      let width = SampleWidth.allCases.first(where: { $0.bits == bits }), (width == .float32) == (tag == 3)
    else { return nil }
    format = TakeFormat(
      coding: .wav, width: width, rate: SampleRate(hertz: Int(hertz)), channelCount: Int(channels))
    words = Array(bytes[86..<94 + Int(count)])
  }
}
