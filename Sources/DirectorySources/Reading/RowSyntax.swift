internal import PositionedJSON

/// How the rows of a file are told apart, by the kind of format. The one place that knows; whoever cuts chunks and
/// whoever parses them must agree on where a row ends.
enum RowSyntax: Sendable {
  /// Lines, or rows of fields with separators between them.
  case table(TableSyntax)
  /// vCards.
  case vcard(VCardSyntax)
  /// Records of length, number and name.
  case records(NumberRecords)
  /// Values of a JSON text, separated by commas.
  case json(JSONRows)
  /// Lines, each a JSON value.
  case jsonLines(JSONRows)

  /// The end of the last row that ends within `bytes`, which begin with a row; nil when none does.
  func lastRowEnd(in bytes: UnsafeRawBufferPointer) -> Int? {
    switch self {
    case .table(let syntax): syntax.lastRowEnd(in: bytes)
    case .vcard(let syntax): syntax.lastRowEnd(in: bytes)
    case .records(let syntax): syntax.lastRowEnd(in: bytes)
    case .json: JSONRowScan.lastRowEnd(in: bytes)
    case .jsonLines(let rows): bytes.lastIndex(of: rows.lineEnd.byte).map { $0 + 1 }
    }
  }

  /// Where reading goes on when no row ends within `bytes`, which are as long as a row may be; nil to pass over the row.
  func cut(_ bytes: UnsafeRawBufferPointer) -> Int? {
    switch self {
    // A quote that does not close: its first line is refused, and reading goes on behind it.
    case .table(let syntax): bytes.firstIndex(of: syntax.lineEnd.byte).map { $0 + 1 }
    case .vcard, .records, .json, .jsonLines: nil
    }
  }

  /// How many of `bytes`, the beginning of a row that is passed over, to keep; the rest is looked at for its end.
  func kept(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard case .vcard = self, let last = bytes.lastIndex(of: lineEnd.byte), last > 0 else { return bytes.count }
    return last
  }

  /// How much of `bytes`, which stand within a row that is passed over, to pass, and whether that is the row's end.
  func passed(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) -> (bytes: Int, isEnd: Bool) {
    switch self {
    case .table, .records, .json, .jsonLines:
      guard let end = bytes.firstIndex(of: lineEnd.byte) else { return (bytes.count, isWhole) }
      return (end + 1, true)
    case .vcard(let syntax): return syntax.passed(bytes, isWhole: isWhole)
    }
  }

  /// The least number of bytes that must be looked at for a row end, whatever is allowed for a row.
  var leastWindow: Int {
    switch self {
    case .table, .json, .jsonLines: 1
    case .vcard: VCardSyntax.leastWindow
    case .records: NumberRecords.longest
    }
  }

  /// What ends a line.
  var lineEnd: LineEnd {
    switch self {
    case .table(let syntax): syntax.lineEnd
    case .vcard(let syntax): syntax.lineEnd
    case .records: .lineFeed
    case .json(let rows), .jsonLines(let rows): rows.lineEnd
    }
  }

  /// Whether rows stand in something that must end: the end of the file is then a part of what is read, and a row that
  /// is too long leaves nothing to go on with.
  var hasEnd: Bool {
    if case .json = self { true } else { false }
  }

  /// What a JSON format is about; nil for others.
  var jsonRows: JSONRows? {
    switch self {
    case .table, .vcard, .records: nil
    case .json(let rows), .jsonLines(let rows): rows
    }
  }
}
