public import CallDirectory
public import PhoneNumbering

/// One entry of the plan's `sources`: which files, how they are read, and what their rows ask for.
public struct SourceDescription: Sendable {
  /// The name of the source in plans, claims and reports.
  public var id: String
  /// Files in the order they are read, absolute or relative to the current folder; globs are expanded in byte order.
  public var files: [String]
  /// How the bytes are laid out; by the file's extension when nil (`.tsv`, `.csv`, `.txt`).
  public var format: SourceFormat?
  /// What stands between two fields of a `.csv` file.
  public var separator: FieldSeparator
  /// Whether the first line of a table names its columns. Without it columns are 1-based positions.
  public var hasHeader: Bool
  /// The column of the number; unused by `.numbers`.
  public var number: ColumnReference?
  /// The column of the label.
  public var label: ColumnReference?
  /// The column of the area.
  public var area: ColumnReference?
  /// The column of the score.
  public var score: ColumnReference?
  /// What rows ask for.
  public var action: ActionRule
  /// The country whose national numbers the source holds.
  public var country: RegionCode?
  /// How numbers without `+` are understood.
  public var numbersAre: NumberInterpretation
  /// What a refused row does to the run.
  public var onBadRow: BadRowRule
  /// Whether a source without rows is accepted.
  public var allowEmpty: Bool

  /// A source with the defaults of the plan.
  public init(id: String, files: [String]) {
    self.id = id
    self.files = files
    format = nil
    separator = .comma
    hasHeader = true
    number = nil
    label = nil
    area = nil
    score = nil
    action = .fixed(.identify)
    country = nil
    numbersAre = .auto
    onBadRow = .skip
    allowEmpty = false
  }
}

/// How the bytes of a source are laid out.
public enum SourceFormat: String, Sendable, CaseIterable {
  /// Columns separated by tabs; quotes are text.
  case tsv
  /// RFC 4180: columns separated by commas or another stated character, fields quoted where needed; a quote inside an unquoted field is text.
  case csv
  /// One number per line.
  case numbers
}

/// What stands between two fields of a `.csv` file, as the plan writes it.
public enum FieldSeparator: String, Sendable, CaseIterable {
  case comma = ","
  case semicolon = ";"
  case bar = "|"
  case tab = "\t"

  var byte: UInt8 {
    switch self {
    case .comma: Byte.comma
    case .semicolon: Byte.semicolon
    case .bar: Byte.bar
    case .tab: Byte.tab
    }
  }
}

/// Names a column of a table.
public enum ColumnReference: Hashable, Sendable {
  /// By the name in the header line.
  case name(String)
  /// By position from 1, for tables without header.
  case position(Int)
}

/// Where the action of a row comes from.
public enum ActionRule: Hashable, Sendable {
  /// Every row of the source has the same action.
  case fixed(EntryAction)
  /// A column decides: cells that `values` lists have the action given there, all others are `identify`.
  case column(ColumnReference, values: [String: EntryAction])
}

/// What a refused row does to the run.
public enum BadRowRule: String, Sendable, CaseIterable {
  /// The row is counted and reported, the run goes on.
  case skip
  /// The run stops at the first refused row.
  case fail
}
