internal import Control
import FoundationEssentials
internal import Sound

/// The form of the state on disk: one JSON object.
///
///     {
///       "version": 1,
///       "volume": -6,                         null is silence
///       "muted": false, "loop": "queue", "device": "Built-in Audio",
///       "window": {"x": 0, "y": 0, "width": 1280, "height": 720, "maximised": false},
///       "secondsPerPoint": 0.0085, "interfaceScale": 2, "spectrum": "logarithmic",
///       "queue": ["/music/a.flac", {"base64": "L211c2ljL2NhZukud2F2"}],
///       "queueIndex": 0, "position": 441000,
///       "recents": [{"path": "/music/a.flac", "title": "A", "detail": "3:57 · FLAC"}],
///       "flags": [{"path": "/music/a.flac", "a": 44100, "b": 88200}],
///       "browserFolder": "/music",
///       "recording": {"device": "Microphone", "coding": "flac", "width": "int24", "rate": 48000, "channels": "stereo",
///                     "buffer": 20, "preRoll": 5, "threshold": -40, "hold": 3, "monitoring": false, "folder": "/takes"}
///     }
///
/// A path is a string, or its bytes in base 64 where they are not UTF-8. A key that is missing has its first value, and
/// one that is not known is passed over, so that an older program can read a newer one's file.
extension StoredState: Codable {
  private static let version = 1

  /// The bytes of the file.
  func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(sane)) + [UInt8(ascii: "\n")]
  }

  /// Throws when the bytes are not such a file.
  init(decoding bytes: [UInt8]) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(bytes)).sane
  }

  private enum Key: String, CodingKey {
    case version, volume, muted, loop, device, window, secondsPerPoint, interfaceScale, spectrum
    case queue, queueIndex, position, recents, flags, browserFolder, recording
  }

  package init(from decoder: any Decoder) throws {
    self.init()
    let values = try decoder.container(keyedBy: Key.self)
    func value<Value: Decodable>(_ key: Key, _ type: Value.Type = Value.self) throws -> Value? {
      try values.decodeIfPresent(type, forKey: key)
    }
    if values.contains(.volume) { volume = Volume(clamping: Decibels(try value(.volume, Double.self) ?? -.infinity)) }
    isMuted = try value(.muted) ?? isMuted
    loop = try value(.loop).flatMap(LoopMode.init) ?? loop
    deviceName = try value(.device)
    window = try value(.window)
    secondsPerPoint = try value(.secondsPerPoint)
    interfaceScale = try value(.interfaceScale)
    spectrumScale = try value(.spectrum).flatMap(SpectrumScale.init) ?? spectrumScale
    queue = try value(.queue, [StoredPath].self)?.map(\.path) ?? []
    queueIndex = try value(.queueIndex)
    position = FrameIndex(try value(.position, Int64.self) ?? 0)
    recents = try value(.recents, [StoredRecent].self)?.map(\.item) ?? []
    flags = try value(.flags, [StoredFlags].self)?.map(\.kept) ?? []
    browserFolder = try value(.browserFolder, StoredPath.self)?.path
    recording = try value(.recording, StoredRecording.self)?.options ?? recording
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(Self.version, forKey: .version)
    if volume.decibels == .silence {
      try values.encodeNil(forKey: .volume)
    } else {
      try values.encode(volume.decibels.value, forKey: .volume)
    }
    try values.encode(isMuted, forKey: .muted)
    try values.encode(loop.rawValue, forKey: .loop)
    try values.encodeIfPresent(deviceName, forKey: .device)
    try values.encodeIfPresent(window, forKey: .window)
    try values.encodeIfPresent(secondsPerPoint, forKey: .secondsPerPoint)
    try values.encodeIfPresent(interfaceScale, forKey: .interfaceScale)
    try values.encode(spectrumScale.rawValue, forKey: .spectrum)
    try values.encode(queue.map(StoredPath.init), forKey: .queue)
    try values.encodeIfPresent(queueIndex, forKey: .queueIndex)
    try values.encode(position.rawValue, forKey: .position)
    try values.encode(recents.map(StoredRecent.init), forKey: .recents)
    try values.encode(flags.map(StoredFlags.init), forKey: .flags)
    try values.encodeIfPresent(browserFolder.map(StoredPath.init), forKey: .browserFolder)
    try values.encode(StoredRecording(recording), forKey: .recording)
  }
}

/// A path in JSON.
struct StoredPath: Codable {
  let path: PathBytes
  init(_ path: PathBytes) { self.path = path }

  private enum Key: String, CodingKey { case base64 }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      path = PathBytes(text)
    } else {
      path = PathBytes(bytes: Array(try decoder.container(keyedBy: Key.self).decode(Data.self, forKey: .base64)))
    }
  }

  func encode(to encoder: any Encoder) throws {
    if let text = String(validating: path.bytes, as: UTF8.self) {
      var value = encoder.singleValueContainer()
      try value.encode(text)
    } else {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(Data(path.bytes), forKey: .base64)
    }
  }
}

private struct StoredRecent: Codable {
  let path: StoredPath
  let title: String
  let detail: String

  init(_ item: RecentItem) {
    path = StoredPath(item.path)
    title = item.title
    detail = item.detail
  }

  var item: RecentItem { RecentItem(path: path.path, title: title, detail: detail) }
}

private struct StoredFlags: Codable {
  let path: StoredPath
  let a: Int64?
  let b: Int64?

  init(_ kept: KeptFlags) {
    path = StoredPath(kept.path)
    a = kept.flags.a?.rawValue
    b = kept.flags.b?.rawValue
  }

  var kept: KeptFlags {
    // A damaged file may name frames with which nobody can reckon.
    let (a, b) = (a.map { FrameIndex(min($0, .max / 4)) }, b.map { FrameIndex(min($0, .max / 4)) })
    return KeptFlags(path: path.path, flags: RegionFlags(a: a, b: b))
  }
}
