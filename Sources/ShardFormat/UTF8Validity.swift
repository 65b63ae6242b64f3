/// Checks of UTF-8 without anything newer than the oldest system a shard is read on.
package enum UTF8Validity {
  /// Whether `bytes` is well-formed UTF-8 (RFC 3629: shortest form, no surrogates, at most U+10FFFF). O(n).
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    let count = bytes.count
    var at = 0
    while at < count {
      if count &- at >= 8 {
        let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        // Eight ASCII characters, or four of two bytes (110xxxxx 10xxxxxx, of which C0 and C1 are overlong: xxxx is 0).
        if word & 0x8080_8080_8080_8080 == 0 || isFourPairs(word) {
          at &+= 8
          continue
        }
      }
      let lead = base.load(fromByteOffset: at, as: UInt8.self)
      if lead < 0x80 {
        at &+= 1
        continue
      }
      if lead < 0xE0 {
        guard lead >= 0xC2, at &+ 2 <= count, base.load(fromByteOffset: at &+ 1, as: UInt8.self) & 0xC0 == 0x80 else {
          return false
        }
        at &+= 2
        continue
      }
      let length: Int
      switch lead {
      case ...0xEF: length = 3
      case ...0xF4: length = 4
      default: return false
      }
      guard at &+ length <= count else { return false }
      let second = base.load(fromByteOffset: at &+ 1, as: UInt8.self)
      // The second byte excludes overlong forms, surrogates and values above U+10FFFF.
      let allowed: ClosedRange<UInt8> =
        switch lead {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
      guard allowed.contains(second) else { return false }
      var tail = 2
      while tail < length {
        guard base.load(fromByteOffset: at &+ tail, as: UInt8.self) & 0xC0 == 0x80 else { return false }
        tail &+= 1
      }
      at &+= length
    }
    return true
  }

  @inline(__always)
  private static func isFourPairs(_ word: UInt64) -> Bool {
    let leads = (word & 0x001E_001E_001E_001E) &+ 0x7FFF_7FFF_7FFF_7FFF
    return word & 0xC0E0_C0E0_C0E0_C0E0 == 0x80C0_80C0_80C0_80C0
      && leads & 0x8000_8000_8000_8000 == 0x8000_8000_8000_8000
  }
}
