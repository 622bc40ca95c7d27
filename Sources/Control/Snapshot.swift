package import Sound

/// All that there is to see at one instant; a value, so that nothing changes under the painter.
package struct Snapshot: Sendable {
  package var transport = Transport.empty
  package var track: TrackSummary?
  /// What is heard now; between zero and the track's length.
  package var position = FrameIndex.zero
  /// The waveform of the track, as far as it is known.
  package var pyramid: PeakPyramid?
  /// What was asked for by `PlayerCommand.showSamples`, once it is decoded.
  package var samples: SampleWindow?
  /// True while the scan still adds to the waveform.
  package var isScanning = false
  package var spectrum: SpectrumReading?
  /// A meter a channel of what is heard, at most 8.
  package var meters: [MeterReading] = []
  package var volume = Volume.full
  package var isMuted = false
  package var loop = LoopMode.off
  package var flags = RegionFlags()
  package var speed = Speed.normal
  package var queue = QueueSummary()
  package var output = DeviceState()
  package var notices: [Notice] = []
  package var browser: FolderListing?
  package var recents: [RecentItem] = []
  /// A file is being opened and nothing else is loaded yet.
  package var isOpening = false
  /// The demo track is there to be played.
  package var hasDemo = false
  /// What there is to see of recording; nil where nothing can be recorded.
  package var recording: RecordingSnapshot?
  package var isFullScreen = false

  package init() {}
}

/// What the player is doing.
package enum Transport: Hashable, Sendable {
  /// Nothing is loaded.
  case empty
  case stopped
  case paused
  case playing
  /// It would play, but the device is gone: it goes on by itself when one comes back.
  case interrupted
}

/// What is known of the loaded track without its sound.
package struct TrackSummary: Hashable, Sendable {
  package var id: TrackID
  package var path: PathBytes
  /// From the tags, else the file's name.
  package var title: String
  package var artist: String?
  package var album: String?
  /// Such as "FLAC · 44.1 kHz · 24-bit · stereo".
  package var format: String
  package var rate: SampleRate
  package var channelCount: Int
  /// Short names of the channels in order: "L", "R", "C", "LFE", "Ls" …; empty where unknown.
  package var channelNames: [String]
  /// Nil while nobody can tell.
  package var length: FrameCount?
  /// True until the scan has counted the frames (the length then reads "about").
  package var lengthIsEstimate: Bool
  package var cover: CoverImage?

  package init(
    id: TrackID, path: PathBytes, title: String, artist: String?, album: String?, format: String, rate: SampleRate,
    channelCount: Int, channelNames: [String], length: FrameCount?, lengthIsEstimate: Bool, cover: CoverImage?
  ) {
    self.id = id
    self.path = path
    self.title = title
    self.artist = artist
    self.album = album
    self.format = format
    self.rate = rate
    self.channelCount = channelCount
    self.channelNames = channelNames
    self.length = length
    self.lengthIsEstimate = lengthIsEstimate
    self.cover = cover
  }
}

/// A picture as it lies in a file: JPEG or PNG bytes; equal when of the same track.
package final class CoverImage: Hashable, Sendable {
  package let track: TrackID
  package let bytes: [UInt8]

  package init(track: TrackID, bytes: [UInt8]) {
    self.track = track
    self.bytes = bytes
  }

  package static func == (a: CoverImage, b: CoverImage) -> Bool { a.track == b.track }
  package func hash(into hasher: inout Hasher) { hasher.combine(track) }
}

/// 64 bars, lowest frequency first.
package struct SpectrumReading: Hashable, Sendable {
  package static let bandCount = 64
  package var scale: SpectrumScale
  /// The level of each band in dBFS (a full-scale sine reads 0), the loudest of the channels; `floor` at least.
  package var levels: [Float]
  /// The highest level of late, sinking.
  package var holds: [Float]
  /// The 65 frequencies between which the bands lie, in hertz, rising.
  package var edges: [Float]
  /// The level that is drawn as nothing, in dBFS.
  package static let floor: Float = -90

  package init(scale: SpectrumScale, levels: [Float], holds: [Float], edges: [Float]) {
    self.scale = scale
    self.levels = levels
    self.holds = holds
    self.edges = edges
  }
}

/// How loud one channel is just now, in dBFS.
package struct MeterReading: Hashable, Sendable {
  /// The highest sample of late, falling at a meter's pace; minus infinity for silence.
  package var peak: Float
  /// The highest sample of the last seconds.
  package var hold: Float
  /// A sample at or beyond full scale was heard of late.
  package var isOver: Bool

  package init(peak: Float, hold: Float, isOver: Bool) {
    self.peak = peak
    self.hold = hold
    self.isOver = isOver
  }
}

package struct QueueSummary: Hashable, Sendable {
  package var count = 0
  /// The place of the loaded track, from 0; nil with an empty queue.
  package var index: Int?
  package var hasNext = false
  package var hasPrevious = false
  package init() {}
}

/// Something to tell, kept until it was shown: two in one frame are two.
package struct Notice: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case information, error
  }
  /// Rises from notice to notice.
  package var id: Int
  package var kind: Kind
  /// One complete sentence, or two.
  package var text: String

  package init(id: Int, kind: Kind, text: String) {
    self.id = id
    self.kind = kind
    self.text = text
  }
}

/// A file that was played before.
package struct RecentItem: Hashable, Sendable {
  package var path: PathBytes
  package var title: String
  /// Such as "3:57 · FLAC".
  package var detail: String

  package init(path: PathBytes, title: String, detail: String) {
    self.path = path
    self.title = title
    self.detail = detail
  }
}

/// A folder as the browser shows it.
package struct FolderListing: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case folder
      /// It holds sound, by its content.
      case sound
      /// Not yet looked into.
      case unknown
      case other
    }
    package var path: PathBytes
    /// The file's name as it is shown.
    package var name: String
    package var kind: Kind
    /// In bytes, for files.
    package var size: Int64?

    package init(path: PathBytes, name: String, kind: Kind, size: Int64?) {
      self.path = path
      self.name = name
      self.kind = kind
      self.size = size
    }
  }
  package var folder: PathBytes
  /// Folders first, then files, each in natural order (2 before 10).
  package var entries: [Entry]
  /// False while the worker is still reading or looking into files.
  package var isComplete: Bool
  /// A sentence, when the folder cannot be read.
  package var problem: String?

  package init(folder: PathBytes, entries: [Entry], isComplete: Bool, problem: String? = nil) {
    self.folder = folder
    self.entries = entries
    self.isComplete = isComplete
    self.problem = problem
  }
}
