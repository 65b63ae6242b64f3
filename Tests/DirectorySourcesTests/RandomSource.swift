import CallDirectory
import Foundation
import PhoneNumbering
import TestSupport

@testable import DirectorySources

/// Random sources and files with every oddity the formats know, and tiny sizes that reach every border.
struct RandomSource {
  var generator: SeededGenerator
  let folder: TemporaryFolder

  init(seed: UInt64, folder: TemporaryFolder) {
    generator = SeededGenerator(seed: seed)
    self.folder = folder
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
  private mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &generator)] }

  mutating func sources() throws -> [SourceDescription] {
    var sources: [SourceDescription] = []
    for index in 0..<Int.random(in: 1...3, using: &generator) { sources.append(try source(index)) }
    return sources
  }

  mutating func tuning() -> ReadingTuning {
    var tuning = ReadingTuning(memory: 16 << 20, threads: pick([1, 2, 2, 3]))
    tuning.blockBytes = pick([1, 7, 16, 64, 300, 4096])
    tuning.longestRow = 1 << 20
    tuning.share = pick([100, 500, 3000, 100_000])
    tuning.keepBytes = pick([0, 0, 200, 2000, 1 << 20])
    tuning.leastWindow = pick([700, 1000, RowRecord.maximumBytes])
    tuning.batchBytes = pick([700, 1000, RowRecord.maximumBytes])
    tuning.mergeBytes = pick([0, 10 * tuning.leastWindow, 1 << 20])
    return tuning
  }

  private mutating func source(_ index: Int) throws -> SourceDescription {
    var source = SourceDescription(id: "s\(index)", files: [])
    let format = pick([SourceFormat.tsv, .csv, .numbers])
    source.spelling.region = RegionCode(pick(["US", "RU", "GB", "AR"]))
    source.spelling.shortCodes = chance(30)
    source.spelling.remarkHandling = pick([.refuse, .strip])
    source.spelling.extensionHandling = pick([.drop, .append, .refuse])
    source.aliases = chance(30)
    if chance(40) { source.numberSeparator = pick([";", ", ", "/", " и "]) }
    if chance(30) { source.maxLabelBytes = pick([8, 11, 20, 100]) }
    source.allowEmpty = true
    source.hasHeader = chance(60)
    // Without names a single row does not tell its separator.
    if !source.hasHeader { source.separator = .comma }
    source.action = .fixed(pick(EntryAction.allCases))
    var names = ["phone", "name", "city", "calls", "kind", "other", " spaced "]
    names.shuffle(using: &generator)
    if format != .numbers {
      func reference(_ name: String) -> ColumnReference {
        source.hasHeader ? .name(name) : .position(names.firstIndex(of: name)! + 1)
      }
      source.numbers = .number(reference("phone"))
      if chance(80) { source.label = .column(reference("name")) }
      if chance(30) {
        let pieces: [LabelPiece] = [
          .text(" ("), .column(reference("name")), .text(") "), .text("- "), .column(reference("kind")), .text(", "),
          .column(reference("city")), .column(reference("calls")), .text("]"),
        ]
        source.label = .template(pieces.filter { _ in !chance(20) })
      }
      if chance(50) { source.area = reference("city") }
      if chance(25) {
        source.areaMap = try folder.write("# map\nBoston\tUSA\n\n Москва \t Россия\nA,B\tUSA", to: "map\(index)")
      }
      if chance(25) {
        source.filters.append(
          RowFilter(column: reference("kind"), values: pick([["1"], ["", "both"], ["нет", "0"]])))
      }
      if chance(10) { source.filters.append(RowFilter(column: reference("city"), values: ["Boston", "Москва"])) }
      if chance(50) { source.score = reference("calls") }
      if chance(30) {
        source.action = .column(reference("kind"), values: ["1": .block, "both": .both, "нет": .remove, "": .allow])
      }
    }
    for file in 0..<Int.random(in: 1...3, using: &generator) {
      let path = "s\(index)-\(file).\(format == .numbers ? "txt" : format.rawValue)"
      source.files.append(try folder.write(content(format, hasHeader: source.hasHeader, names: names), to: path))
    }
    return source
  }

  private mutating func content(_ format: SourceFormat, hasHeader: Bool, names: [String]) -> [UInt8] {
    let lineEnd = pick(["\n", "\r\n", "\r"])
    var lines: [String] = []
    if format != .numbers {
      if hasHeader { lines.append(joined(names, format, lineEnd, mayBreak: false)) }
      // The first row of a table without header says how many fields there are, so it is whole.
      lines.append(joined(row(names), format, lineEnd, mayBreak: false))
    }
    for _ in 0..<pick([0, 1, 5, 60, 200]) {
      if chance(5) {
        lines.append("")
      } else if format == .numbers {
        lines.append(chance(10) ? pick(["# note", " #x", "   ", "\t", "\u{A0}"]) : phone())
      } else {
        var fields = row(names)
        if chance(4) { fields.removeLast() }
        if chance(4) { fields.append("more") }
        lines.append(joined(fields, format, lineEnd))
      }
    }
    var text = chance(30) ? "\u{FEFF}" : ""
    text += lines.joined(separator: lineEnd)
    if chance(60) { text += lineEnd }
    if chance(5), format == .csv { text += "\"never closed,1,2\(lineEnd)+12025550177,x\(lineEnd)" }
    return Array(text.utf8)
  }

  private mutating func row(_ names: [String]) -> [String] {
    names.map { name in
      switch name {
      case "phone": phone()
      case "calls": pick(["", "1", "2.5", "3,25", "-4", "many", " 7 ", "1e3", ".5", "1.2.3"])
      case "kind": pick(["", "1", "both", "нет", "0", " 1 "])
      case "city": pick(["", "Москва", "Boston ", "St. \"Paul\"", "A,B", "\u{A0}Praha"])
      default: label()
      }
    }
  }

  private mutating func phone() -> String {
    if chance(20) {
      return [String](repeating: "", count: Int.random(in: 1...4, using: &generator)).map { _ in onePhone() }
        .joined(separator: pick([";", ", ", "/", " и ", " ; "]))
    }
    return onePhone()
  }

  private mutating func onePhone() -> String {
    let number = Int.random(in: 2_025_550_100...2_025_550_199, using: &generator)
    return pick([
      "+1\(number)", "\(number)", "1\(number)", "(202) 555-0\(number % 1000)", "+7 495 123-45-\(10 + number % 80)",
      "89161234567", "", "0", "call me", "112", "911", "2468", "+54 9 11 4321-000\(number % 10)",
      "+54 11 4321-000\(number % 10)", "+52 1 55 1234 567\(number % 10)", "202-555-0\(number % 1000) x12",
      "+12025550\(number % 1000) (work)", "+44 20 7946 0\(number % 1000)", " +1\(number) ",
    ])
  }

  private mutating func label() -> String {
    pick([
      "", "Shop", "Кафе «Ёлка»", "Pizza 🍕", "Smith, MD", "ООО \"Ромашка\"", "\"quoted\"", "tab\there", "two\nlines",
      "a\rb",
      "nul\u{0}byte", "  spaced  ", "c1\u{85}x", "sep\u{2028}line", "\u{3000}wide\u{3000}", "a \r\n b", "\u{7F}",
      String(repeating: "длинно ", count: 40), "\"", "\"\"", "x\"y\"z", "中文名稱",
    ])
  }

  /// A row of text. A separator or line end inside a field stands only in a quoted one, sometimes even there not.
  private mutating func joined(_ fields: [String], _ format: SourceFormat, _ lineEnd: String, mayBreak: Bool = true)
    -> String
  {
    let isBroken = mayBreak && chance(3)
    let cells = fields.map { field -> String in
      if format == .tsv {
        var field = field.replacingOccurrences(of: "\t", with: " ").replacingOccurrences(of: "\n", with: " ")
        if lineEnd != "\n" || !mayBreak || chance(50) { field = field.replacingOccurrences(of: "\r", with: " ") }
        return field
      }
      let needsQuotes = field.contains { ",\n\r\r\n".contains($0) } || field.hasPrefix("\"")
      if isBroken { return pick([field, "\"\(field)", "\"\(field)\"x"]) }
      if needsQuotes || chance(20) { return "\"\(field.replacingOccurrences(of: "\"", with: "\"\""))\"" }
      return field
    }
    return cells.joined(separator: format == .tsv ? "\t" : ",")
  }
}
