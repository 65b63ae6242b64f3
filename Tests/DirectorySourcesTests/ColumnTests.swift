import CallDirectory
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Columns")
struct ColumnTests {
  private func read(
    _ content: String, name: String = "a.tsv", change: (inout SourceDescription) -> Void = { _ in }
  ) throws -> SortedRows {
    let folder = try TemporaryFolder()
    let file = try folder.write(content, to: name)
    return try DirectoryReader(sources: [.table(file, change: change)], options: ReadingOptions()).read()
  }

  @Test("Names are found behind a mark and between blanks, also when quoted (B-121, B-125)")
  func names() throws {
    #expect(try read("\u{FEFF} phone \tx\t\u{A0}name\n2025550101\t-\tA\n").rows().map(\.label) == ["A"])
    #expect(try read("\u{FEFF}\"phone\",\"name\"\r\n2025550101,A\r\n", name: "a.csv").rows().map(\.label) == ["A"])
  }

  @Test(
    "A header that is no text says that the file may be packed or in another encoding", arguments: ["a.csv", "a.tsv"])
  func noText(name: String) throws {
    for header in ["p\0h\0o\0n\0e\0", "\u{1F}phone;name", "\u{8}\u{3}"] {
      let error = #expect(throws: SourceError.self) { try read("\(header)\n1\n", name: name) }
      #expect(error?.hint.contains("packed") == true && error?.hint.contains("\"encoding\"") == true)
    }
  }

  struct Fault: Sendable {
    var content: String
    var message: String
    var hint: String
    var change: @Sendable (inout SourceDescription) -> Void = { _ in }
  }

  @Test(
    "A column that is not there, or there twice, is an error that shows what is (B-125)",
    arguments: [
      Fault(
        content: "Phone\tname\tcity\n1\t2\t3\n",
        message: "the header has no column \"phone\"; it has \"Phone\", \"name\", \"city\"",
        hint: "did you mean \"Phone\"?"),
      Fault(
        content: "phone\ttitle\n1\t2\n", message: "the header has no column \"name\"; it has \"phone\", \"title\"",
        hint: "use one of the names of the header"),
      Fault(
        content: "phone\tname\tname\n1\t2\t3\n", message: "the header has 2 columns named \"name\"",
        hint: "rename them, or state \"header\": false and positions"),
      Fault(
        content: "1\t2\n", message: "there is no column 3: the file has 2", hint: "positions are counted from 1",
        change: {
          $0.hasHeader = false
          $0.numbers = .number(.position(1))
          $0.label = .column(.position(3))
        }),
      Fault(
        content: "1\t2\n", message: "there is no column 0: the file has 2", hint: "positions are counted from 1",
        change: {
          $0.hasHeader = false
          $0.numbers = .number(.position(0))
          $0.label = nil
        }),
      Fault(
        content: "1\t2\n", message: "\"phone\" is a name, but the file has no header",
        hint: "give the column's position, counted from 1", change: { $0.hasHeader = false }),
      Fault(
        content: "phone\tname\n1\t2\n", message: "no column is named for the numbers",
        hint: "add \"number\" to the source", change: { $0.numbers = nil }),
    ])
  func faults(fault: Fault) throws {
    let error = try #require(throws: SourceError.self) { try read(fault.content, change: fault.change) }
    #expect(error.kind == .data && error.what == fault.message && error.hint == fault.hint)
    #expect(error.source == "companies" && error.line == 1 && error.file.hasSuffix("a.tsv"))
  }

  @Test("A doubled name that the plan does not use is no fault")
  func unusedDuplicate() throws {
    #expect(try read("phone\tname\tx\tx\n2025550101\tA\t\t\n").rows().count == 1)
  }

  @Test("Positions work beside a header")
  func positionsWithHeader() throws {
    let sorted = try read("phone\tname\n2025550101\tA\n") {
      $0.numbers = .number(.position(1))
      $0.label = .column(.position(2))
    }
    #expect(try sorted.rows().map(\.label) == ["A"])
  }

  @Test("An action column: listed cells have their action, all others identify; accounts count families")
  func actions() throws {
    let content = """
      phone\tname\tkind
      2025550101\tA\t1
      2025550102\tB\t both\u{20}
      2025550103\tC\t
      2025550104\tD\t2
      2025550105\tE\tstop
      bad\tF\tboth
      2025550107\tG
      """
    let sorted = try read(content) {
      $0.action = .column(.name("kind"), values: ["1": .block, "both": .both, "stop": .remove])
    }
    #expect(try sorted.rows().map(\.action) == [.block, .both, .identify, .identify, .remove])
    let counts = sorted.report.total
    #expect(counts.rows == 7 && counts.refusedRows == 2)
    // An empty cell says nothing; one that is not listed may be a listed one misspelt.
    let note = sorted.report.notes.first { $0.finding == .actionNotListed }
    #expect(note?.count == 1 && note?.examples.first?.raw == "2")
    #expect(counts.read == 1 + 2 + 1 + 1 + 1 + 2 + 1 && counts.refused == 2 + 1)
  }

  @Test(
    "Occurrences of a fixed action: both is two, all others one; a refused row counts what it would have given",
    arguments: EntryAction.allCases)
  func weights(action: EntryAction) throws {
    let sorted = try read("phone\tname\n2025550101\tA\nbad\tB\n1\t2\t3\n") { $0.action = .fixed(action) }
    let weight = action == .both ? 2 : 1
    #expect(sorted.report.total.read == 3 * weight && sorted.report.total.refused == 2 * weight)
    #expect(try sorted.rows().map(\.action) == [action])
  }

  @Test("Areas are trimmed and numbered in byte order, whatever order they come in")
  func areas() throws {
    let content =
      "phone\tname\tcity\n2025550101\tA\tОмск\n2025550102\tB\t Boston \n2025550103\tC\t\n2025550104\tD\tОмск\n"
    let sorted = try read(content) { $0.area = .name("city") }
    #expect(sorted.areas == ["", "Boston", "Омск"])
    #expect(try sorted.rows().map(\.area) == ["Омск", "Boston", "", "Омск"])
  }

  @Test("Scores are decimal numbers with point or comma; nothing is no score; anything else refuses the row")
  func scores() throws {
    let cells = ["1", "2,5", "-0.25", "", "many", "1e", "1e3", " +4. "]
    let rows = cells.enumerated().map { "202555010\($0.offset)\tA\t\($0.element)" }
    let sorted = try read("phone\tname\tcalls\n" + rows.joined(separator: "\n")) { $0.score = .name("calls") }
    #expect(try sorted.rows().map(\.score) == [1, 2.5, -0.25, nil, 1000, 4])
    let group = try #require(sorted.report.refusals.first)
    #expect(group.finding == .scoreNotANumber && group.count == 2 && group.examples.map(\.raw) == ["many", "1e"])
    #expect(group.examples.map(\.column) == [3, 3] && group.examples[0].reason == "score is not a number")
  }
}
