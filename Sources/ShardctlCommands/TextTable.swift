internal import CommandLineKit

/// Columns of text for people: as wide as their widest cell, two blanks apart.
struct TextTable {
  /// Which side of its column a cell stands on.
  enum Alignment {
    case left, right
  }

  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// A table whose first row is `header`.
  init(_ header: [(String, Alignment)]) {
    alignments = header.map(\.1)
    rows.append(header.map(\.0))
  }

  /// Adds a row; it has as many cells as the header.
  mutating func add(_ cells: [String]) { rows.append(cells.map(PrintableText.oneLine)) }

  /// The lines, without blanks at their ends.
  var lines: [String] {
    let widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += (column == 0 ? "" : "  ") + (alignments[column] == .left ? cell + padding : padding + cell)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
