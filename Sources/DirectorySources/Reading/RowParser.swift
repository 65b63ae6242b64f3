/// Finds rows and fields in the bytes of a chunk and hands them to a `RowIntake`.
///
/// Behind the bytes stands a line end of the parser's own where the last row has none, and slack to read eight bytes at
/// a time.
struct RowParser: ~Copyable {
  /// The used fields of the row being parsed.
  private var fields: UnsafeMutablePointer<FieldSpan>
  private var capacity: Int
  private var cards = VCardParser()
  private let records = NumberRecordParser()
  /// For JSON, made anew for each file.
  private var json: JSONRowParser?
  /// Characters behind the last line end of the chunk parsed last, for formats whose rows are no lines.
  private(set) var charactersOnLastLine = 0

  init() {
    capacity = 16
    fields = .allocate(capacity: capacity)
  }

  deinit { fields.deallocate() }

  /// Parses all rows of `chunk`, which lie at the start of `buffer`. Returns its lines. O(bytes).
  mutating func parse(
    _ chunk: Chunk, in buffer: ChunkBuffer, into intake: inout RowIntake
  ) throws(ReadingFailure) -> Int {
    charactersOnLastLine = 0
    guard let base = buffer.bytes.baseAddress, chunk.count > 0 || chunk.layout.syntax.hasEnd else { return 0 }
    let start = UnsafeRawPointer(base)
    intake.begin(chunk, at: start)
    if case .json(let rows) = chunk.layout.syntax {
      let lines: Int
      (lines, charactersOnLastLine) = try jsonParser(rows, chunk.layout).parse(chunk, in: buffer, into: &intake)
      return lines
    }
    if chunk.isCutRow {
      try intake.refuse(.rowTooLong, row: UnsafeRawBufferPointer(start: start, count: chunk.count), line: 0)
      let lineEnd = chunk.layout.syntax.lineEnd.byte
      return buffer.bytes[..<chunk.count].count { $0 == lineEnd } + chunk.skippedLines
    }
    if case .jsonLines(let rows) = chunk.layout.syntax {
      return try jsonParser(rows, chunk.layout).parseLines(chunk, in: buffer, into: &intake)
    }
    let columns = chunk.layout.columns
    reserve(columns.usedFields)
    if case .records = chunk.layout.syntax {
      let bytes = UnsafeRawBufferPointer(start: start, count: chunk.count)
      return try records.parse(bytes, fields: fields, into: &intake)
    }
    let lineEnd = chunk.layout.syntax.lineEnd.byte
    var end = start + chunk.count
    if buffer.bytes[chunk.count - 1] != lineEnd {
      buffer.bytes[chunk.count] = lineEnd
      end += 1
    }
    let syntax: TableSyntax
    switch chunk.layout.syntax {
    case .table(let table): syntax = table
    case .vcard(let syntax): return try cards.parse(start, end, syntax, fields: fields, into: &intake)
    case .records, .json, .jsonLines: return 0
    }
    if syntax.separator == nil { return try parseLines(start, end, syntax, into: &intake) }
    if syntax.hasQuotes { return try parseQuoted(start, end, syntax, columns, into: &intake) }
    return try parsePlain(start, end, syntax, columns, into: &intake)
  }

  private mutating func jsonParser(_ rows: JSONRows, _ layout: FileLayout) -> JSONRowParser {
    if let json, json.isFor(rows) { return json }
    let parser = JSONRowParser(rows, layout)
    json = parser
    return parser
  }

  private mutating func reserve(_ count: Int) {
    guard count > capacity else { return }
    fields.deallocate()
    capacity = count
    fields = .allocate(capacity: count)
  }

  /// One number per line; comments and blank lines are no rows.
  private func parseLines(
    _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, _ syntax: TableSyntax, into intake: inout RowIntake
  ) throws(ReadingFailure) -> Int {
    let bytes = UnsafeRawBufferPointer(start: start, count: end - start)
    let normaliser = intake.plan.normaliser
    var line = 0
    var position = 0
    while position < bytes.count, let stop = ByteSearch.first(syntax.lineEnd.byte, in: bytes, from: position) {
      let whole = UnsafeRawBufferPointer(rebasing: bytes[position..<stop])
      var row = LabelText.trimmed(whole)
      // Zeros where lines should be are what a disk leaves of a file it lost: rows to be refused, not blanks.
      if row.isEmpty, whole.contains(0) { row = whole }
      if let address = row.baseAddress, !row.isEmpty, !syntax.comments.isComment(row) {
        fields.initialize(to: FieldSpan(start: address, end: address + row.count))
        try intake.accept(fields, count: 1, row: row, line: line, normaliser: normaliser)
      }
      line += 1
      position = stop + 1
    }
    return line
  }

  /// Rows without quotes. Separators and line ends are found 64 bytes at a time; behind the last field that is used,
  /// separators are only counted.
  private func parsePlain(
    _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, _ syntax: TableSyntax, _ columns: RowLayout,
    into intake: inout RowIntake
  ) throws(ReadingFailure) -> Int {
    let normaliser = intake.plan.normaliser
    let separator = syntax.separator ?? Byte.tab
    let lineEnd = syntax.lineEnd.byte
    let dropsReturn = syntax.lineEnd == .lineFeed
    let used = columns.usedFields
    var line = 0
    var count = 0
    var row = start
    var field = start
    var position = start
    while position < end {
      var separators = ByteSearch.find(separator, at: position)
      var lineEnds = ByteSearch.find(lineEnd, at: position)
      if end - position < ByteSearch.stride {
        let inside = 1 &<< UInt64(end - position) &- 1
        separators &= inside
        lineEnds &= inside
      }
      while true {
        // The row's separators: all before its line end, or all that are left when it ends in a later block.
        let before = lineEnds == 0 ? UInt64.max : (lineEnds & (0 &- lineEnds)) &- 1
        var own = separators & before
        separators &= ~before
        while own != 0, count < used {
          let hit = position + own.trailingZeroBitCount
          fields[count] = FieldSpan(start: field, end: hit)
          field = hit + 1
          count += 1
          own &= own &- 1
        }
        count += own.nonzeroBitCount
        if lineEnds == 0 { break }
        let hit = position + lineEnds.trailingZeroBitCount
        lineEnds &= lineEnds &- 1
        let stop = dropsReturn && hit > row && (hit - 1).load(as: UInt8.self) == Byte.carriageReturn ? hit - 1 : hit
        if stop > row {
          if count < used { fields[count] = FieldSpan(start: field, end: stop) }
          try intake.accept(
            fields, count: count + 1, row: UnsafeRawBufferPointer(start: row, count: stop - row), line: line,
            normaliser: normaliser)
        }
        line += 1
        count = 0
        row = hit + 1
        field = row
      }
      position += ByteSearch.stride
    }
    return line
  }

  /// Rows after RFC 4180. A quote opens a field only as its first byte; a quoted field may hold anything.
  private func parseQuoted(
    _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, _ syntax: TableSyntax, _ columns: RowLayout,
    into intake: inout RowIntake
  ) throws(ReadingFailure) -> Int {
    let normaliser = intake.plan.normaliser
    let separator = syntax.separator ?? Byte.comma
    let pattern = ByteSearch.repeated(separator)
    let lineEnd = syntax.lineEnd.byte
    let dropsReturn = syntax.lineEnd == .lineFeed
    let used = columns.usedFields
    let bytes = UnsafeRawBufferPointer(start: start, count: end - start)
    var line = 0
    var row = start
    while row < end {
      var count = 0
      var field = row
      var lines = 1
      var fault: FindingCode?
      var stop = end
      rowLoop: while true {
        var isEscaped = false
        var textEnd: UnsafeRawPointer?
        var position = field
        if field < end, field.load(as: UInt8.self) == Byte.quote {
          guard let close = TableSyntax.closingQuote(in: bytes, from: field - start + 1) else {
            fault = .unclosedQuote
            break rowLoop
          }
          let quoted = UnsafeRawBufferPointer(rebasing: bytes[(field - start + 1)..<close])
          (isEscaped, lines) = Self.inspect(quoted, lineEnd: lineEnd, lines: lines)
          textEnd = start + close
          position = start + close + 1
        }
        let hit = Self.fieldEnd(from: position, before: end, pattern: pattern, separator: separator, lineEnd: lineEnd)
        let byte = hit < end ? hit.load(as: UInt8.self) : lineEnd
        var fieldStop = hit
        if byte == lineEnd, dropsReturn, hit > position, (hit - 1).load(as: UInt8.self) == Byte.carriageReturn {
          fieldStop = hit - 1
        }
        if textEnd != nil, fieldStop > position { fault = fault ?? .textAfterQuote }
        if count < used {
          fields[count] =
            textEnd.map { FieldSpan(start: field + 1, end: $0, isEscaped: isEscaped) }
            ?? FieldSpan(start: field, end: fieldStop)
        }
        count += 1
        if byte == lineEnd {
          stop = hit
          break
        }
        field = hit + 1
      }
      if fault == .unclosedQuote {
        // The row is taken to be its first line; the lines behind it get their own chance.
        stop = ByteSearch.first(lineEnd, in: bytes, from: row - start).map { start + $0 } ?? end
        lines = 1
      }
      var textEnd = stop
      if dropsReturn, stop > row, (stop - 1).load(as: UInt8.self) == Byte.carriageReturn { textEnd = stop - 1 }
      let text = UnsafeRawBufferPointer(start: row, count: textEnd - row)
      if let fault {
        try intake.refuse(fault, row: text, line: line)
      } else if !text.isEmpty {
        try intake.accept(fields, count: count, row: text, line: line, normaliser: normaliser)
      }
      line += lines
      row = stop + 1
    }
    return line
  }

  /// The first separator or line end at or behind `position`; `end` when there is none.
  @inline(__always)
  private static func fieldEnd(
    from position: UnsafeRawPointer, before end: UnsafeRawPointer, pattern: UInt64, separator: UInt8, lineEnd: UInt8
  ) -> UnsafeRawPointer {
    var position = position
    while position < end {
      let word = UInt64(littleEndian: position.loadUnaligned(as: UInt64.self))
      var hits = ByteSearch.equal(word, pattern) | ByteSearch.control(word)
      while hits != 0 {
        let hit = position + hits.trailingZeroBitCount >> 3
        let byte = hit.load(as: UInt8.self)
        if byte == separator || byte == lineEnd { return min(hit, end) }
        hits &= hits &- 1
      }
      position += 8
    }
    return end
  }

  /// Whether a quoted text holds doubled quotes, and `lines` plus its line ends.
  private static func inspect(_ text: UnsafeRawBufferPointer, lineEnd: UInt8, lines: Int) -> (Bool, Int) {
    var isEscaped = false
    var lines = lines
    for byte in text {
      if byte == Byte.quote { isEscaped = true }
      if byte == lineEnd { lines += 1 }
    }
    return (isEscaped, lines)
  }
}
