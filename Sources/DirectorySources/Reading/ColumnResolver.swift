internal import NameSuggestion

/// Finds the columns that a source names in one of its files.
struct ColumnResolver {
  let source: SourceDescription
  let file: InputFile

  /// The layout of a file whose header names `names`.
  func resolve(header names: [String], syntax: TableSyntax) throws(SourceError) -> FileLayout {
    let columns = try place { (reference, key) throws(SourceError) in try find(reference, key: key, names: names) }
    return columns.layout(.table(syntax), fieldCount: names.count, hasHeader: true)
  }

  /// The layout of a file without header, whose first row has `fieldCount` fields.
  func resolve(fieldCount: Int, syntax: TableSyntax) throws(SourceError) -> FileLayout {
    let columns = try place { (reference, key) throws(SourceError) in
      switch reference {
      case .position(let position): return try check(position, key: key, fieldCount: fieldCount)
      case .name(let name):
        throw error(
          key, "\"\(name)\" is a name, but the file has no header", hint: "give the column's position, counted from 1")
      }
    }
    return columns.layout(.table(syntax), fieldCount: fieldCount, hasHeader: false)
  }

  /// Every column of the source where `find` says it stands, the number's first.
  func place(_ find: (ColumnReference, String) throws(SourceError) -> Int) throws(SourceError) -> ColumnPlaces {
    var columns = RowLayout()
    switch source.numbers {
    case .number(let column): columns.number = try find(column, "number")
    case .pattern(let column): columns.number = try find(column, "pattern")
    case .range(let from, let to):
      columns.number = try find(from, "from")
      columns.last = try find(to, "to")
    case nil:
      throw error("number", "no column is named for the numbers", hint: "add \"number\" to the source")
    }
    var template: [Int] = []
    switch source.label {
    case .column(let column): columns.label = try find(column, "label")
    case .template(let pieces):
      for case .column(let column) in pieces { template.append(try find(column, "label")) }
    case nil: break
    }
    if let area = source.area { columns.area = try find(area, "area") }
    if let score = source.score { columns.score = try find(score, "score") }
    if case .column(let column, _) = source.action { columns.action = try find(column, "action") }
    var filters: [Int] = []
    for filter in source.filters { filters.append(try find(filter.column, "where")) }
    return ColumnPlaces(columns: columns, filters: filters, template: template)
  }

  private func find(_ reference: ColumnReference, key: String, names: [String]) throws(SourceError) -> Int {
    switch reference {
    case .position(let position): return try check(position, key: key, fieldCount: names.count)
    case .name(let name):
      let places = names.indices.filter { names[$0] == name }
      if let place = places.first {
        guard places.count == 1 else {
          throw error(
            key, "the header has \(places.count) columns named \"\(name)\"",
            hint: "rename them, or state \"header\": false and positions")
        }
        return place
      }
      // B-125: a column that is not there is an error that shows what is.
      let found = names.map { "\"\($0)\"" }.joined(separator: ", ")
      let nearest = NearestName.find(name, among: names).map { "did you mean \"\($0)\"?" }
      throw error(
        key, "the header has no column \"\(name)\"; it has \(found)",
        hint: bytesHint(names) ?? separatorHint(names) ?? nearest ?? "use one of the names of the header")
    }
  }

  /// For a header that is no text: of a file that is packed twice, or in another encoding.
  private func bytesHint(_ names: [String]) -> String? {
    let isNoText = names.contains { name in
      // A tab is what another separator may be.
      name.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F || $0 == "\u{FFFD}" }
    }
    guard isNoText else { return nil }
    return "the header holds bytes that are no text: unpack the file if it is packed (perhaps twice), or state its "
      + "\"encoding\""
  }

  /// For rows that are one field because the file has another separator (B-117).
  private func separatorHint(_ names: [String]) -> String? {
    guard file.format == .csv, names.count == 1, let header = names.first else { return nil }
    let other = FieldSeparator.allCases.first { $0 != source.separator && header.contains($0.rawValue) }
    return other.map { "set \"separator\": \($0.spelling)" }
  }

  private func check(_ position: Int, key: String, fieldCount: Int) throws(SourceError) -> Int {
    guard position >= 1, position <= fieldCount else {
      throw error(
        key, "there is no column \(position): the file has \(fieldCount)",
        hint: "positions are counted from 1"
          + (file.format == .csv && fieldCount == 1 ? "; state the \"separator\" if it is no comma" : ""))
    }
    return position - 1
  }

  func error(_ key: String, _ what: String, hint: String) -> SourceError {
    SourceError(.data, source: source.id, file: file.path, line: 1, key: key, what, hint: hint)
  }
}

/// Where the columns that a source names stand in the rows of one file.
struct ColumnPlaces {
  var columns: RowLayout
  var filters: [Int]
  var template: [Int]

  /// The layout of a file of such rows.
  func layout(
    _ syntax: RowSyntax, fieldCount: Int? = nil, hasHeader: Bool = false, names: [String] = []
  ) -> FileLayout {
    var columns = columns
    columns.fieldCount = fieldCount
    columns.hasHeader = hasHeader
    return FileLayout(syntax: syntax, columns: columns, filters: filters, template: template, names: names)
  }
}
