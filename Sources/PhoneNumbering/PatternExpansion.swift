internal import CallDirectory

/// Works out the ranges of one pattern with wildcards.
///
/// The numbers of a pattern are not all read: it is enough that they are read alike, which is decided by the first digits
/// behind those that are stated. Samples of these are read, the lowest and the highest number of each.
struct PatternExpansion {
  typealias Outcome = Result<NumberRanges, PatternRefusal>

  private let resolver: NumberResolver
  private let pattern: PatternText
  private let symbols: UnsafeMutablePointer<UInt8>
  private let digits: UnsafeMutablePointer<UInt8>
  private let scratch: UnsafeMutablePointer<UInt8>
  /// Whether the first digits are a calling code.
  private let isInternational: Bool
  /// Whether national numbers have a prefix in front, so that the calling code without one is a calling code.
  private let hasTrunkPrefix: Bool
  private let maximumNumbers: Int

  /// Digits behind `stated` ones of which all values are tried: plans tell numbers apart by their first digits.
  private static func sampledDigits(behind stated: Int) -> Int { min(3, max(1, 10 - stated)) }
  /// More digits than any number has behind the stated ones.
  private static let longestTail = PhoneNumber.maximumDigits

  /// Requires: `symbols` holds the pattern's digits and wildcards; `digits` has as much room, `scratch` that of the
  /// resolver.
  init(
    _ resolver: NumberResolver, _ pattern: PatternText, symbols: UnsafeMutablePointer<UInt8>,
    digits: UnsafeMutablePointer<UInt8>, scratch: UnsafeMutablePointer<UInt8>,
    options: NormalisationOptions, maximumNumbers: Int
  ) {
    self.resolver = resolver
    self.pattern = pattern
    self.symbols = symbols
    self.digits = digits
    self.scratch = scratch
    isInternational = pattern.plus || options.interpretation == .international
    hasTrunkPrefix =
      options.interpretation == .auto && options.region.map { NumberingRules($0).trunkPrefix != 0 } ?? false
    self.maximumNumbers = maximumNumbers
  }

  /// The ranges, or why there are none.
  func outcome() -> Outcome { pattern.hasStar ? starOutcome() : wildcardOutcome() }

  // MARK: One digit each

  private func wildcardOutcome() -> Outcome {
    var tail = 0
    while tail < pattern.count, symbols[pattern.count - 1 - tail] == PatternText.wildcard { tail += 1 }
    let inner = pattern.wildcards - tail
    guard pattern.wildcards <= Self.longestTail else { return .failure(PatternRefusal(.number(.tooLong))) }
    fill(variant: 0, inner: inner, tail: tail)
    if case .failure(let refusal) = read(count: pattern.count) { return .failure(PatternRefusal(.number(refusal))) }
    let price = Int(powerOfTen(pattern.wildcards))
    guard price <= maximumNumbers else { return tooMany(price) }
    let variants = Int(powerOfTen(inner))
    guard variants <= PatternNormaliser.maximumRanges else {
      return .failure(PatternRefusal(.tooManyRanges, price: price, limit: maximumNumbers))
    }
    var ranges: [ClosedRange<PhoneNumber>] = []
    var notes: NormalisationNotes = []
    var isAssigned = false
    for variant in 0..<variants {
      fill(variant: variant, inner: inner, tail: tail)
      switch block(
        count: pattern.count, tail: tail, sampled: max(0, Self.sampledDigits(behind: pattern.count - tail) - inner))
      {
      case .success(let block):
        if let last = ranges.last, last.upperBound >= block.range.lowerBound { return ambiguous }
        ranges.append(block.range)
        notes.formUnion(block.notes)
        isAssigned = isAssigned || !block.notes.contains(.unassigned)
      case .failure(let refusal): return .failure(refusal)
      }
    }
    if isAssigned { notes.remove(.unassigned) }
    guard let first = ranges.first else { return ambiguous }
    return .success(NumberRanges(first: first, more: Array(ranges.dropFirst()), notes: notes))
  }

  /// Writes the pattern's digits with the digits of `variant` for the inner wildcards and zeros for the last ones.
  private func fill(variant: Int, inner: Int, tail: Int) {
    var rest = variant
    for index in stride(from: pattern.count - 1, through: 0, by: -1) {
      if symbols[index] != PatternText.wildcard {
        digits[index] = symbols[index]
      } else if index >= pattern.count - tail {
        digits[index] = UInt8(ascii: "0")
      } else {
        digits[index] = UInt8(rest % 10) + 48
        rest /= 10
      }
    }
  }

  // MARK: All that begin so

  /// Numbers of one length that a `*` may stand for.
  private struct Candidate {
    /// The digits that the stated ones come to.
    var prefix: Int64
    /// Digits behind them.
    var tail: Int
    /// How likely this is what is meant: an assigned number, one that looks like a number, one whose `+` was not lost.
    var rank: Int
  }

  private func starOutcome() -> Outcome {
    if let price = openEndedPrice() {
      return .failure(
        price > 0
          ? PatternRefusal(.openEnded, price: price, limit: maximumNumbers)
          : PatternRefusal(.number(.unknownCallingCode)))
    }
    var candidates: [Candidate] = []
    var refusal = NumberRefusal.tooShort
    for tail in 0...Self.longestTail where pattern.count + tail <= PatternText.bufferSize {
      for filler in [UInt8(ascii: "0"), UInt8(ascii: "9"), UInt8(ascii: "5"), UInt8(ascii: "2")] {
        write(tail: tail, filler)
        switch read(count: pattern.count + tail) {
        case .success(let result):
          guard let prefix = prefix(of: result, tail: tail, filler),
            !candidates.contains(where: { $0.prefix == prefix && $0.tail == tail })
          else { continue }
          let hasPlus = !result.notes.contains(.missingPlus)
          candidates.append(
            Candidate(prefix: prefix, tail: tail, rank: Self.rank(prefix, tail: tail) + (hasPlus ? 1 : 0)))
        case .failure(let found): refusal = found == .tooLong ? refusal : found
        }
      }
    }
    guard let rank = candidates.map(\.rank).max() else { return .failure(PatternRefusal(.number(refusal))) }
    let best = preferred(candidates.filter { $0.rank == rank })
    let price = best.reduce(0) { $0 + Int(powerOfTen($1.tail)) }
    guard price <= maximumNumbers else { return tooMany(price) }
    guard best.allSatisfy({ $0.prefix == best[0].prefix }) else { return ambiguous }
    return union(best)
  }

  /// Where the digits could be national or begin with the calling code, and national numbers have a prefix that these
  /// have not, they are as they are stored: `33199*` in France is `+33199*`.
  private func preferred(_ candidates: [Candidate]) -> [Candidate] {
    guard hasTrunkPrefix, candidates.contains(where: { $0.prefix != candidates[0].prefix }) else { return candidates }
    let stated = DigitRun(start: UnsafePointer(symbols), count: pattern.count)
    let asStored = candidates.filter { pattern.count <= PhoneNumber.maximumDigits && $0.prefix == stated.value }
    return asStored.isEmpty ? candidates : asStored
  }

  private func union(_ candidates: [Candidate]) -> Outcome {
    var ranges: [ClosedRange<PhoneNumber>] = []
    var notes: NormalisationNotes = []
    var isAssigned = false
    for candidate in candidates {
      write(tail: candidate.tail, UInt8(ascii: "0"))
      switch block(
        count: pattern.count + candidate.tail, tail: candidate.tail, sampled: Self.sampledDigits(behind: pattern.count))
      {
      case .success(let block):
        guard block.range.lowerBound.rawValue / powerOfTen(candidate.tail) == candidate.prefix else { return ambiguous }
        ranges.append(block.range)
        notes.formUnion(block.notes)
        isAssigned = isAssigned || !block.notes.contains(.unassigned)
      case .failure: return ambiguous
      }
    }
    if isAssigned { notes.remove(.unassigned) }
    return .success(NumberRanges(first: ranges[0], more: Array(ranges.dropFirst()), notes: notes))
  }

  private func write(tail: Int, _ filler: UInt8) {
    digits.update(from: symbols, count: pattern.count)
    (digits + pattern.count).update(repeating: filler, count: tail)
  }

  /// The digits that the stated ones come to in a number that was read; nil where its last digits are not those that
  /// were written, and for short codes, which a `*` never stands for.
  private func prefix(of result: NormalisedNumber, tail: Int, _ filler: UInt8) -> Int64? {
    let power = powerOfTen(tail)
    let value = result.number.rawValue
    let isKept = value % power == (power - 1) / 9 * Int64(filler - 48)
    return isKept && value >= power && !result.notes.contains(.shortCode) ? value / power : nil
  }

  /// 6 where a number that begins with `prefix` and has `tail` digits more is assigned, 2 where it only looks like one.
  private static func rank(_ prefix: Int64, tail: Int) -> Int {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { room in
      guard let start = room.baseAddress else { return 0 }
      let run = DigitRun(writing: prefix, to: start)
      guard let rules = NumberingRules(leading: run) else { return 0 }
      let national = run.dropping(rules.callingCodeLength)
      if rules.assigned.reaches(national, more: tail) { return 6 }
      return rules.general.reaches(national, more: tail) ? 2 : 0
    }
  }

  /// The numbers of all countries that a pattern without a whole calling code stands for; 0 when no calling code begins
  /// so, nil when the pattern says more than that.
  private func openEndedPrice() -> Int? {
    guard pattern.count < 3, isInternational || pattern.count == 0 else { return nil }
    var stated = 0
    for index in 0..<pattern.count { stated = stated * 10 + Int(symbols[index] - 48) }
    if pattern.count > 0, symbols[0] == UInt8(ascii: "0") { return 0 }
    if pattern.count > 0, NumberingMetadata.mainPlan(ofCallingCode: stated) != nil { return nil }
    // Two digits of which the first is a calling code.
    if pattern.count == 2, NumberingMetadata.mainPlan(ofCallingCode: stated / 10) != nil { return nil }
    var price = 0
    for code in 1...999 {
      let length = code < 10 ? 1 : code < 100 ? 2 : 3
      guard length > pattern.count || pattern.count == 0, let rules = NumberingRules(callingCode: code),
        code / Int(powerOfTen(length - pattern.count)) == stated
      else { continue }
      for count in 1...(PhoneNumber.maximumDigits - length)
      where rules.assigned.reaches(DigitRun(start: UnsafePointer(digits), count: 0), more: count) {
        price += Int(powerOfTen(count))
      }
    }
    return price
  }

  // MARK: Reading

  private func read(count: Int) -> NumberResolver.Outcome {
    guard count > 0 else { return .failure(.noDigits) }
    return resolver.resolve(DigitRun(start: UnsafePointer(digits), count: count), plus: pattern.plus, scratch: scratch)
  }

  /// The range of the numbers whose last `tail` digits vary, provided that all samples are read alike.
  /// Requires: `digits` holds zeros there.
  private func block(
    count: Int, tail: Int, sampled: Int
  ) -> Result<(range: ClosedRange<PhoneNumber>, notes: NormalisationNotes), PatternRefusal> {
    let first: NormalisedNumber
    switch read(count: count) {
    case .success(let result): first = result
    case .failure(let refusal): return .failure(PatternRefusal(.number(refusal)))
    }
    let power = powerOfTen(tail)
    let lowest = first.number.rawValue
    guard lowest % power == 0 else { return .failure(PatternRefusal(.ambiguous)) }
    let notes = first.notes.subtracting(.unassigned)
    var isAssigned = false
    let sampled = min(sampled, tail)
    let step = powerOfTen(tail - sampled)
    for sample in 0..<powerOfTen(sampled) {
      for offset in [sample * step, (sample + 1) * step - 1] {
        var rest = offset
        for index in 0..<tail {
          digits[count - 1 - index] = UInt8(rest % 10) + 48
          rest /= 10
        }
        guard case .success(let result) = read(count: count), result.number.rawValue == lowest + offset,
          result.notes.subtracting(.unassigned) == notes
        else { return .failure(PatternRefusal(.ambiguous)) }
        isAssigned = isAssigned || !result.notes.contains(.unassigned)
        if step == 1 { break }
      }
    }
    let range = PhoneNumber(lowest)...PhoneNumber(lowest + power - 1)
    return .success((range, isAssigned ? notes : notes.union(.unassigned)))
  }

  private func tooMany(_ price: Int) -> Outcome {
    .failure(PatternRefusal(.tooManyNumbers, price: price, limit: maximumNumbers))
  }

  private var ambiguous: Outcome { .failure(PatternRefusal(.ambiguous)) }
}
