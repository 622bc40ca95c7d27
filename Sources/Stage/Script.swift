/// In which order and by which rules a letter is written.
struct Script: Hashable {
  /// ISO 15924, for the shaper.
  var tag: String
  var isRightToLeft: Bool

  /// The script of a letter; nil for signs, digits and spaces, which take that of their neighbours.
  ///
  /// Only the scripts whose shaping needs to know; the blocks are those of Unicode 15, chapter "Blocks".
  init?(_ scalar: Unicode.Scalar) {
    guard scalar.value >= 0x41 else { return nil }
    for (block, tag) in Self.blocks where block.contains(scalar.value) {
      self.tag = tag
      isRightToLeft = tag == "Hebr" || tag == "Arab" || tag == "Syrc" || tag == "Thaa" || tag == "Nkoo"
      return
    }
    guard scalar.properties.isAlphabetic else { return nil }
    tag = "Latn"
    isRightToLeft = false
  }

  private static let blocks: [(ClosedRange<UInt32>, String)] = [
    (0x0370...0x03FF, "Grek"), (0x0400...0x052F, "Cyrl"), (0x0531...0x058F, "Armn"), (0x0590...0x05FF, "Hebr"),
    (0x0600...0x065F, "Arab"), (0x066E...0x06EF, "Arab"), (0x06FA...0x06FF, "Arab"), (0x0700...0x074F, "Syrc"),
    (0x0750...0x077F, "Arab"), (0x0780...0x07BF, "Thaa"), (0x07C0...0x07FF, "Nkoo"), (0x0860...0x08FF, "Arab"),
    (0x0900...0x097F, "Deva"), (0x0980...0x09FF, "Beng"), (0x0A00...0x0A7F, "Guru"), (0x0A80...0x0AFF, "Gujr"),
    (0x0B00...0x0B7F, "Orya"), (0x0B80...0x0BFF, "Taml"), (0x0C00...0x0C7F, "Telu"), (0x0C80...0x0CFF, "Knda"),
    (0x0D00...0x0D7F, "Mlym"), (0x0D80...0x0DFF, "Sinh"), (0x0E00...0x0E7F, "Thai"), (0x0E80...0x0EFF, "Laoo"),
    (0x0F00...0x0FFF, "Tibt"), (0x1000...0x109F, "Mymr"), (0x10A0...0x10FF, "Geor"), (0x1100...0x11FF, "Hang"),
    (0x1200...0x139F, "Ethi"), (0x1780...0x17FF, "Khmr"), (0x1800...0x18AF, "Mong"), (0x3040...0x309F, "Hira"),
    (0x30A0...0x30FF, "Kana"), (0x3400...0x9FFF, "Hani"), (0xAC00...0xD7AF, "Hang"), (0xFB1D...0xFB4F, "Hebr"),
    (0xFB50...0xFDFF, "Arab"), (0xFE70...0xFEFC, "Arab"), (0x20000...0x323AF, "Hani"),
  ]
}
