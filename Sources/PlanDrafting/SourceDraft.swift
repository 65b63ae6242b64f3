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
  var label: ColumnReference?
  var area: ColumnReference?
  var action = EntryAction.identify
  var filter: (column: ColumnReference, values: [String])?
  var country: RegionCode?
  var lacksPlus = false
  var stripsRemarks = false
  var numberSeparator: String?
  /// Whether it takes rows of countries that were not seen.
  var isRemainder = false
  /// What a person should know of it.
  var comments: [String] = []
  /// Values of the area column with the numbers of rows, the most frequent ones first.
  var areas: [(value: String, rows: Int)] = []
  /// The ranges that patterns come to, ascending.
  var spans: [ClosedRange<Int64>] = []
  /// Numbers that the whole source may come to.
  var expectedNumbers = 0
  /// Whether `spans` are all numbers of the source.
  var hasAllSpans = false

  /// What two files must have in common to be one source.
  var signature: String {
    let columns = [number, pattern, label, area, filter?.column].map { reference -> String in
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
    ]
    return (parts + columns).joined(separator: "\u{0}")
  }
}
