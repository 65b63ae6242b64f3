/// The facts of one numbering plan: a region, or a calling code that belongs to no region. What every number needs is
/// decoded when the value is made, some twenty reads; the rest when it is asked for.
struct NumberingRules: Sendable {
  /// Index of the plan; the main region of a calling code comes first of its regions.
  let plan: Int
  /// Country calling code, 1 … 999.
  let callingCode: Int
  /// How many digits the calling code has.
  let callingCodeLength: Int
  /// What a national significant number looks like at all; decides whether a prefix may be taken off.
  let general: NumberPattern
  /// The ranges that are assigned in any region of the calling code.
  let assigned: NumberPattern
  /// Bit n: a national significant number may have n digits.
  let possibleLengths: UInt32
  /// Bit n: n digits can be dialled locally, without an area code.
  let localLengths: UInt32
  /// Recognises what is dialled in front of a national number.
  let nationalPrefix: PrefixProgram
  /// The national prefix where it is a single fixed digit, else −1. Spares the program.
  let trunkDigit: Int

  /// Requires: `0 <= plan < NumberingMetadata.planCount`.
  @inline(__always)
  init(plan: Int) {
    let record = plan &* NumberingMetadata.planWidth
    let plans = NumberingMetadata.plans
    self.plan = plan
    callingCode = NumberingMetadata.pair(plans, record &+ 2)
    callingCodeLength = callingCode < 10 ? 1 : callingCode < 100 ? 2 : 3
    general = NumberPattern(root: NumberingMetadata.pair(plans, record &+ 4))
    assigned = NumberPattern(root: NumberingMetadata.pair(plans, record &+ 6))
    possibleLengths = NumberingMetadata.mask(plans, record &+ 10)
    localLengths = NumberingMetadata.mask(plans, record &+ 13)
    nationalPrefix = PrefixProgram(address: NumberingMetadata.pair(plans, record &+ 16))
    trunkDigit = NumberingMetadata.single(plans, record &+ 18) &- 1
  }

  /// The main plan of a calling code, or nil for an unknown one.
  @inline(__always)
  init?(callingCode: Int) {
    guard let plan = NumberingMetadata.mainPlan(ofCallingCode: callingCode) else { return nil }
    self.init(plan: plan)
  }

  /// The main plan of the calling code that `digits` begin with, or nil when they begin with none.
  @inline(__always)
  init?(leading digits: DigitRun) {
    var code = 0
    for index in 0..<min(3, digits.count) {
      code = code &* 10 &+ digits[index]
      // Calling codes begin with no 0, and none is the beginning of another.
      if code == 0 { return nil }
      if let plan = NumberingMetadata.mainPlan(ofCallingCode: code) {
        self.init(plan: plan)
        return
      }
    }
    return nil
  }

  /// The plan of a region.
  init(_ region: RegionCode) { self.init(plan: region.plan) }

  private func field(_ offset: Int) -> Int {
    NumberingMetadata.pair(NumberingMetadata.plans, plan &* NumberingMetadata.planWidth &+ offset)
  }

  /// The region, or nil for a calling code without one (+800, +881 …).
  var region: RegionCode? {
    let letters = NumberingMetadata.plans.utf8Start + plan &* NumberingMetadata.planWidth
    return RegionCode(letters[0], letters[1])
  }

  /// Where the region tree of the calling code starts: a plan, or a node when not below the plan count.
  var regionTree: Int { field(8) }
  /// Address of the digits that replace the national prefix when its group took part; 0 for no replacement.
  var transform: Int { field(19) }
  /// Recognises what is dialled in front of a calling code.
  var internationalPrefix: PrefixProgram { PrefixProgram(address: field(21)) }
  /// Bit d: an international prefix may begin with digit d.
  var internationalFirstDigits: Int { field(23) }
  /// Bit d: the second digit may be d where the number begins with an international prefix.
  var internationalSecondDigits: Int { field(25) }
  /// Address of the trunk prefix as people write it; 0 for none.
  var trunkPrefix: Int { field(27) }
  /// Address of the emergency numbers, `e` between them; 0 for none.
  var emergencyNumbers: Int { field(29) }
}

extension NumberingRules {
  /// What libphonenumber calls the possible length of a national significant number.
  enum LengthVerdict { case possible, localOnly, tooShort, tooLong, between }

  /// Judges a count of digits.
  @inline(__always)
  func verdict(onLength count: Int) -> LengthVerdict {
    if count < 32, (possibleLengths >> UInt32(count)) & 1 == 1 { return .possible }
    if count < 32, (localLengths >> UInt32(count)) & 1 == 1 { return .localOnly }
    if count < possibleLengths.trailingZeroBitCount { return .tooShort }
    return count > 31 - possibleLengths.leadingZeroBitCount ? .tooLong : .between
  }

  /// Takes the national prefix off `number`, or rewrites the number where the plan says so; nil when nothing is to be
  /// taken off. A number that is viable as it stands stays when it would not be afterwards.
  ///
  /// A rewritten number lies in `scratch`. Requires: room for `number.count` + 8 digits there, or nil where the plan
  /// rewrites nothing.
  @inline(__always)
  func strippingNationalPrefix(_ number: DigitRun, scratch: UnsafeMutablePointer<UInt8>?) -> DigitRun? {
    guard number.count > 0 else { return nil }
    if trunkDigit >= 0 {
      return number[0] == trunkDigit ? strippingTrunkDigit(number) : nil
    }
    return nationalPrefix.address == 0 ? nil : strippingByProgram(number, scratch: scratch)
  }

  @inline(never)
  private func strippingTrunkDigit(_ number: DigitRun) -> DigitRun? {
    let rest = number.dropping(1)
    return general.matches(number) && !general.matches(rest) ? nil : rest
  }

  @inline(never)
  private func strippingByProgram(_ number: DigitRun, scratch: UnsafeMutablePointer<UInt8>?) -> DigitRun? {
    guard let match = nationalPrefix.match(number) else { return nil }
    var result = number.dropping(match.end)
    if transform != 0, let group = match.group, let scratch {
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

  /// Whether one of the plan's emergency numbers, as dialled, lies in `values`.
  func hasEmergencyNumber(in values: ClosedRange<Int64>) -> Bool {
    var current: Int64 = 0
    var leadingZero = false
    var found = false
    NumberingRules.forEachLiteralCharacter(at: emergencyNumbers) { character in
      if character == UInt8(ascii: "e") {
        found = found || (values.contains(current) && !leadingZero)
        (current, leadingZero) = (0, false)
      } else {
        leadingZero = leadingZero || (current == 0 && character == UInt8(ascii: "0"))
        current = current * 10 + Int64(character &- 48)
      }
    }
    return found || (values.contains(current) && !leadingZero)
  }
}
