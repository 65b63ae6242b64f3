import CallDirectory
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Separators that are found out")
struct SeparatorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(
    _ content: String, block: Int = 1 << 16, change: (inout SourceDescription) -> Void = { _ in }
  ) throws -> SortedRows {
    var tuning = ReadingTuning(memory: 0, threads: 2)
    tuning.blockBytes = block
    let file = try folder.write(content, to: "a.csv")
    return try DirectoryReader(sources: [.table(file, change: change)], options: ReadingOptions(), tuning: tuning)
      .read()
  }

  private let positions: (inout SourceDescription) -> Void = { source in
    source.hasHeader = false
    source.numbers = .number(.position(1))
    source.label = .column(.position(2))
  }

  @Test("The header's names settle it, whatever stands in the rows (B-117)", arguments: FieldSeparator.allCases)
  func header(separator: FieldSeparator) throws {
    let line = { (fields: [String]) in fields.joined(separator: separator.rawValue) + "\n" }
    let content =
      line(["\u{FEFF}phone", " name ", "\"more\nlines; here\""]) + line(["2025550101", "Bakery", "1"])
      + line(["2025550102", "\"a,b;c|d\"", "2"]) + "2025550103\n"
    for block in [1, 5, 64, 4096] {
      let sorted = try read(content, block: block)
      #expect(try sorted.rows().map(\.label) == ["Bakery", "a,b;c|d"])
      #expect(sorted.files.map(\.separator) == [separator])
      #expect(sorted.report.refusals.map(\.finding) == [.fieldCount])
      let note = sorted.report.notes.first { $0.finding == .separatorFound }
      #expect(note?.count == (separator == .comma ? nil : 1))
      #expect(note?.examples.first?.reason == (separator == .comma ? nil : "by \(separator.spelling)"))
    }
  }

  @Test("Without names the same number of fields in the first rows settles it", arguments: FieldSeparator.allCases)
  func rows(separator: FieldSeparator) throws {
    let between = separator.rawValue
    // Other separators stand in some rows, or in all within quotes.
    let content = (0..<30).map { "20255501\(10 + $0)\(between)\"a,b;c|d\"" }
      .joined(separator: "\n")
    let sorted = try read(content, block: 7, change: positions)
    #expect(try sorted.rows().map(\.label) == (0..<30).map { _ in "a,b;c|d" })
    #expect(sorted.files.first?.separator == separator)
  }

  @Test("Several that would do are an error with the figures, never a guess")
  func unclear() throws {
    let content = (0..<5).map { "202555010\($0);1,5\n" }.joined()
    let error = try #require(throws: SourceError.self) { try read(content, change: positions) }
    #expect(error.kind == .data && error.key == "separator" && error.line == 1)
    #expect(
      error.what == "it is not clear what separates the fields: the first rows have 2 by \",\", 2 by \";\"")
    #expect(error.hint == "state the \"separator\" in the source")
    #expect(
      try read(content) {
        positions(&$0); $0.separator = .semicolon
      }.rows().count == 5)
    // One that has too few fields for the source is none.
    let wide = (0..<5).map { "202555010\($0);Shop;1,5\n" }.joined()
    #expect(
      try read(wide) {
        positions(&$0); $0.area = .position(3)
      }.rows().map(\.area) == Array(repeating: "1,5", count: 5))
  }

  @Test("Never per row: the first rows settle it and later ones are refused (B-117)")
  func neverPerRow() throws {
    let content =
      "phone;name\n" + (0..<30).map { "20255501\(10 + $0);a\n" }.joined() + "2025550177,comma\n2025550178;b\n"
    let sorted = try read(content)
    #expect(try sorted.rows().count == 31 && sorted.report.total.refusedRows == 1)
    #expect(sorted.report.refusals.first?.examples.first?.raw == "2025550177,comma")
  }

  @Test("Nothing found: the comma, with one column where that fits the plan, else the known errors (B-117, B-125)")
  func nothing() throws {
    let list = try read("phone\n2025550101\n2025550102\n") { $0.label = nil }
    #expect(try list.rows().count == 2 && list.files.first?.separator == .comma && list.report.notes.isEmpty)
    var error = try #require(throws: SourceError.self) { try read("phone:name\n2025550101:A\n") }
    #expect(error.key == "number" && error.what == "the header has no column \"phone\"; it has \"phone:name\"")
    error = try #require(throws: SourceError.self) { try read("tel;title\n2025550101;A\n") }
    #expect(error.what == "the header has no column \"phone\"; it has \"tel\", \"title\"")
    error = try #require(throws: SourceError.self) { try read("2025550101:A\n", change: positions) }
    #expect(error.key == "label" && error.hint.contains("separator"))
    #expect(throws: SourceError.self) { try read("") }
    #expect(throws: SourceError.self) { try read("phone;name") }
  }

  @Test("What is found does not depend on how much is read at a time")
  func blocks() throws {
    // An even start that becomes uneven within the rows that are looked at, and only behind them.
    for (uneven, isFound) in [(10, false), (25, true)] {
      let content = (0..<40).map { "20255501\(10 + $0);a\($0 == uneven ? ";more" : "")\n" }.joined()
      for block in [1, 16, 200, 1 << 16] {
        let result = Result { try read(content, block: block, change: positions) }
        #expect((try? result.get())?.files.first?.separator == (isFound ? .semicolon : nil))
      }
    }
  }
}
