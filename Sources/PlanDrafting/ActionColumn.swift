internal import CallDirectory
internal import DirectorySources

/// A column that tells what is done with the number of a row.
struct ActionColumn {
  typealias Column = SampledRows.Column

  /// The column.
  var column: Column
  /// What its cells mean, those that were seen and those of the same spelling that may come later.
  var values: [(cell: String, action: EntryAction)]

  private static let names = ["action", "actions", "aktion", "acción", "действие"]
  private static let flagNames = ["block", "blocked", "spam", "is_spam", "isspam", "isblocked", "blacklisted"]
  private static let flagWords = [["1", "0"], ["true", "false"], ["yes", "no"], ["y", "n"]]

  /// A column of the words of `EntryAction`; nil where a cell is another word, or where most rows have none.
  init?(words column: Column, rows: Int) {
    let cells = Set(column.texts).sorted()
    let found = cells.compactMap { cell in EntryAction(rawValue: cell.lowercased()).map { (cell: cell, action: $0) } }
    guard column.reference != nil, !found.isEmpty, found.count == cells.count, column.texts.count * 2 > rows else {
      return nil
    }
    let isNamed = column.title.isEmpty || ColumnRoles.isNamed(column, Self.names)
    // "both" and "remove" alone are words of other columns too.
    guard isNamed || found.contains(where: { [.identify, .block].contains($0.action) }) else { return nil }
    self.column = column
    values = found
    // Rows behind those that are looked at may have the other actions of a directory.
    let spellings: [(String) -> String] = [{ $0 }, { $0.uppercased() }, { $0.prefix(1).uppercased() + $0.dropFirst() }]
    let own = spellings.first { spell in found.allSatisfy { $0.cell == spell($0.action.rawValue) } }
    guard let own else { return }
    let usual: [EntryAction] = [.identify, .block, .both]
    let others = found.filter { !usual.contains($0.action) }
    values = usual.map { (own($0.rawValue), $0) } + others
  }

  /// A column of 1 and 0, or yes and no, whose name speaks of blocking.
  init?(flags column: Column) {
    let cells = Set(column.texts)
    guard column.reference != nil, ColumnRoles.isNamed(column, Self.flagNames) else { return nil }
    guard let words = Self.flagWords.first(where: { words in cells.allSatisfy { words.contains($0.lowercased()) } })
    else {
      return nil
    }
    self.column = column
    let seen = cells.sorted().filter { $0.lowercased() == words[0] }
    values = (seen.isEmpty ? [words[0]] : seen).map { ($0, .block) }
  }

  /// What a plan writes to block the rows whose cell says so, with their labels where there are some.
  func advice(hasLabel: Bool) -> String {
    let (name, key) =
      switch column.reference {
      case .name(let name): ("\"\(name)\"", "\"\(name)\"")
      case .position(let position): ("\(position)", "\(position)")
      case nil: ("", "")
      }
    let action = hasLabel ? EntryAction.both : .block
    let pairs = values.map { "\"\($0.cell)\": \"\(action.rawValue)\"" }.joined(separator: ", ")
    return "its column \(name) seems to say which numbers to block: "
      + "\"action\": {\"column\": \(key), \"values\": {\(pairs)}} does so"
      + (hasLabel ? "" : "; give it a \"label\" too, for the other rows identify")
  }
}
