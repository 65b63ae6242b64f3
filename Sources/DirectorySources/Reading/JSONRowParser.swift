internal import PositionedJSON
internal import SystemSupport

/// Hands the rows of a JSON file to a `RowIntake`. One thread.
final class JSONRowParser {
  private let rows: JSONRows
  private let names: [String]
  private let numberSlot: Int
  private let slotCount: Int
  private let isMembersOnly: Bool
  private let reader: JSONFieldReader
  /// Texts with their escapes resolved.
  private let scratch = ChunkBuffer()
  private let nameScratch = ChunkBuffer()
  private let fields: UnsafeMutablePointer<FieldSpan>
  private var numbers: [FieldSpan] = []
  /// The first rows of a file, for the message about a column that none has.
  private var firstRows: [(name: String?, row: Range<Int>)] = []
  private var keepsRows = false
  private var rowCount = 0

  private static let firstRowLimit = 100

  init(_ rows: JSONRows, _ layout: FileLayout) {
    self.rows = rows
    names = layout.names
    numberSlot = layout.columns.number
    slotCount = rows.tree.slotCount
    isMembersOnly = rows.tree.hasMembers && !rows.tree.hasRowValue
    reader = JSONFieldReader(
      rows.tree, severalSlot: layout.columns.last < 0 ? numberSlot : -1,
      maximumDepth: JSONDocument.defaultMaximumDepth - (rows.way?.depth ?? 0))
    fields = .allocate(capacity: slotCount + 1)
  }

  deinit { fields.deallocate() }

  /// Whether this parser was made for `rows`.
  func isFor(_ rows: JSONRows) -> Bool { self.rows === rows }

  // MARK: One text

  /// Parses a chunk of a JSON file: rows with a comma behind each, in the last chunk all that stands behind the rows.
  /// Returns its lines and the characters behind the last of them.
  func parse(
    _ chunk: Chunk, in buffer: ChunkBuffer, into intake: inout RowIntake
  ) throws(ReadingFailure) -> (lines: Int, charactersOnLastLine: Int) {
    let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<chunk.count])
    guard let start = bytes.baseAddress else { return (0, 0) }
    try reserve(chunk, intake)
    keepsRows = !rows.knowsNames
    do throws(JSONFailure) {
      try parse(bytes, start, chunk, into: &intake)
    } catch {
      switch error {
      case .reading(let failure): throw failure
      case .fault(let fault): throw located(fault, in: bytes, chunk, intake)
      case .row(let fault, let row): throw located(fault, in: bytes, chunk, intake, row: row)
      }
    }
    finish(chunk, bytes)
    var extent = TextExtent(bytes, lineEnd: rows.lineEnd)
    // The last line need not end.
    if chunk.isLast, extent.charactersOnLastLine > 0 || chunk.count == 0 { extent.lines += 1 }
    return (extent.lines, extent.charactersOnLastLine)
  }

  /// What ends the parsing of a chunk.
  private enum JSONFailure: Error {
    case reading(ReadingFailure)
    case fault(JSONFault)
    /// A fault in the row that begins at an offset.
    case row(JSONFault, Int)
  }

  private func parse(
    _ bytes: UnsafeRawBufferPointer, _ start: UnsafeRawPointer, _ chunk: Chunk, into intake: inout RowIntake
  ) throws(JSONFailure) {
    guard let way = rows.way else { return }
    let end = start + bytes.count
    let closing = way.rowsAreMembers ? Byte.closingBrace : Byte.closingBracket
    let what = way.rowsAreMembers ? "member" : "element"
    var position = start
    var counted = start
    var line = 0
    var isBegin = chunk.offset == rows.start
    while true {
      position = JSONFieldReader.skipBlanks(position, end)
      guard position < end else {
        // A chunk ends behind a comma; so does a file that was cut there.
        if !chunk.isLast { return }
        throw .fault(.unexpected("the next \(what) after ','", in: bytes, at: position - start))
      }
      if position.load(as: UInt8.self) == closing {
        guard isBegin else { throw .fault(.trailingComma(what, in: bytes, at: position - start)) }
        break
      }
      isBegin = false
      let row = position
      line += TextExtent.lines(counted, row, lineEnd: rows.lineEnd)
      counted = row
      position = try parseRow(bytes, row, end, line: line, into: &intake)
      position = JSONFieldReader.skipBlanks(position, end)
      let byte = position < end ? position.load(as: UInt8.self) : 0
      if byte == Byte.comma {
        position += 1
      } else if byte == closing {
        break
      } else {
        throw .row(
          .unexpected("',' or '\(Unicode.Scalar(closing))'", in: bytes, at: position - start), row - start)
      }
    }
    do throws(JSONFault) {
      try way.checkRest(bytes, from: position - start)
    } catch {
      if chunk.isCutRow, error.mayBeCut(bytes.count) {
        throw .fault(
          .unreadable("what stands behind the rows is longer than \(bytes.count) bytes", at: position - start))
      }
      throw .fault(error)
    }
  }

  /// Parses one row with its name and returns where it ends.
  @inline(__always)
  private func parseRow(
    _ bytes: UnsafeRawBufferPointer, _ row: UnsafeRawPointer, _ end: UnsafeRawPointer, line: Int,
    into intake: inout RowIntake
  ) throws(JSONFailure) -> UnsafeRawPointer {
    guard let start = bytes.baseAddress, let target = scratch.bytes.baseAddress,
      let nameTarget = nameScratch.bytes.baseAddress, let way = rows.way
    else { return end }
    var value = row
    var name: JSONFieldReader.Field?
    if way.rowsAreMembers {
      guard let key = reader.readString(from: row, to: end, scratch: nameTarget) else {
        throw .row(fault(bytes, row - start, isMember: true), row - start)
      }
      let colon = JSONFieldReader.skipBlanks(key.end, end)
      guard colon < end, colon.load(as: UInt8.self) == Byte.colon else {
        throw .row(fault(bytes, row - start, isMember: true), row - start)
      }
      name = key.text
      value = JSONFieldReader.skipBlanks(colon + 1, end)
    }
    guard let stop = reader.read(from: value, to: end, scratch: target) else {
      throw .row(fault(bytes, row - start, isMember: name != nil), row - start)
    }
    if let name, rows.tree.nameSlot >= 0 { reader.setField(rows.tree.nameSlot, name) }
    if keepsRows { keep(name, value - start..<stop - start) }
    do throws(ReadingFailure) {
      try take(UnsafeRawBufferPointer(start: row, count: stop - row), line: line, into: &intake)
    } catch {
      throw .reading(error)
    }
    return stop
  }

  private func fault(_ bytes: UnsafeRawBufferPointer, _ row: Int, isMember: Bool) -> JSONFault {
    .inRow(bytes, at: row, isMember: isMember, maximumDepth: reader.maximumDepth)
  }

  private func located(
    _ fault: JSONFault, in bytes: UnsafeRawBufferPointer, _ chunk: Chunk, _ intake: borrowing RowIntake,
    row: Int? = nil
  ) -> ReadingFailure {
    var fault = fault
    if chunk.isCutRow, let row, fault.mayBeCut(bytes.count) {
      fault = .unreadable("the row that begins here is longer than \(bytes.count - row) bytes", at: row)
    }
    let before = UnsafeRawBufferPointer(rebasing: bytes[..<min(fault.offset, bytes.count)])
    let extent = TextExtent(before, lineEnd: rows.lineEnd)
    var failure = intake.failure(
      line: extent.lines, field: nil, "\(fault.message) (offset \(chunk.offset + fault.offset))",
      hint: fault.isEncoding ? TextEncoding.hint : fault.hint ?? "")
    failure.error.column = extent.charactersOnLastLine + 1
    failure.countsCharacters = true
    return failure
  }

  // MARK: Lines

  /// Parses a chunk of a file of JSON lines. Blank lines are no rows; a line that is not one value is a refused row.
  /// Returns its lines.
  func parseLines(
    _ chunk: Chunk, in buffer: ChunkBuffer, into intake: inout RowIntake
  ) throws(ReadingFailure) -> Int {
    try reserve(chunk, intake)
    keepsRows = !rows.knowsNames
    guard let base = buffer.bytes.baseAddress, let target = scratch.bytes.baseAddress else { return 0 }
    let start = UnsafeRawPointer(base)
    var count = chunk.count
    if buffer.bytes[count - 1] != rows.lineEnd.byte {
      buffer.bytes[count] = rows.lineEnd.byte
      count += 1
    }
    let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
    var line = 0
    var position = 0
    while position < count, let stop = ByteSearch.first(rows.lineEnd.byte, in: bytes, from: position) {
      let end = start + stop
      let first = JSONFieldReader.skipBlanks(start + position, end)
      if first < end {
        let read = reader.read(from: first, to: end, scratch: target)
        if let read, JSONFieldReader.skipBlanks(read, end) == end {
          if keepsRows { keep(nil, first - start..<read - start) }
          try take(UnsafeRawBufferPointer(start: first, count: read - first), line: line, into: &intake)
        } else {
          try refuse(bytes, line: position..<stop, first: first - start, read.map { $0 - start }, line, &intake)
        }
      }
      line += 1
      position = stop + 1
    }
    finish(chunk, bytes)
    return line
  }

  @inline(never)
  private func refuse(
    _ bytes: UnsafeRawBufferPointer, line range: Range<Int>, first: Int, _ end: Int?, _ line: Int,
    _ intake: inout RowIntake
  ) throws(ReadingFailure) {
    var range = range
    if range.upperBound > range.lowerBound, bytes[range.upperBound - 1] == Byte.carriageReturn {
      range = range.lowerBound..<range.upperBound - 1
    }
    let text = UnsafeRawBufferPointer(rebasing: bytes[range])
    let offset = first - range.lowerBound
    let fault =
      if let end {
        JSONFault.unexpected(
          "the end of the line after the value", in: text,
          at: JSONFieldReader.skipBlanks(bytes, from: end, to: range.upperBound) - range.lowerBound)
      } else {
        self.fault(text, offset, isMember: false)
      }
    let before = TextExtent(
      UnsafeRawBufferPointer(rebasing: text[..<min(fault.offset, text.count)]), lineEnd: .lineFeed)
    try intake.refuse(
      .brokenJSON, row: text, line: line,
      reason: "\(fault.message) at character \(before.charactersOnLastLine + 1) of the line"
        + (fault.isEncoding ? "; state the \"encoding\" the file really has" : ""))
  }

  // MARK: Rows

  /// Hands the row that was just read to the intake.
  @inline(__always)
  private func take(
    _ row: UnsafeRawBufferPointer, line: Int, into intake: inout RowIntake
  ) throws(ReadingFailure) {
    rowCount += 1
    if isMembersOnly, reader.kind != .object {
      return try intake.refuse(.notAnObject, row: row, line: line)
    }
    guard let start = row.baseAddress else { return }
    for slot in 0..<slotCount {
      let field = reader.field(slot)
      if reader.hasObject(slot), field == nil || slot == numberSlot {
        return try intake.refuse(
          .objectInColumn, row: row, line: line, reason: "an object stands where \"\(names[slot])\" leads to one value")
      }
      fields[slot] = FieldSpan(start: field?.start ?? start, end: field?.end ?? start)
    }
    guard reader.valueCount > 1 else {
      return try intake.accept(
        fields, count: slotCount, row: row, line: line, normaliser: intake.plan.normaliser)
    }
    numbers.removeAll(keepingCapacity: true)
    for index in 0..<reader.valueCount {
      let value = reader.value(index)
      numbers.append(FieldSpan(start: value.start, end: value.end))
    }
    try numbers.withUnsafeBufferPointer { (numbers) throws(ReadingFailure) in
      try intake.accept(fields, count: slotCount, numbers: numbers, row: row, line: line)
    }
  }

  /// Takes note of what the chunk's rows had; of the first rows in full, for a message about a column that is missing.
  private func finish(_ chunk: Chunk, _ bytes: UnsafeRawBufferPointer) {
    var found: [JSONRows.FoundPath] = []
    if keepsRows {
      var known: Set<JSONRows.FoundPath> = []
      for (name, row) in firstRows {
        guard let document = try? JSONDocument(Array(bytes[row])) else { continue }
        for path in JSONRows.paths(of: document.root, rowName: name) where known.count < 1000 {
          if known.insert(path).inserted { found.append(path) }
        }
      }
    }
    firstRows.removeAll()
    rows.note(rows: rowCount, seen: reader, found: found)
    rowCount = 0
  }

  @inline(never)
  private func keep(_ name: JSONFieldReader.Field?, _ row: Range<Int>) {
    guard firstRows.count < Self.firstRowLimit, row.upperBound < 1 << 20 else { return }
    let text = name.map {
      String(decoding: UnsafeRawBufferPointer(start: $0.start, count: $0.end - $0.start), as: UTF8.self)
    }
    firstRows.append((text, row))
  }

  private func reserve(_ chunk: Chunk, _ intake: borrowing RowIntake) throws(ReadingFailure) {
    do {
      try scratch.reserve(chunk.count)
      try nameScratch.reserve(chunk.count)
    } catch {
      throw intake.failure(line: 0, field: nil, "cannot \(error.operation): \(error.reason)", hint: "")
    }
  }
}
