public import CallDirectory

/// What the world's numbering plans say about a finished number. Every function is pure, allocates only what it
/// returns, and may be called from any thread. Source of the facts: libphonenumber, see `NumberingPlan.source`.
public enum NumberingPlan {
  /// The package and version of the numbering metadata, for example `phonenumbers 9.0.43`.
  public static var source: String { "\(NumberingMetadata.source)" }

  /// The region of a number of 7 … 15 digits, by the longest prefix; nil for fewer or more digits, an unknown calling
  /// code, and a code of no region (+800, +881 …). A range nobody has belongs to the main region of its calling code.
  /// O(digits).
  public static func region(of number: PhoneNumber) -> RegionCode? {
    withDigits(of: number) { digits, rules in
      var value = rules.regionTree
      var position = rules.callingCodeLength
      while value >= NumberingMetadata.planCount {
        // The number ends where it could still be of either region: no such number is assigned.
        guard position < digits.count else { return nil }
        let node = (value - NumberingMetadata.planCount) * treeWidth
        value = NumberingMetadata.pair(NumberingMetadata.regionTrees, node + digits[position] * 2)
        position += 1
      }
      return NumberingRules(plan: value).region
    }
  }

  /// Whether a number of 7 … 15 digits begins with a country calling code that exists. O(1).
  public static func hasKnownCallingCode(_ number: PhoneNumber) -> Bool {
    withDigits(of: number) { _, _ in true } ?? false
  }

  /// The digits behind the country calling code; all digits where there is no such code. O(digits).
  public static func nationalSignificantNumber(of number: PhoneNumber) -> String {
    let digits = String(number.rawValue)
    return withDigits(of: number) { _, rules in String(digits.dropFirst(rules.callingCodeLength)) } ?? digits
  }

  /// Whether the number's calling code has numbers of this length that can be called from abroad. O(digits).
  public static func isPossible(_ number: PhoneNumber) -> Bool {
    withDigits(of: number) { digits, rules in
      let national = digits.dropping(rules.callingCodeLength)
      return rules.verdict(onLength: national.count) == .possible || rules.assigned.matches(national)
    } ?? false
  }

  /// Whether the number lies in a range that its calling code assigns; what libphonenumber calls valid. O(digits).
  public static func isAssigned(_ number: PhoneNumber) -> Bool {
    withDigits(of: number) { digits, rules in
      rules.assigned.matches(digits.dropping(rules.callingCodeLength))
    } ?? false
  }

  /// The shortest digit strings, calling code first, that belong to the region and to no other; ascending as text.
  /// For example `7` without `76` and `77` gives `71`, `72` …
  public static func prefixes(of region: RegionCode) -> [String] { digitPrefixes(of: region).map { String($0) } }

  /// Every integer of 7 … 15 digits that belongs to the region, as disjoint ascending ranges. `region(of:)` gives the
  /// region for exactly the numbers in them.
  public static func ranges(of region: RegionCode) -> [ClosedRange<Int64>] {
    let prefixes = digitPrefixes(of: region)
    var ranges: [ClosedRange<Int64>] = []
    for length in 7...PhoneNumber.maximumDigits {
      for prefix in prefixes where decimalLength(prefix) <= length {
        let width = powerOfTen(length - decimalLength(prefix))
        let lower = prefix * width
        let upper = lower + width - 1
        if let last = ranges.last, last.upperBound + 1 == lower {
          ranges[ranges.count - 1] = last.lowerBound...upper
        } else {
          ranges.append(lower...upper)
        }
      }
    }
    return ranges
  }

  /// Whether the integer is exactly an emergency number of the region, or of any region when none is given. Never by
  /// prefix: 91100001 is an ordinary number. Emergency numbers that begin with 0 are no integers and are not found.
  public static func isEmergency(_ number: PhoneNumber, in region: RegionCode? = nil) -> Bool {
    guard (10..<1_000_000).contains(number.rawValue) else { return false }
    return containsEmergency(number...number, in: region)
  }

  /// Whether an emergency number of the region, or of any region when none is given, lies in the range. O(1).
  public static func containsEmergency(_ range: ClosedRange<PhoneNumber>, in region: RegionCode? = nil) -> Bool {
    let values = range.lowerBound.rawValue...range.upperBound.rawValue
    if let region { return NumberingRules(region).hasEmergencyNumber(in: values) }
    return (0..<NumberingMetadata.planCount).contains { NumberingRules(plan: $0).hasEmergencyNumber(in: values) }
  }

  /// The country calling code of a number of 7 … 15 digits; nil when it has none.
  static func callingCode(of number: PhoneNumber) -> Int? { withDigits(of: number) { _, rules in rules.callingCode } }

  private static let treeWidth = 20

  /// The prefixes of a region as integers; none begins with 0 because no calling code does.
  private static func digitPrefixes(of region: RegionCode) -> [Int64] {
    let rules = NumberingRules(region)
    var prefixes: [Int64] = []
    collect(rules.regionTree, Int64(rules.callingCode), rules.plan, into: &prefixes)
    return prefixes
  }

  private static func collect(_ value: Int, _ prefix: Int64, _ plan: Int, into prefixes: inout [Int64]) {
    guard value >= NumberingMetadata.planCount else {
      if value == plan { prefixes.append(prefix) }
      return
    }
    let node = (value - NumberingMetadata.planCount) * treeWidth
    for digit in 0..<10 {
      let child = NumberingMetadata.pair(NumberingMetadata.regionTrees, node + digit * 2)
      collect(child, prefix * 10 + Int64(digit), plan, into: &prefixes)
    }
  }

  /// Calls `body` with the digits of a number of 7 … 15 digits and the main plan of its calling code; nil when it has
  /// neither.
  private static func withDigits<Answer>(
    of number: PhoneNumber, _ body: (DigitRun, NumberingRules) -> Answer?
  ) -> Answer? {
    let value = number.rawValue
    guard value >= 1_000_000, value < powerOfTen(PhoneNumber.maximumDigits) else { return nil }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PhoneNumber.maximumDigits) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let digits = DigitRun(writing: value, to: start)
      guard let rules = NumberingRules(leading: digits) else { return nil }
      return body(digits, rules)
    }
  }
}
