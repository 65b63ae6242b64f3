/// Where the columns of a plan stand in the rows of one file. Nothing but numbers: it is copied per row.
struct RowLayout: Sendable {
  /// Positions of the columns, from 0; negative when the source has none. `number` is that of the pattern or of the
  /// first number of a range too, `last` that of a range's last number. `label` is negative for a template.
  var number = 0
  var last = -1
  var label = -1
  var area = -1
  var score = -1
  var action = -1
  /// Fields from the first one up to the last that is used.
  var usedFields = 1
  /// Fields every row must have; nil when nothing in the file says.
  var fieldCount: Int?
  /// Whether a header said so, rather than the first row.
  var hasHeader = false
}

/// What is settled once for all rows of a file.
final class FileLayout: Sendable {
  /// How rows and fields are told apart.
  let syntax: RowSyntax
  /// Where the columns stand.
  let columns: RowLayout
  /// Positions of the columns of the source's `filters`, in their order.
  let filters: [Int]
  /// Positions of the columns of the label's template, in the order of its pieces; empty without a template.
  let template: [Int]
  /// What the columns are called where they have no position that means anything to people; else empty.
  let names: [String]

  init(
    syntax: RowSyntax, columns: RowLayout = RowLayout(), filters: [Int] = [], template: [Int] = [],
    names: [String] = []
  ) {
    self.syntax = syntax
    self.names = names
    self.filters = filters
    self.template = template
    var columns = columns
    let used = [columns.number, columns.last, columns.label, columns.area, columns.score, columns.action]
    columns.usedFields = 1 + (used + filters + template).reduce(0, max)
    self.columns = columns
  }
}

/// The start of a file: what it says about all of it.
struct FileStart: Sendable {
  var layout: FileLayout
  /// Offset of the first row: behind a byte order mark and the header.
  var dataOffset: Int
  /// Lines before the first row.
  var headerLines: Int
  /// Characters before the first row on its line, for formats whose rows are no lines.
  var headerCharacters = 0
  /// What separates the fields, where that was found out.
  var separator: FieldSeparator?
}
