import CallDirectory
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("JSON")
struct JSONTests {
  @Test("An array of objects: each element is a row, a column the member of its name, wherever it stands")
  func objects() throws {
    let text = """
      [
        {"phone": "2025550101", "name": "A"},
        {"name": "B \\"и\\" \\u0421\\ud83d\\ude00", "x": [1, {"phone": 7}, null], "phone": "(202) 555-0102"},
        {"phone": 2025550103},
        {"phone": null, "name": "D"},
        {"phone": "x", "name": "E"}
      ]

      """
    let (rows, report) = try JSONReading.read(text)
    #expect(rows == ["2 101 A", "3 102 B \"и\" С😀", "4 103 "])
    #expect(report.counts.rows == 5 && report.counts.refusedRows == 2 && report.counts.lines == 7)
    #expect(report.refusals.map(\.finding) == [.number(.empty), .number(.noDigits)])
    let example = try #require(report.refusals.last?.examples.first)
    #expect(example.line == 6 && example.column == 3 && example.raw == "x" && example.reason.hasSuffix("(phone)"))
  }

  @Test("An array of strings, an object number→label, a record that holds them")
  func shapes() throws {
    #expect(
      try JSONReading.read(#"["2025550102", 2025550101 ]"#) {
        $0.numbers = .number(.name("$value"))
        $0.label = nil
      }.rows == ["1 101 ", "1 102 "])
    #expect(
      try JSONReading.read("{\"2025550101\": \"Shop\",\n\"202\\u0035550102\": [\"Bar\"]}") {
        $0.numbers = .number(.name("$key"))
        $0.label = .column(.name("$value"))
      }.rows == ["1 101 Shop", "2 102 Bar"])
    #expect(
      try JSONReading.read(#"{"a": {"list.x": {"2025550101": {"n": "A"}}, "b": [1]}, "c": "]"}"#) {
        $0.records = #"a.list\.x"#
        $0.numbers = .number(.name("$key"))
        $0.label = .column(.name("n"))
      }.rows == ["1 101 A"])
    #expect(
      try JSONReading.read(#"{"Shop": ["2025550101", "2025550102"], "None": []}"#) {
        $0.numbers = .number(.name("$value"))
        $0.label = .column(.name("$key"))
      }.rows == ["1 101 Shop", "1 102 Shop"])
  }

  @Test("Paths lead through objects and arrays; several values of the number are several numbers")
  func paths() throws {
    let text = #"""
      [{"phones": [{"number": "2025550101"}, {"number": "x"}, {"ext": 1}, {"number": "2025550102"}],
        "at": {"city": "Boston", "names": [[], [{"a": null}, {"a": true}]]}},
       {"phones": [], "at": {"city": "Rome"}}, {"phones": {"number": ["2025550103"]}, "at": [{"city": 5}, {"city": 6}]}]
      """#
    let (rows, report) = try JSONReading.read(text) {
      $0.numbers = .number(.name("phones.number"))
      $0.label = .column(.name("at.city"))
      $0.area = .name("at.names.a")
    }
    #expect(rows == ["1 101 Boston", "1 102 Boston", "3 103 5"])
    #expect(report.counts.rows == 3 && report.counts.refusedRows == 1)
    #expect(report.counts.read == 5 && report.counts.refused == 2)
  }

  @Test("A row that is no object, and an object where one value is meant, are refused with the column's path")
  func oddRows() throws {
    let text = #"""
      [{"phone": "2025550101", "name": "A"}, "2025550102", null, ["2025550103"], {"phone": {"n": 1}},
      {"phone": "2025550104", "name": {"en": "B"}}, {"phone": ["2025550105", {}], "name": ""},
      {"phone": "2025550106", "name": [{}, "C"]}]
      """#
    let (rows, report) = try JSONReading.read(text)
    #expect(rows == ["1 101 A", "3 106 C"])
    #expect(report.counts.rows == 8 && report.counts.refusedRows == 6)
    #expect(report.refusals.map(\.finding) == [.notAnObject, .objectInColumn])
    #expect(report.refusals.map(\.count) == [3, 3])
    #expect(report.refusals.last?.examples[1].reason == "an object stands where \"name\" leads to one value")
    #expect(report.refusals.first?.examples.first?.raw == "\"2025550102\"")
  }

  @Test("Labels of 2,000 bytes, with quotes, backslashes and line ends come as they are meant (C-08)")
  func labels() throws {
    let long = String(repeating: "Жо\"\\", count: 334)
    let escaped = long.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let (rows, report) = try JSONReading.read(
      "[{\"phone\": \"2025550101\", \"name\": \"\\\"A\\\"\"}, {\"phone\": \"2025550102\", \"name\": \"\(escaped)\"},"
        + #"{"phone": "2025550103", "name": "a\n\u0000\tb"}]"#)
    #expect(rows == ["1 101 \"A\"", "1 102 \(long)", "1 103 a b"])
    #expect(report.notes.map(\.finding) == [.labelControlCharacters])
  }

  @Test("Several rows of one line stay in their order, whatever the chunks and runs")
  func oneLine() throws {
    let text =
      "[" + (0..<300).map { "{\"phone\":\"202555010\($0 % 3)\",\"name\":\"\($0)\"}" }.joined(separator: ",") + "]"
    for (share, window) in [(1 << 20, 4096), (600, 200)] {
      let rows = try JSONReading.read(Array(text.utf8), block: 64) { tuning in
        tuning.share = share
        tuning.keepBytes = share
        tuning.leastWindow = window
        tuning.mergeBytes = 4 * window
      } change: { _ in
      }.rows
      #expect(rows == (0..<3).flatMap { n in (0..<100).map { "1 10\(n) \($0 * 3 + n)" } })
    }
  }

  // MARK: Lines

  @Test("JSON lines: blank lines are no rows, a broken line is a refused row, a mark and CRLF are taken")
  func lines() throws {
    let text = """
      \u{FEFF}{"phone": "2025550101", "name": "A"}\r
      \r
      {"phone": "2025550102", "name": "B"} x\r
       \t{"name": "C", "phone": "2025550103"} \r
      {"phone": "2025550104",\r
      "name": "D"}\r
      {"phone": "2025550105", "name": "E", "phone": 1}
      [1]
      {"phone": "2025550106", "name": "F"}
      """
    for block in [16, 1 << 20] {
      let (rows, report) = try JSONReading.read(text, as: "a.ndjson", block: block)
      #expect(rows == ["1 101 A", "4 103 C", "9 106 F"])
      #expect(report.counts.rows == 8 && report.counts.refusedRows == 5 && report.counts.lines == 9)
      #expect(report.refusals.map(\.finding) == [.brokenJSON, .notAnObject])
      let examples = report.refusals[0].examples
      #expect(examples.map(\.line) == [3, 5, 6, 7])
      #expect(
        examples.first?.reason
          == "expected the end of the line after the value, found 'x' at character 38 of the line")
      #expect(examples.last?.reason.contains("expected each key once, found \"phone\" again") == true)
    }
  }

  // MARK: Columns

  struct ColumnFault: Sendable, CustomTestStringConvertible {
    var text: String
    var what: String
    var hint: String
    var name = "a.json"
    var change: @Sendable (inout SourceDescription) -> Void = { _ in }
    var testDescription: String { what }
  }

  @Test(
    "A column that no row has is an error that names what the rows have (B-125)",
    arguments: [
      ColumnFault(
        text: #"[{"Phone": "2025550101", "name": "A"}, {"fax": [{"x": 1}]}]"#,
        what: "no row has \"phone\"; the rows have \"Phone\", \"name\", \"fax.x\"", hint: "did you mean \"Phone\"?"),
      ColumnFault(
        text: #"[{"shop": {"phone": "1"}, "name": "A"}]"#,
        what: "no row has \"phone\"; the rows have \"shop.phone\", \"name\"", hint: "did you mean \"shop.phone\"?"),
      ColumnFault(
        text: #"{"total": 1, "data": [{"phone": "1", "name": "A"}]}"#,
        what: "no row has \"phone\"; the rows have \"$value\", \"phone\", \"name\"",
        hint: "the rows may stand deeper: set \"records\": \"data\""),
      ColumnFault(
        text: #"{"response": {"items": [{"phone": "1", "name": "A"}]}}"#,
        what: "no row has \"phone\"; the rows have \"items.phone\", \"items.name\"",
        hint: "the rows may stand deeper: set \"records\": \"response.items\""),
      ColumnFault(
        text: #"["2025550101"]"#, what: "no row has \"phone\"; the rows have \"$value\"",
        hint: "use one of the names that the rows have"),
      ColumnFault(
        text: #"[{"phone": "2025550101", "name": "A"}]"#,
        what: "\"$key\" is the name of a row's member, but the rows are elements of an array",
        hint: "name a member of the rows, or \"$value\"", change: { $0.label = .column(.name("$key")) }),
      ColumnFault(
        text: #"[["2025550101"]]"#, what: "columns of a JSON file have no positions",
        hint: "name the members: \"phone\", \"location.city\", \"$key\" or \"$value\"",
        change: { $0.numbers = .number(.position(1)) }),
      ColumnFault(
        text: "{}", what: "in a file of JSON lines each line is a row",
        hint: "remove \"records\", and name the columns from the line's own value on", name: "a.jsonl",
        change: { $0.records = "a" }),
    ])
  func columnFaults(fault: ColumnFault) throws {
    let error = try #require(throws: SourceError.self) {
      try JSONReading.read(fault.text, as: fault.name, change: fault.change)
    }
    #expect(error.kind == .data && error.what == fault.what && error.hint == fault.hint)
    #expect(error.key != nil && error.file.hasSuffix(fault.name))
  }

  @Test("A column that only a late row has is no fault; in the other rows its cell is empty")
  func lateColumn() throws {
    let rows = (0..<200).map { _ in "{\"phone\": \"2025550101\"}" } + ["{\"phone\": \"2025550102\", \"name\": null}"]
    let read = try JSONReading.read("[" + rows.joined(separator: ",\n") + "]", block: 100)
    #expect(read.rows.count == 201 && read.rows.last == "201 102 ")
  }
}
