package import Control
internal import Media

// What cannot be played, and what the listener is told.
extension Player {
  /// As many notices as are shown at once, and as many more.
  private static let mostNotices = 6

  /// Has the listener told something, once; what comes too fast to be read makes the oldest that is not yet shown go.
  package func tell(_ kind: Notice.Kind, _ text: String) {
    if notices.contains(where: { $0.text == text }) { return }
    if notices.count == Self.mostNotices { notices.remove(at: Self.mostNotices / 2) }
    noticeCount += 1
    notices.append(Notice(id: noticeCount, kind: kind, text: text))
  }

  /// Takes note that nothing of what was asked for plays.
  func couldNotOpen(_ request: OpenRequest, _ failures: [MediaError]) {
    noteFailures(failures)
    if request.purpose == .newQueue, track == nil, request.paths.contains(where: { !unplayable.contains($0) }) {
      // There is no other queue, so Next goes on in this one.
      queue = PlayQueue(paths: request.paths)
    }
    if failures.count == Opener.mostFailures {
      let goesOn = queue.paths.contains { !unplayable.contains($0) && $0 != track?.path }
      tell(
        .error,
        "\(failures.count) files in a row could not be played" + (goesOn ? "; Next (N) goes on behind them." : "."))
    }
    if request.purpose == .follower { hasNoFollower = true }
    if request.purpose == .place, endReported { comeToRest() }
    // The end came while this was being opened, and waited for it.
    if request.purpose == .newQueue, wantsPlay, endReported { goOn() }
  }

  /// Tells what does not play; it is not tried again while there is anything else.
  func noteFailures(_ failures: [MediaError]) {
    for failure in failures {
      unplayable.insert(failure.path)
      tell(.error, "\(failure)")
    }
  }
}
