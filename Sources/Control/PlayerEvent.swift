package import Sound

/// What happened in the engine, told once and in order.
package enum PlayerEvent: Hashable, Sendable {
  case started(TrackID)
  case paused(TrackID)
  /// The track came to its end, or playing it had to be given up.
  case finished(TrackID, successfully: Bool)
  /// A stretch of the file could not be decoded, or all of it.
  case decodingError(path: PathBytes, at: FrameIndex?, reason: String)
  case interruptionBegan
  case interruptionEnded
}
