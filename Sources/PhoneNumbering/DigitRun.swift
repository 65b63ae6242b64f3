/// ASCII digits somewhere in memory: the input itself, or a scratch buffer on the caller's stack.
///
/// Never outlives the call that made it.
struct DigitRun {
  /// The first digit.
  var start: UnsafePointer<UInt8>
  /// How many there are.
  var count: Int

  /// The digit at `index` as 0 … 9. Requires: `index < count`.
  @inline(__always)
  subscript(index: Int) -> Int { Int(start[index]) &- 48 }

  /// What is left after the first `length` digits. Requires: `length <= count`.
  @inline(__always)
  func dropping(_ length: Int) -> DigitRun { DigitRun(start: start + length, count: count &- length) }

  /// The digits as an integer. Requires: at most 18 digits.
  @inline(__always)
  var value: Int64 {
    var value: Int64 = 0
    for index in 0..<count { value = value &* 10 &+ Int64(self[index]) }
    return value
  }
}

/// 10 to the power of `exponent`. Requires: `0 <= exponent <= 18`.
@inline(__always)
func powerOfTen(_ exponent: Int) -> Int64 {
  var power: Int64 = 1
  for _ in 0..<exponent { power = power &* 10 }
  return power
}
