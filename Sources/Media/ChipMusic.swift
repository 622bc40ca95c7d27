/// Whether music for sound chips may be handed to the emulator, which trusts what a file says.
///
/// (VGM 1.50; the sizes of the commands are those by which the emulator itself goes on.) One pass over the file.
enum ChipMusic {
  /// The formats that are played, by their first four bytes.
  ///
  /// Others of the emulator's (AY, GBS, HES) are programs for machines whose memory it lets a program leave: random ones end it
  /// in every second or tenth case. Of these no thousand has: they are VGM, once it was looked through, SPC, NSF, NSFE, KSS, SAP
  /// and GYM.
  private static let played: Set<FourCC> = ["Vgm ", "SNES", "NESM", "NSFE", "KSCC", "KSSX", "SAP\r", "GYMX"]

  /// Whether a file that begins like this is not better left alone.
  static func isPlayed(_ bytes: [UInt8]) -> Bool { played.contains(FourCC(bytes.prefix(4))) }

  /// A larger file is none.
  private static let mostBytes = 32 << 20
  /// Where the clocks of the chips stand in the header, and what they may be in hertz: real ones are 1 to 8 MHz.
  ///
  /// The emulator multiplies that of the first one, the SN76489, with 2205 and 4096/44100 in 32 bits, and ends the program over
  /// times that run backwards when that overflows: above 10.4 MHz.
  private static let clocks: [(place: Int, range: ClosedRange<Int>)] = [
    (0x0C, 1_000_000...8_000_000), (0x10, 1_000_000...20_000_000), (0x2C, 1_000_000...20_000_000),
  ]
  private static let headerLength = 0x40

  /// False when the emulator could be led out of the file, or its clocks out of their range.
  ///
  /// True for everything but VGM.
  static func isSafe(_ source: ByteSource) -> Bool {
    guard source.bytes(at: 0, count: 4) == Array("Vgm ".utf8) else { return true }
    guard source.size <= mostBytes else { return false }
    let bytes = source.bytes(at: 0, count: mostBytes)
    guard bytes.count > headerLength else { return false }
    let isClocked = clocks.allSatisfy { place, range in
      let clock = number(bytes, place)
      return clock == 0 || range.contains(clock)
    }
    guard isClocked, let start = start(of: bytes) else { return false }
    let loop = number(bytes, 0x1C) == 0 ? nil : 0x1C + number(bytes, 0x1C)
    if let loop, loop < start || loop >= bytes.count { return false }
    let isOld = number(bytes, 8) < 0x110 && number(bytes, 0x10) != 0
    var walk = Walk(bytes: bytes, place: start, loop: loop, hasFM: isOld ? nil : number(bytes, 0x2C) != 0)
    let clock = number(bytes, 0x0C) == 0 ? 3_579_545 : number(bytes, 0x0C)
    walk.keepsPace = isInTime(clock, ticks: frameTicks - 1)
    walk.keepsPaceAtStart = isInTime(clock, ticks: frameTicks)
    return walk.staysInside()
  }

  /// Beside an FM chip the emulator goes on in stretches of so many ticks, 33 ms at 44100 Hz; the first one has a tick more.
  fileprivate static let frameTicks = 1455

  /// Whether a command for the SN76489, so many ticks into a stretch, lies within it by the emulator's two ways of reckoning.
  ///
  /// It turns ticks into clocks with 12 bits behind the point, samples with 16. A command that it takes for one behind the end
  /// is later than the first of the next stretch, over which it ends the program.
  private static func isInTime(_ clock: Int, ticks: Int) -> Bool {
    let clocksOfTick = (clock * 4096 * 2 + 44100) / (44100 * 2)
    let samplesOfClock = (65536 * 44100 * 2 + clock) / (clock * 2)
    return (ticks * clocksOfTick) >> 12 <= frameTicks * 65536 / samplesOfClock
  }

  private static func start(of bytes: [UInt8]) -> Int? {
    let offset = number(bytes, 8) >= 0x150 ? number(bytes, 0x34) : 0
    let start = offset == 0 ? headerLength : 0x34 + offset
    return headerLength..<bytes.count ~= start ? start : nil
  }

  fileprivate static func number(_ bytes: [UInt8], _ place: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }
}

/// One pass over the commands of a VGM file.
private struct Walk {
  let bytes: [UInt8]
  var place: Int
  /// Where the music begins again after its end.
  let loop: Int?
  /// Where the samples lie, and where the next one is read.
  var samples = 0
  var next = 0
  /// The place of the samples was told since the loop began, so that they cannot run on with every round.
  var isPlaced = false
  var hasLooped = false
  /// Whether there is a YM2612.
  ///
  /// In files before version 1.10 the first command for a chip of its kind tells which one the header's clock at 0x10 is of.
  var hasFM: Bool?
  /// Beside an FM chip, commands for the other one are in time everywhere; and in the first stretch, too.
  var keepsPace = true
  var keepsPaceAtStart = true
  /// In ticks of 44100 Hz.
  var time = 0
  /// Some time passes since the loop began: one without any is gone round for ever.
  var waits = false

  init(bytes: [UInt8], place: Int, loop: Int?, hasFM: Bool?) {
    self.hasFM = hasFM
    self.bytes = bytes
    self.place = place
    self.loop = loop
    (samples, next) = (place, place)
  }

  mutating func staysInside() -> Bool {
    while place < bytes.count {
      if let loop, !hasLooped, place >= loop {
        hasLooped = true
        isPlaced = false
        waits = false
      }
      let command = bytes[place]
      if command == 0x66 {
        // The last tick of the first stretch might be met in a later round.
        let isLong = time > ChipMusic.frameTicks || keepsPaceAtStart || hasFM == false
        return loop == nil || hasLooped && waits && isLong
      }
      guard place + length(command) <= bytes.count else { return false }
      time += ticks(command)
      switch command {
      case 0x4F, 0x50:
        guard hasFM == false || keepsPace && (keepsPaceAtStart || time != ChipMusic.frameTicks) else { return false }
      case 0x67:
        let size = ChipMusic.number(bytes, place + 3)
        guard size < bytes.count - place - 7 else { return false }
        if bytes[place + 2] == 0 { samples = place + 7 }
        place += size
      case 0xE0:
        next = samples + ChipMusic.number(bytes, place + 1)
        isPlaced = true
      case 0x61: waits = waits || bytes[place + 1] > 0 || bytes[place + 2] > 0
      case 0x62, 0x63, 0x70...0x7F: waits = true
      // For the second of two chips, which the emulator ends the program over unless the header speaks of two. (That is beyond
      // the range of the clocks.)
      case 0x30, 0x3F: return false
      // For a chip that is not there the emulator reckons with a time that nobody has set, and may write into nothing.
      case 0x51...0x54, 0xA1...0xA3:
        if hasFM == nil { hasFM = command == 0x52 || command == 0x53 }
        guard hasFM == true || command == 0x54 else { return false }
      case 0x80...0x8F:
        guard next < bytes.count, isPlaced || !hasLooped else { return false }
        next += 1
        waits = waits || command > 0x80
      default: break
      }
      place += length(command)
    }
    // The emulator wants an end.
    return false
  }

  /// How long a command waits.
  private func ticks(_ command: UInt8) -> Int {
    switch command {
    case 0x61: Int(bytes[place + 1]) | Int(bytes[place + 2]) << 8
    case 0x62: 735
    case 0x63: 882
    case 0x64: Int(bytes[place + 1])
    case 0x70...0x7F: Int(command & 15) + 1
    case 0x80...0x8F: Int(command & 15)
    default: 0
    }
  }

  /// How many bytes a command takes, without a block's content.
  private func length(_ command: UInt8) -> Int {
    switch command {
    case 0x4F, 0x50, 0x64: 2
    case 0x61: 3
    case 0x62, 0x63: 1
    case 0x67: 7
    case 0xE0: 5
    default:
      switch command >> 4 {
      case 3, 4: 2
      case 5, 0xA, 0xB: 3
      case 0xC, 0xD: 4
      case 0xE, 0xF: 5
      default: 1
      }
    }
  }
}
