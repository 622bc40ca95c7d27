internal import Control
package import Sound

// What the player does when somebody changes a file that it knows.
extension Player {
  /// A file is gone: it leaves the queue and the recents, and when it was loaded the next one of the queue takes its place.
  package func forget(_ path: PathBytes) {
    settings.recents.removeAll { $0.path == path }
    let place = queue.index ?? 0
    queue.remove(path)
    forgetFollower(path)
    guard let track, track.path == path else { return }
    unload()
    var options = StartOptions()
    options.plays = false
    if !queue.paths.isEmpty {
      open(places: queue.places(from: min(place, queue.paths.count - 1), forward: true, loop: .off), options)
    }
  }

  /// A file has another name: the queue and the recents know it by that, and when it is loaded it is loaded anew from there.
  package func moved(_ path: PathBytes, to other: PathBytes) {
    for index in settings.recents.indices where settings.recents[index].path == path {
      settings.recents[index].path = other
      settings.recents[index].title = other.lastComponent.shown
    }
    queue.rename(path, to: other)
    forgetFollower(path)
    guard let track, track.path == path, let place = queue.index else { return }
    var options = StartOptions()
    options.plays = wantsPlay
    options.startFrame = position
    // A scan that ends meanwhile would put the old name among the recents again.
    scanTaken = true
    open(places: [place], options)
  }

  /// What follows is looked for anew.
  private func forgetFollower(_ path: PathBytes) {
    followerTried = nil
    hasNoFollower = false
    guard follower?.track.path == path else { return }
    follower = nil
    deck.order { $0.follower = .some(nil) }
    // The deck may already be in it: it comes back to what is heard.
    if let track, pending == nil, deckIsAhead { position(track, at: position) }
  }

  /// Nothing is loaded any more.
  private func unload() {
    wantsPlay = false
    isAtRest = true
    startsAt = nil
    pending = nil
    applyGate()
    scan?.cancel()
    scan = nil
    closeup.show(nil, of: nil)
    track = nil
  }
}
