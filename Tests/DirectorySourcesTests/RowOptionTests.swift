import CallDirectory
import Foundation
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("What a source asks of its rows")
struct RowOptionTests {
  private func read(
    _ table: String, extra: [String: String] = [:], change: (inout SourceDescription) -> Void
  ) throws -> (rows: [ReadRow], report: SourceReport) {
    let folder = try TemporaryFolder()
    let file = try folder.write(table, to: "a.csv")
    for (name, text) in extra { try folder.write(text, to: name) }
    var source = SourceDescription.table(file, change: change)
    if let map = source.areaMap { source.areaMap = folder.path + "/" + map }
    let sorted = try DirectoryReader(sources: [source], options: ReadingOptions()).read()
    return (try sorted.rows(), sorted.report.sources[0])
  }

  // MARK: where

  private let shops = """
    phone,name,status,kind
    2025550101,A, open ,a
    nonsense,B,closed,a
    2025550103,C,open,b
    2025550104,D,Open,a
    2025550105,E,open,c
    """

  @Test("Rows that meet all conditions are taken; of the others nothing is looked at, and they are counted beside")
  func filtered() throws {
    let (rows, report) = try read(shops) {
      $0.filters = [
        RowFilter(column: .name("status"), values: ["open"]), RowFilter(column: .name("kind"), values: ["a", "b"]),
      ]
    }
    #expect(rows.map(\.label) == ["A", "C"])
    #expect(report.counts.rows == 2)
    #expect(report.counts.filteredRows == 3)
    #expect(report.counts.read == 2)
    #expect(report.refusals.isEmpty)
  }

  @Test("A condition that no row meets is named, with the nearest of the values that are there")
  func nothingLeft() throws {
    let error = #expect(throws: SourceError.self) {
      _ = try read(shops) { $0.filters = [RowFilter(column: .name("status"), values: ["opn"])] }
    }
    #expect(error?.key == "where")
    #expect(
      error?.what
        == #"none of 5 rows has "opn" in column "status"; the first values there are "open", "closed", "Open""#)
    #expect(error?.hint == #"did you mean "open"?"#)
    let both = #expect(throws: SourceError.self) {
      _ = try read(shops) {
        $0.filters = [
          RowFilter(column: .name("status"), values: ["closed"]), RowFilter(column: .name("kind"), values: ["c"]),
        ]
      }
    }
    #expect(both?.what == #"none of 5 rows meets all conditions of "where""#)
    let allowed = try read(shops) {
      $0.filters = [RowFilter(column: .name("status"), values: ["gone"])]
      $0.allowEmpty = true
    }
    #expect(allowed.report.counts.filteredRows == 5)
  }

  @Test("Of many values the first five are shown, the same for every number of threads and size of blocks")
  func manyValues() throws {
    let folder = try TemporaryFolder()
    let lines = (0..<500).map { "2025550101,A,v\($0 / 3)" }
    let file = try folder.write("phone,name,kind\n" + lines.joined(separator: "\n"), to: "a.csv")
    let source = SourceDescription.table(file) { $0.filters = [RowFilter(column: .name("kind"), values: ["x"])] }
    for (threads, block) in [(1, 4096), (2, 16), (3, 300)] {
      var tuning = ReadingTuning(memory: 16 << 20, threads: threads)
      tuning.blockBytes = block
      let error = #expect(throws: SourceError.self) {
        _ = try DirectoryReader(sources: [source], options: ReadingOptions(), tuning: tuning).read()
      }
      #expect(error?.what.hasSuffix(#"the first values there are "v0", "v1", "v2", "v3", "v4""#) == true)
    }
  }

  @Test("A cell that is not UTF-8 is no value that a condition misses (B-122)")
  func filterInvalid() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      Array("phone,name,status\n2025550101,A,open\n2025550102,B,".utf8) + [0xEE, 0xE4] + Array("\n".utf8), to: "a.csv")
    let source = SourceDescription.table(file) { $0.filters = [RowFilter(column: .name("status"), values: ["open"])] }
    let error = #expect(throws: SourceError.self) {
      _ = try DirectoryReader(sources: [source], options: ReadingOptions()).read()
    }
    #expect(error?.line == 3)
    #expect(error?.column == 3)
  }

  // MARK: Templates

  @Test(
    "Text stands only beside filled columns (B-131: the important part first)",
    arguments: [
      (["Shop", "Boston", "Main St"], "Shop (Boston), Main St."), (["Shop", "", "Main St"], "Shop Main St."),
      (["Shop", "Boston", ""], "Shop (Boston"), (["", "Boston", "Main St"], "Boston), Main St."),
      (["", "", "Main St"], "Main St."), (["Shop", " ", ""], "Shop"), (["", "\u{A0}", ""], ""),
      (["\"a \"\"b\"\"\"", "B", "C"], "a \"b\" (B), C."),
    ])
  func template(cells: [String], expected: String) throws {
    let table = "phone,name,city,street\n2025550101,\(cells.joined(separator: ","))\n2025550102,x,y,z"
    let (rows, _) = try read(table) {
      $0.label = .template([
        .column(.name("name")), .text(" ("), .column(.name("city")), .text("), "), .column(.name("street")),
        .text("."),
      ])
    }
    #expect(rows.map(\.label) == [expected, "x (y), z."])
  }

  @Test("A template takes positions, constant text, repeated columns; control characters in it become a space, noted")
  func templateParts() throws {
    let table = "2025550101,\"two\nlines\"\n2025550102,one"
    let (rows, report) = try read(table) {
      $0.hasHeader = false
      $0.numbers = .number(.position(1))
      $0.label = .template([.text("\u{7}<"), .column(.position(2)), .text("|"), .column(.position(2)), .text(">")])
    }
    #expect(rows.map(\.label) == ["<two lines|two lines>", "<one|one>"])
    #expect(report.notes.map(\.finding) == [.labelControlCharacters])
    #expect(report.notes[0].count == 1)
    #expect(report.notes[0].examples[0].column == 2)
    let constant = try read("phone\n2025550101") { $0.label = .template([.text("Spam")]) }
    #expect(constant.rows.map(\.label) == ["Spam"])
  }

  @Test("A column of a template that is not UTF-8 is named (B-124)")
  func templateInvalid() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array("phone,name,city\n2025550101,A,".utf8) + [0xE9] + Array("\n".utf8), to: "a.csv")
    let source = SourceDescription.table(file) {
      $0.label = .template([.column(.name("name")), .text(", "), .column(.name("city"))])
    }
    let error = #expect(throws: SourceError.self) {
      _ = try DirectoryReader(sources: [source], options: ReadingOptions()).read()
    }
    #expect(error?.column == 3)
    #expect(error?.what == "byte 0xE9 at offset 29 is not valid UTF-8")
  }

  // MARK: Areas

  @Test("An area map replaces what it lists; what it does not list stays, noted with examples")
  func areas() throws {
    let table = "phone,name,city\n2025550101,A,MSK\n2025550102,B, Boston \n2025550103,C,\n2025550104,D,Санкт-Петербург"
    let map = "\u{FEFF}# codes\r\n\r\nMSK\tМосква\r\n Санкт-Петербург \t Петербург \r\nMSK\tМосква"
    let (rows, report) = try read(table, extra: ["map.txt": map]) {
      $0.area = .name("city")
      $0.areaMap = "map.txt"
    }
    #expect(rows.map(\.area) == ["Москва", "Boston", "", "Петербург"])
    #expect(report.notes.map(\.finding) == [.areaNotInMap])
    #expect(report.notes[0].examples.map(\.raw) == [" Boston "])
  }

  @Test(
    "A map that cannot be used is an error with its line, before anything is read",
    arguments: [
      ("a\tb\na\tc", 2, #""a" has another area in line 1"#),
      ("# x\n\nno tab", 3, "expected a value, a tab and an area, found no tab"),
      ("a\tb\tc", 1, "expected a value, a tab and an area, found 2 tabs"),
      ("a\t", 1, "nothing stands behind the tab"), ("a\tb\r\tb", 2, "nothing stands in front of the tab"),
    ])
  func badMap(text: String, line: Int, what: String) throws {
    let error = #expect(throws: SourceError.self) {
      _ = try read("phone,name,city\n", extra: ["map.txt": text]) {
        $0.area = .name("city")
        $0.areaMap = "map.txt"
      }
    }
    #expect(error?.line == line)
    #expect(error?.what == what)
    #expect(error?.key == "areaMap")
    #expect(error?.file.hasSuffix("/map.txt") == true)
  }

  @Test("A map that is not there or not UTF-8 is an error that names the key")
  func missingMap() throws {
    let missing = #expect(throws: SourceError.self) {
      _ = try read("phone,name,city\n") {
        $0.area = .name("city")
        $0.areaMap = "none.txt"
      }
    }
    #expect(missing?.kind == .noInput)
    #expect(missing?.key == "areaMap")
    let folder = try TemporaryFolder()
    let map = try folder.write(Array("ok\tyes\n".utf8) + [0xCC, 0x09, 0xCC], to: "map.txt")
    let error = #expect(throws: SourceError.self) { _ = try AreaMap(map, source: "s") }
    #expect(error?.line == 2)
  }

  @Test("A map that is a folder, a pipe or none says which source and key name it, and what to do")
  func unreadableMap() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path("pipe"), 0o644) == 0)
    for path in [folder.path, folder.path("pipe"), folder.path("none")] {
      let error = #expect(throws: SourceError.self) { _ = try AreaMap(path, source: "towns") }
      #expect(error?.kind == .noInput && error?.key == "areaMap" && error?.hint.isEmpty == false)
      #expect(error?.what.contains("\"areaMap\" of source \"towns\"") == true && error?.file == path)
    }
  }
}
