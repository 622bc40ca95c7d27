import Sound
import Testing

@testable import Library

struct NaturalOrderTests {
  @Test(arguments: [
    ["1.wav", "2.wav", "10.wav"],
    ["a", "B", "c"],
    ["A", "a"],
    ["track 1", "track 1a", "track 2", "Track 10", "track 010b", "track 11"],
    ["07", "7", "8"],
    ["1 9", "1 10", "1.5", "2"],
    ["cafe", "café", "CAFETERIA", "cafe\u{301}terie", "caff"],
    ["Ångström", "ArcheType", "Édith", "eel", "Zoë", "zoff"],
    ["9", "99999999999999999999999999999", "100000000000000000000000000000"],
    ["music", "music/a", "music 2", "musical"],
    ["٢ كلمة", "١٠ كلمة"],
    ["第2話", "第１０話"],
  ])
  func `names stand in the order of this table`(_ table: [String]) {
    let paths = table.map { PathBytes($0) }
    #expect(NaturalOrder.sorted(paths.reversed()).map(\.shown) == table)
    for (a, b) in zip(paths, paths.dropFirst()) {
      #expect(NaturalOrder.isLess(a, b))
      #expect(!NaturalOrder.isLess(b, a))
    }
  }

  @Test func `an accent that stands by itself sorts like one that does not`() {
    let composed = PathBytes("caf\u{E9} 2")
    let apart = PathBytes("cafe\u{301} 10")
    #expect(NaturalOrder.isLess(composed, apart))
  }

  @Test func `bytes that are not UTF-8 have a place of their own`() {
    let a = PathBytes(bytes: [0x63, 0xE9, 0x32])
    let b = PathBytes(bytes: [0x63, 0xE8, 0x31, 0x30])
    #expect(NaturalOrder.isLess(a, b))  // both read "c?" and a number: 2 before 10
    #expect(NaturalOrder.sorted([b, a]) == [a, b])
  }

  @Test(arguments: 0..<20)
  func `it is a total order whatever the names`(seed: Int) {
    var chance = Chance(state: UInt64(seed))
    let alphabet: [[UInt8]] = [
      [0x30], [0x31], [0x39], [0x61], [0x41], [0x2E], [0x2F], [0xFF], [0xC3, 0xA9], [0xC3, 0x89], [0xCC, 0x81], [0xE9],
    ]
    let names = (0..<14).map { _ in
      PathBytes(
        bytes: (0..<Int.random(in: 0...5, using: &chance)).flatMap { _ in alphabet.randomElement(using: &chance)! })
    }
    for a in names {
      #expect(!NaturalOrder.isLess(a, a))
      for b in names where a != b {
        #expect(NaturalOrder.isLess(a, b) != NaturalOrder.isLess(b, a), "\(a) \(b)")
        for c in names where NaturalOrder.isLess(a, b) && NaturalOrder.isLess(b, c) {
          #expect(NaturalOrder.isLess(a, c), "\(a) \(b) \(c)")
        }
      }
    }
    #expect(NaturalOrder.sorted(names) == NaturalOrder.sorted(names.shuffled(using: &chance)))
  }
}
