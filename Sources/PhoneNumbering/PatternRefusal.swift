/// Why a text is not taken as a number pattern or range, with its price where it has one.
public struct PatternRefusal: Error, Hashable, Sendable {
  /// The kind of fault. The order of the cases is the order in which reports list them.
  public enum Cause: Hashable, Sendable {
    /// The numbers it stands for, or an end of the range, are no phone numbers.
    case number(NumberRefusal)
    /// It comes to more numbers than one pattern may (B-089, B-137).
    case tooManyNumbers
    /// No calling code is stated in full, so that it stands for numbers of any country (B-089).
    case openEnded
    /// `#` in the middle gives more ranges than `PatternNormaliser.maximumRanges`.
    case tooManyRanges
    /// A `*` that is not the last character, or a wildcard where none may stand.
    case misplacedWildcard
    /// Its numbers are dialled in more than one way, so that it stands for numbers of several places.
    case ambiguous
    /// The first number of a range is the greater one.
    case descending
    /// The ends of a range have different lengths or calling codes.
    case unlikeEnds
  }

  /// What is wrong.
  public var cause: Cause
  /// Numbers that it comes to; 0 when that is not known.
  public var price: Int
  /// Numbers that it may come to.
  public var limit: Int

  /// A refusal with the given parts.
  public init(_ cause: Cause, price: Int = 0, limit: Int = 0) {
    self.cause = cause
    self.price = price
    self.limit = limit
  }

  /// What is wrong and, where there is one, what to do about it; no line end, no full stop.
  public var reason: String {
    switch cause {
    case .number(let refusal): refusal.reason
    case .tooManyNumbers:
      "\(Self.grouped(price)) numbers, \"maxPatternNumbers\" is \(Self.grouped(limit)); state more digits"
    case .openEnded:
      "\(Self.grouped(price)) numbers of more than one country; state at least the whole calling code"
    case .tooManyRanges:
      "\(Self.grouped(price)) numbers in more than \(PatternNormaliser.maximumRanges) ranges; "
        + "write # behind the other digits, or several patterns"
    case .misplacedWildcard: "only digits may stand before a *, nothing behind it, and no wildcard in a range"
    case .ambiguous:
      "not all of these numbers are read alike; write the pattern with + and calling code"
    case .descending: "the first number of the range is greater than its last"
    case .unlikeEnds: "the ends of the range differ in length or calling code"
    }
  }

  /// An integer with commas between thousands.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number).utf8)
    var text: [UInt8] = []
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(UInt8(ascii: ",")) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension PatternRefusal: CustomStringConvertible {
  /// The reason.
  public var description: String { reason }
}
