import CallDirectory
import Foundation
import PhoneNumbering

@testable import DirectorySources

/// What a source means, written for clearness: byte arrays and strings, one row at a time, everything in memory. Shares
/// nothing with the product but the number rules.
struct NaiveReader {
  struct Outcome {
    var rows: [ReadRow] = []
    var counts = ReadingCounts()
    /// Refused rows: finding, file, line.
    var refusals: [String: [String]] = [:]
    /// Notes about what is not a number's own.
    var notes: [RowFinding: Int] = [:]
  }

  private struct Row {
    var line: Int
    var fields: [[UInt8]]
    var fault: RowFinding?
  }

  static func read(_ sources: [SourceDescription]) throws -> Outcome {
    var outcome = Outcome()
    var file = 0
    for (index, source) in sources.enumerated() {
      for path in source.files {
        try read(path, file: file, index: index, source: source, into: &outcome)
        file += 1
      }
    }
    outcome.rows.sort { ($0.number, $0.file, $0.line) < ($1.number, $1.file, $1.line) }
    return outcome
  }

  private static func read(
    _ path: String, file: Int, index: Int, source: SourceDescription, into outcome: inout Outcome
  ) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    outcome.counts.files += 1
    outcome.counts.bytes += bytes.count
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    let format =
      source.format
      ?? (path.hasSuffix(".csv") ? SourceFormat.csv : path.hasSuffix(".tsv") ? SourceFormat.tsv : SourceFormat.numbers)
    let lineEnd = lineEnd(bytes, format)
    var (rows, lines) = split(bytes, format: format, lineEnd: lineEnd)
    outcome.counts.lines += lines
    var names: [String] = []
    var expected: Int?
    if format != .numbers {
      if source.hasHeader {
        guard !rows.isEmpty else { return }
        names = rows.removeFirst().fields.map {
          String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        }
        expected = names.count
      } else {
        expected = rows.first { $0.fields != [[]] }?.fields.count
      }
    }
    func place(_ column: ColumnReference?) -> Int? {
      guard format != .numbers else { return nil }
      switch column {
      case .name(let name): return names.firstIndex(of: name)
      case .position(let position): return position - 1
      case nil: return nil
      }
    }
    var numbers = 0
    if case .number(let column) = source.numbers { numbers = place(column) ?? 0 }
    let map = try source.areaMap.map(areaMap)
    let normaliser = PhoneNormaliser(source.spelling)
    for row in rows where row.fields != [[]] || row.fault != nil {
      if format == .numbers {
        let text = trimmed(String(decoding: row.fields[0], as: UTF8.self))
        if text.isEmpty || text.hasPrefix("#") { continue }
      }
      func text(_ column: ColumnReference?) -> String? {
        place(column).map { trimmed(String(decoding: row.fields[$0], as: UTF8.self)) }
      }
      var action = EntryAction.identify
      if case .fixed(let fixed) = source.action { action = fixed }
      func refuse(_ finding: RowFinding, weight: Int) {
        outcome.counts.refused += weight
        outcome.refusals[finding.rawValue, default: []].append("\(file):\(row.line)")
      }
      var fault = row.fault
      if fault == nil, let expected, row.fields.count != expected { fault = .fieldCount }
      if let fault {
        outcome.counts.rows += 1
        outcome.counts.refusedRows += 1
        let weight: Int
        if case .column = source.action { weight = 1 } else { weight = action == .both ? 2 : 1 }
        outcome.counts.read += weight
        refuse(fault, weight: weight)
        continue
      }
      if !source.filters.allSatisfy({ $0.values.contains(text($0.column) ?? "") }) {
        outcome.counts.filteredRows += 1
        continue
      }
      outcome.counts.rows += 1
      if case .column(let column, let values) = source.action { action = values[text(column) ?? ""] ?? .identify }
      let weight = action == .both ? 2 : 1

      var cells = [row.fields[numbers]]
      if format == .numbers { cells = [Array(trimmed(String(decoding: cells[0], as: UTF8.self)).utf8)] }
      if let separator = source.numberSeparator {
        cells = String(decoding: cells[0], as: UTF8.self).components(separatedBy: separator).map(trimmed)
          .filter { !$0.isEmpty }.map { Array($0.utf8) }
        if cells.isEmpty { cells = [[]] }
      }
      var taken: [(number: PhoneNumber, action: EntryAction)] = []
      for cell in cells {
        switch cell.withUnsafeBytes({ normaliser.outcome(of: $0) }) {
        case .success(let result):
          let isEmergency = NumberingPlan.isEmergency(result.number, in: source.spelling.region)
          if isEmergency, action == .block || action == .both {
            outcome.counts.read += 1
            refuse(.emergencyNumber, weight: 1)
            if action == .both { taken.append((result.number, .identify)) }
          } else {
            taken.append((result.number, action))
          }
        case .failure(let refusal):
          outcome.counts.read += weight
          refuse(.number(refusal), weight: weight)
        }
      }
      var all: [(number: PhoneNumber, action: EntryAction)] = []
      for (number, action) in taken {
        for form in source.aliases ? NumberAliases.forms(of: number) : [number] { all.append((form, action)) }
      }
      let left = all.reduce(0) { $0 + ($1.action == .both ? 2 : 1) }
      outcome.counts.read += left
      guard !all.isEmpty else {
        outcome.counts.refusedRows += 1
        continue
      }
      var result = ReadRow(number: 0, source: index, file: file, line: row.line, label: "")
      if let cell = text(source.score), !cell.isEmpty {
        let plain = cell.replacingOccurrences(of: ",", with: ".")
        let number = #"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$"#
        guard plain.range(of: number, options: .regularExpression) != nil else {
          outcome.counts.refusedRows += 1
          refuse(.scoreNotANumber, weight: left)
          continue
        }
        result.score = Double(plain)
      }
      var label = ""
      switch source.label {
      case .column(let column): label = text(column) ?? ""
      case .template(let pieces): label = template(pieces) { text($0) ?? "" }
      case nil: break
      }
      if label.unicodeScalars.contains(where: isControl) { outcome.notes[.labelControlCharacters, default: 0] += 1 }
      result.label = cleaned(label)
      if result.label.utf8.count > source.maxLabelBytes {
        outcome.notes[.labelCut, default: 0] += 1
        while result.label.utf8.count > source.maxLabelBytes - 3 { result.label.removeLast() }
        result.label = trimmed(result.label) + "…"
      }
      result.area = text(source.area) ?? ""
      if let map, !result.area.isEmpty {
        if let area = map[result.area] { result.area = area } else { outcome.notes[.areaNotInMap, default: 0] += 1 }
      }
      if all.count > taken.count { outcome.notes[.aliasAdded, default: 0] += all.count - taken.count }
      for (number, action) in all {
        result.number = number.rawValue
        result.action = action
        outcome.rows.append(result)
      }
    }
  }

  /// A template by its rule: keep the filled columns, with the text between two where nothing is left out between them
  /// and a space otherwise.
  private static func template(_ pieces: [LabelPiece], _ cell: (ColumnReference) -> String) -> String {
    let columns = pieces.indices.filter { if case .column = pieces[$0] { true } else { false } }
    func text(_ range: Range<Int>) -> String {
      pieces[range].map { if case .text(let text) = $0 { text } else { "" } }.joined()
    }
    func cellText(_ place: Int) -> String { if case .column(let column) = pieces[place] { cell(column) } else { "" } }
    guard let first = columns.first, let last = columns.last else { return trimmed(text(pieces.indices)) }
    let filled = columns.filter { !cellText($0).isEmpty }
    var result = filled.first == first ? text(0..<first) : ""
    var previous: Int?
    for place in filled {
      if let previous {
        let isNext = columns.firstIndex(of: place) == columns.firstIndex(of: previous).map { $0 + 1 }
        result += isNext ? text(previous + 1..<place) : " "
      }
      result += cellText(place)
      previous = place
    }
    if filled.last == last { result += text(last + 1..<pieces.count) }
    return trimmed(result)
  }

  private static func areaMap(_ path: String) throws -> [String: String] {
    var map: [String: String] = [:]
    for line in try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n") {
      let parts = line.components(separatedBy: "\t").map(trimmed)
      if parts.count == 2, !line.hasPrefix("#") { map[parts[0]] = parts[1] }
    }
    return map
  }

  /// The cells of one column of a source's first file, with their lines; whole lines in a list of numbers.
  static func cells(of column: String, in source: SourceDescription) throws -> [(line: Int, text: String)] {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: source.files[0])))
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    let format: SourceFormat = source.files[0].hasSuffix(".csv") ? .csv : .numbers
    var rows = split(bytes, format: format, lineEnd: lineEnd(bytes, format)).0
    var place = 0
    if format == .csv {
      place = rows.removeFirst().fields.firstIndex { trimmed(String(decoding: $0, as: UTF8.self)) == column } ?? 0
    }
    let cells = rows.map { (line: $0.line, text: trimmed(String(decoding: $0.fields[place], as: UTF8.self))) }
    return cells.filter { format == .csv || !$0.text.hasPrefix("#") }
  }

  private static func lineEnd(_ bytes: [UInt8], _ format: SourceFormat) -> UInt8 {
    var isQuoted = false
    for (index, byte) in bytes.enumerated() {
      if format == .csv, byte == 0x22 {
        let isFirst = index == 0 || [0x2C, 0x0A, 0x0D].contains(bytes[index - 1])
        if isQuoted || isFirst { isQuoted.toggle() }
      }
      if isQuoted { continue }
      if byte == 0x0A { return 0x0A }
      if byte == 0x0D { return index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 0x0A : 0x0D }
    }
    return 0x0A
  }

  /// All rows, blank ones as one empty field, and the number of lines.
  private static func split(_ bytes: [UInt8], format: SourceFormat, lineEnd: UInt8) -> ([Row], Int) {
    var rows: [Row] = []
    var line = 1
    var position = 0
    while position < bytes.count {
      let start = position
      var row = Row(line: line, fields: [])
      var isOpen = false
      var fields: [[UInt8]] = []
      var lines = 1
      fieldLoop: while true {
        var field: [UInt8] = []
        var isQuoted = false
        if format == .csv, position < bytes.count, bytes[position] == 0x22 {
          isQuoted = true
          isOpen = true
          position += 1
          while position < bytes.count {
            if bytes[position] == 0x22 {
              position += 1
              if position < bytes.count, bytes[position] == 0x22 {
                field.append(0x22)
              } else {
                isOpen = false
                break
              }
            } else {
              if bytes[position] == lineEnd { lines += 1 }
              field.append(bytes[position])
            }
            position += 1
          }
          if isOpen { break }
        }
        var tail: [UInt8] = []
        let separator: UInt8? = format == .csv ? 0x2C : format == .tsv ? 0x09 : nil
        while position < bytes.count, bytes[position] != lineEnd, bytes[position] != separator {
          tail.append(bytes[position])
          position += 1
        }
        let isLast = position == bytes.count || bytes[position] == lineEnd
        if isLast, lineEnd == 0x0A, tail.last == 0x0D { tail.removeLast() }
        if isQuoted, !tail.isEmpty { row.fault = .textAfterQuote }
        fields.append(field + tail)
        position += 1
        if isLast { break }
      }
      if isOpen {
        row.fault = .unclosedQuote
        lines = 1
        position = (bytes[start...].firstIndex(of: lineEnd) ?? bytes.count) + 1
      }
      row.fields = fields
      rows.append(row)
      line += lines
    }
    return (rows, line - 1)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || isControl(scalar) || scalar == "\u{FEFF}" || scalar == "\u{200B}"
  }

  static func trimmed(_ text: String) -> String {
    var scalars = text.unicodeScalars[...]
    while let first = scalars.first, isBlank(first) { scalars.removeFirst() }
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    return String(String.UnicodeScalarView(scalars))
  }

  static func cleaned(_ label: String) -> String {
    var result = String.UnicodeScalarView()
    var pending: [Unicode.Scalar] = []
    func flush() {
      if pending.contains(where: isControl) { result.append(" ") } else { result.append(contentsOf: pending) }
      pending = []
    }
    for scalar in label.unicodeScalars {
      if scalar == " " || isControl(scalar) {
        pending.append(scalar)
      } else {
        flush()
        result.append(scalar)
      }
    }
    flush()
    return String(result)
  }
}
