/// A table of pairs of neighbouring pieces: how often each occurs, or what it is joined to. At most 16 MB. A pair that finds no place
/// in a table that is almost full is left out.
struct PairCounts: ~Copyable {
  private let bits: Int
  private let mask: Int
  /// The pair in the upper half, its value in the lower; 0 for a free place.
  private let slots: UnsafeMutablePointer<UInt64>
  private var used = 0

  /// A table that suits so many pieces.
  init(tokens: Int) {
    bits = min(21, max(10, Int.bitWidth - tokens.leadingZeroBitCount + 1))
    mask = (1 << bits) - 1
    slots = .allocate(capacity: 1 << bits)
    slots.initialize(repeating: 0, count: 1 << bits)
  }

  deinit { slots.deallocate() }

  mutating func empty() {
    slots.update(repeating: 0, count: 1 << bits)
    used = 0
  }

  /// Counts the pairs that no wall stands in. Requires: pieces below 2^16 − 1.
  mutating func count(_ tokens: [UInt32], wall: UInt32) {
    empty()
    tokens.withUnsafeBufferPointer { tokens in
      var at = 1
      while at < tokens.count {
        let (left, right) = (tokens[at &- 1], tokens[at])
        at &+= 1
        guard left != wall, right != wall else { continue }
        let slot = place(left, right)
        if slots[slot] != 0 {
          slots[slot] &+= 1
        } else if used < 1 << (bits - 1) {
          slots[slot] = Self.key(left, right) &<< 32 | 1
          used &+= 1
        }
      }
    }
  }

  mutating func set(_ left: UInt32, _ right: UInt32, _ value: UInt32) {
    slots[place(left, right)] = Self.key(left, right) << 32 | UInt64(value)
  }

  @inline(__always)
  func value(_ left: UInt32, _ right: UInt32) -> UInt32? {
    let slot = slots[place(left, right)]
    return slot == 0 ? nil : UInt32(truncatingIfNeeded: slot)
  }

  /// The `wanted` pairs that occur most often and are `allowed`, the most frequent first.
  func mostFrequent(
    _ wanted: Int, _ allowed: (UInt32, UInt32) -> Bool
  ) -> [(count: UInt32, left: UInt32, right: UInt32)] {
    // What the counts are distributed like says from which one on enough pairs are allowed.
    let highest = 1 << 12
    var histogram = [Int](repeating: 0, count: highest + 1)
    func pair(_ slot: UInt64) -> (UInt32, UInt32) {
      let key = UInt32(truncatingIfNeeded: slot >> 32) &- 1
      return (key >> 16, key & 0xFFFF)
    }
    for index in 0...mask {
      let count = Int(truncatingIfNeeded: slots[index] & 0xFFFF_FFFF)
      guard count >= 4 else { continue }
      let (left, right) = pair(slots[index])
      if allowed(left, right) { histogram[min(count, highest)] += 1 }
    }
    var least = highest
    var sum = histogram[highest]
    while sum < wanted, least > 4 {
      least -= 1
      sum += histogram[least]
    }
    var pairs: [(count: UInt32, left: UInt32, right: UInt32)] = []
    for index in 0...mask {
      let count = UInt32(truncatingIfNeeded: slots[index])
      guard count >= least else { continue }
      let (left, right) = pair(slots[index])
      if allowed(left, right) { pairs.append((count, left, right)) }
    }
    pairs.sort { ($1.count, $0.left, $0.right) < ($0.count, $1.left, $1.right) }
    return Array(pairs.prefix(wanted))
  }

  private static func key(_ left: UInt32, _ right: UInt32) -> UInt64 { UInt64(left << 16 | right) &+ 1 }

  /// Where the pair stands or would stand.
  @inline(__always)
  private func place(_ left: UInt32, _ right: UInt32) -> Int {
    let key = Self.key(left, right)
    var at = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> UInt64(64 - bits))
    while slots[at] != 0, slots[at] &>> 32 != key { at = (at &+ 1) & mask }
    return at
  }
}
