/// Canonical Huffman codes as in RFC 1951, 3.2.2: the lengths alone say which symbol has which code. Bits go out from the
/// highest bit of a code to its lowest, so a reader that takes bits from the lowest up meets the codes reversed.
package struct CanonicalCode {
  /// The length of each symbol's code, 0 for a symbol without one.
  package let lengths: [UInt8]
  /// Each symbol's code as its bits lie in the stream, the first bit lowest.
  package let bits: [UInt16]

  /// The longest code of any table.
  package static let longest = 15

  /// Nil unless the lengths, all at most 15, make a complete code: every sequence of bits then begins with exactly one code.
  package init?(lengths: [UInt8]) {
    var counts = [Int](repeating: 0, count: Self.longest + 1)
    for length in lengths {
      guard length <= Self.longest else { return nil }
      counts[Int(length)] += 1
    }
    counts[0] = 0
    var room = 0
    for length in 1...Self.longest { room += counts[length] << (Self.longest - length) }
    guard room == 1 << Self.longest else { return nil }
    var next = [UInt16](repeating: 0, count: Self.longest + 1)
    var code = 0
    for length in 1...Self.longest {
      code = (code + counts[length - 1]) << 1
      next[length] = UInt16(truncatingIfNeeded: code)
    }
    var bits = [UInt16](repeating: 0, count: lengths.count)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      bits[symbol] = Self.reversed(next[Int(length)], length)
      next[Int(length)] &+= 1
    }
    self.lengths = lengths
    self.bits = bits
  }

  private static func reversed(_ code: UInt16, _ length: UInt8) -> UInt16 {
    var result: UInt16 = 0
    for bit in 0..<length { result |= (code >> UInt16(bit) & 1) << UInt16(length - 1 - bit) }
    return result
  }
}
