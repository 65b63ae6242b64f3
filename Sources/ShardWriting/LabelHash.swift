/// A hash of a label, the same on every machine and in every run: what is chosen by it does not depend on them.
enum LabelHash {
  /// 64 bits, never 0. O(n), eight bytes at a time.
  @inline(__always)
  static func hash(_ label: UnsafeRawBufferPointer) -> UInt64 {
    guard let base = label.baseAddress else { return 1 }
    let count = label.count
    var state = UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
    var at = 0
    while at &+ 8 <= count {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      state = mix(state ^ word)
      at &+= 8
    }
    var rest: UInt64 = 0
    while at < count {
      rest = rest &<< 8 | UInt64(base.load(fromByteOffset: at, as: UInt8.self))
      at &+= 1
    }
    let result = mix(state ^ rest)
    return result == 0 ? 1 : result
  }

  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low
  }
}
