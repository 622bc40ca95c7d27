import CFFmpeg

/// The library's channel layouts as speakers.
enum ChannelLayout {
  static func speakers(of layout: AVChannelLayout) -> [Speaker] {
    let count = Int(layout.nb_channels)
    if count == 1 { return [.mono] }
    return withUnsafePointer(to: layout) { layout in
      (0..<count).map { index in
        if count == 2, layout.pointee.order == AV_CHANNEL_ORDER_UNSPEC { return index == 0 ? .left : .right }
        return speaker(av_channel_layout_channel_from_index(layout, UInt32(index))) ?? .unknown(index + 1)
      }
    }
  }

  /// Such as "stereo", "5.1" or "16 channels".
  static func name(of layout: AVChannelLayout) -> String {
    if layout.nb_channels == 1 { return "mono" }
    if layout.nb_channels == 2 { return "stereo" }
    guard layout.order == AV_CHANNEL_ORDER_NATIVE else { return "\(layout.nb_channels) channels" }
    var text = [CChar](repeating: 0, count: 256)
    _ = withUnsafePointer(to: layout) { av_channel_layout_describe($0, &text, text.count) }
    let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // "5.1(side)" and the like say where the rear speakers stand, which the names of the channels tell.
    return String(name.prefix { $0 != "(" })
  }

  private static func speaker(_ channel: AVChannel) -> Speaker? {
    switch channel {
    case AV_CHAN_FRONT_LEFT, AV_CHAN_STEREO_LEFT: .left
    case AV_CHAN_FRONT_RIGHT, AV_CHAN_STEREO_RIGHT: .right
    case AV_CHAN_FRONT_CENTER: .center
    case AV_CHAN_LOW_FREQUENCY, AV_CHAN_LOW_FREQUENCY_2: .lowFrequency
    case AV_CHAN_BACK_LEFT: .backLeft
    case AV_CHAN_BACK_RIGHT: .backRight
    case AV_CHAN_BACK_CENTER: .backCenter
    case AV_CHAN_SIDE_LEFT, AV_CHAN_SURROUND_DIRECT_LEFT: .sideLeft
    case AV_CHAN_SIDE_RIGHT, AV_CHAN_SURROUND_DIRECT_RIGHT: .sideRight
    case AV_CHAN_FRONT_LEFT_OF_CENTER: .frontLeftOfCenter
    case AV_CHAN_FRONT_RIGHT_OF_CENTER: .frontRightOfCenter
    case AV_CHAN_TOP_CENTER: .topCenter
    case AV_CHAN_TOP_FRONT_LEFT: .topFrontLeft
    case AV_CHAN_TOP_FRONT_CENTER: .topFrontCenter
    case AV_CHAN_TOP_FRONT_RIGHT: .topFrontRight
    case AV_CHAN_TOP_BACK_LEFT: .topBackLeft
    case AV_CHAN_TOP_BACK_CENTER: .topBackCenter
    case AV_CHAN_TOP_BACK_RIGHT: .topBackRight
    case AV_CHAN_WIDE_LEFT: .wideLeft
    case AV_CHAN_WIDE_RIGHT: .wideRight
    default: nil
    }
  }
}
