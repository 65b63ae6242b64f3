extension FileStart {
  /// Settles mark, line end, header and columns from the first bytes of `file`.
  ///
  /// Returns nil when more bytes are needed. `isWhole` says that there are no more.
  init?(
    _ bytes: UnsafeRawBufferPointer, isWhole: Bool, file: InputFile, source: SourceDescription
  ) throws(SourceError) {
    try Self.refuseWhatIsNotRead(file, source)
    if file.format == .twoGIS {
      var columns = RowLayout()
      columns.label = 1
      layout = FileLayout(syntax: .records(NumberRecords()), columns: columns)
      dataOffset = 0
      headerLines = 0
      return
    }
    let marks = bytes.prefix(3)
    if marks.starts(with: [0xFF, 0xFE]) || marks.starts(with: [0xFE, 0xFF]) {
      throw SourceError(
        .data, source: source.id, file: file.path, "the file begins with a UTF-16 mark; only UTF-8 is read",
        hint: "convert it to UTF-8, for example with iconv -f UTF-16 -t UTF-8")
    }
    let start = marks.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    if file.format == .json || file.format == .jsonl {
      guard let json = try Self.json(bytes, from: start, isWhole: isWhole, file: file, source: source) else {
        return nil
      }
      self = json
      return
    }
    let text = UnsafeRawBufferPointer(rebasing: bytes[start...])
    let makeSyntax = { TableSyntax(file.format, fieldSeparator: source.separator ?? .comma, lineEnd: $0) }
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

  /// Formats, encodings and compressions of the plan's language without a reader: never read as something else.
  private static func refuseWhatIsNotRead(_ file: InputFile, _ source: SourceDescription) throws(SourceError) {
    let missing: (key: String, name: String)? =
      switch (file.format, source.encoding) {
      case (.patterns, _): ("format", file.format.rawValue)
      case (_, let encoding?) where encoding != .utf8: ("encoding", encoding.rawValue)
      default: nil
      }
    if let missing {
      throw SourceError(
        .data, source: source.id, file: file.path, key: missing.key,
        "the \(missing.key) \"\(missing.name)\" is not yet read")
    }
    if SourceFormat.isCompressed(path: file.path) {
      throw SourceError(
        .data, source: source.id, file: file.path, key: "file", "compressed files are not yet read",
        hint: "decompress it first")
    }
  }

  /// What ends the first line outside quotes; a whole file without line end has the usual one. Nil when more is needed.
  private static func lineEnd(
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
  private static func name(_ field: [UInt8]) -> String {
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
        let close = closingQuote(in: row, from: position + 1)
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
