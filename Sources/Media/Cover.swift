import CFFmpeg

extension Demuxer {
  /// Larger pictures are not a cover but a burden.
  static let coverLimit = 16 << 20

  /// The picture that came with the sound, the front cover first; JPEG or PNG only.
  func coverBytes() -> [UInt8]? {
    var found: [UInt8]?
    for case let stream? in streams where stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 {
      let packet = stream.pointee.attached_pic
      guard let data = packet.data, packet.size > 8, Int(packet.size) <= Self.coverLimit else { continue }
      let bytes = UnsafeBufferPointer(start: data, count: Int(packet.size))
      guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { continue }
      if isFront(stream) { return Array(bytes) }
      if found == nil { found = Array(bytes) }
    }
    return found
  }

  private func isFront(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    guard let entry = av_dict_get(stream.pointee.metadata, "comment", nil, 0) else { return false }
    return String(cString: entry.pointee.value) == "Cover (front)"
  }
}
