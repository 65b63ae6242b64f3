/// What became of everything that was read: per source and in all, with the refused rows by reason.
public struct ReadingReport: Hashable, Sendable {
  /// One report per source, in the plan's order.
  public var sources: [SourceReport]

  /// A report over the given sources.
  public init(sources: [SourceReport] = []) { self.sources = sources }

  /// All sources together.
  public var total: ReadingCounts { sources.reduce(into: ReadingCounts()) { $0.add($1.counts) } }

  /// Refused rows of all sources by reason, in the order of `RowFinding`; examples in file order.
  public var refusals: [FindingGroup] { FindingGroup.merge(sources.flatMap(\.refusals)) }

  /// Accepted rows of all sources with something to say about them, by what it is.
  public var notes: [FindingGroup] { FindingGroup.merge(sources.flatMap(\.notes)) }
}

/// What became of the rows of one source.
public struct SourceReport: Hashable, Sendable {
  /// The id of the source.
  public var id: String
  /// Its counts.
  public var counts: ReadingCounts
  /// Its refused rows by reason.
  public var refusals: [FindingGroup]
  /// Its accepted rows that were changed or look odd, by what it is. A row may count under several.
  public var notes: [FindingGroup]

  /// A report with the given parts.
  public init(
    id: String, counts: ReadingCounts = ReadingCounts(), refusals: [FindingGroup] = [], notes: [FindingGroup] = []
  ) {
    self.id = id
    self.counts = counts
    self.refusals = refusals
    self.notes = notes
  }
}

/// Counts of what was read. The unit of accounts is the occurrence: one number of one row in one family. A row with the
/// action `both` is two, `allow` and `remove` are one; a pattern or range counts each of its numbers. A refused row counts what its
/// action would have given, one when its action is not known; a refused pattern or range counts as one number.
public struct ReadingCounts: Hashable, Sendable {
  /// Files.
  public var files: Int
  /// Bytes of the files.
  public var bytes: Int
  /// Lines, with header, comments and blank lines.
  public var lines: Int
  /// Rows that were looked at, refused ones included.
  public var rows: Int
  /// Rows that were refused: nothing of them was accepted.
  public var refusedRows: Int
  /// Rows that the source's `where` left out; in no other figure here but `lines`.
  public var filteredRows: Int
  /// Occurrences in all rows.
  public var read: Int
  /// Occurrences that were refused.
  public var refused: Int
  /// Accepted rows of sources of patterns or ranges.
  public var rangeRows: Int
  /// Numbers in these, each row's by themselves: what they cost before overlaps are joined.
  public var rangeNumbers: Int

  /// Counts with the given values; none by default.
  public init(
    files: Int = 0, bytes: Int = 0, lines: Int = 0, rows: Int = 0, refusedRows: Int = 0, filteredRows: Int = 0,
    read: Int = 0, refused: Int = 0,
    rangeRows: Int = 0, rangeNumbers: Int = 0
  ) {
    self.files = files
    self.bytes = bytes
    self.lines = lines
    self.rows = rows
    self.refusedRows = refusedRows
    self.filteredRows = filteredRows
    self.read = read
    self.refused = refused
    self.rangeRows = rangeRows
    self.rangeNumbers = rangeNumbers
  }

  /// Rows that went on to planning.
  public var acceptedRows: Int { rows - refusedRows }

  /// Adds the counts of `other`.
  public mutating func add(_ other: ReadingCounts) {
    files += other.files
    bytes += other.bytes
    lines += other.lines
    rows += other.rows
    refusedRows += other.refusedRows
    filteredRows += other.filteredRows
    read += other.read
    refused += other.refused
    rangeRows += other.rangeRows
    rangeNumbers += other.rangeNumbers
  }
}
