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
  var value: Int64 { value(behind: 0) }

  /// `start` followed by the digits, as an integer. Requires: at most 18 digits together.
  @inline(__always)
  func value(behind start: Int64) -> Int64 {
    var value = start
    var index = 0
    while count &- index >= 8 {
      value = value &* 100_000_000 &+ Int64(EightDigits(at: self.start + index).value)
      index &+= 8
    }
    while index < count {
      value = value &* 10 &+ Int64(self[index])
      index &+= 1
    }
    return value
  }
}

/// Eight characters read as one word, so that eight digits cost a few operations.
struct EightDigits {
  private let word: UInt64

  /// Requires: eight readable bytes.
  @inline(__always)
  init(at start: UnsafePointer<UInt8>) {
    word = UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
  }

  /// Whether each of the eight is an ASCII digit.
  @inline(__always)
  var areDigits: Bool {
    // '0' … '9' are 0x30 … 0x39: the high half is 3, and stays 3 when 6 is added.
    word & 0xF0F0_F0F0_F0F0_F0F0 == 0x3030_3030_3030_3030
      && (word &+ 0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0 == 0x3030_3030_3030_3030
  }

  /// The digits as an integer. Requires: `areDigits`.
  @inline(__always)
  var value: UInt64 {
    // Neighbours are joined pairwise: 8 × 1 digit, 4 × 2, 2 × 4, 1 × 8.
    let ones = word & 0x0F0F_0F0F_0F0F_0F0F
    let pairs = (ones &* 10 &+ ones >> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF
  }
}

extension DigitRun {
  /// The text as digits, or nil when it has fewer than eight or more than sixteen characters or anything but digits.
  @inline(__always)
  init?(plain start: UnsafePointer<UInt8>, count: Int) {
    guard count >= 8, count <= 16, EightDigits(at: start).areDigits, EightDigits(at: start + (count &- 8)).areDigits
    else { return nil }
    self.init(start: start, count: count)
  }
}

/// 10 to the power of `exponent`. Requires: `0 <= exponent <= 18`.
@inline(__always)
func powerOfTen(_ exponent: Int) -> Int64 {
  var power: Int64 = 1
  for _ in 0..<exponent { power = power &* 10 }
  return power
}

/// How many digits an integer has. Requires: `value >= 0`; 18 for more than 18.
func decimalLength(_ value: Int64) -> Int {
  var length = 1
  var bound: Int64 = 10
  while value >= bound, length < 18 {
    length += 1
    bound *= 10
  }
  return length
}

extension DigitRun {
  /// The digits of `value`, written to `start`. Requires: `0 <= value` of at most 18 digits, and room for them.
  init(writing value: Int64, to start: UnsafeMutablePointer<UInt8>) {
    let count = decimalLength(value)
    var rest = value
    for index in stride(from: count - 1, through: 0, by: -1) {
      start[index] = UInt8(rest % 10) + 48
      rest /= 10
    }
    self.init(start: UnsafePointer(start), count: count)
  }
}
