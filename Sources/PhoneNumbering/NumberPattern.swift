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
      if value < NumberingMetadata.maskCount {
        guard left < 32 else { return false }
        return (NumberingMetadata.mask(NumberingMetadata.masks, value &* 3) >> UInt32(left)) & 1 == 1
      }
      let state = (value &- NumberingMetadata.maskCount) &* Self.stateWidth
      if left == 0 { return NumberingMetadata.single(NumberingMetadata.states, state &+ 20) == 1 }
      value = NumberingMetadata.pair(NumberingMetadata.states, state &+ digits[position] &* 2)
      position &+= 1
    }
  }
}
