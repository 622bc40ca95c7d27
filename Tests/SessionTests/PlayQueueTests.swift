import Control
import Session
import Sound
import Testing

private func queue(_ count: Int, at index: Int?) -> PlayQueue {
  PlayQueue(paths: (0..<count).map { PathBytes("\($0)") }, index: index)
}

@Test func `an empty queue has nothing before or after`() {
  #expect(queue(0, at: 0).next(loop: .queue) == nil)
  #expect(queue(0, at: nil).previous(loop: .queue) == nil)
  #expect(queue(0, at: 0).index == nil)
}

@Test(arguments: [(0, LoopMode.off, 1), (2, .off, nil), (2, .track, nil), (2, .queue, 0)] as [(Int, LoopMode, Int?)])
func `next is the place after, and goes round in a loop of the queue`(at: Int, loop: LoopMode, next: Int?) {
  #expect(queue(3, at: at).next(loop: loop) == next)
}

@Test(arguments: [(2, LoopMode.off, 1), (0, .off, nil), (0, .queue, 2)] as [(Int, LoopMode, Int?)])
func `previous is the place before, and goes round in a loop of the queue`(at: Int, loop: LoopMode, before: Int?) {
  #expect(queue(3, at: at).previous(loop: loop) == before)
}

@Test func `the places to try are each named once, in the direction asked for`() {
  #expect(queue(4, at: 0).places(from: 2, forward: true, loop: .off) == [2, 3])
  #expect(queue(4, at: 0).places(from: 2, forward: true, loop: .queue) == [2, 3, 0, 1])
  #expect(queue(4, at: 0).places(from: 2, forward: false, loop: .off) == [2, 1, 0])
  #expect(queue(4, at: 0).places(from: 2, forward: false, loop: .queue) == [2, 1, 0, 3])
  #expect(queue(4, at: 0).places(from: 9, forward: true, loop: .off) == [])
}

@Test func `a file that is taken out leaves the loaded one loaded, wherever it lay`() {
  let paths = ["a", "b", "a", "c"].map { PathBytes($0) }
  var queue = PlayQueue(paths: paths, index: 3)
  queue.remove(paths[0])
  #expect(queue.paths == [paths[1], paths[3]] && queue.index == 1)
  queue = PlayQueue(paths: paths, index: 1)
  queue.remove(paths[3])
  #expect(queue.paths == Array(paths[..<3]) && queue.index == 1)
  queue.remove(paths[1])
  #expect(queue.paths == [paths[0], paths[0]] && queue.index == nil)
  queue.rename(paths[0], to: paths[1])
  #expect(queue.paths == [paths[1], paths[1]])
}
