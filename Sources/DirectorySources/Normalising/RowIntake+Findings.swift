internal import PhoneNumbering

// MARK: What is counted and reported

extension RowIntake {
  /// Refuses a row before its fields are looked at; `row` is the part to name, where that is not the `whole`.
  mutating func refuse(
    _ code: FindingCode, row: UnsafeRawBufferPointer, of whole: UnsafeRawBufferPointer? = nil, line: Int,
    reason: String? = nil
  ) throws(ReadingFailure) {
    self.row = whole ?? row
    counts[source].rows += 1
    counts[source].refusedRows += 1
    let weight = unknownWeight
    counts[source].read += weight
    try refuse(code, weight: weight, field: nil, raw: row, line: line, reason: reason)
  }

  /// Occurrences of a row whose action cell could not be read.
  var unknownWeight: Int {
    plan.cases.isEmpty ? RowPlan.occurrences(of: plan.action) : 1
  }

  @inline(never)
  mutating func refuseFieldCount(
    _ count: Int, row: UnsafeRawBufferPointer, line: Int
  ) throws(ReadingFailure) {
    counts[source].rows += 1
    counts[source].refusedRows += 1
    let weight = unknownWeight
    counts[source].read += weight
    let expected = columns.fieldCount ?? columns.number + 1
    let origin = columns.hasHeader ? "the header has" : "the first row has"
    try refuse(
      .fieldCount, weight: weight, field: nil, raw: row, line: line,
      reason: "\(count) \(count == 1 ? "field" : "fields"), \(origin) \(expected)")
  }

  /// Counts `weight` occurrences as refused. Whether the row is a refused one is for the caller to say and to count.
  @inline(never)
  mutating func refuse(
    _ code: FindingCode, weight: Int, field: Int?, raw: UnsafeRawBufferPointer, line: Int, reason: String? = nil
  ) throws(ReadingFailure) {
    counts[source].refused += weight
    let column = rowColumn.characters(before: row)
    let draft = { [chunk] in
      ExampleDraft(
        chunk: chunk.index, line: line, field: field, column: column,
        raw: String(decoding: raw.prefix(ExampleDraft.rawLimit), as: UTF8.self), reason: reason ?? code.finding.text)
    }
    counts[source].count(code, example: draft)
    if let trace {
      trace.refuse(reason: reason ?? code.finding.text, field: field, cell: raw, row: row, line: line)
    }
    if plan.stopsAtBadRow {
      let example = draft()
      var failure = failure(
        line: line, field: field, "\(example.reason): \(example.raw)",
        hint: "mend the row, or set \"onBadRow\": \"skip\" to go on without such rows")
      if let column {
        failure.error.column = column + 1
        failure.countsCharacters = true
      }
      throw failure
    }
  }

  @inline(never)
  mutating func note(_ notes: NormalisationNotes, raw: UnsafeRawBufferPointer, line: Int) {
    var bits = notes.rawValue
    while bits != 0 {
      let bit = bits.trailingZeroBitCount
      bits &= bits - 1
      note(.numberNote(bit: bit), field: columns.number, raw: raw, line: line)
    }
  }

  mutating func noteCut(_ fields: UnsafeMutablePointer<FieldSpan>, count: Int, line: Int) {
    let field = columns.label >= 0 ? columns.label : templateColumns.first ?? columns.number
    let raw = field < count ? fields[field].bytes : UnsafeRawBufferPointer(start: nil, count: 0)
    note(.labelCut, field: field, raw: raw, line: line)
  }

  mutating func noteUnlisted(_ fields: UnsafeMutablePointer<FieldSpan>, line: Int) {
    note(.actionNotListed, field: columns.action, raw: fields[columns.action].bytes, line: line)
  }

  mutating func note(_ code: FindingCode, field: Int?, raw: UnsafeRawBufferPointer, line: Int) {
    let column = counts[source].keepsExample(of: code) ? rowColumn.characters(before: row) : nil
    counts[source].count(code) { [chunk] in
      ExampleDraft(
        chunk: chunk.index, line: line, field: field, column: column,
        raw: String(decoding: raw.prefix(ExampleDraft.rawLimit), as: UTF8.self), reason: code.finding.text)
    }
  }

  /// B-122, B-124: letters are never replaced; where the file is not UTF-8, it is said with the place. `offset` counts
  /// from the field's first byte that is neither blank nor quote.
  @inline(never)
  func invalidText(_ field: FieldSpan, offset: Int, column: Int, line: Int) -> ReadingFailure {
    // The offset is looked for again in the file's own bytes: trimming and unquoting may have moved it.
    var first = 0
    if case .invalid(let found) = LabelText.condition(of: field.bytes) { first = found }
    let position = chunk.offset + (field.start - base) + first
    let byte = first < field.bytes.count ? field.bytes[first] : 0
    let hexadecimal = String(byte, radix: 16, uppercase: true)
    let place = chunk.isUnpacked ? "\(position) of the unpacked data" : "\(position)"
    return failure(
      line: line, field: column, "byte 0x\(hexadecimal) at offset \(place) is not valid UTF-8", hint: TextEncoding.hint)
  }

  func tooManyAreas(line: Int) -> ReadingFailure {
    failure(
      line: line, field: columns.area, "too many different areas to keep in memory",
      hint: "check that \"area\" names the right column, or allow more memory")
  }

  func failure(line: Int, field: Int?, _ what: String, hint: String) -> ReadingFailure {
    let file = files[chunk.file]
    let names = chunk.layout.names
    let place = field.flatMap { $0 < names.count ? " (\(names[$0]))" : nil } ?? ""
    return ReadingFailure(
      chunk: chunk.index, line: line,
      error: SourceError(
        .data, source: sources[file.source].id, file: file.path,
        column: file.format.hasPositions ? field.map { $0 + 1 } : nil, what + place, hint: hint),
      isAtLine: true)
  }
}
