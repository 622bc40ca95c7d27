package import Sound

/// Everything that can be asked for, whichever door it came through: click, key, drop, command line, test.
///
/// Grouped by who obeys.
package enum Command: Hashable, Sendable {
  case player(PlayerCommand)
  case recorder(RecorderCommand)
  case library(LibraryCommand)
  case window(WindowCommand)
}

/// What the player obeys.
package enum PlayerCommand: Hashable, Sendable {
  /// Makes these files and folders the queue and plays the first that can be played.
  case open([PathBytes])
  /// Adds them to the end of the queue.
  case enqueue([PathBytes])
  /// Plays the track that comes with the program.
  case openDemo
  case play
  case pause
  case playPause
  /// Back to flag A, else to the start, silent.
  case stop
  case seek(to: FrameIndex)
  case seekBy(seconds: Double)
  case seekByFrames(FrameCount)
  /// A place as a share of the whole length, 0 to 1.
  case seekToFraction(Double)
  case next
  /// The track before; more than 3 s into a track, its start.
  case previous
  case setVolume(Volume)
  /// One step louder or softer: 1 dB, below -20 dB 2 dB.
  case stepVolume(Int)
  case toggleMute
  case setLoop(LoopMode)
  case cycleLoop
  case setSpeed(Speed)
  /// Steps of a key faster or slower.
  case stepSpeed(Int)
  /// Sets flag A, or B, at what is heard now.
  case setFlagA, setFlagB
  /// Moves both flags at once; none clears the region.
  case setFlags(RegionFlags)
  /// Plays to the output device of this name from now on; nil follows the system's default.
  case setDevice(String?)
  case setSpectrumScale(SpectrumScale)
  case dismissNotice(Int)
  /// Decodes a stretch of the track to be looked at closely, in `Snapshot.samples`; nil when none is wanted any more.
  case showSamples(Range<FrameIndex>?)
}

/// What the library obeys.
package enum LibraryCommand: Hashable, Sendable {
  /// Lists a folder for the browser; nil is the last one shown, else the music folder.
  case list(PathBytes?)
  /// Lists a folder, or while it is not there the nearest above it that is.
  case listNearest(PathBytes)
  /// Lists the folder whose path was typed; `~` is the home folder.
  case listTyped(String)
  case listHome
  case listMusic
  case listParent
  /// The browser was closed: stop looking.
  case closeBrowser
  case forgetRecents
}

/// What the window obeys.
package enum WindowCommand: Hashable, Sendable {
  case toggleFullScreen
  case leaveFullScreen
  /// Larger or smaller by steps of a quarter; 0 goes back to the display's own scale.
  case stepScale(Int)
  case quit
}

/// What is played again when it has ended.
package enum LoopMode: String, Hashable, Sendable, CaseIterable {
  case off, track, queue

  package var following: LoopMode {
    switch self {
    case .off: .track
    case .track: .queue
    case .queue: .off
    }
  }
}

/// How the 64 bars are spread over the frequencies.
package enum SpectrumScale: String, Hashable, Sendable, CaseIterable {
  /// Equal ratios from 27.5 Hz to 20 kHz.
  case logarithmic
  /// Equal steps from 0 to half the file's rate.
  case linear
}

/// A listening level: from 0 dB down to -60 dB, and then silence.
package struct Volume: Hashable, Comparable, Sendable {
  package static let quietest = -60.0
  /// Minus infinity, or -60...0.
  package let decibels: Decibels

  /// The nearest level that there is.
  package init(clamping decibels: Decibels) {
    if decibels.value.isNaN || decibels.value < Self.quietest {
      self.decibels = .silence
    } else {
      self.decibels = Decibels(min(decibels.value, 0))
    }
  }

  package static let full = Volume(clamping: Decibels(0))
  package static func < (a: Self, b: Self) -> Bool { a.decibels < b.decibels }

  /// One step of a key or of the wheel: 1 dB, below -20 dB 2 dB; below -60 dB lies silence.
  package func stepped(_ steps: Int) -> Volume {
    var value = decibels.value
    for _ in 0..<abs(steps) {
      if steps > 0 {
        value = value == -.infinity ? Self.quietest : value + (value < -20 ? 2 : 1)
      } else {
        value -= value <= -20 ? 2 : 1
      }
    }
    return Volume(clamping: Decibels(value))
  }
}
