/// How large a picture says that it is, read from the start of its file.
enum PictureHeader {
  /// Width and height in pixels; nil for anything but JPEG and PNG.
  static func size(of bytes: [UInt8]) -> (width: Int, height: Int)? { png(bytes) ?? jpeg(bytes) }

  /// ISO 15948, 5.2 and 11.2.2: the signature, then the IHDR chunk with two 32-bit numbers.
  private static func png(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= 24, bytes[..<8].elementsEqual([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
      bytes[12..<16].elementsEqual("IHDR".utf8)
    else { return nil }
    return (number(bytes, at: 16, count: 4), number(bytes, at: 20, count: 4))
  }

  /// ITU-T T.81, B.1 and B.2.2: segments up to the frame header, any of SOF0 to SOF15 but DHT, JPG and DAC.
  private static func jpeg(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
    var i = 2
    while i + 9 <= bytes.count {
      guard bytes[i] == 0xFF else { return nil }
      let marker = bytes[i + 1]
      if marker == 0xFF {
        i += 1
      } else if marker == 0x01 || 0xD0...0xD7 ~= marker {
        i += 2
      } else if 0xC0...0xCF ~= marker, marker != 0xC4, marker != 0xC8, marker != 0xCC {
        return (number(bytes, at: i + 7, count: 2), number(bytes, at: i + 5, count: 2))
      } else {
        i += 2 + max(number(bytes, at: i + 2, count: 2), 2)
      }
    }
    return nil
  }

  private static func number(_ bytes: [UInt8], at index: Int, count: Int) -> Int {
    bytes[index..<index + count].reduce(0) { $0 << 8 | Int($1) }
  }
}
