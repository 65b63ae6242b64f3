/// The assigned ranges of one plan, expanded for its first three digits: what most numbers need is one read instead of
/// a walk. 4 KiB, made once for a source's own country.
struct AssignedRanges: Sendable {
  private let pattern: NumberPattern
  /// By the first three digits: where the pattern is then, or `.lengths` and the lengths it still allows.
  private let entries: [UInt32]

  private static let depth = 3
  private static let lengths: UInt32 = 1 << 31

  init(_ pattern: NumberPattern) {
    self.pattern = pattern
    let root = Self.entry(pattern.root)
    entries = [UInt32](unsafeUninitializedCapacity: 1000) { buffer, count in
      for first in 0..<10 {
        let hundreds = Self.child(root, first)
        for second in 0..<10 {
          let tens = Self.child(hundreds, second)
          for third in 0..<10 {
            buffer[count] = Self.child(tens, third)
            count += 1
          }
        }
      }
    }
  }

  private static func entry(_ value: Int) -> UInt32 {
    NumberPattern.lengthMask(value).map { $0 | lengths } ?? UInt32(truncatingIfNeeded: value)
  }

  /// The entry behind one more digit. Behind a mask every digit leads to the mask of one digit less.
  private static func child(_ parent: UInt32, _ digit: Int) -> UInt32 {
    parent & lengths != 0 ? (parent & ~lengths) >> 1 | lengths : entry(NumberPattern.child(Int(parent), digit))
  }

  /// Whether the whole of `digits` is an assigned number. O(digits).
  @inline(__always)
  func contains(_ digits: DigitRun) -> Bool {
    let left = digits.count &- Self.depth
    guard left >= 0, left < 31 else { return pattern.matches(digits) }
    let entry = entries[digits[0] &* 100 &+ digits[1] &* 10 &+ digits[2]]
    if entry & Self.lengths != 0 { return (entry >> UInt32(left)) & 1 == 1 }
    return NumberPattern(root: Int(entry)).matches(digits.dropping(Self.depth))
  }
}
