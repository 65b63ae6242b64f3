/// Where the columns of a plan stand in the rows of one file. Nothing but numbers: it is copied per row.
struct RowLayout: Sendable {
  /// How rows and fields are told apart.
  var syntax: TableSyntax
  /// Positions of the columns, from 0; negative when the source has none.
  var number = 0
  var label = -1
  var area = -1
  var score = -1
  var action = -1
  /// Fields every row must have; nil when nothing in the file says.
  var fieldCount: Int?
  /// Whether a header said so, rather than the first row.
  var hasHeader = false

  /// Fields from the first one up to the last that is used.
  var usedFields: Int { 1 + max(number, label, area, score, action) }
}

/// The start of a file: what it says about all of it.
struct FileStart: Sendable {
  var layout: RowLayout
  /// Offset of the first row: behind a byte order mark and the header.
  var dataOffset: Int
  /// Lines before the first row.
  var headerLines: Int
}
