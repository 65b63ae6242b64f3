internal import CSystemSupport

/// Looks at eight bytes at a time. Every mask has the top bit of a byte set where that byte is meant, exactly: no bit
/// depends on a neighbouring byte.
enum ByteSearch {
  private static let low7: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
  private static let top: UInt64 = 0x8080_8080_8080_8080

  /// The byte repeated eight times.
  @inline(__always)
  static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// Marks the bytes of `word` that equal the repeated byte `pattern`.
  @inline(__always)
  static func equal(_ word: UInt64, _ pattern: UInt64) -> UInt64 {
    let difference = word ^ pattern
    return ~((difference & low7) &+ low7 | difference) & top
  }

  /// Marks the bytes of `word` below 0x20.
  @inline(__always)
  static func control(_ word: UInt64) -> UInt64 {
    ~((word & low7) &+ 0x6060_6060_6060_6060 | word) & top
  }

  /// Marks the bytes of `word` from 0x80 on.
  @inline(__always)
  static func high(_ word: UInt64) -> UInt64 { word & top }

  /// Whether two texts are the same bytes.
  static func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    var position = 0
    while position + 8 <= left.count {
      let other = right.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      guard left.loadUnaligned(fromByteOffset: position, as: UInt64.self) == other else { return false }
      position += 8
    }
    while position < left.count {
      guard left[position] == right[position] else { return false }
      position += 1
    }
    return true
  }

  /// The position of the first `byte` at or behind `from`.
  static func first(_ byte: UInt8, in bytes: UnsafeRawBufferPointer, from: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let pattern = repeated(byte)
    var position = from
    while position + 8 <= bytes.count {
      let hits = equal(UInt64(littleEndian: (base + position).loadUnaligned(as: UInt64.self)), pattern)
      if hits != 0 { return position + hits.trailingZeroBitCount >> 3 }
      position += 8
    }
    while position < bytes.count {
      if bytes[position] == byte { return position }
      position += 1
    }
    return nil
  }

  /// Bytes that `find` looks at.
  static let stride = 64

  /// One bit for each of the `stride` bytes at `position`, set where it is `byte`. All of them are read.
  @inline(__always)
  static func find(_ byte: UInt8, at position: UnsafeRawPointer) -> UInt64 { csystem_find64(position, byte) }
}
