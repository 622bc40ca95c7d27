internal import Control
internal import Library
internal import Sound

// The two flags, and the region between them that is played round and round.
extension Player {
  /// Flag A, or B, at what is heard; on the wrong side of the other they change places.
  func setFlag(isB: Bool) {
    guard track != nil else { return }
    let heard = position
    var new = flags
    if isB { new.setB(heard) } else { new.setA(heard) }
    setFlags(new)
  }

  /// Moves the flags, and makes sure that what was decoded ahead is what is now to be heard.
  ///
  /// Whoever hears a region stays in it: where its end is put at or before what is heard, its start comes next.
  func setFlags(_ wanted: RegionFlags) {
    guard let track else { return }
    let old = flags
    flags = clamped(wanted, to: track)
    keepFlags(of: track)
    guard flags.region != old.region else { return }
    let heard = position
    if let region = flags.region, wantsPlay, heard >= region.upperBound,
      heard == region.upperBound || old.region?.contains(heard) == true
    {
      return position(track, at: region.lowerBound)
    }
    if mayBeDecoded(old.region, heard) || mayBeDecoded(flags.region, heard) || deckIsAhead || pending != nil {
      goOnAnew(track)
    } else {
      deck.order { [region = flags.region] in $0.region = (track.id, region) }
    }
  }

  /// The end of the region may lie in what was decoded ahead of the ear.
  private func mayBeDecoded(_ region: Range<FrameIndex>?, _ heard: FrameIndex) -> Bool {
    guard let region, let track else { return false }
    let horizon = heard + track.format.rate.frames(inSeconds: Self.horizonSeconds * max(speed.ratio, 1))
    return heard < region.upperBound && region.upperBound <= horizon
  }

  /// What plays goes round, or will: nothing follows it.
  var isLooping: Bool { flags.region.map { position < $0.upperBound } ?? false }

  /// The region in which a track is to be played from its start.
  func keptRegion(of track: Track) -> Range<FrameIndex>? {
    clamped(settings.flags.first { $0.path == track.path }?.flags ?? RegionFlags(), to: track).region
  }

  /// Takes up the flags that were kept of a track that is now the one that is shown.
  func recallFlags(of track: Track) {
    flags = clamped(settings.flags.first { $0.path == track.path }?.flags ?? RegionFlags(), to: track)
  }

  /// Fits the flags to what the finished scan has counted.
  func fitFlags() {
    guard let track, flags != clamped(flags, to: track) else { return }
    setFlags(flags)
  }

  private func clamped(_ flags: RegionFlags, to track: Track) -> RegionFlags {
    guard let length = length(of: track), !lengthIsEstimate(of: track) else { return flags }
    return flags.clamped(to: length)
  }

  private func keepFlags(of track: Track) {
    settings.flags.removeAll { $0.path == track.path }
    guard !flags.isEmpty else { return }
    settings.flags.insert(KeptFlags(path: track.path, flags: flags), at: 0)
    settings.flags.removeLast(max(settings.flags.count - StoredState.flagsLimit, 0))
  }
}
