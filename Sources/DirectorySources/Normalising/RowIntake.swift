internal import CallDirectory
internal import PhoneNumbering
internal import SystemSupport

/// One field of a row, still as it stands in the chunk.
struct FieldSpan {
  var start: UnsafeRawPointer
  var end: UnsafeRawPointer
  /// The field was quoted and holds doubled quotes.
  var isEscaped = false

  @inline(__always)
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: end - start) }
}

/// Turns the rows of one thread's chunks into records: number, action, score, label, area, in this order, so that a row
/// with several faults is refused for the first of them. No allocation per row.
struct RowIntake: ~Copyable {
  private var builder: RunBuilder
  private var areas: AreaCache
  private let plans: [RowPlan]
  /// One per source. No array, so that a row does not ask whether it is shared.
  private let counts: UnsafeMutableBufferPointer<SourceTally>
  private let sources: [SourceDescription]
  private let files: [InputFile]

  /// Unquoted cells; an unquoted label; a cleaned label. Apart, because a label is kept while other cells are read.
  private let cellScratch = ChunkBuffer()
  private let labelScratch = ChunkBuffer()
  private let cleanScratch = ChunkBuffer()

  private var chunk: Chunk
  private var columns: RowLayout
  private var source = 0
  private var plan: RowPlan
  private var base: UnsafeRawPointer

  /// Requires: `plans` is not empty, one per source.
  init(
    builder: consuming RunBuilder, areas: AreaCache, sources: [SourceDescription], files: [InputFile],
    plans: [RowPlan]
  ) {
    self.builder = builder
    self.areas = areas
    self.plans = plans
    plan = plans[0]
    counts = .allocate(capacity: plans.count)
    counts.initialize(repeating: SourceTally())
    self.sources = sources
    self.files = files
    chunk = Chunk(
      index: 0, file: 0, offset: 0, count: 0, isCutRow: false,
      layout: FileLayout(syntax: .table(TableSyntax(.numbers, fieldSeparator: .comma, lineEnd: .lineFeed))))
    columns = chunk.layout.columns
    base = UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
  }

  deinit {
    counts.deinitialize()
    counts.deallocate()
  }

  /// What has been counted, per source.
  var tallies: [SourceTally] { Array(counts) }

  /// The rows that come next belong to `chunk`, whose bytes begin at `base`.
  mutating func begin(_ chunk: Chunk, at base: UnsafeRawPointer) {
    self.chunk = chunk
    columns = chunk.layout.columns
    self.base = base
    if source != files[chunk.file].source {
      source = files[chunk.file].source
      plan = plans[source]
    }
  }

  /// Rows met so far of the source that `chunk` belongs to.
  func rows(of chunk: Chunk) -> Int { counts[files[chunk.file].source].rows }

  /// Hands the last records to the store.
  mutating func finish() throws(SourceError) { try builder.flush() }

  /// Takes in a row: the first `used` of its `count` fields, the row's bytes, and its line within the chunk.
  @inline(__always)
  mutating func accept(
    _ fields: UnsafeMutablePointer<FieldSpan>, count: Int, row: UnsafeRawBufferPointer, line: Int
  ) throws(ReadingFailure) {
    let layout = columns
    counts[source].rows += 1
    if count != layout.fieldCount ?? count || count <= layout.number {
      return try refuseFieldCount(count, row: row, line: line)
    }

    var action = plan.action
    var isUnlisted = false
    if layout.action >= 0, layout.action < count {
      (action, isUnlisted) = try self.action(of: fields[layout.action], line: line)
    }
    let weight = RowPlan.occurrences(of: action)
    counts[source].read += weight

    let numberText = try text(of: fields[layout.number], in: cellScratch)
    let number: NormalisedNumber
    switch plan.normaliser.outcome(of: numberText) {
    case .success(let accepted): number = accepted
    case .failure(let refusal):
      return try refuse(
        .number(refusal), weight: weight, field: layout.number, raw: fields[layout.number].bytes, line: line)
    }

    var flags = RowRecord.code(of: action)
    var score = 0.0
    if layout.score >= 0, layout.score < count {
      let cell = LabelText.trimmed(try text(of: fields[layout.score], in: cellScratch))
      if !cell.isEmpty {
        guard let value = ScoreText.value(of: cell) else {
          return try refuse(
            .scoreNotANumber, weight: weight, field: layout.score, raw: fields[layout.score].bytes, line: line)
        }
        score = value
        flags |= RowRecord.scoreFlag
      }
    }

    var label = UnsafeRawBufferPointer(start: nil, count: 0)
    var hasControls = false
    if layout.label >= 0, layout.label < count {
      label = LabelText.trimmed(try text(of: fields[layout.label], in: labelScratch))
      let condition = LabelText.condition(of: label)
      if condition != .clean {
        label = try cleaned(label, condition, field: fields[layout.label], line: line)
        hasControls = true
      }
      if label.count > CallLabel.maximumBytes {
        return try refuse(
          .labelTooLong, weight: weight, field: layout.label, raw: fields[layout.label].bytes, line: line)
      }
    }

    var area: UInt32 = 0
    if layout.area >= 0, layout.area < count {
      let cell = LabelText.trimmed(try text(of: fields[layout.area], in: cellScratch))
      if !cell.isEmpty {
        area = try areaNumber(cell, field: fields[layout.area], line: line)
        flags |= RowRecord.areaFlag
      }
    }

    if isUnlisted { note(.actionNotListed, field: layout.action, raw: fields[layout.action].bytes, line: line) }
    if hasControls {
      note(.labelControlCharacters, field: layout.label, raw: fields[layout.label].bytes, line: line)
    }
    if !number.notes.isEmpty { note(number.notes, raw: fields[layout.number].bytes, line: line) }
    do {
      try builder.append(
        number: number.number.rawValue, order: RowRecord.order(chunk: chunk.index, line: line, flags: flags),
        score: score, area: area, label: label)
    } catch {
      throw ReadingFailure(chunk: chunk.index, line: line, error: error)
    }
  }

  /// Refuses a row before its fields are looked at.
  mutating func refuse(_ code: FindingCode, row: UnsafeRawBufferPointer, line: Int) throws(ReadingFailure) {
    counts[source].rows += 1
    let weight = unknownWeight
    counts[source].read += weight
    try refuse(code, weight: weight, field: nil, raw: row, line: line)
  }

  /// Occurrences of a row whose action cell could not be read.
  private var unknownWeight: Int {
    plan.cases.isEmpty ? RowPlan.occurrences(of: plan.action) : 1
  }

  @inline(never)
  private mutating func refuseFieldCount(
    _ count: Int, row: UnsafeRawBufferPointer, line: Int
  ) throws(ReadingFailure) {
    let weight = unknownWeight
    counts[source].read += weight
    let expected = columns.fieldCount ?? columns.number + 1
    let origin = columns.hasHeader ? "the header has" : "the first row has"
    try refuse(
      .fieldCount, weight: weight, field: nil, raw: row, line: line,
      reason: "\(count) \(count == 1 ? "field" : "fields"), \(origin) \(expected)")
  }

  @inline(never)
  private mutating func refuse(
    _ code: FindingCode, weight: Int, field: Int?, raw: UnsafeRawBufferPointer, line: Int, reason: String? = nil
  ) throws(ReadingFailure) {
    counts[source].refusedRows += 1
    counts[source].refused += weight
    let draft = { [chunk] in
      ExampleDraft(
        chunk: chunk.index, line: line, field: field,
        raw: String(decoding: raw.prefix(ExampleDraft.rawLimit), as: UTF8.self), reason: reason ?? code.finding.text)
    }
    counts[source].count(code, example: draft)
    if plan.stopsAtBadRow {
      let example = draft()
      throw failure(
        line: line, field: field, "\(example.reason): \(example.raw)",
        hint: "mend the row, or set \"onBadRow\": \"skip\" to go on without such rows")
    }
  }

  @inline(never)
  private mutating func note(_ notes: NormalisationNotes, raw: UnsafeRawBufferPointer, line: Int) {
    var bits = notes.rawValue
    while bits != 0 {
      let bit = bits.trailingZeroBitCount
      bits &= bits - 1
      note(.numberNote(bit: bit), field: columns.number, raw: raw, line: line)
    }
  }

  private mutating func note(_ code: FindingCode, field: Int, raw: UnsafeRawBufferPointer, line: Int) {
    counts[source].count(code) { [chunk] in
      ExampleDraft(
        chunk: chunk.index, line: line, field: field,
        raw: String(decoding: raw.prefix(ExampleDraft.rawLimit), as: UTF8.self), reason: code.finding.text)
    }
  }

  /// The action a cell stands for: listed cells have theirs, all others identify. One that says something else is to be
  /// noted, since it may be a listed one misspelt.
  private func action(
    of field: FieldSpan, line: Int
  ) throws(ReadingFailure) -> (action: EntryAction, isUnlisted: Bool) {
    let cell = LabelText.trimmed(try text(of: field, in: cellScratch))
    for listed in plan.cases where listed.text.count == cell.count {
      if listed.text.withUnsafeBytes({ ByteSearch.isEqual($0, cell) }) { return (listed.action, false) }
    }
    if case .invalid(let offset) = LabelText.condition(of: cell) {
      throw invalidText(field, offset: offset, column: columns.action, line: line)
    }
    return (plan.action, !cell.isEmpty)
  }

  /// The text of a field; a quoted one with doubled quotes is written to `scratch` without them.
  @inline(__always)
  private func text(of field: FieldSpan, in scratch: ChunkBuffer) throws(ReadingFailure) -> UnsafeRawBufferPointer {
    field.isEscaped ? try unescaped(field, in: scratch) : field.bytes
  }

  @inline(never)
  private func unescaped(_ field: FieldSpan, in scratch: ChunkBuffer) throws(ReadingFailure) -> UnsafeRawBufferPointer {
    let bytes = field.bytes
    let target = try room(bytes.count, in: scratch)
    var written = 0
    var index = 0
    while index < bytes.count {
      target[written] = bytes[index]
      written += 1
      index += bytes[index] == Byte.quote && index + 1 < bytes.count && bytes[index + 1] == Byte.quote ? 2 : 1
    }
    return UnsafeRawBufferPointer(rebasing: target[..<written])
  }

  @inline(never)
  private func cleaned(
    _ label: UnsafeRawBufferPointer, _ condition: TextCondition, field: FieldSpan, line: Int
  ) throws(ReadingFailure) -> UnsafeRawBufferPointer {
    if case .invalid(let offset) = condition {
      throw invalidText(field, offset: offset, column: columns.label, line: line)
    }
    let target = try room(label.count, in: cleanScratch)
    let written = LabelText.writeCleaned(label, to: target)
    return UnsafeRawBufferPointer(rebasing: target[..<written])
  }

  private mutating func areaNumber(
    _ cell: UnsafeRawBufferPointer, field: FieldSpan, line: Int
  ) throws(ReadingFailure) -> UInt32 {
    if let known = areas.known(cell) { return known }
    if case .invalid(let offset) = LabelText.condition(of: cell) {
      throw invalidText(field, offset: offset, column: columns.area, line: line)
    }
    guard let number = areas.number(of: cell) else {
      throw failure(
        line: line, field: columns.area, "too many different areas to keep in memory",
        hint: "check that \"area\" names the right column, or allow more memory")
    }
    return number
  }

  private func room(_ count: Int, in scratch: ChunkBuffer) throws(ReadingFailure) -> UnsafeMutableRawBufferPointer {
    do {
      try scratch.reserve(count)
      return scratch.bytes
    } catch {
      throw ReadingFailure(
        chunk: chunk.index, line: 0, error: SourceError(.io, "cannot \(error.operation): \(error.reason)"))
    }
  }

  /// B-122, B-124: letters are never replaced; where the file is not UTF-8, it is said with the place. `offset` counts
  /// from the field's first byte that is neither blank nor quote.
  @inline(never)
  private func invalidText(_ field: FieldSpan, offset: Int, column: Int, line: Int) -> ReadingFailure {
    // The offset is looked for again in the file's own bytes: trimming and unquoting may have moved it.
    var place = 0
    if case .invalid(let found) = LabelText.condition(of: field.bytes) { place = found }
    let position = chunk.offset + (field.start - base) + place
    let byte = place < field.bytes.count ? field.bytes[place] : 0
    let hexadecimal = String(byte, radix: 16, uppercase: true)
    return failure(
      line: line, field: column, "byte 0x\(hexadecimal) at offset \(position) is not valid UTF-8",
      hint: "only UTF-8 is read: convert the file, for example with iconv -f WINDOWS-1251 -t UTF-8")
  }

  private func failure(line: Int, field: Int?, _ what: String, hint: String) -> ReadingFailure {
    let file = files[chunk.file]
    return ReadingFailure(
      chunk: chunk.index, line: line,
      error: SourceError(
        .data, source: sources[file.source].id, file: file.path, column: field.map { $0 + 1 }, what, hint: hint),
      isAtLine: true)
  }
}
