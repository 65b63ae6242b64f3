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

  /// Whether some number matches that begins with `digits` and has `more` digits behind them. O(digits).
  func reaches(_ digits: DigitRun, more: Int) -> Bool {
    var value = root
    var taken = 0
    while taken < digits.count, Self.lengthMask(value) == nil {
      value = Self.child(value, digits[taken])
      taken += 1
    }
    let left = digits.count - taken + more
    let lengths = Self.lengthMask(value) ?? Self.stateLengths[value - NumberingMetadata.maskCount]
    return left < 32 && (lengths >> UInt32(left)) & 1 == 1
  }

  /// By state: the lengths that the digits behind it may have, bit n for n digits. For patterns of users, not for rows:
  /// 16 KiB, made when the first one is met.
  private static let stateLengths: [UInt32] = {
    let count = NumberingMetadata.states.utf8CodeUnitCount / stateWidth
    // No state is reached again from itself, because all numbers end.
    var lengths = [UInt32?](repeating: nil, count: count)
    func lengthsBehind(_ value: Int) -> UInt32 {
      if let mask = lengthMask(value) { return mask }
      if let known = lengths[value - NumberingMetadata.maskCount] { return known }
      var mask = UInt32(NumberingMetadata.single(NumberingMetadata.states, row(value) + 20) == 1 ? 1 : 0)
      for digit in 0..<10 { mask |= lengthsBehind(child(value, digit)) << 1 }
      lengths[value - NumberingMetadata.maskCount] = mask
      return mask
    }
    return (0..<count).map { lengthsBehind($0 + NumberingMetadata.maskCount) }
  }()

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
