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
    var controlNotes = 0
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
    var columns: [ColumnReference?] = [nil, nil, source.area, source.score]
    if case .number(let column) = source.numbers { columns[0] = column }
    if case .column(let column) = source.label { columns[1] = column }
    if case .column(let reference, _) = source.action { columns.append(reference) } else { columns.append(nil) }
    var places = columns.map { column -> Int? in
      if case .position(let position) = column { position - 1 } else { nil }
    }
    var expected: Int?
    if format == .numbers {
      places = [0, nil, nil, nil, nil]
    } else if source.hasHeader {
      guard !rows.isEmpty else { return }
      let names = rows.removeFirst().fields.map {
        String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces)
      }
      places = columns.map { column in
        switch column {
        case .name(let name): names.firstIndex(of: name)
        case .position(let position): position - 1
        case nil: nil
        }
      }
      expected = names.count
    } else {
      expected = rows.first { $0.fields != [[]] }?.fields.count
    }
    let normaliser = PhoneNormaliser(source.spelling)
    for row in rows where row.fields != [[]] || row.fault != nil {
      if format == .numbers {
        let text = trimmed(String(decoding: row.fields[0], as: UTF8.self))
        if text.isEmpty || text.hasPrefix("#") { continue }
      }
      outcome.counts.rows += 1
      var action = EntryAction.identify
      if case .fixed(let fixed) = source.action { action = fixed }
      var finding = row.fault
      if finding == nil, let expected, row.fields.count != expected { finding = .fieldCount }
      func text(_ column: Int) -> String? { places[column].map { String(decoding: row.fields[$0], as: UTF8.self) } }
      var result = ReadRow(number: 0, source: index, file: file, line: row.line, label: "")
      if finding == nil {
        if case .column(_, let values) = source.action, let cell = text(4) {
          action = values[trimmed(cell)] ?? .identify
        }
        switch row.fields[places[0]!].withUnsafeBytes({ normaliser.outcome(of: $0) }) {
        case .success(let number): result.number = number.number.rawValue
        case .failure(let refusal): finding = .number(refusal)
        }
      }
      if finding == nil, let cell = text(3), !trimmed(cell).isEmpty {
        let plain = trimmed(cell).replacingOccurrences(of: ",", with: ".")
        let isDecimal = plain.range(of: #"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$"#, options: .regularExpression) != nil
        if isDecimal { result.score = Double(plain) } else { finding = .scoreNotANumber }
      }
      var hasControls = false
      if finding == nil, let cell = text(1) {
        let label = trimmed(cell)
        hasControls = label.unicodeScalars.contains(where: isControl)
        result.label = cleaned(label)
        if result.label.utf8.count > 65_534 { finding = .labelTooLong }
      }
      let weight = action == .both ? 2 : 1
      outcome.counts.read += weight
      if let finding {
        outcome.counts.refusedRows += 1
        outcome.counts.refused += weight
        outcome.refusals[finding.rawValue, default: []].append("\(file):\(row.line)")
        continue
      }
      if hasControls { outcome.controlNotes += 1 }
      result.action = action
      result.area = text(2).map(trimmed) ?? ""
      outcome.rows.append(result)
    }
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
