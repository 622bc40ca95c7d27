package import Control
package import Library
package import Sound

/// What the player is told when it is made: what was kept from the last time, and what the command line asks for.
package struct PlayerSettings: Hashable, Sendable {
  package var volume = Volume.full
  package var isMuted = false
  package var loop = LoopMode.off
  /// The speed to begin with.
  package var speed = Speed.normal
  package var device: String?
  package var spectrumScale = SpectrumScale.logarithmic
  /// How often the spectrum is analysed while something is heard, in hertz.
  package var analysisHertz = 60.0
  /// The track that comes with the program.
  package var demo: PathBytes?
  /// Where finished waveforms are kept; nil keeps none.
  package var waveforms: WaveformCache?
  /// What was played before, the last first.
  package var recents: [RecentItem] = []
  /// The flags that were set on files, the last first.
  package var flags: [KeptFlags] = []

  package init() {}
}

/// How the first files are to be played.
package struct StartOptions: Hashable, Sendable {
  /// Where in the first track to begin: in seconds, plus frames.
  package var startSeconds = 0.0
  package var startFrame = FrameIndex.zero
  /// How often it is played again after the first time; nil leaves it to the loop mode.
  package var repeats: Int?
  /// How long to wait before the first sound.
  package var delaySeconds = 0.0
  /// False shows the track without playing it.
  package var plays = true

  package init() {}
}
