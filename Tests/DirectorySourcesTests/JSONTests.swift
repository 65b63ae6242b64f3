import CallDirectory
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("JSON")
struct JSONTests {
  /// Reads one JSON text with the columns `phone` and `name`; rows as `line number label`, in the order delivered.
  private func read(
    _ content: String, as name: String = "a.json", block: Int? = nil, threads: Int = 2,
    change: (inout SourceDescription) -> Void = { _ in }
  ) throws -> (rows: [String], report: SourceReport) {
    try read(Array(content.utf8), as: name, block: block, threads: threads, change: change)
  }

  private func read(
    _ content: [UInt8], as name: String = "a.json", block: Int? = nil, threads: Int = 2, longestRow: Int? = nil,
    change: (inout SourceDescription) -> Void = { _ in }
  ) throws -> (rows: [String], report: SourceReport) {
    let folder = try TemporaryFolder()
    let file = try folder.write(content, to: name)
    var tuning = ReadingTuning(memory: 0, threads: threads)
    if let block { tuning.blockBytes = block }
    if let longestRow { tuning.longestRow = longestRow }
    let sorted = try DirectoryReader(
      sources: [.table(file, change: change)], options: ReadingOptions(), tuning: tuning
    ).read()
    return (try sorted.rows().map { "\($0.line) \($0.number % 10_000) \($0.label)" }, sorted.report.sources[0])
  }

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
    let (rows, report) = try read(text)
    #expect(rows == ["2 101 A", "3 102 B \"и\" С😀", "4 103 "])
    #expect(report.counts.rows == 5 && report.counts.refusedRows == 2 && report.counts.lines == 7)
    #expect(report.refusals.map(\.finding) == [.number(.empty), .number(.noDigits)])
    let example = try #require(report.refusals.last?.examples.first)
    #expect(example.line == 6 && example.column == nil && example.raw == "x" && example.reason.hasSuffix("(phone)"))
  }

  @Test("An array of strings, an object number→label, a record that holds them")
  func shapes() throws {
    #expect(
      try read(#"["2025550102", 2025550101 ]"#) {
        $0.numbers = .number(.name("$value"))
        $0.label = nil
      }.rows == ["1 101 ", "1 102 "])
    #expect(
      try read("{\"2025550101\": \"Shop\",\n\"202\\u0035550102\": [\"Bar\"]}") {
        $0.numbers = .number(.name("$key"))
        $0.label = .column(.name("$value"))
      }.rows == ["1 101 Shop", "2 102 Bar"])
    #expect(
      try read(#"{"a": {"list.x": {"2025550101": {"n": "A"}}, "b": [1]}, "c": "]"}"#) {
        $0.records = #"a.list\.x"#
        $0.numbers = .number(.name("$key"))
        $0.label = .column(.name("n"))
      }.rows == ["1 101 A"])
  }

  @Test("Paths lead through objects and arrays; several values of the number are several numbers")
  func paths() throws {
    let text = #"""
      [{"phones": [{"number": "2025550101"}, {"number": "x"}, {"ext": 1}, {"number": "2025550102"}],
        "at": {"city": "Boston", "names": [[], [{"a": null}, {"a": true}]]}},
       {"phones": [], "at": {"city": "Rome"}}, {"phones": {"number": ["2025550103"]}, "at": [{"city": 5}, {"city": 6}]}]
      """#
    let (rows, report) = try read(text) {
      $0.numbers = .number(.name("phones.number"))
      $0.label = .column(.name("at.city"))
      $0.area = .name("at.names.a")
    }
    #expect(rows == ["1 101 Boston", "1 102 Boston", "3 103 5"])
    #expect(report.counts.rows == 3 && report.counts.refusedRows == 1)
    #expect(report.counts.read == 5 && report.counts.refused == 2)
  }
}
