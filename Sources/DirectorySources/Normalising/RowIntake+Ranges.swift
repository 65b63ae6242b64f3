internal import CallDirectory
internal import PhoneNumbering

/// A range of a row that is good by itself; the row decides whether it is kept.
struct TakenRange {
  var range: ClosedRange<PhoneNumber>
  var notes: NormalisationNotes
  var action: EntryAction
  /// The text of its pattern as it stands in the row.
  var raw: UnsafeRawBufferPointer
  /// The line where it stands, within the chunk.
  var line: Int
}

// MARK: Patterns and ranges

extension RowIntake {
  /// Occurrences that one thread counts of one source, so that no sum of them overflows. Far beyond what can be planned.
  static var mostOccurrences: Int { 1 << 50 }

  /// Takes in a row of a source of patterns or ranges that is counted already: each pattern by itself, then what they
  /// have in common. An occurrence is one number in one family; a refused pattern never became numbers and counts as one
  /// in each.
  @inline(never)
  mutating func acceptRanges(
    _ fields: UnsafeMutablePointer<FieldSpan>, count: Int, numbers: UnsafeBufferPointer<FieldSpan>,
    _ patterns: PatternNormaliser, line: Int
  ) throws(ReadingFailure) {
    let (action, isUnlisted) = try self.action(fields, count: count, line: line)
    takenRanges.removeAll(keepingCapacity: true)
    var isEmpty = true
    if columns.last >= 0 {
      isEmpty = false
      try takeRange(fields, count: count, numbers, action, patterns, line: line)
    } else {
      let skipsEmpty = !plan.separator.isEmpty || numbers.count > 1
      for span in numbers {
        let cell = try text(of: span, in: cellScratch)
        var start = 0
        while let (piece, next) = plan.piece(of: cell, from: start) {
          start = next
          if skipsEmpty, LabelText.trimmed(piece).isEmpty { continue }
          isEmpty = false
          let raw = span.isEscaped ? span.bytes : piece
          try take(patterns.outcome(of: piece), action, raw: raw, line: line + Int(span.lines))
        }
      }
    }
    guard !takenRanges.isEmpty else {
      counts[source].refusedRows += 1
      if isEmpty {
        let raw = numbers.first?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
        try refusePattern(.number(.empty), action, raw: raw, line: line)
      }
      return
    }
    addAliases()
    let size = sum { NumberRanges.count(of: $0.range) }
    let weight = sum { NumberRanges.count(of: $0.range) * RowPlan.occurrences(of: $0.action) }
    guard weight <= Self.mostOccurrences - counts[source].read else {
      counts[source].refusedRows += 1
      return try refusePattern(
        .pattern(.tooManyNumbers), action, raw: numbers[0].bytes, line: line,
        reason: "the patterns of this source come to more numbers than can be counted")
    }
    counts[source].read += weight
    guard let common = try common(fields, count: count, weight: weight, line: line) else { return }
    if isUnlisted { noteUnlisted(fields, line: line) }
    counts[source].rangeRows += 1
    counts[source].rangeNumbers += size
    for index in takenRanges.indices { try append(takenRanges[index], common) }
  }

  /// The range whose first number stands in the row's number field and whose last stands in a field of its own.
  private mutating func takeRange(
    _ fields: UnsafeMutablePointer<FieldSpan>, count: Int, _ numbers: UnsafeBufferPointer<FieldSpan>,
    _ action: EntryAction, _ patterns: PatternNormaliser, line: Int
  ) throws(ReadingFailure) {
    guard let first = numbers.first, columns.last < count else {
      let raw = numbers.first?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
      return try refusePattern(.number(.empty), action, raw: raw, line: line)
    }
    // Apart in memory: both may have doubled quotes.
    let from = try text(of: first, in: cellScratch)
    let to = try text(of: fields[columns.last], in: labelScratch)
    try take(patterns.outcome(from: from, to: to), action, raw: first.bytes, line: line)
  }

  /// Keeps the ranges of one pattern in `takenRanges`, or counts them as refused. What is taken is counted as read by the
  /// caller.
  private mutating func take(
    _ outcome: Result<NumberRanges, PatternRefusal>, _ action: EntryAction, raw: UnsafeRawBufferPointer, line: Int
  ) throws(ReadingFailure) {
    switch outcome {
    case .failure(let refusal):
      try refusePattern(
        .pattern(refusal.cause), action, raw: raw, line: line,
        reason: refusal.price > 0 ? refusal.reason : nil)
    case .success(let ranges):
      var rest = action
      if ranges.notes.contains(.shortCode) {
        guard let remaining = try withoutEmergencyBlock(ranges, action, raw: raw, line: line) else { return }
        rest = remaining
      }
      if !ranges.notes.isEmpty { note(ranges.notes, raw: raw, line: line) }
      for range in ranges.all {
        takenRanges.append(TakenRange(range: range, notes: ranges.notes, action: rest, raw: raw, line: line))
      }
    }
  }

  /// As for a single number: the blocking part of a pattern with an emergency number in it is refused (B-037).
  private mutating func withoutEmergencyBlock(
    _ ranges: NumberRanges, _ action: EntryAction, raw: UnsafeRawBufferPointer, line: Int
  ) throws(ReadingFailure) -> EntryAction? {
    let region = plan.normaliser.options.region
    guard action == .block || action == .both,
      ranges.all.contains(where: { NumberingPlan.containsEmergency($0, in: region) })
    else { return action }
    counts[source].read += 1
    let isOne = ranges.count == 1
    try refuse(
      .emergencyNumber, weight: 1, field: numberField, raw: raw, line: line,
      reason: isOne ? nil : "an emergency number is among these short codes; list the others one by one")
    return action == .both ? .identify : nil
  }

  /// Adds the other forms of the numbers taken, where the source asks for them.
  private mutating func addAliases() {
    guard plan.aliases else { return }
    for index in takenRanges.indices {
      for other in NumberAliases.otherForms(of: takenRanges[index].range) {
        var form = takenRanges[index]
        form.range = other
        takenRanges.append(form)
        note(.aliasAdded, field: numberField, raw: form.raw, line: form.line)
      }
    }
  }

  /// The sum over what is taken; one more than can be counted where it is more than that.
  private func sum(_ value: (TakenRange) -> Int) -> Int {
    takenRanges.reduce(0) { min(Self.mostOccurrences + 1, $0 + min(Self.mostOccurrences, value($1))) }
  }

  private mutating func refusePattern(
    _ code: FindingCode, _ action: EntryAction, raw: UnsafeRawBufferPointer, line: Int,
    reason: String? = nil
  ) throws(ReadingFailure) {
    let weight = RowPlan.occurrences(of: action)
    counts[source].read += weight
    try refuse(code, weight: weight, field: numberField, raw: raw, line: line, reason: reason)
  }

  private mutating func append(_ taken: TakenRange, _ common: RowCommon) throws(ReadingFailure) {
    if let trace {
      trace.accept(
        taken.range, taken.action, isLabelled: !common.label.isEmpty, notes: taken.notes, field: numberField,
        cell: taken.raw, row: row, line: taken.line)
    }
    let flags = common.flags | RowRecord.code(of: taken.action)
    let isRange = taken.range.lowerBound < taken.range.upperBound
    do {
      try builder.append(
        number: taken.range.lowerBound.rawValue,
        order: RowRecord.order(
          chunk: chunk.index, line: taken.line, flags: isRange ? flags | RowRecord.lastFlag : flags),
        score: common.score, area: common.area, last: taken.range.upperBound.rawValue, label: common.label)
    } catch {
      throw ReadingFailure(chunk: chunk.index, line: taken.line, error: error)
    }
  }
}
