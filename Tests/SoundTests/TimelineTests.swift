import Sound
import Testing

private let history = History(channelCount: 1, rate: SampleRate(hertz: 44_100))

private func anchor(at position: Int, track: Int, frame: Int, ratio: Double = 1, in historyPosition: Int = 0) -> Anchor
{
  Anchor(
    ringPosition: position, track: TrackID(track), frame: FrameIndex(frame), framesPerRingFrame: ratio,
    historyPosition: historyPosition, history: history)
}

@Test func `before the first anchor nothing is heard`() {
  let timeline = Timeline()
  #expect(timeline.place(at: 0) == nil)
  timeline.add(anchor(at: 10, track: 1, frame: 0))
  #expect(timeline.place(at: 9) == nil)
  #expect(timeline.place(at: 10)?.frame == .zero)
}

@Test func `a place follows from the last anchor before it, at the ratio of the rates`() {
  let timeline = Timeline()
  timeline.add(anchor(at: 100, track: 1, frame: 0, ratio: 44_100 / 48_000))
  timeline.add(anchor(at: 48_100, track: 1, frame: 10_000, ratio: 2, in: 500))
  #expect(timeline.place(at: 48_099)?.frame == FrameIndex(44_099))
  #expect(timeline.place(at: 24_100)?.frame == FrameIndex(22_050))
  #expect(timeline.place(at: 48_100)?.frame == FrameIndex(10_000))
  let place = timeline.place(at: 48_200)
  #expect(place?.frame == FrameIndex(10_200) && place?.historyPosition == 700)
}

@Test func `after ten hours a place is still exact to the frame`() {
  let timeline = Timeline()
  timeline.add(anchor(at: 0, track: 1, frame: 0, ratio: 44_100 / 48_000))
  #expect(timeline.place(at: 36_000 * 48_000)?.frame == FrameIndex(36_000 * 44_100))
}

@Test func `a new anchor takes the place of those at or after it`() {
  let timeline = Timeline()
  timeline.add(anchor(at: 0, track: 1, frame: 0))
  timeline.add(anchor(at: 1_000, track: 2, frame: 0))
  timeline.add(anchor(at: 2_000, track: 3, frame: 0))
  timeline.add(anchor(at: 1_000, track: 4, frame: 50))
  #expect(timeline.place(at: 2_500)?.track == TrackID(4))
  #expect(timeline.place(at: 2_500)?.frame == FrameIndex(1_550))
  #expect(timeline.place(at: 999)?.track == TrackID(1))
}

@Test func `pruning keeps every place from there on`() {
  let timeline = Timeline()
  for i in 0..<10 { timeline.add(anchor(at: i * 100, track: i, frame: 0)) }
  timeline.prune(before: 555)
  #expect(timeline.place(at: 499) == nil)
  for position in stride(from: 500, to: 1_000, by: 50) {
    #expect(timeline.place(at: position)?.track == TrackID(position / 100))
  }
  timeline.prune(before: -1)
  #expect(timeline.place(at: 500) != nil)
}

@Test(arguments: [1, 7, 4_410])
func `a region needs one anchor for all its rounds`(length: Int) {
  let timeline = Timeline()
  let loop = FrameIndex(1_000)..<FrameIndex(1_000 + length)
  timeline.add(
    Anchor(
      ringPosition: 50, track: TrackID(1), frame: FrameIndex(900), framesPerRingFrame: 0.5, historyPosition: 70,
      history: history, loop: loop))
  var frame = 900
  for step in 0..<20_000 {
    let place = timeline.place(at: 50 + 2 * step)
    #expect(place?.frame == FrameIndex(frame) && place?.historyPosition == 70 + step)
    frame += 1
    if frame == 1_000 + length { frame = 1_000 }
  }
}
