import CallDirectory
import DirectoryPublishing
import DirectorySources
import Foundation
import PlanFile
import ShardPlanning
import TestSupport
import Testing

@Suite("Lists of rejected and conflicting rows, by format")
struct RejectedFormatsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Plans one file and returns the rows of `--rejects`, and `line:column reason` of each refusal.
  private func rejects(
    _ content: [UInt8], _ name: String, _ keys: String, sources more: String = "",
    providers: String = #"{"id": "p", "rest": true}"#
  ) throws -> (rows: [UInt8], reasons: [String], report: PlanReport) {
    try folder.write(content, to: name)
    try folder.write(
      """
      {"schema": 1, "name": "world", "country": "US",
       "sources": [{"id": "a", "file": "\(name)", "allowEmpty": true\(keys.isEmpty ? "" : ", \(keys)")}\(more)],
       "providers": [\(providers)]}
      """, to: "plan.json")
    var options = PublishingOptions()
    options.rejects = folder.path("bad")
    options.conflicts = folder.path("conflicts")
    let report = try DirectoryPublisher(
      try Plan.load(path: folder.path("plan.json")).resolvingPaths(), options: options
    ).preview()
    let rows = try Data(contentsOf: URL(fileURLWithPath: folder.path("bad")))
    let reasons = try text("bad.reasons.tsv").split(separator: "\n").map { line -> String in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      #expect(fields[0] == folder.path(name))
      return "\(fields[1]):\(fields[2]) \(fields[3])"
    }
    if !keys.contains("pattern") { #expect(reasons.count == report.refusals.reduce(0) { $0 + $1.count }) }
    return ([UInt8](rows), reasons, report)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  @Test("vCard: the card stands once, each refused number has its line, and the rows can be imported again")
  func cards() throws {
    let good = "BEGIN:VCARD\r\nFN:Good\r\nTEL:2025550101\r\nEND:VCARD\r\n"
    let bad = "BEGIN:VCARD\r\nFN:Bad\r\nTEL:foo\r\nTEL:2025550102\r\nTEL:2\r\nEND:VCARD\r\n"
    let found = try rejects(Array((good + bad + "stray\r\n" + good).utf8), "a.vcf", "")
    #expect(String(decoding: found.rows, as: UTF8.self) == bad + "stray\r\n")
    #expect(found.reasons.map { $0.prefix { $0 != " " } } == ["7:", "9:", "11:"])
    let again = try rejects(found.rows, "again.vcf", "")
    #expect(again.rows == found.rows && again.reasons.count == 3)
  }

  @Test("JSON and JSON lines: the refused value is a line of its own, and its reason names the column")
  func json() throws {
    let rows = [
      #"{"tel": ["2025550101", "x"], "n": "A"}"#, #"{"tel": [], "n": "B"}"#, "7", #"{"tel":"2025550102","n":"C"}"#,
    ]
    let expected = rows.prefix(3).map { $0 + "\n" }.joined()
    let keys = #""number": "tel", "label": "n""#
    let array = try rejects(Array("[\(rows.joined(separator: ", "))]".utf8), "a.json", keys)
    #expect(String(decoding: array.rows, as: UTF8.self) == expected)
    #expect(array.reasons.map { $0.prefix { $0 != " " } } == ["1:2", "1:42", "1:65"])
    #expect(array.reasons[0].hasSuffix("(tel)"))
    let lines = try rejects(Array(rows.joined(separator: "\n").utf8), "a.jsonl", keys)
    #expect(String(decoding: lines.rows, as: UTF8.self) == expected)
    #expect(lines.reasons.map { $0.prefix { $0 != " " } } == ["1:", "2:", "3:"])
    #expect(try rejects(lines.rows, "again.jsonl", keys).rows == lines.rows)
  }

  @Test("2gis: the refused record stands as its bytes, with the number of the record")
  func records() throws {
    func record(_ number: UInt64, _ name: String) -> [UInt8] {
      var bytes: [UInt8] = []
      withUnsafeBytes(of: UInt16(8 + name.utf8.count).littleEndian) { bytes += $0 }
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
      return bytes + Array(name.utf8)
    }
    let bad = record(12, "Bad")
    let found = try rejects(record(12_025_550_101, "A") + bad + record(12_025_550_102, "B"), "a.2gis", "")
    #expect(found.rows == bad)
    #expect(found.reasons.map { $0.prefix { $0 != " " } } == ["2:"])
  }

  @Test("Patterns: a list and a column; a range that nobody labels is one row and one reason")
  func patterns() throws {
    let list = try rejects(
      Array("# a list\n+1202555####\n*\n +1* # all\n2025550101\n".utf8), "a.txt",
      #""format": "patterns", "action": "block""#)
    #expect(String(decoding: list.rows, as: UTF8.self) == "*\n +1* # all\n")
    #expect(list.reasons.map { $0.prefix { $0 != " " } } == ["3:1", "4:1"])

    let column = try rejects(
      Array("p\tn\n+12025550###\t\n+1202555010#\tA\n+120255502##\t\n".utf8), "a.tsv", #""pattern": "p", "label": "n""#)
    #expect(String(decoding: column.rows, as: UTF8.self) == "+12025550###\t\n+120255502##\t\n")
    #expect(column.reasons == ["2: no label", "4: no label"])
    // The row's examples are not one per number.
    let group = try #require(column.report.refusals.first { $0.finding.rawValue.contains("abel") })
    #expect(group.count == 1_090 && group.examples.map(\.line) == [2, 4])
  }

  @Test("Packed and converted files: refused rows come as UTF-8, with the lines of the text", arguments: [false, true])
  func converted(isPacked: Bool) throws {
    let text = "phone\tname\r\nнет\tПервая\r\n2025550101\tВторая\r\n12\tТретья"
    var bytes: [UInt8] = Array((try #require(text.data(using: .windowsCP1251))))
    if isPacked {
      let file = try folder.write(bytes, to: "plain.tsv")
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["gzip", "-k", file]
      try process.run()
      process.waitUntilExit()
      bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(file).gz")))
    }
    let found = try rejects(
      bytes, isPacked ? "a.tsv.gz" : "a.tsv", #""number": "phone", "label": "name", "encoding": "windows-1251""#)
    #expect(String(decoding: found.rows, as: UTF8.self) == "нет\tПервая\r\n12\tТретья\n")
    #expect(found.reasons.map { $0.prefix { $0 != " " } } == ["2:1", "4:1"])
  }

  @Test("A row of a table with several numbers stands once, with a reason for each refused one")
  func severalNumbers() throws {
    let found = try rejects(
      Array("phone\tname\nfoo; 2025550101; 12\tA\n2025550102\tB\n".utf8), "a.tsv",
      #""number": "phone", "label": "name", "numberSeparator": ";""#)
    #expect(String(decoding: found.rows, as: UTF8.self) == "foo; 2025550101; 12\tA\n")
    #expect(found.reasons.map { $0.prefix { $0 != " " } } == ["2:1", "2:1"])
    #expect(found.report.accounts.total.used == 2 && found.report.accounts.total.refused == 2)
  }

  @Test("Conflicting labels of ranges are a line per stretch of numbers with the same rows and the same users")
  func conflicts() throws {
    try folder.write("p\tn\n+1202555011#\tTwo\n", to: "b.tsv")
    _ = try rejects(
      Array("p\tn\n+120255501##\tOne\n+12025550115\tThree\n".utf8), "a.tsv", #""pattern": "p", "label": "n""#,
      sources: #", {"id": "b", "file": "b.tsv", "pattern": "p", "label": "n"}"#)
    let lines = try text("conflicts").replacing("\(folder.path)/", with: "").split(separator: "\n")
    #expect(
      lines == [
        "12025550110-12025550114\tOne\ta.tsv\t2\tp", "12025550110-12025550114\tTwo\tb.tsv\t2\t",
        "12025550115\tOne\ta.tsv\t2\tp", "12025550115\tThree\ta.tsv\t3\t", "12025550115\tTwo\tb.tsv\t2\t",
        "12025550116-12025550119\tOne\ta.tsv\t2\tp", "12025550116-12025550119\tTwo\tb.tsv\t2\t",
      ])
    // Where a provider is full within a stretch, its users change.
    _ = try rejects(
      Array("p\tn\n+1202555011#\tOne\n".utf8), "a.tsv", #""pattern": "p", "label": "n""#,
      sources: #", {"id": "b", "file": "b.tsv", "pattern": "p", "label": "n"}"#,
      providers: #"{"id": "p", "rest": true, "limit": 3, "spillsTo": ["q"]}, {"id": "q", "prefixes": ["+1303"]}"#)
    #expect(
      try text("conflicts").split(separator: "\n").map { $0.replacing("\(folder.path)/", with: "") } == [
        "12025550110-12025550112\tOne\ta.tsv\t2\tp", "12025550110-12025550112\tTwo\tb.tsv\t2\t",
        "12025550113-12025550119\tOne\ta.tsv\t2\tq", "12025550113-12025550119\tTwo\tb.tsv\t2\t",
      ])
  }
}
