internal import CallDirectory
internal import PhoneNumbering

/// What one thread keeps of the rows of a chunk for the observer, until the chunk's turn has come.
final class RowTrace {
  /// One finding of a chunk.
  struct Record: Sendable {
    /// Line within the chunk, from 0.
    var line: Int
    /// Field, from 0; nil for the whole row.
    var field: Int?
    /// Characters before the row on its line, as far as they lie in the chunk; nil where rows are lines.
    var column: Int?
    var isSameRow: Bool
    /// Where text and cell stand in the batch's bytes.
    var text: Range<Int>
    var cell: Range<Int>
    var outcome: ObservedRow.Outcome
  }

  /// All findings of a chunk.
  struct Batch: Sendable {
    var records: [Record] = []
    var bytes: [UInt8] = []

    /// About the memory it takes.
    var byteCount: Int { bytes.count + records.count * MemoryLayout<Record>.stride }
  }

  private let interest: RowInterest
  private var batch = Batch()
  private var chunk = UnsafeRawBufferPointer(start: nil, count: 0)
  private var syntax = RowSyntax.table(TableSyntax(.numbers, fieldSeparator: .comma, lineEnd: .lineFeed))
  private var isCutRow = false
  private var rowColumn = RowColumn()
  /// Position of the numbers.
  private var numberField = 0
  /// The row of the last record, and where its text stands.
  private var lastRow: UnsafeRawPointer?
  private var lastText = 0..<0

  init(_ interest: RowInterest) { self.interest = interest }

  /// The rows that come next lie in `chunk`, whose bytes begin at `base`.
  func begin(_ chunk: Chunk, at base: UnsafeRawPointer) {
    self.chunk = UnsafeRawBufferPointer(start: base, count: chunk.count)
    syntax = chunk.layout.syntax
    isCutRow = chunk.isCutRow
    rowColumn.begin(syntax, at: base)
    numberField = chunk.layout.columns.number
    lastRow = nil
  }

  /// What has been kept of the chunk.
  func take() -> Batch {
    defer { batch = Batch() }
    return batch
  }

  /// A number of `row` was accepted.
  func accept(
    _ numbers: ClosedRange<PhoneNumber>, _ action: EntryAction, isLabelled: Bool, notes: NormalisationNotes,
    field: Int, cell: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer, line: Int
  ) {
    let isUnlabelled = interest.unlabelled && !isLabelled && (action == .identify || action == .both)
    guard isUnlabelled || interest.numbers.contains(where: numbers.contains) else { return }
    keep(.accepted(numbers, notes: notes), field: field, cell: cell, row: row, line: line)
  }

  /// `row`, or a number of it, was refused.
  func refuse(
    reason: String, field: Int?, cell: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer, line: Int
  ) {
    switch interest.refused {
    case .none: return
    case .all: break
    case .containing(let wanted):
      // A row may hold other numbers beside the one that was refused.
      let text = field == numberField ? cell : row
      let digits = text.filter { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      guard wanted.contains(where: { Self.contains(digits, $0) }) else { return }
    }
    keep(.refused(reason: reason), field: field, cell: cell, row: row, line: line)
  }

  private func keep(
    _ outcome: ObservedRow.Outcome, field: Int?, cell: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer, line: Int
  ) {
    let isSameRow = lastRow != nil && lastRow == row.baseAddress
    if !isSameRow {
      lastRow = row.baseAddress
      lastText = append(isCutRow ? nil : row)
    }
    let start = batch.bytes.count
    batch.bytes.append(contentsOf: cell.prefix(ExampleDraft.rawLimit))
    batch.records.append(
      Record(
        line: line, field: field, column: rowColumn.characters(before: row), isSameRow: isSameRow, text: lastText,
        cell: start..<batch.bytes.count,
        outcome: outcome))
  }

  /// Keeps a row's text with its line end. A parser gives the row without it, and without blanks around a number.
  private func append(_ row: UnsafeRawBufferPointer?) -> Range<Int> {
    let start = batch.bytes.count
    guard let row, let address = row.baseAddress, let base = chunk.baseAddress, address >= base,
      address + row.count <= base + chunk.count
    else { return start..<start }
    switch syntax {
    case .records:
      // The parser gives a record without its length, which stands in front of it.
      let first = max(0, address - base - NumberRecords.lengthBytes)
      batch.bytes.append(contentsOf: chunk[first..<(address - base + row.count)])
      return start..<batch.bytes.count
    case .json:
      // Values may share a line: each gets one of its own.
      batch.bytes.append(contentsOf: row)
      batch.bytes.append(Byte.lineFeed)
      return start..<batch.bytes.count
    case .table, .vcard, .jsonLines: break
    }
    let lineEnd = syntax.lineEnd.byte
    var first = address - base
    while first > 0, chunk[first - 1] != lineEnd { first -= 1 }
    let end = ByteSearch.first(lineEnd, in: chunk, from: address - base + row.count)
    batch.bytes.append(contentsOf: chunk[first..<(end.map { $0 + 1 } ?? chunk.count)])
    if end == nil { batch.bytes.append(lineEnd) }
    return start..<batch.bytes.count
  }

  private static func contains(_ digits: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard !wanted.isEmpty, digits.count >= wanted.count else { return false }
    return (0...digits.count - wanted.count).contains { digits[$0..<$0 + wanted.count].elementsEqual(wanted) }
  }
}
