import CallDirectory
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Formats")
struct FormatTests {
  @Test("A table is read, sorted by number, equal numbers in the order of lines; a bad row is left out")
  func table() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("phone\tname\n+12025550124\tB\n(202) 555-0123\tA\nfoo\tX\n2025550124\tC", to: "a.tsv")
    let sorted = try DirectoryReader(sources: [.table(file)], options: ReadingOptions()).read()
    #expect(
      try sorted.rows() == [
        ReadRow(number: 12_025_550_123, line: 3, label: "A"), ReadRow(number: 12_025_550_124, line: 2, label: "B"),
        ReadRow(number: 12_025_550_124, line: 5, label: "C"),
      ])
  }
}
