internal import Media
internal import Sound
internal import System

/// One of those who decode a file in stretches, with a reader of its own.
///
/// One thread.
struct StretchWorker {
  private let file: AudioFile
  private let board: StretchBoard
  private let rule: CutRule
  private let head: SampleBlock
  private let rest: SampleBlock
  private let whole: SampleBlock

  init(file: AudioFile, board: StretchBoard) {
    self.file = file
    self.board = board
    rule = file.cutRule
    file.keepsMarks = true
    let channels = file.format.channelCount
    head = SampleBlock(channelCount: channels, capacity: StretchBoard.headFrames)
    rest = SampleBlock(channelCount: channels, capacity: StretchBoard.blockFrames - StretchBoard.headFrames)
    whole = SampleBlock(channelCount: channels, capacity: StretchBoard.blockFrames)
  }

  /// Decodes from the start of the file, and then whatever is to be jumped to, until all is done.
  func runFromStart() {
    follow(board.claimFirst(), skipped: 0)
    run()
  }

  /// Decodes what is to be jumped to, until nothing is left.
  func run() {
    while let claim = board.claimJump() {
      let start = FrameIndex(Int64(claim.stretch) * board.stretchFrames)
      _ = file.takeMarks()
      do {
        try file.seek(to: start)
        guard file.position == start else {
          board.giveBack(claim)
          continue
        }
      } catch {
        board.giveBack(claim)
        continue
      }
      follow(claim, skipped: file.skippedStretches)
    }
  }

  /// Decodes a stretch at whose start the file stands, and those behind it as long as nobody else has them.
  private func follow(_ first: StretchBoard.Claim, skipped: Int) {
    var claim = first
    var skipped = skipped
    do {
      _ = try file.read(into: head)
      while true {
        board.begin(
          claim, head: .init(channels: (0..<head.channelCount).map { Array(head.channel($0)) }, place: file.place))
        guard try decode(claim, &skipped) else { return }
        switch board.goOn(from: claim) {
        case .isOver: return
        case .goesOn(let next):
          claim = next
          _ = try file.read(into: head)
        case .meets(let other, let token):
          let isReadable = (try? file.read(into: head)) != nil
          let next = board.settle(claim, token: token, isSame: isReadable && isSame(other))
          file.share(board.takeMarks())
          guard let next else { return }
          claim = next
          if !isReadable { _ = try file.read(into: head) }
        }
      }
    } catch {
      board.end(claim, .failed(error))
    }
  }

  /// Decodes the rest of a stretch whose head was read; false when it is the last one or was taken away.
  private func decode(_ claim: StretchBoard.Claim, _ skipped: inout Int) throws(MediaError) -> Bool {
    var bins = StretchBins(channelCount: head.channelCount, width: claim.width)
    bins.append(head)
    var isLast = head.frameCount < head.capacity
    while !isLast, bins.length.rawValue < board.stretchFrames {
      guard board.holds(claim) else { return false }
      let block = bins.length.rawValue == Int64(head.capacity) ? rest : whole
      _ = try file.read(into: block)
      bins.append(block)
      isLast = block.frameCount < block.capacity
    }
    bins.finish()
    let count = file.skippedStretches
    board.end(claim, .decoded(bins, file.takeMarks(), skipped: count - skipped, isLast: isLast))
    file.share(board.takeMarks())
    skipped = count
    return !isLast
  }

  /// Parsers know the place of a packet within what they have read at once, in bytes.
  private static let placeTolerance: Int64 = 1 << 17

  /// Whether the frames just read are those that another reader has found at the same place.
  private func isSame(_ otherHead: StretchBoard.Head) -> Bool {
    let other = otherHead.channels
    // The same sound from elsewhere in the file, where it comes more than once, is not this one.
    guard other[0].count == head.frameCount, abs(otherHead.place - file.place) <= Self.placeTolerance else {
      return false
    }
    switch rule {
    case .never: return false
    case .anywhere: return true
    case .whereSamplesMeet:
      var isConstant = true
      for channel in other.indices {
        let mine = head.channel(channel)
        for i in mine.indices {
          guard mine[i] == other[channel][i] else { return false }
          isConstant = isConstant && mine[i] == mine[0]
        }
      }
      // Silence is alike everywhere and proves nothing.
      return !isConstant || head.frameCount == 0
    case .whereSoundMeets:
      var (energy, difference): (Float, Float) = (0, 0)
      for channel in other.indices {
        let mine = head.channel(channel)
        for i in mine.indices {
          energy += mine[i] * mine[i] + other[channel][i] * other[channel][i]
          difference += (mine[i] - other[channel][i]) * (mine[i] - other[channel][i])
        }
      }
      // Sounds that have nothing to do with each other differ by their whole energy; substituted noise lies far below.
      return difference <= energy / 8 && energy > 0 || head.frameCount == 0
    }
  }
}
