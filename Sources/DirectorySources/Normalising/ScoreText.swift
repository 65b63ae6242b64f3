/// A decimal number in a cell: sign, digits, and a fraction behind a point or a comma. No exponent, no grouping.
enum ScoreText {
  /// The most digits a score has; more are refused rather than rounded without a word.
  private static let mostDigits = 300

  /// The value of `text`, nil when it is no such number. Correctly rounded.
  static func value(of text: UnsafeRawBufferPointer) -> Double? {
    var index = 0
    var isNegative = false
    if let sign = text.first, sign == 0x2D || sign == 0x2B {
      isNegative = sign == 0x2D
      index = 1
    }
    var mantissa: UInt64 = 0
    var digits = 0
    var fractionDigits = 0
    var hasPoint = false
    var isExact = true
    while index < text.count {
      let byte = text[index]
      if byte == 0x2E || byte == Byte.comma {
        guard !hasPoint else { return nil }
        hasPoint = true
      } else {
        let digit = byte &- 0x30
        guard digit < 10 else { return nil }
        if mantissa < 900_719_925_474_099 { mantissa = mantissa * 10 + UInt64(digit) } else { isExact = false }
        digits += 1
        if hasPoint { fractionDigits += 1 }
      }
      index += 1
    }
    guard digits > 0, digits <= mostDigits else { return nil }
    // A whole number below 2^53 divided by a power of ten up to 10^22 is rounded once, hence correctly.
    guard isExact, fractionDigits <= 22 else {
      return Double(String(decoding: text.map { $0 == Byte.comma ? 0x2E : $0 }, as: UTF8.self))
    }
    var scale = 1.0
    for _ in 0..<fractionDigits { scale *= 10 }
    let magnitude = Double(mantissa) / scale
    return isNegative ? -magnitude : magnitude
  }
}
