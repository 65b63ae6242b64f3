import CallDirectory
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Encodings")
struct EncodingTests {
  private func read(_ bytes: [UInt8], change: (inout SourceDescription) -> Void = { _ in }) throws -> SortedRows {
    let folder = try TemporaryFolder()
    let file = try folder.write(bytes, to: "a.csv")
    return try DirectoryReader(sources: [.table(file, change: change)], options: ReadingOptions()).read()
  }

  /// "Аптека" in windows-1251.
  private let ansi: [UInt8] = [0xC0, 0xEF, 0xF2, 0xE5, 0xEA, 0xE0]

  @Test("A label that is not UTF-8 stops the run with file, line, column and offset (B-122, B-124)")
  func invalidLabel() throws {
    let start = Array("phone,name\n2025550101,Latin first\n2025550102,\"".utf8)
    let error = try #require(throws: SourceError.self) { try read(start + ansi + Array("\"\n".utf8)) }
    #expect(error.kind == .data && error.line == 3 && error.column == 2)
    #expect(error.what == "byte 0xC0 at offset \(start.count) is not valid UTF-8")
    #expect(error.hint.contains("\"encoding\": one of \"utf-8\"") && error.file.hasSuffix("a.csv"))
  }

  @Test("So does an area, and an action cell that is not listed")
  func invalidAreaOrAction() throws {
    let content = Array("phone,name,x\n2025550101,A,".utf8) + ansi + Array("\n".utf8)
    #expect(throws: SourceError.self) { try read(content) { $0.area = .name("x") } }
    #expect(throws: SourceError.self) { try read(content) { $0.action = .column(.name("x"), values: ["1": .block]) } }
    #expect(try read(content).rows().count == 1, "a column that is not used is not looked at")
  }

  @Test("A number that is not UTF-8 refuses its row")
  func invalidNumber() throws {
    let sorted = try read(Array("phone,name\n".utf8) + ansi + Array(",A\n2025550101,B\n".utf8))
    #expect(try sorted.rows().count == 1 && sorted.report.total.refusedRows == 1)
  }
}
