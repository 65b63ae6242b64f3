/// The 32 bytes of a SHA-256 digest.
public struct SHA256Digest: Hashable, Sendable {
  private let words: SIMD8<UInt32>

  init(state: SIMD8<UInt32>) { words = state }

  /// The number of bytes.
  public static let byteCount = 32

  /// Takes 32 bytes as they stand in a file; nil for another length.
  public init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    var words = SIMD8<UInt32>(repeating: 0)
    for index in 0..<8 {
      words[index] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
    }
    self.words = words
  }

  /// Reads 64 hexadecimal digits of either case; nil for anything else.
  public init?(hex: some StringProtocol) {
    let digits = hex.utf8
    guard digits.count == 2 * Self.byteCount else { return nil }
    var words = SIMD8<UInt32>(repeating: 0)
    for (index, digit) in digits.enumerated() {
      guard let value = Self.value(ofHexDigit: digit) else { return nil }
      words[index / 8] = words[index / 8] << 4 | value
    }
    self.words = words
  }

  /// The bytes, most significant first, as they stand in a file.
  public var bytes: [UInt8] {
    (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: words[$0 / 4] >> (24 - 8 * UInt32($0 % 4))) }
  }

  /// 64 lower-case hexadecimal digits.
  public var hex: String { hex(digits: 64) }

  /// The first `digits` lower-case hexadecimal digits, for names. Requires: 0 … 64.
  public func hex(digits: Int) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(digits)
    for index in 0..<digits {
      let value = UInt8(truncatingIfNeeded: words[index / 8] >> (28 - 4 * UInt32(index % 8))) & 15
      text.append(value < 10 ? 0x30 + value : 0x61 + value - 10)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func value(ofHexDigit digit: UInt8) -> UInt32? {
    switch digit {
    case 0x30...0x39: UInt32(digit - 0x30)
    case 0x41...0x46: UInt32(digit - 0x41 + 10)
    case 0x61...0x66: UInt32(digit - 0x61 + 10)
    default: nil
    }
  }
}

extension SHA256Digest: CustomStringConvertible {
  /// 64 lower-case hexadecimal digits.
  public var description: String { hex }
}
