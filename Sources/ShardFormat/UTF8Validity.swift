/// Checks of UTF-8 without anything newer than the oldest system a shard is read on.
package enum UTF8Validity {
  /// Whether `bytes` is well-formed UTF-8 (RFC 3629: shortest form, no surrogates, at most U+10FFFF). O(n).
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    let count = bytes.count
    var at = 0
    while at < count {
      if count &- at >= 8 {
        let word = base.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        if word & 0x8080_8080_8080_8080 == 0 {
          at &+= 8
          continue
        }
      }
      let lead = base.load(fromByteOffset: at, as: UInt8.self)
      if lead < 0x80 {
        at &+= 1
        continue
      }
      let length: Int
      switch lead {
      case 0xC2...0xDF: length = 2
      case 0xE0...0xEF: length = 3
      case 0xF0...0xF4: length = 4
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
}
