/// A caller's text reduced as the phone does it (R-MAT-1): white space, punctuation and `+` go, digits stay.
struct CanonicalCaller {
  /// The most digits kept; no number or caller id is longer, and more fit no integer anyway.
  static let maximumDigits = NumberResolver.maximumDialledDigits

  /// A `+` stood in front of the first digit.
  private(set) var plus = false
  /// The digits, in the caller's buffer.
  private(set) var digits: DigitRun

  /// Nil when anything but digits is left, or nothing, or more than `maximumDigits`.
  /// Requires: room for `maximumDigits` bytes in `buffer`, which must outlive the value.
  init?(_ text: UnsafeRawBufferPointer, buffer: UnsafeMutablePointer<UInt8>) {
    let reader = UTF8Reader(text)
    var count = 0
    var index = 0
    while index < reader.count {
      guard let (scalar, length) = reader.character(at: index) else { return nil }
      switch ScalarClass(scalar) {
      case .digit(let digit):
        guard count < CanonicalCaller.maximumDigits else { return nil }
        buffer[count] = digit + 48
        count += 1
      case .plus: plus = plus || count == 0
      case .space, .separator, .opening, .divider: break
      case .extensionMark, .symbol:
        // `#`, `*`, `%`, `@` are punctuation to the phone; currency and mathematical signs are not.
        guard scalar.properties.generalCategory == .otherPunctuation else { return nil }
      case .letter: return nil
      }
      index += length
    }
    guard count > 0 else { return nil }
    digits = DigitRun(start: UnsafePointer(buffer), count: count)
  }

  /// The digits as an integer, leading zeros lost; nil when it exceeds `Int64.max`.
  var integer: Int64? {
    var value: Int64 = 0
    for index in 0..<digits.count {
      let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
      let (sum, carried) = product.addingReportingOverflow(Int64(digits[index]))
      guard !overflowed, !carried else { return nil }
      value = sum
    }
    return value
  }
}
