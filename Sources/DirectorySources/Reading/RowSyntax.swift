/// How the rows of a file are told apart, by the kind of format. The one place that knows; whoever cuts chunks and
/// whoever parses them must agree on where a row ends.
enum RowSyntax: Sendable {
  /// Lines, or rows of fields with separators between them.
  case table(TableSyntax)

  /// The end of the last row that ends within `bytes`, which begin with a row; nil when none does.
  func lastRowEnd(in bytes: UnsafeRawBufferPointer) -> Int? {
    switch self {
    case .table(let syntax): syntax.lastRowEnd(in: bytes)
    }
  }

  /// What ends a line.
  var lineEnd: LineEnd {
    switch self {
    case .table(let syntax): syntax.lineEnd
    }
  }
}
