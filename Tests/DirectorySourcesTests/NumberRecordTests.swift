import CallDirectory
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Records of the 2GIS format")
struct NumberRecordTests {
  private func record(_ number: UInt64, _ name: [UInt8], length: Int? = nil) -> [UInt8] {
    let length = length ?? 8 + name.count
    let number = withUnsafeBytes(of: number.littleEndian) { Array($0) }
    return [UInt8(length & 0xFF), UInt8(length >> 8)] + number + name
  }

  private func read(
    _ content: [UInt8], blockBytes: Int = 1 << 20, change: (inout SourceDescription) -> Void = { _ in }
  ) throws -> SortedRows {
    let folder = try TemporaryFolder()
    var source = SourceDescription(id: "records", files: [try folder.write(content, to: "a.2gis")])
    source.allowEmpty = true
    change(&source)
    var tuning = ReadingTuning(memory: 0, threads: 2)
    tuning.blockBytes = blockBytes
    tuning.longestRow = 100
    return try DirectoryReader(sources: [source], options: ReadingOptions(), tuning: tuning).read()
  }

  @Test("Numbers are international whatever the source's country, names are labels, lines are records")
  func records() throws {
    let content =
      record(74_952_223_344, Array("Кафе".utf8)) + record(12_025_550_101, []) + record(0, [0x41])
      + record(.max, [0x41]) + record(12_025_550_102, Array("a\nb".utf8))
    let sorted = try read(content) { $0.spelling.region = RegionCode("RU") }
    #expect(
      try sorted.rows() == [
        ReadRow(number: 12_025_550_101, line: 2, label: ""), ReadRow(number: 12_025_550_102, line: 5, label: "a b"),
        ReadRow(number: 74_952_223_344, line: 1, label: "Кафе"),
      ])
    let counts = ReadingCounts(
      files: 1, bytes: content.count, lines: 5, rows: 5, refusedRows: 2, read: 5, refused: 2)
    #expect(sorted.report.total == counts)
    #expect(sorted.report.refusals.flatMap(\.examples).map(\.line).sorted() == [3, 4])
    #expect(sorted.report.refusals.flatMap(\.examples).map(\.raw).contains("+18446744073709551615"))
  }

  @Test("Lengths of every kind and names of any length, wherever blocks end", arguments: [1, 2, 9, 10, 11, 64, 1000])
  func blocks(blockBytes: Int) throws {
    var generator = SeededGenerator(seed: 7)
    var content: [UInt8] = []
    var expected: [ReadRow] = []
    for index in 0..<200 {
      let name = String(repeating: "ж", count: index == 50 ? 30_000 : Int.random(in: 0..<20, using: &generator))
      let number = 12_025_550_100 + UInt64.random(in: 0..<99, using: &generator)
      content += record(number, Array(name.utf8))
      expected.append(ReadRow(number: Int64(number), line: index + 1, label: name))
    }
    expected.sort { ($0.number, $0.line) < ($1.number, $1.line) }
    #expect(try read(content, blockBytes: blockBytes).rows() == expected)
  }

  @Test("A file that begins with what is a mark elsewhere is read as it stands")
  func marks() throws {
    for length in [0xFEFF, 0xFFFE, 0xBBEF] {
      let sorted = try read(record(12_025_550_101, [UInt8](repeating: 0x41, count: length - 8)))
      #expect(try sorted.rows().map(\.label.utf8.count) == [length - 8])
    }
  }

  @Test(
    "A file that is cut short at any byte but a record's end is an error with the offset", arguments: [1, 16, 4096])
  func truncation(blockBytes: Int) throws {
    let content =
      record(12_025_550_101, Array("one".utf8)) + record(12_025_550_102, []) + record(74_952_223_344, [0x41])
    let ends = [0: 0, 13: 1, 23: 2]
    for count in 0..<content.count {
      let cut = Array(content[..<count])
      if let rows = ends[count] {
        #expect(try read(cut, blockBytes: blockBytes).rows().count == rows)
        continue
      }
      let error = try #require(throws: SourceError.self) { try read(cut, blockBytes: blockBytes) }
      let start = ends.keys.filter { $0 <= count }.max() ?? 0
      #expect(error.kind == .data && error.what.hasPrefix("the record at offset \(start) "), "cut at \(count)")
      #expect(error.line == ends[start].map { $0 + 1 } && error.file.hasSuffix("a.2gis"))
    }
  }

  @Test("A length without room for the number is an error with the offset", arguments: [0, 7])
  func shortLength(length: Int) throws {
    for before in [0, 1, 40] {
      let start = Array((0..<before).map { record(12_025_550_100 + UInt64($0), [0x41]) }.joined())
      for blockBytes in [1, 16, 4096] {
        let error = try #require(throws: SourceError.self) {
          try read(start + record(12_025_550_101, [0x42], length: length) + start, blockBytes: blockBytes)
        }
        #expect(error.line == before + 1)
        #expect(
          error.what
            == "the record at offset \(start.count) has the length \(length), less than the 8 bytes of its number")
      }
    }
  }

  @Test("A name that is not UTF-8 stops the run with its offset (B-122)")
  func invalidName() throws {
    let start = record(12_025_550_101, [0x41])
    let error = try #require(throws: SourceError.self) { try read(start + record(12_025_550_102, [0x41, 0xC0])) }
    #expect(error.what == "byte 0xC0 at offset \(start.count + 11) is not valid UTF-8" && error.line == 2)
  }
}
