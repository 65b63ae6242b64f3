internal import CallDirectory
internal import PhoneNumbering
internal import SystemSupport

/// One field of a row, still as it stands in the chunk.
struct FieldSpan {
  var start: UnsafeRawPointer
  var end: UnsafeRawPointer
  /// The field was quoted and holds doubled quotes.
  var isEscaped = false
  /// Lines from the row's first one to the one where it stands, for numbers of a row with several.
  var lines: Int32 = 0

  @inline(__always)
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: end - start) }
}

/// Turns the rows of one thread's chunks into records: number, action, score, label, area, in this order, so that a row
/// with several faults is refused for the first of them. No allocation per row.
struct RowIntake: ~Copyable {
  var builder: RunBuilder
  var areas: AreaCache
  let plans: [RowPlan]
  /// One per source. No array, so that a row does not ask whether it is shared.
  let counts: UnsafeMutableBufferPointer<SourceTally>
  let sources: [SourceDescription]
  let files: [InputFile]

  /// Unquoted cells; an unquoted label; a cleaned label. Apart, because a label is kept while other cells are read.
  let cellScratch = ChunkBuffer()
  let labelScratch = ChunkBuffer()
  let cleanScratch = ChunkBuffer()

  var chunk: Chunk
  /// The numbers of the row at hand, where it may have several.
  var taken: [TakenNumber] = []
  /// The ranges of the row at hand, in sources of patterns.
  var takenRanges: [TakenRange] = []
  var columns: RowLayout
  /// Positions of the filters' columns and of the template's.
  var filterColumns: [Int] = []
  var templateColumns: [Int] = []
  var source = 0
  var plan: RowPlan
  var base: UnsafeRawPointer
  /// Keeps what an observer wants to see; nil when there is none.
  let trace: RowTrace?
  /// Where rows begin on their lines.
  var rowColumn = RowColumn()
  /// The row at hand.
  var row = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Requires: `plans` is not empty, one per source.
  init(
    builder: consuming RunBuilder, areas: AreaCache, sources: [SourceDescription], files: [InputFile],
    plans: [RowPlan], trace: RowTrace? = nil
  ) {
    self.trace = trace
    self.builder = builder
    self.areas = areas
    self.plans = plans
    plan = plans[0]
    counts = .allocate(capacity: plans.count)
    for index in plans.indices {
      counts.initializeElement(at: index, to: SourceTally(filters: plans[index].filters.values.count))
    }
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
    filterColumns = chunk.layout.filters
    templateColumns = chunk.layout.template
    self.base = base
    trace?.begin(chunk, at: base)
    rowColumn.begin(chunk.layout.syntax, at: base)
    if source != files[chunk.file].source {
      source = files[chunk.file].source
      plan = plans[source]
    }
  }

  /// Rows met so far of the source that `chunk` belongs to.
  func rows(of chunk: Chunk) -> Int { counts[files[chunk.file].source].rows }

  /// Hands the last records to the store.
  mutating func finish() throws(SourceError) { try builder.flush() }

  /// Takes in a row whose number stands in one of its fields: the first `used` of its `count` fields, the row's bytes,
  /// and its line within the chunk. `normaliser` is the plan's, which the caller holds for a whole chunk: taken from the
  /// plan, it would be counted as shared and given back for each row.
  @inline(__always)
  mutating func accept(
    _ fields: UnsafeMutablePointer<FieldSpan>, count: Int, row: UnsafeRawBufferPointer, line: Int,
    normaliser: PhoneNormaliser
  ) throws(ReadingFailure) {
    let layout = columns
    self.row = row
    if count != layout.fieldCount ?? count || count <= layout.number {
      return try refuseFieldCount(count, row: row, line: line)
    }
    if plan.hasFilters, try isLeftOut(fields, count: count, line: line) { return }
    counts[source].rows += 1
    if plan.hasSeveralNumbers {
      let numbers = UnsafeBufferPointer(start: fields + layout.number, count: 1)
      return try acceptSeveral(fields, count: count, numbers: numbers, line: line)
    }

    var (action, isUnlisted) = try self.action(fields, count: count, line: line)
    var weight = RowPlan.occurrences(of: action)
    counts[source].read += weight

    let field = fields[layout.number]
    let number: NormalisedNumber
    switch normaliser.outcome(of: try text(of: field, in: cellScratch)) {
    case .success(let accepted): number = accepted
    case .failure(let refusal):
      counts[source].refusedRows += 1
      return try refuse(.number(refusal), weight: weight, field: layout.number, raw: field.bytes, line: line)
    }
    if number.number.rawValue < Self.leastOrdinaryNumber {
      guard let rest = try withoutEmergencyBlock(number.number, action, raw: field.bytes, line: line) else {
        counts[source].refusedRows += 1
        return
      }
      action = rest
      weight = RowPlan.occurrences(of: action)
    }
    guard let common = try common(fields, count: count, weight: weight, line: line) else { return }
    if isUnlisted { noteUnlisted(fields, line: line) }
    if !number.notes.isEmpty { note(number.notes, raw: field.bytes, line: line) }
    try append(number.number, action, common, notes: number.notes, cell: field.bytes, line: line)
  }

  /// Takes in a row with any number of numbers, for formats that find several in a row (an array in JSON, a vCard with
  /// several telephones). `fields` holds the row's other columns as for a row with one number, one span per slot up to
  /// the highest that is used, an empty span for what the row lacks; what stands at `columns.number` is not looked at.
  /// `numbers` are the texts of the numbers, in the row's order, as spans like any other.
  ///
  /// A row that a filter of the source leaves out is counted as such and nothing else of it is looked at. Any other
  /// counts once in `rows`. Each number is an occurrence of its own (two for `both`): accepted or refused by
  /// itself, with the label, area and score of the row. A row is a refused row when none of its numbers is accepted; one
  /// without any, or with nothing but blanks, is refused as an empty number. A source's `numberSeparator` and `aliases`
  /// hold here too. The spans must stay as they are until this returns; nothing of them is kept. No allocation once
  /// the longest row has been met.
  mutating func accept(
    _ fields: UnsafeMutablePointer<FieldSpan>, count: Int, numbers: UnsafeBufferPointer<FieldSpan>,
    row: UnsafeRawBufferPointer, line: Int
  ) throws(ReadingFailure) {
    self.row = row
    if count != columns.fieldCount ?? count { return try refuseFieldCount(count, row: row, line: line) }
    if plan.hasFilters, try isLeftOut(fields, count: count, line: line) { return }
    counts[source].rows += 1
    try acceptSeveral(fields, count: count, numbers: numbers, line: line)
  }

  /// Keeps an accepted number with what its row says of all of them; `notes` and `cell`, its text, are for the observer.
  @inline(__always)
  mutating func append(
    _ number: PhoneNumber, _ action: EntryAction, _ common: RowCommon, notes: NormalisationNotes,
    cell: UnsafeRawBufferPointer, line: Int
  ) throws(ReadingFailure) {
    if let trace {
      trace.accept(
        number...number, action, isLabelled: !common.label.isEmpty, notes: notes, field: numberField, cell: cell,
        row: row, line: line)
    }
    do {
      try builder.append(
        number: number.rawValue,
        order: RowRecord.order(chunk: chunk.index, line: line, flags: common.flags | RowRecord.code(of: action)),
        score: common.score, area: common.area, label: common.label)
    } catch {
      throw ReadingFailure(chunk: chunk.index, line: line, error: error)
    }
  }
}
