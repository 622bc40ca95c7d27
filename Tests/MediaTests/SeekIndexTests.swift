import Sound
import System
import TestSupport
import Testing

@testable import Media

/// What is kept of the places in a file, each by itself.
@Suite struct SeekIndexTests {
  @Test func `the marks around a place are those that a look at each of them finds`() {
    var noise = Noise(seed: 1)
    let marks = (0..<40).map { SeekMark(timestamp: $0 * 7 + 3, position: $0 * 10) }
    var index = SeekIndex()
    for mark in marks.shuffled(using: &noise) { index.add(mark) }
    #expect(index.marks == marks)
    for place in Int64(-5)...410 {
      #expect(index.mark(atOrBefore: place) == marks.last { $0.timestamp <= place })
      #expect(index.mark(atOrBeforePosition: place) == marks.last { $0.position <= place })
      #expect(index.mark(after: place) == marks.first { $0.timestamp > place })
    }
  }

  @Test func `a mark that contradicts its neighbours is not believed`() {
    let marks = [(100, 10), (200, 20), (300, 30)].map { SeekMark(timestamp: $0.1, position: $0.0) }
    for position in stride(from: Int64(0), through: 400, by: 50) {
      for timestamp in Int64(5)...35 {
        let new = SeekMark(timestamp: timestamp, position: position)
        var index = SeekIndex()
        for mark in marks + [new] { index.add(mark) }
        let isIn = marks.allSatisfy { mark in
          (mark.position - position).signum() == (mark.timestamp - timestamp).signum() && mark.position != position
        }
        #expect(index.marks.contains(new) == (isIn || marks.contains(new)), "\(new)")
        #expect(index.marks.count == (isIn ? 4 : 3))
      }
    }
  }

  @Test func `readers tell each other the bytes around a time stamp, and none that are not known`() throws {
    let folder = try TemporaryFolder()
    let source = try ByteSource(path: folder.write([1, 2, 3], to: "a"), cancellation: Cancellation())
    let places = SharedPlaces()
    let marks = (1...3).map { SeekMark(timestamp: $0 * 10, position: $0 * 100, byte: $0 * 1_000) }
    places.add(marks + [SeekMark(timestamp: 40, position: 400)])
    #expect(places.places(around: 20, in: source) == [marks[1], marks[2]])
    #expect(places.places(around: 29, in: source) == [marks[1], marks[2]])
    #expect(places.places(around: 9, in: source) == [])
    // The last has no byte, and nothing lies behind it.
    #expect(places.places(around: 30, in: source) == [])
    #expect(places.places(around: 50, in: source) == [])
  }

  /// Blocks whose first was cut, as a coding's delay is; each told as far off as a coarse clock may be.
  @Test(arguments: [(960, 648, 48), (1_024, 1_024, 45), (4_608, 4_608, 44), (1_152, 47, 48)])
  func `a coarse clock tells the one block that begins so near`(unit: Int64, first: Int64, doubt: Int64) {
    var grid = FrameGrid(firstFrames: first)
    for length in [unit, unit / 2, unit] {
      #expect(grid.unit == nil && grid.place(near: first + unit, within: doubt) == nil)
      grid.learn(Int(length))
    }
    // What comes in halves may begin at halves.
    let step = unit / 2
    #expect(grid.unit == step)
    grid.learn(1)
    #expect(grid.unit == step)
    for block in Int64(1)...40 {
      let start = first + block * step
      for error in -doubt...doubt { #expect(grid.place(near: start + error, within: doubt) == start) }
      #expect(grid.place(near: start + doubt + 1, within: doubt) == nil)
      #expect(grid.place(near: start - doubt - 1, within: doubt) == nil)
    }
    // Frame 0 lies on no multiple.
    for place in 0...first / 2 { #expect(grid.place(near: place, within: doubt) == nil) }
  }

  @Test func `blocks shorter than the doubt tell nothing`() {
    var grid = FrameGrid(firstFrames: 128)
    for _ in 0..<3 { grid.learn(128) }
    #expect(grid.place(near: 1_280, within: 31) == 1_280)
    for place in Int64(1_000)...1_300 { #expect(grid.place(near: place, within: 32) == nil) }
  }
}

/// Bare frames, followed from header to header.
@Suite struct FrameWalkTests {
  /// Frames of MPEG-1 layer III at 44.1 kHz whose sound does not matter, with the headers of these bit rates (by their
  /// index in the header), padded as the rate asks for.
  private func frames(_ bitIndices: [UInt8], in front: Int = 0) -> (bytes: [UInt8], places: [Int64]) {
    let rates: [Int] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    var bytes = [UInt8](repeating: 0x11, count: front)
    var places: [Int64] = []
    // Encoders pad a little sooner or later.
    var owed = 44_000
    for index in bitIndices {
      let bits = 144 * rates[Int(index)] * 1_000
      owed += bits % 44_100
      let isPadded = owed >= 44_100
      if isPadded { owed -= 44_100 }
      places.append(Int64(bytes.count))
      bytes += [0xFF, 0xFB, index << 4 | (isPadded ? 2 : 0), 0x64]
      bytes += [UInt8](repeating: 0x11, count: bits / 44_100 + (isPadded ? 1 : 0) - 4)
    }
    return (bytes, places)
  }

  /// One frame in 14.112 MHz, the clock of the library's MP3 demuxer.
  private static let ticks: Int64 = 1_152 * 320

  private func source(_ bytes: [UInt8], _ folder: TemporaryFolder) throws -> ByteSource {
    try ByteSource(path: folder.write(bytes, to: "frames"), cancellation: Cancellation())
  }

  private func walk(from byte: Int64, in source: ByteSource) throws -> FrameWalk {
    // What the library says of the length of the first frame does not count: it may be what is left of one.
    let walk = FrameWalk(from: byte, timestamp: 500, ticksOfSecond: 14_112_000, ticks: 77, in: source)
    return try #require(walk)
  }

  @Test func `each place around a time stamp is where the frame of that time begins`() throws {
    let folder = try TemporaryFolder()
    let (bytes, places) = frames((0..<5_000).map { UInt8(9 + $0 % 5) }, in: 300)
    let source = try source(bytes, folder)
    var walk = try walk(from: 300, in: source)
    while walk.advance(in: source) {}
    for number in [0, 1, 15, 16, 17, 2_500, 4_970] {
      for offset in [0, Self.ticks - 1] {
        let time = 500 + Int64(number) * Self.ticks + offset
        let around = try #require(walk.places(around: time))
        #expect(around.count == 2 && around[0].timestamp <= time && around[1].timestamp > time)
        for mark in around {
          let (frame, rest) = (mark.timestamp - 500).quotientAndRemainder(dividingBy: Self.ticks)
          #expect(rest == 0 && mark.byte == places[Int(frame)])
        }
      }
    }
    #expect(walk.places(around: 499) == nil && walk.places(around: -Self.ticks * 20) == nil)
    #expect(walk.places(around: 500 + 4_999 * Self.ticks) == nil)
    #expect(walk.guess(around: 500 + 4_999 * Self.ticks, in: source) == nil)
  }

  @Test(arguments: [0, 12_345])
  func `a constant bit rate is reckoned with from where the frames begin, padded or not`(front: Int) throws {
    let folder = try TemporaryFolder()
    let (bytes, places) = frames([UInt8](repeating: 9, count: 9_000), in: front)
    let source = try source(bytes, folder)
    var walk = try walk(from: Int64(front), in: source)
    let goesOn = walk.advance(in: source)
    #expect(goesOn && walk.places(around: 500 + 8_000 * Self.ticks) == nil)
    for number in 8_000..<8_050 {
      let around = try #require(walk.guess(around: 500 + Int64(number) * Self.ticks + 5, in: source))
      #expect(around.map(\.byte) == [places[number], places[number + 1]])
      #expect(around.map(\.timestamp) == [number, number + 1].map { 500 + Int64($0) * Self.ticks })
    }
  }

  @Test func `frames of other bit rates on the way, and nothing is reckoned`() throws {
    let folder = try TemporaryFolder()
    var indices = [UInt8](repeating: 9, count: 9_000)
    // Together as long as two of the others, so that what follows lies where it would be reckoned.
    (indices[1_000], indices[1_001]) = (10, 7)
    let source = try source(frames(indices).bytes, folder)
    var walk = try walk(from: 0, in: source)
    _ = walk.advance(in: source)
    #expect(walk.guess(around: 8_000 * Self.ticks, in: source) == nil)
  }

  @Test func `where frames are missing on the way nothing is reckoned, though those behind lie in their places`() throws
  {
    let folder = try TemporaryFolder()
    let (whole, places) = frames([UInt8](repeating: 9, count: 9_000))
    var bytes = whole
    for place in places[4_000..<5_000] { bytes[Int(place)] = 0x11 }
    let source = try source(bytes, folder)
    var walk = try walk(from: 0, in: source)
    _ = walk.advance(in: source)
    #expect(walk.guess(around: 500 + 3_500 * Self.ticks, in: source) != nil)
    #expect(walk.guess(around: 500 + 8_000 * Self.ticks, in: source) == nil)
  }

  @Test func `a walk ends where the chain does, and at frames of another kind`() throws {
    let folder = try TemporaryFolder()
    let (bytes, places) = frames([UInt8](repeating: 9, count: 3_000))
    let gap = Int(places[2_000])
    var strange = bytes
    // 48 kHz from there on.
    for place in places[2_000...] { strange[Int(place) + 2] |= 0x04 }
    for content in [Array(bytes[..<gap]) + [UInt8](repeating: 0, count: 9_000) + bytes[gap...], strange] {
      let source = try source(content, folder)
      var walk = try walk(from: 0, in: source)
      var steps = 0
      while walk.advance(in: source), steps < 10 { steps += 1 }
      #expect(steps < 10)
      #expect(walk.places(around: 500 + 1_983 * Self.ticks)?.map(\.byte) == [places[1_968], places[1_984]])
      #expect(walk.places(around: 500 + 1_984 * Self.ticks) == nil)
    }
  }

  @Test func `whoever stops reading does not stop the walk for the others`() throws {
    let folder = try TemporaryFolder()
    let (bytes, places) = frames([UInt8](repeating: 9, count: 6_000))
    let source = try source(bytes, folder)
    let cancellation = Cancellation()
    let other = try ByteSource(again: source, cancellation: cancellation)
    var walk = try walk(from: 0, in: source)
    cancellation.cancel()
    let goesOn = walk.advance(in: other)
    #expect(!goesOn)
    while walk.advance(in: source) {}
    #expect(walk.places(around: 500 + 5_000 * Self.ticks)?.first?.byte == places[4_992])
  }
}
