internal import DirectorySources

/// The first rows of a file as texts, whatever its format.
struct SampledRows {
  struct Column {
    /// As the plan names it; nil where a format has no columns.
    var reference: ColumnReference?
    /// What its texts are told by: the name, lower case, without the objects around it.
    var title: String
    /// The texts of each row; several where a row has several.
    var cells: [[String]]

    /// All texts that are not blank.
    var texts: [String] { cells.joined().filter { !$0.isEmpty } }
  }

  var columns: [Column]
  var rows: Int

  /// How many rows are looked at.
  static let limit = 20_000

  /// The rows of a table.
  init(rows: [[String]], header: [String]?) {
    let width = header?.count ?? rows.map(\.count).max() ?? 0
    columns = (0..<width).map { index in
      let name = header?[index]
      return Column(
        reference: name.map(ColumnReference.name) ?? .position(index + 1), title: name?.lowercased() ?? "",
        cells: rows.map { index < $0.count ? [$0[index]] : [] })
    }
    self.rows = rows.count
  }

  /// The columns as they are.
  init(columns: [Column], rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

extension String {
  /// Without blanks at its ends.
  var trimmedBlanks: String {
    let isBlank: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
    let start = unicodeScalars.drop(while: isBlank)
    guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(start[...last])
  }
}
