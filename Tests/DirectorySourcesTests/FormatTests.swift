import CallDirectory
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Formats")
struct FormatTests {
  /// Reads one file of the given name; rows as `line label`, in the order of lines.
  private func read(
    _ content: String, as name: String, change: (inout SourceDescription) -> Void = { _ in }
  ) throws -> (rows: [String], report: SourceReport) {
    let folder = try TemporaryFolder()
    let file = try folder.write(content, to: name)
    let sorted = try DirectoryReader(sources: [.table(file, change: change)], options: ReadingOptions()).read()
    let rows = try sorted.rows().sorted { $0.line < $1.line }.map { "\($0.line) \($0.number % 10_000) \($0.label)" }
    return (rows, sorted.report.sources[0])
  }

  @Test("A table is read, sorted by number, equal numbers in the order of lines; a bad row is left out (B-053, B-054)")
  func table() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "phone\tname\n+12025550124\tB\n(202) 555-0123\tA\nfoo\tX\n2025550124\tC", to: "a.tsv")
    let sorted = try DirectoryReader(sources: [.table(file)], options: ReadingOptions()).read()
    #expect(
      try sorted.rows() == [
        ReadRow(number: 12_025_550_123, line: 3, label: "A"), ReadRow(number: 12_025_550_124, line: 2, label: "B"),
        ReadRow(number: 12_025_550_124, line: 5, label: "C"),
      ])
    let counts = ReadingCounts(files: 1, bytes: 61, lines: 5, rows: 4, refusedRows: 1, read: 4, refused: 1)
    #expect(sorted.report.total == counts)
    #expect(sorted.files == [SourceFile(path: file, source: 0, bytes: 61, rows: 4, lines: 5)])
    let refusal = try #require(sorted.report.refusals.first)
    #expect(refusal.finding.rawValue == "number.noDigits" && refusal.count == 1)
    #expect(
      refusal.examples == [RowExample(file: file, line: 4, column: 1, raw: "foo", reason: refusal.finding.text)])
  }

  @Test("Numbers sort as integers, never as text (B-049, B-051)")
  func integerOrder() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("+19995550123\n+3725550001\n+442079460001\n+1205555012\n+12055550123\n", to: "n.txt")
    var source = SourceDescription(id: "n", files: [file])
    source.spelling.interpretation = .international
    let sorted = try DirectoryReader(sources: [source], options: ReadingOptions()).read()
    let numbers = try sorted.rows().map(\.number)
    #expect(numbers == numbers.sorted() && numbers.count >= 4)
  }

  @Test(
    "Every line end, with and without mark and last line end, gives the same rows", arguments: ["\n", "\r\n", "\r"])
  func lineEnds(lineEnd: String) throws {
    for name in ["a.tsv", "a.csv"] {
      for mark in ["", "\u{FEFF}"] {
        for last in ["", lineEnd] {
          let separator = name == "a.tsv" ? "\t" : ","
          let lines = ["phone\(separator)name", "2025550101\(separator)One", "", "2025550102\(separator)Two"]
          let result = try read(mark + lines.joined(separator: lineEnd) + last, as: name)
          #expect(result.rows == ["2 101 One", "4 102 Two"])
          #expect(result.report.counts.lines == 4 && result.report.counts.rows == 2)
        }
      }
    }
  }

  @Test("Tabs separate, quotes are text")
  func tabs() throws {
    let content = "phone\tname\n2025550101\t\"A\"\n2025550102\tООО \"Ромашка\"\n2025550103\t\"open\n"
    #expect(
      try read(content, as: "a.tsv").rows == ["2 101 \"A\"", "3 102 ООО \"Ромашка\"", "4 103 \"open"])
  }

  @Test("Quoted fields hold separators, quotes and line ends; bare quotes inside a field are text (B-116, C-08)")
  func quotes() throws {
    let content = #"""
      phone,name
      2025550101,"Smith, MD"
      2025550102,"say ""hi"""
      "2025550103","two
      lines"
      2025550104,ПАО "Ростелеком"
      2025550105,""
      "202""5550106",x
      2025550107,after
      """#
    let result = try read(content, as: "a.csv")
    #expect(
      result.rows == [
        "2 101 Smith, MD", "3 102 say \"hi\"", "4 103 two lines", "6 104 ПАО \"Ростелеком\"", "7 105 ", "8 106 x",
        "9 107 after",
      ])
    #expect(result.report.notes.first { $0.finding == .labelControlCharacters }?.count == 1)
    #expect(result.report.refusals.isEmpty)
  }

  @Test("A stated separator takes the comma's place, which is text then (B-117)", arguments: FieldSeparator.allCases)
  func separators(separator: FieldSeparator) throws {
    let between = separator.rawValue
    let content = "phone\(between)name\n2025550101\(between)\"one\(between)two\"\n2025550102\(between)three\n"
    let result = try read(content, as: "a.csv") { $0.separator = separator }
    // A tab inside a label becomes a blank, as every control character does.
    #expect(result.rows == ["2 101 one\(separator == .tab ? " " : between)two", "3 102 three"])
    let other: FieldSeparator = separator == .bar ? .semicolon : .bar
    let error = #expect(throws: SourceError.self) { try read(content, as: "a.csv") { $0.separator = other } }
    #expect(error?.hint == "set \"separator\": \"\(separator == .tab ? "\\t" : between)\"")
  }

  @Test("A row whose fields differ in number from the header's is refused and shown (B-116, C-07)")
  func fieldCount() throws {
    let content = "phone,name\n2025550101,Smith, MD\n2025550102\n2025550103,ok\n"
    let result = try read(content, as: "a.csv")
    #expect(result.rows == ["4 103 ok"])
    let group = try #require(result.report.refusals.first)
    #expect(group.finding == .fieldCount && group.count == 2)
    #expect(group.examples.map(\.raw) == ["2025550101,Smith, MD", "2025550102"])
    #expect(group.examples.map(\.reason) == ["3 fields, the header has 2", "1 field, the header has 2"])
    #expect(group.examples.map(\.line) == [2, 3])
  }

  @Test("Without header the first row says how many fields there are (B-116, B-127)")
  func withoutHeader() throws {
    let result = try read("\n2025550101\tA\n2025550102\tB\tmore\n2025550103\tC\n", as: "a.tsv") {
      $0.hasHeader = false
      $0.numbers = .number(.position(1))
      $0.label = .column(.position(2))
    }
    #expect(result.rows == ["2 101 A", "4 103 C"])
    #expect(result.report.refusals.first?.examples.first?.reason == "3 fields, the first row has 2")
  }

  @Test("A quote that never closes costs one row; the rows behind it are read")
  func unclosedQuote() throws {
    let result = try read("phone,name\n2025550101,\"open\n2025550102,B\n2025550103,C", as: "a.csv")
    #expect(result.rows == ["3 102 B", "4 103 C"])
    #expect(result.report.refusals.map(\.finding) == [.unclosedQuote])
    #expect(result.report.refusals[0].examples.map(\.raw) == ["2025550101,\"open"])
    #expect(result.report.counts.lines == 4)
  }

  @Test("Text behind a closing quote refuses the row instead of losing the text")
  func textAfterQuote() throws {
    let result = try read("phone,name\n2025550101,\"A\" B\n2025550102,\"C\"\r\n2025550103,D\n", as: "a.csv")
    #expect(result.rows == ["3 102 C", "4 103 D"])
    #expect(result.report.refusals.map(\.finding) == [.textAfterQuote])
  }

  @Test("Plain numbers: comments and blank lines are lines, not rows (B-127)")
  func numbers() throws {
    let result = try read("# list\n2025550101\n\n  (202) 555-0102  \n#2025550103\n\t\n12x", as: "a.txt") {
      $0.action = .fixed(.block)
      $0.label = nil
    }
    #expect(result.rows == ["2 101 ", "4 102 "])
    #expect(result.report.counts.lines == 7 && result.report.counts.rows == 3 && result.report.counts.refused == 1)
  }

  @Test("Fields are text: a zero in front, a plus and a NUL byte survive as they are (B-119, B-120)")
  func text() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "phone,name\n\"030 23125001\",0012\n+49 30 23125002,+7\n03023125003,a\u{0}b\n030\u{0}1,x\n", to: "a.csv")
    var source = SourceDescription.table(file)
    source.spelling.region = RegionCode("DE")
    let sorted = try DirectoryReader(sources: [source], options: ReadingOptions()).read()
    #expect(try sorted.rows().map(\.number) == [493_023_125_001, 493_023_125_002, 493_023_125_003])
    #expect(try sorted.rows().map(\.label) == ["0012", "+7", "a b"])
    #expect(sorted.report.total.refusedRows == 1)
  }

  @Test("A row longer than a block is read; one longer than the longest is refused, and reading goes on")
  func longRows() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "ж", count: 5000)
    let tooLong = String(repeating: "x", count: 40_000)
    for name in ["a.tsv", "a.csv"] {
      let separator = name == "a.tsv" ? "\t" : ","
      let rows = ["phone\(separator)name", "2025550101\(separator)\(long)", tooLong, "2025550102\(separator)B"]
      let file = try folder.write(rows.joined(separator: "\n"), to: name)
      var tuning = ReadingTuning(memory: 0, threads: 2)
      tuning.blockBytes = 100
      tuning.longestRow = 16_384
      let sorted = try DirectoryReader(sources: [.table(file)], options: ReadingOptions(), tuning: tuning).read()
      #expect(try sorted.rows().map(\.label) == [long, "B"])
      #expect(try sorted.rows().map(\.line) == [2, 4])
      let group = try #require(sorted.report.refusals.first)
      #expect(group.finding == .rowTooLong && group.count == 1 && group.examples[0].line == 3)
      #expect(group.examples[0].raw == String(repeating: "x", count: 1024))
      #expect(sorted.report.total.lines == 4 && sorted.report.total.bytes == rows.joined(separator: "\n").utf8.count)
    }
  }

  @Test("A quote open for longer than the longest row costs its first line")
  func longQuote() throws {
    let folder = try TemporaryFolder()
    let lines = (0..<2000).map { "20255501\(10 + $0 % 80),row" }
    let file = try folder.write("phone,name\n2025550101,\"open\n" + lines.joined(separator: "\n"), to: "a.csv")
    var tuning = ReadingTuning(memory: 0, threads: 2)
    tuning.blockBytes = 64
    tuning.longestRow = 4096
    let sorted = try DirectoryReader(sources: [.table(file)], options: ReadingOptions(), tuning: tuning).read()
    #expect(try sorted.rows().count == 2000)
    #expect(sorted.report.refusals.map(\.finding) == [.unclosedQuote])
    #expect(sorted.report.total.lines == 2002)
  }
}
