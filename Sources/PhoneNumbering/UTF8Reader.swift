/// Decodes one character after the other out of bytes, strictly: overlong forms, surrogates and cut sequences are
/// errors.
struct UTF8Reader {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// How many bytes there are.
  @inline(__always)
  var count: Int { bytes.count }

  /// The byte at `index`. Requires: `index < count`.
  @inline(__always)
  subscript(index: Int) -> UInt8 { bytes[index] }

  /// The character at `index` and its length in bytes; nil when the bytes there are not valid UTF-8 or there are none.
  @inline(__always)
  func character(at index: Int) -> (scalar: Unicode.Scalar, length: Int)? {
    guard index < bytes.count else { return nil }
    let first = bytes[index]
    return first < 0x80 ? (Unicode.Scalar(first), 1) : longCharacter(at: index, first)
  }

  private func longCharacter(at index: Int, _ first: UInt8) -> (scalar: Unicode.Scalar, length: Int)? {
    let length: Int
    var value: UInt32
    let least: UInt32
    switch first {
    case 0xC2...0xDF: (length, value, least) = (2, UInt32(first & 0x1F), 0x80)
    case 0xE0...0xEF: (length, value, least) = (3, UInt32(first & 0x0F), 0x800)
    case 0xF0...0xF4: (length, value, least) = (4, UInt32(first & 0x07), 0x10000)
    default: return nil
    }
    guard length <= bytes.count - index else { return nil }
    for offset in 1..<length {
      let byte = bytes[index + offset]
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    guard value >= least, let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, length)
  }
}
