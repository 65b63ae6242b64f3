internal import CallDirectory
internal import PhoneNumbering

/// A number of a row with several that is good by itself; the row decides whether it is kept.
struct TakenNumber {
  var number: PhoneNumber
  var notes: NormalisationNotes
  var action: EntryAction
  /// Its text as it stands in the row, or the whole cell where that had to be rewritten.
  var raw: UnsafeRawBufferPointer
  /// The line where it stands, within the chunk.
  var line: Int
}

// MARK: Rows with several numbers

extension RowIntake {
  /// Every E.164 number is greater; what is below is a short code.
  static var leastOrdinaryNumber: Int64 { 1_000_000 }

  /// Takes in a row that is counted already: each number by itself, then what they have in common.
  @inline(never)
  mutating func acceptSeveral(
    _ fields: UnsafeMutablePointer<FieldSpan>, count: Int, numbers: UnsafeBufferPointer<FieldSpan>, line: Int
  ) throws(ReadingFailure) {
    if let patterns = plan.patterns {
      return try acceptRanges(fields, count: count, numbers: numbers, patterns, line: line)
    }
    let (action, isUnlisted) = try self.action(fields, count: count, line: line)
    taken.removeAll(keepingCapacity: true)
    // A cell that is the only one is judged as it stands.
    let skipsEmpty = !plan.separator.isEmpty || numbers.count > 1
    var isEmpty = true
    for span in numbers {
      let cell = try text(of: span, in: cellScratch)
      var start = 0
      while let (piece, next) = plan.piece(of: cell, from: start) {
        start = next
        let text = plan.separator.isEmpty ? piece : LabelText.trimmed(piece)
        if skipsEmpty, LabelText.trimmed(text).isEmpty { continue }
        isEmpty = false
        try take(text, action, raw: span.isEscaped ? span.bytes : text, line: line + Int(span.lines))
      }
    }
    guard !taken.isEmpty else {
      counts[source].refusedRows += 1
      if isEmpty {
        let weight = RowPlan.occurrences(of: action)
        counts[source].read += weight
        let raw = numbers.first?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
        try refuse(.number(.empty), weight: weight, field: numberField, raw: raw, line: line)
      }
      return
    }
    let weight = taken.reduce(0) { $0 + forms(of: $1.number) * RowPlan.occurrences(of: $1.action) }
    counts[source].read += weight
    guard let common = try common(fields, count: count, weight: weight, line: line) else { return }
    if isUnlisted { noteUnlisted(fields, line: line) }
    for index in taken.indices {
      let taken = taken[index]
      if !taken.notes.isEmpty { note(taken.notes, raw: taken.raw, line: taken.line) }
      try append(taken.number, taken.action, common, notes: taken.notes, cell: taken.raw, line: taken.line)
      if plan.aliases, let other = NumberAliases.otherForm(of: taken.number) {
        note(.aliasAdded, field: numberField, raw: taken.raw, line: taken.line)
        try append(other, taken.action, common, notes: taken.notes, cell: taken.raw, line: taken.line)
      }
    }
  }

  /// Keeps one number of the row in `taken`, or counts it as refused. What is taken is counted as read by the caller.
  private mutating func take(
    _ text: UnsafeRawBufferPointer, _ action: EntryAction, raw: UnsafeRawBufferPointer, line: Int
  ) throws(ReadingFailure) {
    switch plan.normaliser.outcome(of: text) {
    case .failure(let refusal):
      let weight = RowPlan.occurrences(of: action)
      counts[source].read += weight
      try refuse(
        .number(refusal), weight: weight, field: numberField, raw: raw, line: line,
        reason: plan.separator.isEmpty ? nil : refusal.reason)
    case .success(let result):
      var rest = action
      if result.number.rawValue < Self.leastOrdinaryNumber {
        let weight = RowPlan.occurrences(of: action)
        let remaining = try withoutEmergencyBlock(result.number, action, raw: raw, line: line)
        counts[source].read += weight - (remaining.map(RowPlan.occurrences) ?? 0)
        guard let remaining else { return }
        rest = remaining
      }
      taken.append(TakenNumber(number: result.number, notes: result.notes, action: rest, raw: raw, line: line))
    }
  }

  private func forms(of number: PhoneNumber) -> Int {
    plan.aliases && NumberAliases.otherForm(of: number) != nil ? 2 : 1
  }

  /// What is left of `action` for a short code: its blocking part is refused when the number is an emergency number
  /// (B-037), which a phone must be able to be called from. Nil when nothing is left.
  @inline(never)
  mutating func withoutEmergencyBlock(
    _ number: PhoneNumber, _ action: EntryAction, raw: UnsafeRawBufferPointer, line: Int
  ) throws(ReadingFailure) -> EntryAction? {
    guard action == .block || action == .both,
      NumberingPlan.isEmergency(number, in: plan.normaliser.options.region)
    else { return action }
    try refuse(.emergencyNumber, weight: 1, field: numberField, raw: raw, line: line)
    return action == .both ? .identify : nil
  }
}
