internal import CallDirectory
internal import DirectorySources
internal import PhoneNumbering

/// One entry of the `sources` of a plan to be written.
struct SourceDraft {
  var id: String
  var files: [String]
  /// The format of the files.
  var ownFormat: SourceFormat
  /// The format, where the extension of a file does not tell it.
  var format: SourceFormat?
  var encoding: TextEncoding?
  var separator: FieldSeparator?
  var hasHeader = true
  var records = ""
  var number: ColumnReference?
  var pattern: ColumnReference?
  /// Columns of the first and the last numbers of ranges.
  var range: (from: ColumnReference, to: ColumnReference)?
  var label: ColumnReference?
  var area: ColumnReference?
  var action = EntryAction.identify
  /// A column that tells the action of each row; then `action` is not written.
  var actionColumn: (column: ColumnReference, values: [(cell: String, action: EntryAction)])?
  var filter: (column: ColumnReference, values: [String])?
  var country: RegionCode?
  var lacksPlus = false
  var stripsRemarks = false
  var numberSeparator: String?
  /// Whether it takes rows of countries that were not seen.
  var isRemainder = false
  /// What a person should know of it.
  var comments: [String] = []
  /// What a person may want to change in it.
  var advice: [String] = []
  /// Values of the area column with the numbers of rows, the most frequent ones first.
  var areas: [(value: String, rows: Int)] = []
  /// The ranges that patterns come to, ascending.
  var spans: [ClosedRange<Int64>] = []
  /// Numbers that the whole source may come to.
  var expectedNumbers = 0
  /// Whether `spans` are all numbers of the source.
  var hasAllSpans = false

  /// The action of all rows; nil where a column tells it.
  var ownAction: EntryAction? { actionColumn == nil ? action : nil }

  /// What two files must have in common to be one source.
  var signature: String {
    let columns = [number, pattern, label, area, filter?.column, actionColumn?.column, range?.from, range?.to].map {
      reference -> String in
      switch reference {
      case .name(let name): "=\(name)"
      case .position(let position): "\(position)"
      case nil: "-"
      }
    }
    let parts: [String] = [
      ownFormat.rawValue, format?.rawValue ?? "", encoding?.rawValue ?? "", separator?.rawValue ?? "", "\(hasHeader)",
      records, action.rawValue, filter?.values.joined(separator: " ") ?? "-", country?.rawValue ?? "",
      "\(stripsRemarks) \(lacksPlus)",
      numberSeparator ?? "",
      actionColumn?.values.map { "\($0.cell)=\($0.action.rawValue)" }.joined(separator: " ") ?? "",
    ]
    return (parts + columns).joined(separator: "\u{0}")
  }
}
