/// A set of phone numbers: open addressing over one block of memory, 8 bytes a slot, at most two thirds full.
final class NumberSet {
  private let slots: UnsafeMutableBufferPointer<UInt64>
  private let shift: UInt64
  private let mask: Int

  /// Room for `capacity` numbers; more than that make it slow but not wrong until every slot is taken.
  init(capacity: Int) {
    var bits: UInt64 = 10
    while (1 << bits) < capacity + capacity / 2 { bits += 1 }
    slots = .allocate(capacity: 1 << Int(bits))
    slots.initialize(repeating: 0)
    shift = 64 - bits
    mask = slots.count - 1
  }

  deinit { slots.deallocate() }

  /// Adds a number and says whether it is new. 0 stands for an empty slot.
  ///
  /// Requires: `number` is not 0.
  @inline(__always)
  func insert(_ number: UInt64) -> Bool {
    var index = Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) >> shift)
    while true {
      let found = slots[index]
      if found == 0 {
        slots[index] = number
        return true
      }
      if found == number { return false }
      index = (index + 1) & mask
    }
  }
}
