internal import CallDirectory

/// Digits in, number out: decides what is calling code, prefix and national number.
///
/// The steps and their order are libphonenumber's `parse`, because the same rows must give the same numbers. Beyond it
/// the length must be possible, which refuses what no phone could call.
struct NumberResolver: Sendable {
  typealias Outcome = Result<NormalisedNumber, NumberRefusal>

  /// Room that `resolve` needs for rewritten numbers.
  static let scratchSize = 128
  /// More digits than any number with any prefix; checked before `resolve`.
  static let maximumDialledDigits = 40

  /// The plan of the source's country.
  private let home: NumberingRules?
  private let interpretation: NumberInterpretation
  private let shortCodes: Bool
  /// The source's own international prefixes, as ASCII digits; nil for those of the home plan.
  private let internationalPrefixes: [[UInt8]]?
  /// Bit d: an international prefix may begin with digit d. Spares most numbers the search for one.
  private let internationalFirstDigits: Int

  init(_ options: NormalisationOptions) {
    home = options.region.map { NumberingRules($0) }
    interpretation = options.interpretation
    shortCodes = options.shortCodes
    let prefixes = options.internationalPrefixes ?? (options.region == nil ? ["00"] : nil)
    internationalPrefixes = prefixes.map { $0.map { Array($0.utf8) } }
    internationalFirstDigits =
      if let internationalPrefixes {
        internationalPrefixes.reduce(0) { $0 | 1 << Int(($1.first ?? 0) & 15) }
      } else {
        home?.internationalFirstDigits ?? 0
      }
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

  @inline(__always)
  private func resolveLong(_ digits: DigitRun, plus: Bool, scratch: UnsafeMutablePointer<UInt8>) -> Outcome {
    if plus {
      let outcome = international(digits, notes: [], scratch: scratch)
      guard case .failure(.unknownCallingCode) = outcome, home != nil else { return outcome }
      return ignoringPlus(digits, scratch: scratch) ?? outcome
    }
    if let end = internationalPrefixLength(digits) {
      return international(digits.dropping(end), notes: [], scratch: scratch)
    }
    if interpretation == .international { return international(digits, notes: [], scratch: scratch) }
    guard let home else { return .failure(.nationalWithoutCountry) }
    if interpretation == .auto, let outcome = ownCallingCode(digits, home, scratch: scratch) { return outcome }
    let number = home.strippingNationalPrefix(digits, scratch: scratch).flatMap { keep($0, home) } ?? digits
    let outcome = finish(number, home, notes: [])
    guard case .failure(let refusal) = outcome, interpretation == .auto else { return outcome }
    return withLostPlus(digits, scratch: scratch) ?? .failure(refusal)
  }

  /// A stripped number counts only when its length is one of the plan's; a short number stays as it was dialled.
  @inline(__always)
  private func keep(_ stripped: DigitRun, _ rules: NumberingRules) -> DigitRun? {
    switch rules.verdict(onLength: stripped.count) {
    case .possible, .tooLong: stripped
    case .tooShort, .localOnly, .between: nil
    }
  }

  /// The length of the international prefix that `digits` begin with; nil without one, or when a 0 follows it, because
  /// no calling code begins with 0.
  @inline(__always)
  private func internationalPrefixLength(_ digits: DigitRun) -> Int? {
    (internationalFirstDigits >> digits[0]) & 1 == 0 ? nil : internationalPrefixLengthByRule(digits)
  }

  @inline(never)
  private func internationalPrefixLengthByRule(_ digits: DigitRun) -> Int? {
    var end: Int?
    if let internationalPrefixes {
      for prefix in internationalPrefixes where prefix.count <= digits.count && prefix.count > (end ?? 0) {
        if prefix.indices.allSatisfy({ digits.start[$0] == prefix[$0] }) { end = prefix.count }
      }
    } else {
      end = home?.internationalPrefix.match(digits)?.end
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
    return national(digits.dropping(rules.callingCodeLength), rules, notes: notes, scratch: scratch)
  }

  /// What follows a calling code; a national prefix there is a mistake and is taken off.
  @inline(__always)
  private func national(
    _ digits: DigitRun, _ rules: NumberingRules, notes: NormalisationNotes, scratch: UnsafeMutablePointer<UInt8>
  ) -> Outcome {
    guard digits.count >= 2 else { return .failure(.tooShort) }
    if let stripped = rules.strippingNationalPrefix(digits, scratch: scratch).flatMap({ keep($0, rules) }) {
      return finish(stripped, rules, notes: notes.union(.spuriousTrunkPrefix))
    }
    return finish(digits, rules, notes: notes)
  }

  /// The home calling code without `+`, when the digits make more sense as such than as a national number.
  @inline(__always)
  private func ownCallingCode(
    _ digits: DigitRun, _ home: NumberingRules, scratch: UnsafeMutablePointer<UInt8>
  ) -> Outcome? {
    let length = home.callingCodeLength
    guard digits.count > length, startsWith(home.callingCode, length, digits) else { return nil }
    var rest = digits.dropping(length)
    var notes: NormalisationNotes = []
    if let stripped = home.strippingNationalPrefix(rest, scratch: scratch + NumberResolver.scratchSize / 2) {
      rest = stripped
      notes = .spuriousTrunkPrefix
    }
    let makesSense =
      home.verdict(onLength: digits.count) == .tooLong
      || (home.general.matches(rest) && !home.general.matches(digits))
    guard makesSense else { return nil }
    // From here on the main region of the calling code counts, as for every other international number.
    guard let rules = NumberingRules(callingCode: home.callingCode) else { return nil }
    return national(rest, rules, notes: notes, scratch: scratch)
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
    guard let home, internationalPrefixLength(digits) == nil else { return nil }
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

  /// Digits that cannot be national: a foreign number whose `+` was lost, provided that its range is assigned.
  @inline(never)
  private func withLostPlus(_ digits: DigitRun, scratch: UnsafeMutablePointer<UInt8>) -> Outcome? {
    guard digits.count >= 7, case .success(let result) = international(digits, notes: .missingPlus, scratch: scratch),
      result.notes == .missingPlus
    else { return nil }
    return .success(result)
  }

  /// Judges the national significant number and puts the calling code in front.
  @inline(__always)
  private func finish(_ national: DigitRun, _ rules: NumberingRules, notes: NormalisationNotes) -> Outcome {
    var national = national
    var notes = notes
    var verdict = rules.verdict(onLength: national.count)
    if verdict != .possible, let present = NumberAliases.folding(national, callingCode: rules.callingCode) {
      national = present
      notes.insert(.aliasFolded)
      verdict = rules.verdict(onLength: present.count)
    }
    switch verdict {
    case .possible: break
    case .localOnly: return .failure(.localOnly)
    case .tooShort: return .failure(.tooShort)
    case .tooLong: return .failure(.tooLong)
    case .between: return .failure(.notPossible)
    }
    let total = rules.callingCodeLength &+ national.count
    guard total >= 7 else { return .failure(.tooShort) }
    guard total <= PhoneNumber.maximumDigits else { return .failure(.tooLong) }
    if !rules.assigned.matches(national) { notes.insert(.unassigned) }
    var value = Int64(rules.callingCode)
    for index in 0..<national.count { value = value &* 10 &+ Int64(national[index]) }
    return .success(NormalisedNumber(number: PhoneNumber(value), notes: notes))
  }
}
