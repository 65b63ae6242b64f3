/// Looks at eight bytes at a time. Every mask has the top bit of a byte set where that byte is meant, exactly.
enum JSONWord {
  private static let low7: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
  private static let top: UInt64 = 0x8080_8080_8080_8080

  @inline(__always)
  static func load(_ position: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: position.loadUnaligned(as: UInt64.self))
  }

  /// Marks the bytes that equal `byte`.
  @inline(__always)
  static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    let difference = word ^ (UInt64(byte) &* 0x0101_0101_0101_0101)
    return ~((difference & low7) &+ low7 | difference) & top
  }

  /// Marks the bytes that end plain text in a string: quote, backslash, control characters and all that is not ASCII.
  @inline(__always)
  static func special(_ word: UInt64) -> UInt64 {
    let control = ~((word & low7) &+ 0x6060_6060_6060_6060 | word) & top
    return equal(word, 0x22) | equal(word, 0x5C) | control | word & top
  }

  /// The marks of `mask` as the low eight bits, the first byte lowest.
  @inline(__always)
  static func bits(_ mask: UInt64) -> UInt64 { ((mask >> 7) &* 0x0102_0408_1020_4080) >> 56 }

  /// Whether the word is four two-byte characters from U+0100 on, as Cyrillic and Greek words are.
  @inline(__always)
  static func isFourPairs(_ word: UInt64) -> Bool {
    guard word & 0xC0E0_C0E0_C0E0_C0E0 == 0x80C0_80C0_80C0_80C0 else { return false }
    let leads = (word & 0x001C_001C_001C_001C) &+ 0x007C_007C_007C_007C
    return leads & 0x0080_0080_0080_0080 == 0x0080_0080_0080_0080
  }
}
