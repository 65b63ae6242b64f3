internal import CallDirectory

/// Pattern or range → the E.164 numbers it stands for, through the normaliser that reads every other number: a pattern is
/// the set of numbers that callers come to whose digits match it (B-012).
///
///     +33 1 62 ## ## ##              `#` is one digit
///     0199*                          `*` at the end: every number that begins so, of each length such numbers have
///     +74950000000-+74959999999      a range with both its ends; the dash may be an en or em dash
///     +33 1 99 00 00 01              anything else is one number (B-040)
///
/// Nothing is expanded: a pattern comes to a few ranges and its price. A value can be shared by any number of threads.
public struct PatternNormaliser: Sendable {
  /// The most ranges of one pattern. `#` in the middle gives ten each.
  public static let maximumRanges = 1000

  /// How numbers are read.
  public let normaliser: PhoneNormaliser
  /// Numbers that one pattern may come to.
  public let maximumNumbers: Int

  /// A reader of patterns whose numbers are written as `normaliser` reads them.
  public init(_ normaliser: PhoneNormaliser, maximumNumbers: Int = 10_000_000) {
    self.normaliser = normaliser
    self.maximumNumbers = maximumNumbers
  }

  /// The numbers a pattern in UTF-8 stands for, or why it stands for none.
  ///
  /// O(bytes) for a number or a range; a pattern costs up to some 2,000 readings of a number, because its numbers must
  /// all be read alike.
  public func outcome(of text: UnsafeRawBufferPointer) -> Result<NumberRanges, PatternRefusal> {
    switch PatternText.kind(of: text) {
    case .number: return wholeNumber(text)
    case .range(let end, let start, let hasWildcard):
      guard !hasWildcard else { return .failure(PatternRefusal(.misplacedWildcard)) }
      let outcome = outcome(
        from: UnsafeRawBufferPointer(rebasing: text[..<end]), to: UnsafeRawBufferPointer(rebasing: text[start...]))
      // Halves that are no numbers are the halves of a number.
      guard case .failure(let refusal) = outcome, case .number = refusal.cause, case .success(let whole) = number(text)
      else { return outcome }
      return .success(whole)
    case .pattern:
      return withUnsafeTemporaryAllocation(
        of: UInt8.self, capacity: NumberResolver.scratchSize + 2 * PatternText.bufferSize
      ) { room in
        guard let scratch = room.baseAddress else { return .failure(PatternRefusal(.number(.empty))) }
        var pattern = PatternText(text, buffer: scratch + NumberResolver.scratchSize)
        if let cause = pattern.scan() { return .failure(PatternRefusal(cause)) }
        let expansion = PatternExpansion(
          normaliser.resolver, pattern, symbols: scratch + NumberResolver.scratchSize,
          digits: scratch + NumberResolver.scratchSize + PatternText.bufferSize, scratch: scratch,
          options: normaliser.options, maximumNumbers: maximumNumbers)
        return expansion.outcome()
      }
    }
  }

  /// The numbers a pattern stands for. Throws why it stands for none.
  public func ranges(of text: String) throws(PatternRefusal) -> NumberRanges {
    var text = text
    return try text.withUTF8 { outcome(of: UnsafeRawBufferPointer($0)) }.get()
  }

  /// The range between two numbers, both included. The ends must have the same length and the same calling code.
  /// O(length). Throws why there is none.
  package func range(from: String, to: String) throws(PatternRefusal) -> NumberRanges {
    let (first, last) = (Array(from.utf8), Array(to.utf8))
    return try first.withUnsafeBytes { first in last.withUnsafeBytes { outcome(from: first, to: $0) } }.get()
  }

  /// The range between two numbers in UTF-8, both included, or why there is none. The ends must have the same length and
  /// the same calling code. O(bytes).
  public func outcome(
    from: UnsafeRawBufferPointer, to: UnsafeRawBufferPointer
  ) -> Result<NumberRanges, PatternRefusal> {
    let first: NormalisedNumber
    let last: NormalisedNumber
    switch (normaliser.outcome(of: from), normaliser.outcome(of: to)) {
    case (.success(let from), .success(let to)): (first, last) = (from, to)
    case (.failure(let refusal), _), (_, .failure(let refusal)): return .failure(PatternRefusal(.number(refusal)))
    }
    guard first.number <= last.number else {
      return .failure(PatternRefusal(isAlike(first, last) ? .descending : .unlikeEnds))
    }
    guard isAlike(first, last) else { return .failure(PatternRefusal(.unlikeEnds)) }
    var notes = first.notes.union(last.notes)
    if !first.notes.contains(.unassigned) || !last.notes.contains(.unassigned) { notes.remove(.unassigned) }
    let ranges = NumberRanges(first: first.number...last.number, notes: notes)
    let price = ranges.count
    guard price <= maximumNumbers else {
      return .failure(PatternRefusal(.tooManyNumbers, price: price, limit: maximumNumbers))
    }
    return .success(ranges)
  }

  /// A text without wildcards that is no range by its form.
  ///
  /// `+74950000000-9999` is neither: where a number ends at a dash and what stands behind it makes nothing that is
  /// assigned, a range with a shortened end is meant.
  private func wholeNumber(_ text: UnsafeRawBufferPointer) -> Result<NumberRanges, PatternRefusal> {
    let outcome = number(text)
    if case .success(let whole) = outcome, !whole.notes.contains(.unassigned) { return outcome }
    var isCut = false
    PatternText.forEachDash(in: text) { position in
      if case .success(let part) = normaliser.outcome(of: UnsafeRawBufferPointer(rebasing: text[..<position])) {
        isCut = isCut || part.notes.isEmpty
      }
    }
    return isCut ? .failure(PatternRefusal(.unlikeEnds)) : outcome
  }

  private func number(_ text: UnsafeRawBufferPointer) -> Result<NumberRanges, PatternRefusal> {
    switch normaliser.outcome(of: text) {
    case .success(let result):
      .success(NumberRanges(first: result.number...result.number, notes: result.notes))
    case .failure(let refusal): .failure(PatternRefusal(.number(refusal)))
    }
  }

  private func isAlike(_ first: NormalisedNumber, _ last: NormalisedNumber) -> Bool {
    let isShort = first.notes.contains(.shortCode)
    guard isShort == last.notes.contains(.shortCode),
      decimalLength(first.number.rawValue) == decimalLength(last.number.rawValue)
    else { return false }
    return isShort || NumberingPlan.callingCode(of: first.number) == NumberingPlan.callingCode(of: last.number)
  }
}
