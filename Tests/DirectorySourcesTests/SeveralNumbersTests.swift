import CallDirectory
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Rows with several numbers")
struct SeveralNumbersTests {
  private func read(
    _ lines: [String], change: (inout SourceDescription) -> Void = { _ in }
  ) throws -> (rows: [ReadRow], report: SourceReport) {
    let folder = try TemporaryFolder()
    let file = try folder.write("phone\tname\n" + lines.joined(separator: "\n"), to: "a.tsv")
    let sorted = try DirectoryReader(sources: [.table(file, change: change)], options: ReadingOptions()).read()
    return (try sorted.rows(), sorted.report.sources[0])
  }

  private func isSplit(_ separator: String) -> (inout SourceDescription) -> Void {
    { $0.numberSeparator = separator }
  }

  @Test("Each number of a cell is an occurrence with the row's label; the row counts once")
  func split() throws {
    let (rows, report) = try read(
      ["(202) 555-0101; 202 555 0102;+44 20 7946 0001\tShop"], change: isSplit(";"))
    #expect(rows.map(\.number) == [12_025_550_101, 12_025_550_102, 442_079_460_001])
    #expect(Set(rows.map(\.label)) == ["Shop"])
    #expect(report.counts.rows == 1)
    #expect(report.counts.read == 3)
    #expect(report.counts.refusedRows == 0)
  }

  @Test("A refused number leaves the others of its row alone; a row is refused when none is accepted")
  func refused() throws {
    let (rows, report) = try read(
      ["2025550101 / 555 / call\tShop", "1/2\tOther", "2025550102\tThird"],
      change: {
        $0.numberSeparator = "/"
        $0.action = .fixed(.both)
      })
    #expect(rows.map(\.number) == [12_025_550_101, 12_025_550_102])
    #expect(report.counts.rows == 3)
    #expect(report.counts.refusedRows == 1)
    #expect(report.counts.read == 12)
    #expect(report.counts.refused == 8)
    #expect(report.refusals.map(\.finding.rawValue) == ["number.noDigits", "number.shortCode", "number.tooShort"])
    #expect(report.refusals[0].examples.map(\.raw) == ["call"])
    #expect(report.refusals.map(\.count).reduce(0, +) == 4)
  }

  @Test("Nothing between two separators is nothing; a cell of nothing but separators is refused as empty")
  func empty() throws {
    let (rows, report) = try read(
      [";; 2025550101 ;\u{A0};\tShop", " ; ;\tOther", "\tThird", "2025550102\tFourth"], change: isSplit(";"))
    #expect(rows.map(\.number) == [12_025_550_101, 12_025_550_102])
    #expect(report.counts.read == 4)
    #expect(report.counts.refusedRows == 2)
    #expect(report.refusals.map(\.finding) == [.number(.empty)])
    #expect(report.refusals[0].examples.map(\.line) == [3, 4])
  }

  @Test("A separator of several bytes is found only whole", arguments: [", ", " или ", "||", "12345678"])
  func long(separator: String) throws {
    let (rows, report) = try read(
      ["(202) 555-0101\(separator)(202) 555-0102\tShop", "2025550103\tOther"], change: isSplit(separator))
    #expect(rows.map(\.number) == [12_025_550_101, 12_025_550_102, 12_025_550_103])
    #expect(report.counts.read == 3)
    let again = try read(["2025550101|2025550102\tShop", "2025550103\tOther"], change: isSplit("||"))
    #expect(again.rows.map(\.number) == [12_025_550_103])
    #expect(again.report.refusals.map(\.finding) == [.number(.severalNumbers)])
    #expect(again.report.refusals[0].examples[0].reason == NumberRefusal.severalNumbers.reason)
  }

  @Test("Without a separator a cell with several numbers is refused, and the reason says what to state")
  func undeclared() throws {
    let (rows, report) = try read(["2025550101; 2025550102\tShop", "2025550103\tOther"])
    #expect(rows.map(\.number) == [12_025_550_103])
    let group = try #require(report.refusals.first)
    #expect(group.finding == .number(.severalNumbers))
    #expect(group.examples[0].reason.contains("state \"numberSeparator\""))
  }

  @Test("A bad score refuses the accepted numbers of the row and no more")
  func badScore() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("phone\tname\tcalls\n1;2025550101;2025550102\tA\tmany\n2025550103\tB\t1", to: "a.tsv")
    let source = SourceDescription.table(file) {
      $0.numberSeparator = ";"
      $0.score = .name("calls")
    }
    let report = try DirectoryReader(sources: [source], options: ReadingOptions()).read().report.sources[0]
    #expect(report.counts.read == 4)
    #expect(report.counts.refused == 3)
    #expect(report.counts.refusedRows == 1)
    #expect(report.refusals.map(\.count) == [1, 1])
  }

  @Test("The first refused number stops a source that fails at bad rows")
  func stops() throws {
    let error = #expect(throws: SourceError.self) {
      _ = try read(["2025550101;12\tShop"]) {
        $0.numberSeparator = ";"
        $0.onBadRow = .fail
      }
    }
    #expect(error?.line == 2)
    #expect(error?.what.contains("12") == true)
  }
}
