/// Takes a written pattern apart: digits and `#`, whether a `+` stands in front and a `*` at the end.
///
/// A matcher of its own, on purpose: dots and brackets are how people write numbers, and none of them means what it means
/// in a regular expression or in SQL (B-142). One pass, no allocation.
struct PatternText {
  /// Bytes that the buffer must have.
  static let bufferSize = NumberResolver.maximumDialledDigits

  /// A `+` stood in front.
  private(set) var plus = false
  /// A `*` stands at the end.
  private(set) var hasStar = false
  /// Digits and wildcards in the buffer.
  private(set) var count = 0
  /// How many of them are `#`.
  private(set) var wildcards = 0

  private let text: UTF8Reader
  private let buffer: UnsafeMutablePointer<UInt8>

  /// Stands for one digit, in the text and in the buffer.
  static let wildcard = UInt8(ascii: "#")

  init(_ text: UnsafeRawBufferPointer, buffer: UnsafeMutablePointer<UInt8>) {
    self.text = UTF8Reader(text)
    self.buffer = buffer
  }

  /// Reads the whole text. Returns what is wrong with it, or nil.
  mutating func scan() -> PatternRefusal.Cause? {
    var index = 0
    while index < text.count {
      guard let (scalar, length) = text.character(at: index) else { return .number(.invalidText) }
      if let cause = read(scalar) { return cause }
      index += length
    }
    return hasStar && wildcards > 0 ? .misplacedWildcard : nil
  }

  private mutating func read(_ scalar: Unicode.Scalar) -> PatternRefusal.Cause? {
    if Self.isStar(scalar) {
      defer { hasStar = true }
      return hasStar ? .misplacedWildcard : nil
    }
    if Self.isWildcard(scalar) {
      wildcards += 1
      return append(Self.wildcard)
    }
    // A class of characters is no spelling of a number: `20[25]` must not pass for 2025.
    if scalar == "[" || scalar == "]" { return .number(.symbol) }
    switch ScalarClass(scalar) {
    case .digit(let digit): return append(digit + 48)
    case .plus:
      guard count == 0, !plus, !hasStar else { return .number(.symbol) }
      plus = true
    case .space, .separator, .opening: break
    case .divider: return .number(.severalNumbers)
    case .letter: return .number(.letters)
    case .extensionMark, .symbol: return .number(.symbol)
    }
    return nil
  }

  private mutating func append(_ symbol: UInt8) -> PatternRefusal.Cause? {
    guard !hasStar else { return .misplacedWildcard }
    guard count < Self.bufferSize else { return .number(.tooLong) }
    buffer[count] = symbol
    count += 1
    return nil
  }

  private static func isWildcard(_ scalar: Unicode.Scalar) -> Bool { scalar == "#" || scalar == "\u{FF03}" }
  private static func isStar(_ scalar: Unicode.Scalar) -> Bool { scalar == "*" || scalar == "\u{FF0A}" }
}

extension PatternText {
  /// Digits of a number that can be an end of a range; fewer could as well be a part of one number.
  private static let leastEnd = 7

  /// What a look at the whole text tells.
  enum Kind {
    /// No wildcard and no range: a number.
    case number
    /// `#` or `*` stands in it.
    case pattern
    /// Two numbers with a dash between them: where the first ends and the second begins, in bytes.
    case range(end: Int, start: Int, hasWildcard: Bool)
  }

  /// Tells apart what `text` is. A dash parts two numbers when a `+` follows it, or when as many digits stand on both of
  /// its sides and no wildcard; in front of it and behind it must be at least seven. Any other dash is part of a number's
  /// spelling.
  static func kind(of text: UnsafeRawBufferPointer) -> Kind {
    let reader = UTF8Reader(text)
    var digits = 0
    var hasWildcard = false
    var hasDash = false
    forEachScalar(reader) { scalar, _, _ in
      if isWildcard(scalar) || isStar(scalar) { hasWildcard = true }
      if isWildcard(scalar) || ScalarClass(scalar).isDigit { digits += 1 }
      hasDash = hasDash || isDash(scalar)
    }
    var range: Kind?
    if hasDash {
      var before = 0
      // The last dash that a `+` may follow.
      var open: (end: Int, start: Int)?
      forEachScalar(reader) { scalar, index, length in
        let kind = ScalarClass(scalar)
        if isDash(scalar) {
          open = before >= leastEnd && digits - before >= leastEnd ? (index, index + length) : nil
          if range == nil, !hasWildcard, before == digits - before, let open {
            range = .range(end: open.end, start: open.start, hasWildcard: hasWildcard)
          }
        } else if case .plus = kind, let found = open {
          range = .range(end: found.end, start: found.start, hasWildcard: hasWildcard)
          open = nil
        } else if kind.isDigit || isWildcard(scalar) {
          before += 1
          open = nil
        }
      }
    }
    return range ?? (hasWildcard ? .pattern : .number)
  }

  /// Calls `body` with the position of each dash that digits stand in front of and behind.
  static func forEachDash(in text: UnsafeRawBufferPointer, _ body: (Int) -> Void) {
    var hasDigits = false
    forEachScalar(UTF8Reader(text)) { scalar, index, _ in
      if isDash(scalar), hasDigits { body(index) }
      hasDigits = hasDigits || ScalarClass(scalar).isDigit
    }
  }

  private static func forEachScalar(_ reader: UTF8Reader, _ body: (Unicode.Scalar, Int, Int) -> Void) {
    var index = 0
    while let (scalar, length) = reader.character(at: index) {
      body(scalar, index, length)
      index += length
    }
  }

  private static func isDash(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar == "\u{2212}" || (!scalar.isASCII && scalar.properties.generalCategory == .dashPunctuation)
  }
}

extension ScalarClass {
  fileprivate var isDigit: Bool { if case .digit = self { true } else { false } }
}
