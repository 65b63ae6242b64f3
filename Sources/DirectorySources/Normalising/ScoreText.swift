/// A decimal number in a cell: sign, digits, a fraction behind a point or a comma, and an exponent as JSON writes it. No
/// grouping.
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
      } else if byte | 0x20 == 0x65 {
        guard digits > 0, digits <= mostDigits, isExponent(text, from: index + 1) else { return nil }
        return rounded(text)
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
    guard isExact, fractionDigits <= 22 else { return rounded(text) }
    var scale = 1.0
    for _ in 0..<fractionDigits { scale *= 10 }
    let magnitude = Double(mantissa) / scale
    return isNegative ? -magnitude : magnitude
  }

  /// An optional sign and up to three digits to the end of the text.
  private static func isExponent(_ text: UnsafeRawBufferPointer, from start: Int) -> Bool {
    var rest = text[min(start, text.count)...]
    if let sign = rest.first, sign == 0x2D || sign == 0x2B { rest = rest.dropFirst() }
    return (1...3).contains(rest.count) && rest.allSatisfy { $0 &- 0x30 < 10 }
  }

  /// By the library's way, for what has no short one; nil for what is greater than any number.
  private static func rounded(_ text: UnsafeRawBufferPointer) -> Double? {
    Double(String(decoding: text.map { $0 == Byte.comma ? 0x2E : $0 }, as: UTF8.self)).flatMap {
      $0.isFinite ? $0 : nil
    }
  }
}
