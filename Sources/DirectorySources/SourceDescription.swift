public import CallDirectory
public import PhoneNumbering

/// One entry of the plan's `sources`: which files, how they are read, and what their rows ask for.
public struct SourceDescription: Sendable {
  /// The name of the source in plans, claims and reports.
  public var id: String

  // MARK: Files

  /// Files in the order they are read, absolute or relative to the current folder; globs are expanded in byte order.
  public var files: [String]
  /// How many files `files` must come to; nil for any number.
  public var expectFiles: Int?
  /// How the bytes are laid out; by the file's extension when nil.
  public var format: SourceFormat?
  /// The encoding of the text; nil for UTF-8 or what a byte order mark says.
  public var encoding: TextEncoding?
  /// What stands between two fields of a `.csv` file; nil to find it out once per file.
  public var separator: FieldSeparator?
  /// Whether the first line of a table names its columns. Without it columns are 1-based positions.
  public var hasHeader: Bool
  /// Where the rows of a `.json` file stand: names of members, `.` between them; empty for the outermost value.
  public var records: String

  // MARK: Columns

  /// Where the numbers of a row come from; unused by formats that hold nothing but numbers.
  public var numbers: NumberColumns?
  /// Where the label comes from.
  public var label: LabelRule?
  /// The column of the area.
  public var area: ColumnReference?
  /// The column of the score.
  public var score: ColumnReference?
  /// What rows ask for.
  public var action: ActionRule
  /// Rows are taken only when all of these hold.
  public var filters: [RowFilter]

  // MARK: Numbers

  /// How the source writes its numbers.
  public var spelling: NormalisationOptions
  /// What stands between the numbers of one cell; nil where a cell holds one.
  public var numberSeparator: String?
  /// Whether every form of a number that is known by several is added; see `NumberAliases`.
  public var aliases: Bool
  /// Numbers that one pattern or range may come to.
  public var maxPatternNumbers: Int

  // MARK: Labels and areas

  /// UTF-8 bytes that a label may have, at least 8; a longer one is cut between characters and ends in an ellipsis.
  public var maxLabelBytes: Int
  /// A file of lines `value TAB area`; what it lists is replaced. Nil for none.
  public var areaMap: String?
  /// Which label a number gets that several rows of this source name differently.
  public var repeats: RepeatRule

  // MARK: What is too much

  /// What a refused row does to the run.
  public var onBadRow: BadRowRule
  /// Whether a source without rows is accepted.
  public var allowEmpty: Bool

  /// A source with the defaults of the plan.
  public init(id: String, files: [String]) {
    self.id = id
    self.files = files
    expectFiles = nil
    format = nil
    encoding = nil
    separator = nil
    hasHeader = true
    records = ""
    numbers = nil
    label = nil
    area = nil
    score = nil
    action = .fixed(.identify)
    filters = []
    spelling = NormalisationOptions()
    numberSeparator = nil
    aliases = false
    maxPatternNumbers = 10_000_000
    maxLabelBytes = CallLabel.maximumBytes
    areaMap = nil
    repeats = .first
    onBadRow = .skip
    allowEmpty = false
  }
}

/// How the bytes of a source are laid out.
public enum SourceFormat: String, Sendable, CaseIterable {
  /// Columns separated by tabs; quotes are text.
  case tsv
  /// RFC 4180: columns separated by commas or another character, fields quoted where needed; a quote inside an unquoted field is text.
  case csv
  /// One number per line.
  case numbers
  /// One number pattern or range per line.
  case patterns
  /// A JSON array of objects or of strings, or an object whose members are rows.
  case json
  /// One JSON value per line.
  case jsonl
  /// vCard 2.1, 3.0 and 4.0; a row per telephone number.
  case vcard
  /// Records of a length, a number and a name, as 2GIS keeps them.
  case twoGIS = "2gis"

  /// Whether a field has a position in its row that helps to find it.
  var hasPositions: Bool {
    switch self {
    case .tsv, .csv, .numbers, .patterns: true
    case .json, .jsonl, .vcard, .twoGIS: false
    }
  }

  /// Whether its files are text, which may be in another encoding.
  var isText: Bool { self != .twoGIS }
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

  /// As it stands in a plan, quotes included.
  var spelling: String { self == .tab ? "\"\\t\"" : "\"\(rawValue)\"" }
}

/// The encoding of a source's text, as the plan writes it.
public enum TextEncoding: String, Sendable, CaseIterable {
  case utf8 = "utf-8"
  /// UTF-16 in the order its byte order mark says; little-endian without one.
  case utf16 = "utf-16"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"
  case windows1251 = "windows-1251"
  case windows1252 = "windows-1252"
  case latin1 = "iso-8859-1"
  case gb18030
  case koi8r = "koi8-r"

  /// The encoding that elsewhere goes by another name, such as `cp1251`: for hints, since plans have one name for each.
  package init?(otherName: String) {
    let letters = otherName.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    switch letters {
    case "utf8", "utf8bom", "utf8sig", "unicode", "ascii", "usascii": self = .utf8
    case "utf16", "ucs2": self = .utf16
    case "utf16le", "ucs2le": self = .utf16LittleEndian
    case "utf16be", "ucs2be": self = .utf16BigEndian
    case "cp1251", "win1251", "windows1251", "1251", "ansi1251", "mscp1251", "cyrillic": self = .windows1251
    case "cp1252", "win1252", "windows1252", "1252", "ansi1252", "mscp1252", "ansi": self = .windows1252
    case "latin1", "iso88591", "88591", "isolatin1", "l1": self = .latin1
    case "gb18030", "gbk", "gb2312", "cp936", "936", "windows936", "euccn": self = .gb18030
    case "koi8r", "koi8", "cp20866": self = .koi8r
    default: return nil
    }
  }
}

/// Where the numbers of a row come from.
public enum NumberColumns: Hashable, Sendable {
  /// A column with a number.
  case number(ColumnReference)
  /// A column with a number pattern: `33162######`, `+33 1 62 *`, `+74950000000-+74959999999`.
  case pattern(ColumnReference)
  /// Two columns with the first and the last number of a range.
  case range(from: ColumnReference, to: ColumnReference)
}

/// Where the label of a row comes from.
public enum LabelRule: Hashable, Sendable {
  /// A column.
  case column(ColumnReference)
  /// Text with columns in it. Text between two columns appears only where both are filled, text at an end only where
  /// the column beside it is.
  case template([LabelPiece])
}

/// A part of a label template.
public enum LabelPiece: Hashable, Sendable {
  case text(String)
  case column(ColumnReference)
}

/// A condition that rows must meet to be taken.
public struct RowFilter: Hashable, Sendable {
  /// The column that is looked at.
  public var column: ColumnReference
  /// The cell texts that meet it, without blanks around them.
  public var values: [String]

  /// A condition on `column`.
  public init(column: ColumnReference, values: [String]) {
    self.column = column
    self.values = values
  }
}

/// Names a column of a table, or what stands for one in other formats.
public enum ColumnReference: Hashable, Sendable {
  /// By the name in the header line; in JSON by a path of member names with `.` between them, `$key` for the name of the
  /// row's own member and `$value` for a row that is no object; in a vCard by the name of a property.
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
