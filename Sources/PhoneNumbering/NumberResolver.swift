internal import CallDirectory

/// Digits in, number out: decides what is calling code, prefix and national number.
///
/// The steps and their order are libphonenumber's `parse`, because the same rows must give the same numbers. Beyond it
/// the length must be possible, which refuses what no phone could call.
///
/// A class, because a structure of this size would be copied by every call that uses it.
final class NumberResolver: Sendable {
  typealias Outcome = Result<NormalisedNumber, NumberRefusal>

  /// Room that `resolve` needs for rewritten numbers.
  static let scratchSize = 128
  /// More digits than any number with any prefix; checked before `resolve`.
  static let maximumDialledDigits = 40

  /// How numbers are written.
  let options: NormalisationOptions
  /// Whether the source has a country; `home`, `main` and `assigned` mean nothing otherwise.
  private let hasHome: Bool
  /// The plan of the source's country.
  private let home: NumberingRules
  /// The main plan of the home calling code: the same but for the smaller regions that share one.
  private let main: NumberingRules
  /// What `main` assigns.
  private let assigned: AssignedRanges
  private let interpretation: NumberInterpretation
  private let shortCodes: Bool
  /// The source's own international prefixes, as ASCII digits; nil for those of the home plan.
  private let internationalPrefixes: [[UInt8]]?
  /// Bit d: an international prefix may begin with digit d. Spares most numbers the search for one.
  private let internationalFirstDigits: Int
  /// Bit d: d may be the digit behind it.
  private let internationalSecondDigits: Int
  /// Whether a national number may be rewritten rather than cut, which needs scratch memory.
  private let rewrites: Bool

  init(_ options: NormalisationOptions) {
    self.options = options
    hasHome = options.region != nil
    home = options.region.map { NumberingRules($0) } ?? NumberingRules(plan: 0)
    main = NumberingRules(callingCode: home.callingCode) ?? home
    assigned = AssignedRanges(main.assigned)
    interpretation = options.interpretation
    shortCodes = options.shortCodes
    let prefixes = options.internationalPrefixes ?? (options.region == nil ? ["00"] : nil)
    internationalPrefixes = prefixes.map { $0.map { Array($0.utf8) } }
    if let internationalPrefixes {
      internationalFirstDigits = internationalPrefixes.reduce(0) { $0 | 1 << Int(($1.first ?? 0) & 15) }
      internationalSecondDigits = -1
    } else {
      internationalFirstDigits = home.internationalFirstDigits
      internationalSecondDigits = home.internationalSecondDigits
    }
    rewrites = home.transform != 0 || main.transform != 0
  }

  /// The number that `digits` stand for. Requires: 1 … 40 digits; `scratch` of `scratchSize` bytes.
  @inline(__always)
  func resolve(_ digits: DigitRun, plus: Bool, scratch: UnsafeMutablePointer<UInt8>) -> Outcome {
    if digits.count < 7, !plus { return resolveShort(digits, scratch: scratch) }
    return resolveLong(digits, plus: plus, scratch: scratch)
  }

  /// Fewer than seven digits: a whole number in a few small countries, else a short code.
  @inline(never)
  private func resolveShort(_ digits: DigitRun, scratch: UnsafeMutablePointer<UInt8>) -> Outcome {
    let outcome = resolveLong(digits, plus: false, scratch: scratch)
    if case .success(let result) = outcome, result.notes.isEmpty { return outcome }
    guard digits.count >= 3, digits[0] != 0 else { return .failure(.tooShort) }
    guard shortCodes else { return .failure(.shortCode) }
    return .success(NormalisedNumber(number: PhoneNumber(digits.value), notes: .shortCode))
  }

  private func resolveLong(_ digits: DigitRun, plus: Bool, scratch: UnsafeMutablePointer<UInt8>) -> Outcome {
    if plus {
      let outcome = international(digits, notes: [], scratch: scratch)
      guard case .failure(.unknownCallingCode) = outcome, hasHome else { return outcome }
      return ignoringPlus(digits, scratch: scratch) ?? outcome
    }
    if let outcome = resolveAtHome(digits, scratch: scratch) {
      guard case .failure(let refusal) = outcome, refusal == .tooLong || refusal == .notPossible else { return outcome }
      return withLostPlus(digits, scratch: scratch) ?? outcome
    }
    let end = internationalPrefixLength(digits)
    guard end != nil || interpretation == .international else { return .failure(.nationalWithoutCountry) }
    return international(digits.dropping(end ?? 0), notes: [], scratch: scratch)
  }

  /// Digits that the home plan settles by itself: a national number, or the home calling code in front of one. Nil when
  /// they begin with an international prefix, or are international altogether, or there is no home.
  @inline(__always)
  private func resolveAtHome(_ digits: DigitRun, scratch: UnsafeMutablePointer<UInt8>?) -> Outcome? {
    guard hasHome, interpretation != .international, internationalPrefixLength(digits) == nil else { return nil }
    var number = digits
    var notes: NormalisationNotes = []
    let international = interpretation == .auto ? ownCallingCode(digits, scratch: scratch) : nil
    if let international {
      (number, notes) = international
      if let stripped = main.strippingNationalPrefix(number, scratch: scratch), keeps(stripped, main) {
        number = stripped
        notes = .spuriousTrunkPrefix
      }
    } else if let stripped = home.strippingNationalPrefix(digits, scratch: scratch), keeps(stripped, home) {
      number = stripped
    }
    guard main.verdict(onLength: number.count) == .possible else {
      return finishOdd(number, main, notes: notes, isInternational: international != nil)
    }
    return join(number, main, notes: notes, isAssigned: assigned.contains(number))
  }

  /// The usual case, quickly and without scratch memory: plain digits that make a number by the home plan. Nil where
  /// `resolve` has to look closer. Requires: at least one digit.
  @inline(__always)
  func resolvePlain(_ digits: DigitRun) -> NormalisedNumber? {
    guard !rewrites, digits.count >= 7, case .success(let result) = resolveAtHome(digits, scratch: nil) else {
      return nil
    }
    return result
  }

  /// A stripped number counts only when its length is one of the plan's; a short number stays as it was dialled.
  @inline(__always)
  private func keeps(_ stripped: DigitRun, _ rules: NumberingRules) -> Bool {
    switch rules.verdict(onLength: stripped.count) {
    case .possible, .tooLong: true
    case .tooShort, .localOnly, .between: false
    }
  }

  /// The length of the international prefix that `digits` begin with; nil without one, or when a 0 follows it, because
  /// no calling code begins with 0.
  @inline(__always)
  private func internationalPrefixLength(_ digits: DigitRun) -> Int? {
    guard (internationalFirstDigits &>> digits[0]) & 1 == 1, digits.count > 1,
      (internationalSecondDigits &>> digits[1]) & 1 == 1
    else { return nil }
    return internationalPrefixLengthByRule(digits)
  }

  @inline(never)
  private func internationalPrefixLengthByRule(_ digits: DigitRun) -> Int? {
    var end: Int?
    if let internationalPrefixes {
      for prefix in internationalPrefixes where prefix.count <= digits.count && prefix.count > (end ?? 0) {
        if prefix.indices.allSatisfy({ digits.start[$0] == prefix[$0] }) { end = prefix.count }
      }
    } else {
      end = home.internationalPrefix.match(digits)?.end
    }
    guard let end, end == digits.count || digits[end] != 0 else { return nil }
    return end
  }

  /// Calling code first.
  @inline(never)
  private func international(
    _ digits: DigitRun, notes: NormalisationNotes, scratch: UnsafeMutablePointer<UInt8>
  ) -> Outcome {
    guard digits.count > 2 else { return .failure(.tooShort) }
    guard let rules = NumberingRules(leading: digits) else { return .failure(.unknownCallingCode) }
    let national = digits.dropping(rules.callingCodeLength)
    guard national.count >= 2 else { return .failure(.tooShort) }
    return afterCallingCode(national, rules, notes: notes, scratch: scratch)
  }

  /// What follows a calling code; a national prefix there is a mistake and is taken off.
  @inline(__always)
  private func afterCallingCode(
    _ digits: DigitRun, _ rules: NumberingRules, notes: NormalisationNotes, scratch: UnsafeMutablePointer<UInt8>?
  ) -> Outcome {
    if let stripped = rules.strippingNationalPrefix(digits, scratch: scratch), keeps(stripped, rules) {
      return finish(stripped, rules, notes: notes.union(.spuriousTrunkPrefix), isInternational: true)
    }
    return finish(digits, rules, notes: notes, isInternational: true)
  }

  /// What follows the home calling code without `+`, when that makes more sense than a national number.
  @inline(__always)
  private func ownCallingCode(
    _ digits: DigitRun, scratch: UnsafeMutablePointer<UInt8>?
  ) -> (number: DigitRun, notes: NormalisationNotes)? {
    let length = home.callingCodeLength
    guard digits.count > length, startsWith(home.callingCode, length, digits) else { return nil }
    let rest = digits.dropping(length)
    let stripped = home.strippingNationalPrefix(rest, scratch: scratch.map { $0 + NumberResolver.scratchSize / 2 })
    let number = stripped ?? rest
    let makesSense =
      home.verdict(onLength: digits.count) == .tooLong
      || (!home.general.matches(digits) && home.general.matches(number))
    // From here on the main region of the calling code counts, as for every other international number.
    return makesSense ? (number, stripped == nil ? [] : .spuriousTrunkPrefix) : nil
  }

  @inline(__always)
  private func startsWith(_ code: Int, _ length: Int, _ digits: DigitRun) -> Bool {
    var value = 0
    for index in 0..<length { value = value &* 10 &+ digits[index] }
    return value == code
  }

  /// The home calling code and the number without its trunk prefix (R-MAT-2), whatever their length; nil without a home,
  /// behind an international prefix, and when the result exceeds 18 digits.
  func joiningHomeCallingCode(_ digits: DigitRun, scratch: UnsafeMutablePointer<UInt8>) -> PhoneNumber? {
    guard hasHome, internationalPrefixLength(digits) == nil else { return nil }
    let number = home.strippingNationalPrefix(digits, scratch: scratch) ?? digits
    guard home.callingCodeLength + number.count <= 18 else { return nil }
    return PhoneNumber(Int64(home.callingCode) * powerOfTen(number.count) + number.value)
  }

  /// `+` in front of something that is no calling code: an international prefix, or nothing international at all.
  @inline(never)
  private func ignoringPlus(_ digits: DigitRun, scratch: UnsafeMutablePointer<UInt8>) -> Outcome? {
    if let end = internationalPrefixLength(digits) {
      return international(digits.dropping(end), notes: .misplacedPlus, scratch: scratch)
    }
    return nil
  }

  /// Digits that cannot be national: a foreign number whose `+` was lost, provided that its range is assigned and it is
  /// too long to be a local number with a slip in it.
  @inline(never)
  private func withLostPlus(_ digits: DigitRun, scratch: UnsafeMutablePointer<UInt8>) -> Outcome? {
    guard interpretation == .auto, digits.count >= 10,
      case .success(let result) = international(digits, notes: .missingPlus, scratch: scratch),
      result.notes == .missingPlus
    else { return nil }
    return .success(result)
  }

  /// Judges a national significant number by the main plan of its calling code and puts the calling code in front.
  private func finish(
    _ number: DigitRun, _ rules: NumberingRules, notes: NormalisationNotes, isInternational: Bool
  ) -> Outcome {
    guard rules.verdict(onLength: number.count) == .possible else {
      return finishOdd(number, rules, notes: notes, isInternational: isInternational)
    }
    // The main plan's ranges are at hand as a table.
    let isAssigned =
      hasHome && rules.callingCode == main.callingCode ? assigned.contains(number) : rules.assigned.matches(number)
    return join(number, rules, notes: notes, isAssigned: isAssigned)
  }

  /// Judges a number whose length the plan does not have.
  @inline(never)
  private func finishOdd(
    _ number: DigitRun, _ rules: NumberingRules, notes: NormalisationNotes, isInternational: Bool
  ) -> Outcome {
    if let present = NumberAliases.folding(number, rules, isInternational: isInternational) {
      return join(
        present, rules, notes: notes.union(.aliasFolded), isAssigned: rules.assigned.matches(present))
    }
    switch rules.verdict(onLength: number.count) {
    // A few whole numbers are as short as local ones, such as Canada's 310 xxxx.
    case .localOnly where rules.assigned.matches(number), .possible:
      return join(number, rules, notes: notes, isAssigned: true)
    case .localOnly: return .failure(.localOnly)
    case .tooShort: return .failure(.tooShort)
    case .tooLong: return .failure(.tooLong)
    case .between: return .failure(.notPossible)
    }
  }

  /// Calling code and number, when that is 7 … 15 digits.
  @inline(__always)
  private func join(
    _ number: DigitRun, _ rules: NumberingRules, notes: NormalisationNotes, isAssigned: Bool
  ) -> Outcome {
    let total = rules.callingCodeLength &+ number.count
    guard total >= 7 else { return .failure(.tooShort) }
    guard total <= PhoneNumber.maximumDigits else { return .failure(.tooLong) }
    let value = number.value(behind: Int64(rules.callingCode))
    return .success(
      NormalisedNumber(number: PhoneNumber(value), notes: isAssigned ? notes : notes.union(.unassigned)))
  }
}
