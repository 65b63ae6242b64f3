extension FileStart {
  /// Settles mark, line end, separator, header and columns from the first bytes of `file`, which are UTF-8.
  ///
  /// Returns nil when more bytes are needed. `isWhole` says that there are no more, `isLast` that no more can be had.
  init?(
    _ bytes: UnsafeRawBufferPointer, isWhole: Bool, isLast: Bool, file: InputFile, source: SourceDescription
  ) throws(SourceError) {
    if file.format == .twoGIS {
      var columns = RowLayout()
      columns.label = 1
      layout = FileLayout(syntax: .records(NumberRecords()), columns: columns)
      dataOffset = 0
      headerLines = 0
      return
    }
    let start = bytes.prefix(3).starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    if file.format == .json || file.format == .jsonl {
      guard let json = try Self.json(bytes, from: start, isWhole: isWhole, file: file, source: source) else {
        return nil
      }
      self = json
      return
    }
    let text = UnsafeRawBufferPointer(rebasing: bytes[start...])
    var separator = source.separator ?? .comma
    if file.format == .csv, source.separator == nil {
      switch SeparatorFinder(source: source).find(in: text, isWhole: isWhole, isLast: isLast) {
      case .found(let found): separator = found
      case .needsMore: return nil
      case .unclear(let candidates):
        let fields = candidates.map { "\($0.fields) by \($0.0.spelling)" }.joined(separator: ", ")
        throw SourceError(
          .data, source: source.id, file: file.path, line: 1, key: "separator",
          "it is not clear what separates the fields: the first rows have \(fields)",
          hint: "state the \"separator\" in the source")
      }
      self.separator = separator
    }
    let makeSyntax = { [separator] in TableSyntax(file.format, fieldSeparator: separator, lineEnd: $0) }
    guard let lineEnd = Self.lineEnd(of: text, makeSyntax, isWhole: isWhole) else { return nil }
    let syntax = makeSyntax(lineEnd)
    let columns = ColumnResolver(source: source, file: file)
    dataOffset = start
    headerLines = 0
    if file.format == .vcard {
      layout = try columns.resolveCards(lineEnd: lineEnd)
      return
    }
    if syntax.separator == nil {
      layout = FileLayout(syntax: .table(syntax))
      return
    }
    if source.hasHeader {
      guard !text.isEmpty else {
        layout = FileLayout(syntax: .table(syntax))
        return
      }
      guard let end = syntax.firstRowEnd(in: text) ?? (isWhole ? text.count : nil) else { return nil }
      let header = UnsafeRawBufferPointer(rebasing: text[..<end])
      layout = try columns.resolve(header: syntax.fields(of: header).map(Self.name), syntax: syntax)
      dataOffset = start + end
      headerLines = max(1, header.count { $0 == lineEnd.byte })
      return
    }
    // The first row that is not blank says how many fields all rows have.
    var position = 0
    while position < text.count {
      let rest = UnsafeRawBufferPointer(rebasing: text[position...])
      guard let end = syntax.firstRowEnd(in: rest) ?? (isWhole ? rest.count : nil) else { return nil }
      let row = UnsafeRawBufferPointer(rebasing: rest[..<end])
      if !row.allSatisfy({ $0 == Byte.lineFeed || $0 == Byte.carriageReturn }) {
        layout = try columns.resolve(fieldCount: syntax.fields(of: row).count, syntax: syntax)
        return
      }
      position += end
    }
    guard isWhole else { return nil }
    layout = FileLayout(syntax: .table(syntax))
  }

  /// What ends the first line outside quotes; a whole file without line end has the usual one. Nil when more is needed.
  static func lineEnd(
    of text: UnsafeRawBufferPointer, _ makeSyntax: (LineEnd) -> TableSyntax, isWhole: Bool
  ) -> LineEnd? {
    let feed = makeSyntax(.lineFeed).firstRowEnd(in: text)
    let until = UnsafeRawBufferPointer(rebasing: text[..<(feed ?? text.count)])
    guard let end = makeSyntax(.carriageReturn).firstRowEnd(in: until) else {
      return feed != nil || isWhole ? .lineFeed : nil
    }
    if end == until.count { return isWhole ? .carriageReturn : nil }
    return until[end] == Byte.lineFeed ? .lineFeed : .carriageReturn
  }

  /// A column's name without marks and blanks around it.
  static func name(_ field: [UInt8]) -> String {
    let isBlank: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
    let scalars = String(decoding: field, as: UTF8.self).unicodeScalars
    let trimmed = scalars.drop(while: isBlank)
    guard let last = trimmed.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(trimmed[...last])
  }
}

extension TableSyntax {
  /// The fields of one row, unquoted. For headers: allocates.
  func fields(of row: UnsafeRawBufferPointer) -> [[UInt8]] {
    var row = row
    if row.last == lineEnd.byte { row = UnsafeRawBufferPointer(rebasing: row.dropLast()) }
    if lineEnd == .lineFeed, row.last == Byte.carriageReturn { row = UnsafeRawBufferPointer(rebasing: row.dropLast()) }
    guard let separator else { return [Array(row)] }
    var fields: [[UInt8]] = []
    var position = 0
    while true {
      var field: [UInt8] = []
      if hasQuotes, position < row.count, row[position] == Byte.quote,
        let close = Self.closingQuote(in: row, from: position + 1)
      {
        var isEscaped = false
        for byte in row[(position + 1)..<close] {
          isEscaped = byte == Byte.quote && !isEscaped
          if !isEscaped { field.append(byte) }
        }
        position = close + 1
      }
      let end = ByteSearch.first(separator, in: row, from: position) ?? row.count
      field.append(contentsOf: row[position..<end])
      fields.append(field)
      if end == row.count { return fields }
      position = end + 1
    }
  }
}
