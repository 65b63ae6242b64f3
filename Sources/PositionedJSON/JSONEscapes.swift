/// Escapes in JSON strings (RFC 8259, section 7).
enum JSONEscapes {
  /// The UTF-8 bytes of a string's content with its escapes resolved. Requires: the content has passed the parser.
  static func resolve(_ content: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    var index = content.startIndex
    while index < content.endIndex { step(content, &index, into: &result) }
    return result
  }

  /// How many bytes of a string's content stand before byte `offset` of what it resolves to. O(n), allocates.
  static func sourceOffset(of offset: Int, in content: ArraySlice<UInt8>) -> Int {
    var result: [UInt8] = []
    var index = content.startIndex
    while index < content.endIndex, result.count < offset { step(content, &index, into: &result) }
    return index - content.startIndex
  }

  /// Takes one byte or one escape.
  @inline(__always)
  private static func step(_ content: ArraySlice<UInt8>, _ index: inout Int, into result: inout [UInt8]) {
    let byte = content[index]
    index += 1
    guard byte == 0x5C, index < content.endIndex else { return result.append(byte) }
    let letter = content[index]
    index += 1
    guard letter == 0x75 else { return result.append(simple(letter) ?? letter) }
    var scalar = unit(content, at: index)
    index += 4
    if scalar & 0xFC00 == 0xD800 {
      // The parser has seen to it that the low half follows.
      scalar = 0x10000 + (scalar & 0x3FF) << 10 + (unit(content, at: index + 2) & 0x3FF)
      index += 6
    }
    append(scalar, to: &result)
  }

  /// What `\letter` stands for; nil when there is no such escape.
  static func simple(_ letter: UInt8) -> UInt8? {
    switch letter {
    case 0x22, 0x5C, 0x2F: letter
    case 0x62: 0x08
    case 0x66: 0x0C
    case 0x6E: 0x0A
    case 0x72: 0x0D
    case 0x74: 0x09
    default: nil
    }
  }

  /// The value of a hexadecimal digit.
  static func hexadecimal(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }

  private static func unit(_ content: ArraySlice<UInt8>, at index: Int) -> UInt32 {
    var value: UInt32 = 0
    for offset in index..<index + 4 where offset < content.endIndex {
      value = value << 4 | (hexadecimal(content[offset]) ?? 0)
    }
    return value
  }

  private static func append(_ scalar: UInt32, to result: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(scalar) else { return }
    result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }
}
