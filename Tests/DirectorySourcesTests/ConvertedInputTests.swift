import CallDirectory
import Foundation
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Input in other encodings")
struct ConvertedInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func tuning(_ block: Int) -> ReadingTuning {
    var tuning = ReadingTuning(memory: 0, threads: 2)
    tuning.blockBytes = block
    tuning.streamBytes = block
    return tuning
  }

  private func read(
    _ bytes: [UInt8], as name: String = "a.csv", block: Int = 4096,
    change: (inout SourceDescription) -> Void = { _ in }
  ) throws -> SortedRows {
    let file = try folder.write(bytes, to: name)
    return try DirectoryReader(
      sources: [.table(file, change: change)], options: ReadingOptions(), tuning: tuning(block)
    ).read()
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var encoding: TextEncoding
    var label: String
    /// The name `iconv` has for it, and the byte order mark it may have.
    var name: String
    var mark: [UInt8]
    var testDescription: String { "\(encoding.rawValue) \(mark)" }
  }

  static let cases = [
    Case(encoding: .utf8, label: "Аптека №1 中", name: "UTF-8", mark: [0xEF, 0xBB, 0xBF]),
    Case(encoding: .utf16, label: "Аптека №1 中", name: "UTF-16LE", mark: [0xFF, 0xFE]),
    Case(encoding: .utf16, label: "Аптека №1 中", name: "UTF-16BE", mark: [0xFE, 0xFF]),
    Case(encoding: .utf16LittleEndian, label: "Аптека №1 😀", name: "UTF-16LE", mark: [0xFF, 0xFE]),
    Case(encoding: .utf16BigEndian, label: "Аптека №1 😀", name: "UTF-16BE", mark: [0xFE, 0xFF]),
    Case(encoding: .windows1251, label: "Аптека «Ёлка» №1", name: "CP1251", mark: []),
    Case(encoding: .windows1252, label: "Café “Zoë” €", name: "CP1252", mark: []),
    Case(encoding: .latin1, label: "Café Zoë ÿ", name: "ISO-8859-1", mark: []),
    Case(encoding: .gb18030, label: "药店中文名稱€", name: "GB18030", mark: [0x84, 0x31, 0x95, 0x33]),
    Case(encoding: .koi8r, label: "Аптека Ёж", name: "KOI8-R", mark: []),
  ]

  @Test(
    "Every encoding, line end, mark, format and size of block gives the rows of the same text in UTF-8 (B-121, B-124)",
    arguments: cases)
  func matrix(sample: Case) throws {
    for (name, separator) in [("a.tsv", "\t"), ("a.csv", ","), ("a.txt", "")] {
      for lineEnd in ["\n", "\r\n", "\r"] {
        for end in ["", lineEnd] {
          let isList = name == "a.txt"
          let lines =
            isList
            ? ["2025550101", "", "# \(sample.label)", "2025550102", "bad", "2025550103"]
            : ["phone\(separator)name"]
              + (1...9).map { $0 == 3 ? "" : "202555010\($0)\(separator)\(sample.label) \($0)" }
          let text = Array((lines.joined(separator: lineEnd) + end).utf8)
          let plain = try read(text, as: name)
          let converted = try Program.run("iconv", ["-f", "UTF-8", "-t", sample.name], text)
          for mark in sample.mark.isEmpty ? [[]] : [[], sample.mark] {
            if mark.isEmpty, sample.name == "UTF-16BE", sample.encoding == .utf16 { continue }
            for block in [1, 3, 16, 4096] {
              let sorted = try read(mark + converted, as: name, block: block) { $0.encoding = sample.encoding }
              #expect(try sorted.rows() == plain.rows())
              var counts = sorted.report.total
              #expect(counts.bytes == mark.count + converted.count)
              counts.bytes = plain.report.total.bytes
              #expect(counts == plain.report.total)
            }
            // A mark says UTF-8 and UTF-16 without a word in the plan.
            if !mark.isEmpty, sample.encoding != .gb18030 {
              #expect(try read(mark + converted, as: name).rows() == plain.rows())
            }
          }
        }
      }
    }
  }

  @Test("A mark before every record is no text, whatever ends a line and wherever a block ends (B-122)")
  func marksBetween() throws {
    for lineEnd in ["\n", "\r\n", "\r"] {
      let lines = ["phone;name", "2025550101;\u{FEFF}Один", "2025550102;\"Два \u{FEFF}три\"", "", "2025550103;Four"]
      let text = lines.map { "\u{FEFF}\u{FEFF}\($0)\(lineEnd)" }.joined()
      for name in ["UTF-16LE", "UTF-16BE"] {
        let bytes = try Program.run("iconv", ["-f", "UTF-8", "-t", name], Array(text.utf8))
        for block in [1, 2, 3, 5, 16, 17, 64, 1000] {
          let rows = try read(bytes, block: block).rows()
          #expect(rows.map(\.line) == [2, 3, 5])
          #expect(rows.map { $0.label.replacingOccurrences(of: "\u{FEFF}", with: "+") }.last == "Four")
          #expect(rows[1].label.unicodeScalars.contains("\u{FEFF}"), "within a line it is text")
        }
      }
    }
  }

  @Test("Bytes that are not in the encoding stop the run with byte, offset and what to do (B-122, B-124)")
  func invalid() throws {
    let start = Array("phone,name\n2025550101,A\n2025550102,".utf8)
    let wide: [UInt8] = start.flatMap { [$0, 0] as [UInt8] }
    let mark: [UInt8] = [0xFF, 0xFE]
    typealias Invalid = (encoding: TextEncoding, before: [UInt8], bad: [UInt8])
    let list: [Invalid] = [
      (.windows1252, start, [0x81, 0x0A]), (.windows1251, start, [0x98]), (.gb18030, start, [0xFF, 0x0A]),
      (.utf16LittleEndian, wide, [0x01, 0xDC, 0x41, 0]), (.utf16, mark + wide, [0x01, 0xDC]),
    ]
    for (encoding, before, bad) in list {
      let bytes = before + bad
      let byte = String(bad[0], radix: 16, uppercase: true)
      for block in [1, 16, 20, 4096] {
        let error = try #require(throws: SourceError.self) { try read(bytes, block: block) { $0.encoding = encoding } }
        let shown = encoding == .utf16 ? TextEncoding.utf16LittleEndian : encoding
        #expect(error.what == "byte 0x\(byte) at offset \(before.count) is not valid \(shown.rawValue)")
        #expect(error.kind == .data && error.key == "encoding" && error.source == "companies")
        #expect(error.hint.contains("\"koi8-r\"") && error.file.hasSuffix("a.csv"))
      }
    }
    let error = try #require(throws: SourceError.self) { try read(mark + wide + [0x41]) }
    #expect(error.what == "the text ends within a character of utf-16le: byte 0x41 at offset \(2 + wide.count)")
  }

  @Test("Rows before invalid bytes count first: the first fault in the order of lines is named, whatever the block")
  func order() throws {
    let rows = (0..<50).map { $0 == 30 ? "bad,x" : "20255501\(10 + $0),x" }
    let bytes = Array(("phone,name\n" + rows.joined(separator: "\n")).utf8) + [0x81]
    for block in [1, 10, 300, 100_000] {
      let error = try #require(throws: SourceError.self) {
        try read(bytes, block: block) {
          $0.encoding = .windows1252
          $0.onBadRow = .fail
        }
      }
      #expect(error.line == 32 && error.what.hasSuffix(": bad"))
    }
  }

  @Test("A mark that contradicts the declared encoding is an error that says so")
  func contradiction() throws {
    for (mark, declared, isFine) in [
      ([0xFF, 0xFE], .utf8, false), ([0xFE, 0xFF], .utf16LittleEndian, false), ([0xFF, 0xFE], .utf16BigEndian, false),
      ([0xEF, 0xBB, 0xBF], .utf16, false), ([0xEF, 0xBB, 0xBF], .windows1251, false), ([0xFF, 0xFE], .koi8r, false),
      ([0xFF, 0xFE], .utf16, true), ([0xFE, 0xFF], .utf16, true), ([0xFE, 0xFF], .utf16BigEndian, true),
      ([0xEF, 0xBB, 0xBF], .utf8, true),
    ] as [([UInt8], TextEncoding, Bool)] {
      let start = Result { try TextStart(mark + [0x41, 0x42], declared: declared, file: "f") }
      guard case .failure(let failure) = start else {
        #expect(isFine)
        continue
      }
      let error = try #require(failure as? SourceError)
      #expect(!isFine && error.key == "encoding")
      #expect(error.what.contains("mark of utf-") && error.what.contains("\"encoding\": \"\(declared.rawValue)\""))
    }
    for mark in [[0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]] as [[UInt8]] {
      let error = try #require(throws: SourceError.self) { try read(mark + [0x41, 0, 0, 0]) }
      #expect(error.what.contains("UTF-32"))
    }
  }

  @Test("Empty files and files of a mark alone have no rows in any encoding")
  func empty() throws {
    for (bytes, encoding) in [
      ([], nil), ([0xFF, 0xFE], nil), ([0xFE, 0xFF], nil), ([0xEF, 0xBB, 0xBF], nil), ([], .utf16), ([], .gb18030),
      ([0xFF, 0xFE, 0xFF, 0xFE, 0x0A, 0x00], nil),
    ] as [([UInt8], TextEncoding?)] {
      let error = try #require(throws: SourceError.self) {
        try read(bytes, as: "a.txt") {
          $0.encoding = encoding
          $0.numbers = nil
          $0.label = nil
        }
      }
      #expect(error.what == "no rows")
    }
  }

  @Test(
    "The files with a mark before every record read with the rows their page states",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)),
    arguments: [("ru_samara_sport_utf16.csv", 295, 288), ("ru_samara_cafes_utf16.csv", 101, 100)])
  func realFiles(name: String, rows: Int, phones: Int) throws {
    let path = SharedData.path("business/\(name)")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    // As its page says: decode, drop every mark, split at carriage returns.
    let scalars = try #require(String(data: Data(bytes.dropFirst(2)), encoding: .utf16LittleEndian)).unicodeScalars
    let text = String(String.UnicodeScalarView(scalars.filter { $0 != "\u{FEFF}" }))
    let lines = text.split(separator: "\r").map { $0.split(separator: ";", omittingEmptySubsequences: false) }
    let header = try #require(lines.first).map { String($0).trimmingCharacters(in: .whitespaces) }
    let cells = lines.dropFirst()
    let phone = try #require(
      header.indices.first { column in
        cells.count { $0.count > column && $0[column].contains { $0.isNumber } } >= phones
          && cells.count { $0.count > column && $0[column].hasPrefix("+7") } > phones / 2
      }, "\(header)")
    var source = SourceDescription(id: "samara", files: [path])
    source.numbers = .number(.name(header[phone]))
    source.label = .column(.name(header[0]))
    source.spelling.region = RegionCode("RU")
    let sorted = try DirectoryReader(sources: [source], options: ReadingOptions()).read()
    #expect(sorted.files.first?.separator == .semicolon && sorted.report.notes.map(\.finding).contains(.separatorFound))
    #expect(sorted.report.total.bytes == bytes.count)
    #expect(sorted.report.total.rows == rows)
    #expect(sorted.report.refusals.flatMap(\.examples).allSatisfy { $0.column == phone + 1 }, "only phones are refused")
    #expect(try !sorted.rows().contains { $0.label.unicodeScalars.contains("\u{FEFF}") })
  }
}
