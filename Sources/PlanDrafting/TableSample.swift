internal import DirectorySources

/// A text file of lines: what separates its fields, whether its first line names them, and its first rows.
struct TableSample {
  var format: SourceFormat
  var separator: FieldSeparator?
  var hasHeader: Bool
  var rows: SampledRows

  /// Looks at `text`. `format` is what the file's extension says, if it says anything.
  init(_ text: String, format stated: SourceFormat?, isWhole: Bool, limit: Int = SampledRows.limit) {
    let candidates: [FieldSeparator] = stated == .tsv ? [.tab] : [.comma, .semicolon, .bar, .tab]
    var best: (separator: FieldSeparator, rows: [[String]], score: Double)?
    for candidate in candidates {
      let rows = Self.rows(of: text, separator: candidate, hasQuotes: stated != .tsv, isWhole: isWhole, limit: limit)
      let counts = Dictionary(rows.prefix(200).map { ($0.count, 1) }, uniquingKeysWith: +)
      guard let usual = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), usual.key > 1 else { continue }
      let share = Double(usual.value) / Double(min(rows.count, 200))
      let score = share * share * (1 + Double(min(usual.key, 20)) / 20)
      if share > 0.7, score > best?.score ?? 0 { best = (candidate, rows, score) }
    }
    if let best {
      let isTSV = stated == .tsv
      self.format = isTSV ? .tsv : .csv
      separator = isTSV || best.separator == .comma ? nil : best.separator
      let header = Self.header(of: best.rows)
      hasHeader = header != nil
      self.rows = SampledRows(rows: header == nil ? best.rows : Array(best.rows.dropFirst()), header: header)
      return
    }
    separator = nil
    var lines = text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline).map {
      String($0).trimmedBlanks
    }
    if !isWhole, lines.count > 1 { lines.removeLast() }
    lines = Array(lines.filter { !$0.isEmpty }.prefix(limit))
    // A list whose first line is a word is a table of one column.
    if stated != .numbers || !(lines.first?.hasPrefix("#") ?? false), let header = Self.header(of: lines.map { [$0] }) {
      self.format = stated == .tsv ? .tsv : .csv
      hasHeader = true
      self.rows = SampledRows(rows: lines.dropFirst().map { [$0] }, header: header)
      return
    }
    lines.removeAll { $0.hasPrefix("#") }
    let patterns = lines.count { NumberShape.isPattern($0) }
    // A list of patterns may hold whole numbers as well; a list of numbers has hardly a pattern.
    self.format = patterns > 0 && patterns * 5 >= lines.count ? .patterns : .numbers
    hasHeader = true
    self.rows = SampledRows(
      columns: [SampledRows.Column(reference: nil, title: "", cells: lines.map { [$0] })], rows: lines.count)
  }

  /// The names in the first row: texts without long numbers, all different and none empty but a few.
  private static func header(of rows: [[String]]) -> [String]? {
    guard rows.count > 1, let first = rows.first else { return nil }
    let names = first.map(\.trimmedBlanks)
    let filled = names.filter { !$0.isEmpty }
    guard filled.count * 2 > names.count, Set(filled).count * 10 >= filled.count * 8 else { return nil }
    guard !filled.contains(where: { NumberShape.digits(in: $0) > 4 || $0.utf8.count > 80 }) else { return nil }
    return filled.contains { $0.contains(where: \.isLetter) } ? names : nil
  }

  /// Rows after RFC 4180, blank lines left out.
  private static func rows(
    of text: String, separator: FieldSeparator, hasQuotes: Bool, isWhole: Bool, limit: Int
  ) -> [[String]] {
    let between = separator.rawValue.utf8.first ?? 0x2C
    var rows: [[String]] = []
    var row: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
    var wasQuoted = false
    func endField() {
      row.append(String(decoding: field, as: UTF8.self).trimmedBlanks)
      field = []
      wasQuoted = false
    }
    for byte in text.utf8 {
      if isQuoted {
        if byte == 0x22 { isQuoted = false } else { field.append(byte) }
      } else if byte == 0x22, hasQuotes, field.isEmpty || wasQuoted {
        // A second quote is one that was doubled.
        if wasQuoted { field.append(byte) }
        (isQuoted, wasQuoted) = (true, true)
      } else if byte == between {
        endField()
      } else if byte == 0x0A || byte == 0x0D {
        if field.isEmpty, row.isEmpty { continue }
        endField()
        rows.append(row)
        row = []
        if rows.count == limit { return rows }
      } else {
        field.append(byte)
      }
    }
    if isWhole, !field.isEmpty || !row.isEmpty {
      endField()
      rows.append(row)
    }
    return rows
  }
}
