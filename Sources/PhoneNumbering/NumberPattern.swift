/// A national number pattern, compiled to an automaton over digits.
///
/// A value below `maskCount` is a set of lengths that the remaining digits must have; most walks end there after two
/// to five digits. A higher value is a state: ten children and whether a number may end in it.
struct NumberPattern {
  /// Where the automaton starts.
  let root: Int

  private static let stateWidth = 21

  /// Whether the whole of `digits` matches. O(digits).
  @inline(__always)
  func matches(_ digits: DigitRun) -> Bool {
    var value = root
    var position = 0
    while true {
      let left = digits.count &- position
      if let mask = Self.lengthMask(value) { return left < 32 && (mask >> UInt32(left)) & 1 == 1 }
      if left == 0 {
        return NumberingMetadata.single(NumberingMetadata.states, Self.row(value) &+ 20) == 1
      }
      value = NumberingMetadata.pair(NumberingMetadata.states, Self.row(value) &+ digits[position] &* 2)
      position &+= 1
    }
  }

  /// The lengths that the remaining digits may have, bit n for n digits; nil when `value` is a state.
  @inline(__always)
  static func lengthMask(_ value: Int) -> UInt32? {
    value < NumberingMetadata.maskCount ? NumberingMetadata.mask(NumberingMetadata.masks, value &* 3) : nil
  }

  /// What follows the state `value` once `digit` is read. Requires: `value` is a state.
  static func child(_ value: Int, _ digit: Int) -> Int {
    NumberingMetadata.pair(NumberingMetadata.states, row(value) + digit * 2)
  }

  @inline(__always)
  private static func row(_ value: Int) -> Int { (value &- NumberingMetadata.maskCount) &* stateWidth }
}
