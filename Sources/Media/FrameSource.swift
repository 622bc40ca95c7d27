import CFFmpeg

/// A demuxer and a decoder that take turns until a frame comes out.
///
/// One thread at a time.
final class FrameSource {
  let demuxer: Demuxer
  let decoder: Decoder
  let stream: UnsafeMutablePointer<AVStream>
  private let packet: UnsafeMutablePointer<AVPacket>
  /// True once the decoder was told that no more packets come.
  private var isDraining = false
  /// How far the file was read when the last frame came out.
  private var lastFrameBytes: Int64
  private var oggJoints: OggJoints
  /// Where only they tell a frame's place, in containers whose clock is coarse: Matroska.
  let vorbis: VorbisBlocks?

  /// Errors of the container in a row after which it is given up; each normally moves it on.
  private static let patienceErrors = 64

  init(demuxer: Demuxer, stream: UnsafeMutablePointer<AVStream>, codec: UnsafePointer<AVCodec>) throws(FFmpegStatus) {
    self.demuxer = demuxer
    self.stream = stream
    decoder = try Decoder(stream: stream, codec: codec)
    guard let packet = av_packet_alloc() else { throw .noMemory }
    self.packet = packet
    lastFrameBytes = demuxer.source.bytesRead
    oggJoints = OggJoints(demuxer: demuxer, stream: stream)
    let isOgg = String(cString: demuxer.context.pointee.iformat.pointee.name) == "ogg"
    vorbis = isOgg ? nil : VorbisBlocks(stream)
  }

  deinit {
    var freed: UnsafeMutablePointer? = packet
    av_packet_free(&freed)
  }

  enum Step {
    /// `decoder.frame` holds at least one frame of sound.
    case frame
    /// A packet was left out; its length in the stream's time base, 0 where unknown.
    case skipped(FFmpegStatus, duration: Int64)
    case end
    case cancelled
    case failed(FFmpegStatus)
  }

  /// Goes on until there is something to tell.
  func step() -> Step {
    var errors = 0
    while true {
      do {
        try decoder.receive()
        guard decoder.frame.frameCount > 0, decoder.frame.channelCount > 0 else { continue }
        lastFrameBytes = demuxer.source.bytesRead
        oggJoints.didReceive()
        return .frame
      } catch .again {
        // It wants a packet first.
      } catch .endOfFile {
        return .end
      } catch {
        errors += 1
        guard errors < Self.patienceErrors else { return .end }
        return .skipped(error, duration: 0)
      }
      if isDraining { return .end }
      if let step = feed(&errors) { return step }
    }
  }

  /// Hands one packet to the decoder; nil when that went well.
  private func feed(_ errors: inout Int) -> Step? {
    if demuxer.source.bytesRead - lastFrameBytes > Demuxer.patienceBytes, demuxer.isBare { return finish() }
    do {
      try demuxer.read(into: packet)
    } catch .endOfFile {
      return finish()
    } catch .exit {
      return .cancelled
    } catch {
      if demuxer.source.cancellation.isCancelled { return .cancelled }
      if demuxer.source.failure != nil { return .failed(error) }
      errors += 1
      return errors < Self.patienceErrors ? nil : finish()
    }
    defer { av_packet_unref(packet) }
    guard packet.pointee.stream_index == stream.pointee.index else { return nil }
    switch oggJoints.willSend(packet) {
    case .sound: break
    case .firstSound: decoder.flush()
    case .header: return nil
    case .beginning:
      decoder.flush()
      return nil
    }
    vorbis?.willSend(packet)
    do {
      try decoder.send(packet)
      return nil
    } catch {
      return .skipped(error, duration: packet.pointee.duration)
    }
  }

  private func finish() -> Step? {
    isDraining = true
    try? decoder.send(nil)
    return nil
  }

  /// Goes to a place from which what is heard at the target can be decoded.
  func seek(to target: SeekTarget) throws(FFmpegStatus) {
    try demuxer.seek(stream: stream.pointee.index, to: target)
    decoder.flush()
    oggJoints.didSeek()
    vorbis?.didSeek()
    isDraining = false
    lastFrameBytes = demuxer.source.bytesRead
  }
}
