internal import Sound

/// Plain samples of WAV and AIFF files, read as they lie: several times as fast as through a demuxer and a decoder.
///
/// One thread at a time. Large reads and no mapping, which would end the program when somebody cuts the file short.
final class PlainReader: SoundReader {
  private let source: ByteSource
  private let layout: PlainLayout
  let format: StreamFormat
  private(set) var position: Int64 = 0
  let skips = SkipLog()
  private let buffer: UnsafeMutableRawPointer
  private let details: Demuxer?
  let tags: Tags

  /// One read of the disk.
  private static let bufferSize = 1 << 20

  init(source: ByteSource, layout: PlainLayout) throws(MediaError) {
    guard layout.frameCount > 0 else { throw .noSamples(source.path) }
    self.source = source
    self.layout = layout
    format = StreamFormat(
      container: layout.container, codec: "PCM", rate: SampleRate(hertz: layout.rate), speakers: layout.speakers,
      layoutName: Speaker.layoutName(layout.speakers), bitsPerSample: layout.validBits,
      estimatedLength: FrameCount(layout.frameCount), lengthIsExact: true)
    details = layout.isOrderly ? Probe.guess(source).flatMap { try? Demuxer(source: source, format: $0.format) } : nil
    tags = details.map { Tags(demuxer: $0, stream: nil) } ?? Tags()
    buffer = .allocate(byteCount: Self.bufferSize + PlainSamples.slack, alignment: 16)
    buffer.initializeMemory(as: UInt8.self, repeating: 0, count: Self.bufferSize + PlainSamples.slack)
  }

  deinit { buffer.deallocate() }

  func read(into block: SampleBlock) throws(MediaError) {
    block.frameCount = 0
    block.start = FrameIndex(position)
    while block.frameCount < block.capacity, position < layout.frameCount {
      let wanted = min(
        block.capacity - block.frameCount, Self.bufferSize / layout.bytesPerFrame, Int(layout.frameCount - position))
      let place = layout.offset + position * Int64(layout.bytesPerFrame)
      let frames = source.read(buffer, wanted * layout.bytesPerFrame, at: place) / layout.bytesPerFrame
      for channel in 0..<block.channelCount {
        PlainSamples.convert(
          buffer + channel * layout.width, stride: layout.bytesPerFrame, count: frames, layout: layout,
          into: block.plane(channel) + block.frameCount)
      }
      block.frameCount += frames
      position += Int64(frames)
      if frames < wanted {
        if source.cancellation.isCancelled { throw .cancelled(source.path) }
        if let failure = source.failure { throw .unreadable(source.path, reason: failure.reason) }
        // Somebody has cut the file short: that is its end now.
        break
      }
    }
  }

  func seek(to frame: Int64) throws(MediaError) { position = min(frame, layout.frameCount) }

  func coverBytes() -> [UInt8]? { details?.coverBytes() }

  var streamIndex: Int { 0 }
  var cutRule: CutRule { .anywhere }
  var prerollSeconds: Double { 0 }
  var indexBytes: Int { 0 }
  // Its samples lie at places that can be counted.
  var keepsMarks = false
  func takeMarks() -> [SeekMark] { [] }
  var place: Int64 { layout.offset + position * Int64(layout.bytesPerFrame) }
}

extension Speaker {
  /// Such as "stereo" or "5.1"; the number of channels where their places say nothing.
  static func layoutName(_ speakers: [Speaker]) -> String {
    switch speakers {
    case [.mono]: return "mono"
    case [.left, .right]: return "stereo"
    default: break
    }
    let places = Set(speakers)
    let front: Set<Speaker> = [.left, .right]
    let quad = front.union([.backLeft, .backRight])
    let side = front.union([.sideLeft, .sideRight])
    let five = Set([.center, .lowFrequency] as [Speaker])
    switch places {
    case quad, side: return "quad"
    case quad.union([.center]), side.union([.center]): return "5.0"
    case quad.union(five), side.union(five): return "5.1"
    case side.union(five).union([.backCenter]): return "6.1"
    case quad.union(side).union(five): return "7.1"
    case front.union([.center]): return "3.0"
    case front.union([.lowFrequency]): return "2.1"
    default: return "\(speakers.count) channels"
    }
  }
}
