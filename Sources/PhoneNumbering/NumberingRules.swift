/// The facts of one numbering plan: a region, or a calling code that belongs to no region. Reads the generated record
/// field by field; holds only its index.
struct NumberingRules: Sendable {
  /// Index of the plan; the main region of a calling code comes first of its regions.
  let plan: Int

  /// The main plan of a calling code, or nil for an unknown one.
  @inline(__always)
  init?(callingCode: Int) {
    guard let plan = NumberingMetadata.mainPlan(ofCallingCode: callingCode) else { return nil }
    self.plan = plan
  }

  /// The main plan of the calling code that `digits` begin with, or nil when they begin with none.
  @inline(__always)
  init?(leading digits: DigitRun) {
    var code = 0
    for index in 0..<min(3, digits.count) {
      code = code &* 10 &+ digits[index]
      // Calling codes begin with no 0, and none is the beginning of another.
      if code == 0 { return nil }
      if let rules = NumberingRules(callingCode: code) {
        self = rules
        return
      }
    }
    return nil
  }

  /// The plan of a region.
  init(_ region: RegionCode) { plan = region.plan }

  /// Requires: `0 <= plan < NumberingMetadata.planCount`.
  init(plan: Int) { self.plan = plan }

  @inline(__always)
  private func field(_ offset: Int) -> Int {
    NumberingMetadata.pair(NumberingMetadata.plans, plan &* NumberingMetadata.planWidth &+ offset)
  }

  @inline(__always)
  private func lengths(_ offset: Int) -> UInt32 {
    NumberingMetadata.mask(NumberingMetadata.plans, plan &* NumberingMetadata.planWidth &+ offset)
  }

  /// The region, or nil for a calling code without one (+800, +881 …).
  var region: RegionCode? {
    let letters = NumberingMetadata.plans.utf8Start + plan &* NumberingMetadata.planWidth
    return RegionCode(letters[0], letters[1])
  }

  /// Country calling code, 1 … 999.
  @inline(__always)
  var callingCode: Int { field(2) }
  /// What a national significant number looks like at all; decides whether a prefix may be taken off.
  @inline(__always)
  var general: NumberPattern { NumberPattern(root: field(4)) }
  /// The ranges that are assigned in any region of the calling code.
  @inline(__always)
  var assigned: NumberPattern { NumberPattern(root: field(6)) }
  /// Where the region tree of the calling code starts: a plan, or a node when not below the plan count.
  @inline(__always)
  var regionTree: Int { field(8) }
  /// Bit n: a national significant number may have n digits.
  @inline(__always)
  var possibleLengths: UInt32 { lengths(10) }
  /// Bit n: n digits can be dialled locally, without an area code.
  @inline(__always)
  var localLengths: UInt32 { lengths(13) }
  /// Recognises what is dialled in front of a national number.
  @inline(__always)
  var nationalPrefix: PrefixProgram { PrefixProgram(address: field(16)) }
  /// The national prefix where it is a single fixed digit, else −1. Spares the program.
  @inline(__always)
  var trunkDigit: Int {
    NumberingMetadata.single(NumberingMetadata.plans, plan &* NumberingMetadata.planWidth &+ 18) &- 1
  }
  /// Address of the digits that replace the national prefix when its group took part; 0 for no replacement.
  @inline(__always)
  var transform: Int { field(19) }
  /// Recognises what is dialled in front of a calling code.
  @inline(__always)
  var internationalPrefix: PrefixProgram { PrefixProgram(address: field(21)) }
  /// Bit d: an international prefix may begin with digit d.
  var internationalFirstDigits: Int { field(23) }
  /// Address of the trunk prefix as people write it; 0 for none.
  var trunkPrefix: Int { field(25) }
  /// Address of the emergency numbers, `e` between them; 0 for none.
  var emergencyNumbers: Int { field(27) }

  /// How many digits the calling code has.
  @inline(__always)
  var callingCodeLength: Int {
    let code = callingCode
    return code < 10 ? 1 : code < 100 ? 2 : 3
  }
}

extension NumberingRules {
  /// What libphonenumber calls the possible length of a national significant number.
  enum LengthVerdict { case possible, localOnly, tooShort, tooLong, between }

  /// Judges a count of digits.
  @inline(__always)
  func verdict(onLength count: Int) -> LengthVerdict {
    let possible = possibleLengths
    if count < 32, (possible >> UInt32(count)) & 1 == 1 { return .possible }
    if count < 32, (localLengths >> UInt32(count)) & 1 == 1 { return .localOnly }
    if count < possible.trailingZeroBitCount { return .tooShort }
    return count > 31 - possible.leadingZeroBitCount ? .tooLong : .between
  }

  /// Takes the national prefix off `number`, or rewrites the number where the plan says so; nil when nothing is to be
  /// taken off. A number that is viable as it stands stays when it would not be afterwards.
  ///
  /// A rewritten number lies in `scratch`. Requires: room for `number.count` + 8 digits there.
  @inline(__always)
  func strippingNationalPrefix(_ number: DigitRun, scratch: UnsafeMutablePointer<UInt8>) -> DigitRun? {
    guard number.count > 0 else { return nil }
    let digit = trunkDigit
    if digit >= 0 {
      guard number[0] == digit else { return nil }
      let rest = number.dropping(1)
      return general.matches(number) && !general.matches(rest) ? nil : rest
    }
    let program = nationalPrefix
    return program.address == 0 ? nil : strippingNationalPrefix(number, program, scratch: scratch)
  }

  @inline(never)
  private func strippingNationalPrefix(
    _ number: DigitRun, _ program: PrefixProgram, scratch: UnsafeMutablePointer<UInt8>
  ) -> DigitRun? {
    guard let match = program.match(number) else { return nil }
    var result = number.dropping(match.end)
    if transform != 0, let group = match.group {
      result = rewriting(number, group: group, rest: result, scratch: scratch)
    } else if match.end == 0 {
      return nil
    }
    return general.matches(number) && !general.matches(result) ? nil : result
  }

  /// The transform's digits, the group, the rest.
  private func rewriting(
    _ number: DigitRun, group: Range<Int>, rest: DigitRun, scratch: UnsafeMutablePointer<UInt8>
  ) -> DigitRun {
    var count = 0
    NumberingRules.forEachLiteralCharacter(at: transform) { character in
      scratch[count] = character
      count += 1
    }
    for index in group {
      scratch[count] = number.start[index]
      count += 1
    }
    for index in 0..<rest.count {
      scratch[count] = rest.start[index]
      count += 1
    }
    return DigitRun(start: UnsafePointer(scratch), count: count)
  }

  /// Calls `body` with each character of a literal of the program table.
  static func forEachLiteralCharacter(at address: Int, _ body: (UInt8) -> Void) {
    guard address != 0 else { return }
    var character = NumberingMetadata.programs.utf8Start + address
    while character.pointee != UInt8(ascii: "m") {
      body(character.pointee)
      character += 1
    }
  }

  /// Whether `value`, as dialled, is one of the plan's emergency numbers.
  func hasEmergencyNumber(_ value: Int64) -> Bool {
    var current: Int64 = 0
    var leadingZero = false
    var found = false
    NumberingRules.forEachLiteralCharacter(at: emergencyNumbers) { character in
      if character == UInt8(ascii: "e") {
        found = found || (current == value && !leadingZero)
        (current, leadingZero) = (0, false)
      } else {
        leadingZero = leadingZero || (current == 0 && character == UInt8(ascii: "0"))
        current = current * 10 + Int64(character &- 48)
      }
    }
    return found || (current == value && !leadingZero)
  }
}
