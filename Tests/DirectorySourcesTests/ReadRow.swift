import CallDirectory
import DirectorySources
import PhoneNumbering

/// A row as a test compares it: everything that was borrowed is owned.
struct ReadRow: Hashable {
  var number: Int64
  var action: EntryAction = .identify
  var source = 0
  var file = 0
  var line: Int
  var area = ""
  var score: Double?
  var label: String
}

extension SortedRows {
  /// All rows in the order they are delivered.
  func rows() throws -> [ReadRow] {
    var rows: [ReadRow] = []
    try forEachNumber { number, group in
      for row in group {
        rows.append(
          ReadRow(
            number: number.rawValue, action: row.action, source: row.source, file: row.file, line: row.line,
            area: areas[Int(row.area.rawValue)], score: row.score, label: String(decoding: row.label, as: UTF8.self)))
      }
    }
    return rows
  }
}

extension SourceDescription {
  /// A table of US numbers in the columns `phone` and `name`.
  static func table(_ files: String..., change: (inout SourceDescription) -> Void = { _ in }) -> SourceDescription {
    var source = SourceDescription(id: "companies", files: files)
    source.numbers = .number(.name("phone"))
    source.label = .column(.name("name"))
    source.spelling.region = RegionCode("US")
    change(&source)
    return source
  }
}
