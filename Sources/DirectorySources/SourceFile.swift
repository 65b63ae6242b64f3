/// One file that was read.
public struct SourceFile: Hashable, Sendable {
  /// The path as the plan names it or as its pattern expanded.
  public var path: String
  /// Position of its source in the plan, from 0.
  public var source: Int
  /// Its size on disk in bytes, as read; what came out of a pipe.
  public var bytes: Int
  /// Rows, refused ones included; the header, blank lines and comments are none.
  public var rows: Int
  /// Lines, the header included.
  public var lines: Int

  /// What separates the fields of a `.csv` file, where the source does not say and it was found out.
  public var separator: FieldSeparator?

  /// A file with the given counts.
  public init(
    path: String, source: Int, bytes: Int = 0, rows: Int = 0, lines: Int = 0, separator: FieldSeparator? = nil
  ) {
    self.path = path
    self.source = source
    self.bytes = bytes
    self.rows = rows
    self.lines = lines
    self.separator = separator
  }
}
