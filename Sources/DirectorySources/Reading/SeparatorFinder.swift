/// Finds out, once per file, what separates the fields of a `.csv` file whose source does not say (B-117).
///
/// A separator is settled on only when it is clear: it alone gives a header with the columns the source names, or it
/// alone gives the same number of fields, more than one, in each of the first rows.
struct SeparatorFinder {
  let source: SourceDescription

  /// Rows that are looked at.
  static let rowLimit = 20
  /// Bytes that are looked at, unless the first row is longer.
  static let byteLimit = 1 << 16

  /// What was found.
  enum Outcome {
    /// The separator, clear or, where nothing was found, the usual one.
    case found(FieldSeparator)
    /// Several would do; fields by separator.
    case unclear([(FieldSeparator, fields: Int)])
    /// More bytes are needed.
    case needsMore
  }

  /// A row as all separators see it.
  private struct Row {
    var text: UnsafeRawBufferPointer
    /// Fields by each of `FieldSeparator.allCases`.
    var fields: [Int]
  }

  private static let separators = FieldSeparator.allCases.map(\.byte)

  /// Looks at the start of the `text` of a file; `isWhole` says that there is no more, `isLast` that no more can be had.
  func find(in text: UnsafeRawBufferPointer, isWhole: Bool, isLast: Bool) -> Outcome {
    // A fixed part of the file, so that the outcome does not depend on how much is read at a time.
    let window = UnsafeRawBufferPointer(rebasing: text.prefix(Self.byteLimit))
    let isEnough = isWhole || isLast || text.count >= Self.byteLimit
    guard let rows = rows(of: window, isWhole: isWhole && window.count == text.count, isEnough: isEnough),
      rows.count == Self.rowLimit || isEnough
    else { return .needsMore }
    let names = source.columnNames
    if source.hasHeader, !names.isEmpty, let header = rows.first {
      let fitting = FieldSeparator.allCases.indices.filter { index in
        let syntax = TableSyntax(.csv, fieldSeparator: FieldSeparator.allCases[index], lineEnd: .lineFeed)
        let found = syntax.fields(of: header.text).map(FileStart.name)
        return names.allSatisfy(found.contains)
      }
      if fitting.count == 1 { return .found(FieldSeparator.allCases[fitting[0]]) }
      // One column is the same whatever separates: the usual separator leaves it whole.
      if fitting.count > 1, fitting.allSatisfy({ header.fields[$0] == 1 }) { return .found(.comma) }
    }
    let even = FieldSeparator.allCases.indices.compactMap { index -> (FieldSeparator, fields: Int)? in
      let counts = Set(rows.map { $0.fields[index] })
      guard counts.count == 1, let count = counts.first, count > 1, count >= source.lastPosition else { return nil }
      return (FieldSeparator.allCases[index], count)
    }
    switch even.count {
    case 0: return .found(.comma)
    case 1: return .found(even[0].0)
    default: return .unclear(even)
    }
  }

  /// The first rows that are not blank; nil when more is needed. A last row without line end counts in a whole file.
  /// Quotes protect what stands in them whichever separator or line end stands before.
  private func rows(of text: UnsafeRawBufferPointer, isWhole: Bool, isEnough: Bool) -> [Row]? {
    var rows: [Row] = []
    var fields = Self.separators.map { _ in 1 }
    var lineEnd: UInt8?
    var start = 0
    var position = 0
    func add(upTo end: Int) {
      let row = UnsafeRawBufferPointer(rebasing: text[start..<end])
      if row.contains(where: { $0 != Byte.lineFeed && $0 != Byte.carriageReturn }) {
        rows.append(Row(text: row, fields: fields))
      }
      fields = Self.separators.map { _ in 1 }
    }
    while position < text.count, rows.count < Self.rowLimit {
      let byte = text[position]
      if byte == Byte.quote, position == start || Self.separators.contains(text[position - 1]) {
        if let close = TableSyntax.closingQuote(in: text, from: position + 1) {
          position = close
        } else if !isEnough {
          return nil
        }
      } else if let index = Self.separators.firstIndex(of: byte) {
        fields[index] += 1
      } else if byte == Byte.carriageReturn, lineEnd == nil {
        if position + 1 == text.count, !isWhole { break }
        if position + 1 == text.count || text[position + 1] != Byte.lineFeed {
          lineEnd = byte
          continue
        }
      } else if byte == lineEnd ?? Byte.lineFeed {
        lineEnd = byte
        add(upTo: position)
        start = position + 1
      }
      position += 1
    }
    if isWhole, rows.count < Self.rowLimit, start < text.count { add(upTo: text.count) }
    return rows
  }
}

extension SourceDescription {
  /// The names of all columns the source uses.
  var columnNames: [String] {
    columns.compactMap { column in
      if case .name(let name) = column { name } else { nil }
    }
  }

  /// The last position of a column the source uses; 0 when it uses names alone.
  var lastPosition: Int {
    columns.reduce(0) { last, column in
      if case .position(let position) = column { max(last, position) } else { last }
    }
  }

  private var columns: [ColumnReference] {
    var references: [ColumnReference?] = [area, score]
    switch numbers {
    case .number(let column), .pattern(let column): references.append(column)
    case .range(let from, let to): references += [from, to]
    case nil: break
    }
    switch label {
    case .column(let column): references.append(column)
    case .template(let pieces):
      for case .column(let column) in pieces { references.append(column) }
    case nil: break
    }
    if case .column(let column, _) = action { references.append(column) }
    references += filters.map(\.column)
    return references.compactMap { $0 }
  }
}
