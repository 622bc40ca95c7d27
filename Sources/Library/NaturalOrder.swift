package import Sound

/// The order in which people count: 2 before 10, "b" after "A", "é" beside "e".
///
/// A total order: two different names are never equal, since the bytes decide where nothing else does.
package enum NaturalOrder {
  /// True when `a` comes before `b`; a folder comes before all that lies in it.
  ///
  /// Any bytes; makes two keys, so to sort many use `sorted`.
  package static func isLess(_ a: PathBytes, _ b: PathBytes) -> Bool { Key(a) < Key(b) }

  package static func sorted(_ paths: [PathBytes]) -> [PathBytes] {
    paths.map(Key.init).sorted().map(\.path)
  }

  /// What of a name decides its place, worked out once.
  struct Key: Comparable {
    let path: PathBytes
    /// Letters without case and accent; a number as a zero, how many digits it has, and the digits.
    private let tokens: [UInt32]

    init(_ path: PathBytes) {
      self.path = path
      tokens = Self.tokens(of: path.bytes)
    }

    static func < (a: Self, b: Self) -> Bool {
      a.tokens == b.tokens
        ? a.path.bytes.lexicographicallyPrecedes(b.path.bytes) : a.tokens.lexicographicallyPrecedes(b.tokens)
    }

    /// Bytes that are not UTF-8 are all alike here.
    private static func tokens(of bytes: [UInt8]) -> [UInt32] {
      var tokens: [UInt32] = []
      tokens.reserveCapacity(bytes.count + 4)
      var digits: [UInt32]?
      for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
        if let digit = digit(scalar) {
          if digits == nil { digits = [] }
          if digit > 0 || digits?.isEmpty == false { digits?.append(digit) }
        } else {
          appendNumber(&digits, to: &tokens)
          appendLetter(scalar, to: &tokens)
        }
      }
      appendNumber(&digits, to: &tokens)
      return tokens
    }

    private static func digit(_ scalar: Unicode.Scalar) -> UInt32? {
      if scalar.isASCII { return ("0"..."9").contains(scalar) ? scalar.value - 0x30 : nil }
      guard scalar.properties.numericType == .decimal else { return nil }
      return scalar.properties.numericValue.map { UInt32($0) }
    }

    private static func appendNumber(_ digits: inout [UInt32]?, to tokens: inout [UInt32]) {
      guard let number = digits else { return }
      tokens.append(0x30)
      tokens.append(UInt32(number.count))
      tokens += number
      digits = nil
    }

    private static func appendLetter(_ scalar: Unicode.Scalar, to tokens: inout [UInt32]) {
      switch scalar {
      case "/": tokens.append(0)
      case "A"..."Z": tokens.append(scalar.value + 0x20)
      case "\u{0}"..."\u{7F}": tokens.append(scalar.value)
      case "\u{300}"..."\u{36F}": break  // an accent that stands by itself, after its letter
      default: for lower in scalar.properties.lowercaseMapping.unicodeScalars { tokens.append(base(of: lower)) }
      }
    }

    /// The plain letter of a Latin letter with an accent, known by its Unicode name: "LATIN SMALL LETTER E WITH ACUTE".
    private static func base(of scalar: Unicode.Scalar) -> UInt32 {
      guard (0xC0..<0x250).contains(scalar.value) || (0x1E00..<0x1F00).contains(scalar.value) else {
        return scalar.value
      }
      let words = scalar.properties.name?.split(separator: " ") ?? []
      guard words.count > 4, words[2] == "LETTER", words[4] == "WITH", words[3].utf8.count == 1 else {
        return scalar.value
      }
      return UInt32(words[3].utf8.first! | 0x20)
    }
  }
}
