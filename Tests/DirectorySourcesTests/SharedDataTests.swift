import CallDirectory
import Foundation
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Real input data", .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
struct SharedDataTests {
  struct File: Sendable, CustomTestStringConvertible {
    var path: String
    var number: String
    var label: String?
    var area: String?
    var country: String?
    var rows: Int
    /// Rows whose phone cell is not empty.
    var phones: Int
    var testDescription: String { path }
  }

  /// Rows and phones as the data's own page states them.
  static let files = [
    File(
      path: "business/ru_2gis_tattoo_salons.csv", number: "Телефон 1", label: "Наименование", area: "Регион",
      country: "RU", rows: 4017, phones: 4017 - 258),
    File(
      path: "business/tw_pharmacies_2020-03-06.csv", number: "醫事機構電話", label: "醫事機構名稱", country: "TW", rows: 6421,
      phones: 6421),
    File(path: "business/kr_hospitals.csv", number: "응급실전화", label: "기관명", country: "KR", rows: 1000, phones: 62),
    File(
      path: "business/us_chains_1.csv", number: "phone", label: "brand", area: "state", country: "US", rows: 27_545,
      phones: 27_545),
    File(
      path: "business/us_chains_2.csv", number: "phone", label: "brand", area: "state", country: "US", rows: 27_546,
      phones: 27_546),
    File(
      path: "business/world_coffee_stores.csv", number: "Phone Number", label: "Store Name", area: "Country",
      country: nil, rows: 25_600, phones: 18_739),
    File(
      path: "business/ca_vancouver_osm.csv", number: "phone", label: "name", country: "CA", rows: 1562, phones: 1562),
    File(
      path: "business/us_restaurants_fodors.csv", number: "phone", label: "name", area: "city", country: "US",
      rows: 533,
      phones: 533),
    File(
      path: "business/us_restaurants_zagats.csv", number: "phone", label: "name", area: "city", country: "US",
      rows: 331,
      phones: 331),
    File(path: "spam/tr_spam.csv", number: "number", country: "TR", rows: 199, phones: 199),
    File(path: "spam/bg_spam.txt", number: "", country: "BG", rows: 32, phones: 32),
  ]

  @Test("Every table reads with the rows its page states, and its accounts add up", arguments: files)
  func rows(file: File) throws {
    let folder = try TemporaryFolder()
    var source = SourceDescription(id: "data", files: [SharedData.path(file.path)])
    source.numbers = .number(.name(file.number))
    source.label = file.label.map { .column(.name($0)) }
    source.area = file.area.map { .name($0) }
    source.spelling.region = file.country.flatMap { RegionCode($0) }
    var tuning = ReadingTuning(memory: 0, threads: 2)
    tuning.blockBytes = 10_000
    tuning.share = 50_000
    tuning.keepBytes = 100_000
    var options = ReadingOptions()
    options.temporaryFolder = folder.path
    let sorted = try DirectoryReader(sources: [source], options: options, tuning: tuning).read()
    let counts = sorted.report.total
    #expect(counts.rows == file.rows)
    let groups = sorted.report.refusals
    #expect(groups.reduce(0) { $0 + $1.count } == counts.refusedRows && counts.refused == counts.refusedRows)
    #expect(groups.first { $0.finding == .number(.empty) }?.count ?? 0 == file.rows - file.phones)
    #expect(!groups.contains { $0.finding.rawValue.hasPrefix("row.") })
    var delivered = 0
    var last = Int64.min
    try sorted.forEachNumber { number, rows in
      #expect(number.rawValue > last)
      last = number.rawValue
      delivered += rows.count
    }
    #expect(delivered == counts.acceptedRows)
    let naive = try NaiveReader.read([source])
    #expect(naive.counts == counts)
    #expect(try sorted.rows() == naive.rows)
  }

  /// Tables with one phone column and one country.
  static let oracleFiles = files.filter { $0.country != nil && !$0.path.hasSuffix("tattoo_salons.csv") }

  @Test("Numbers equal the oracle's wherever it parses a valid one", arguments: oracleFiles)
  func oracle(file: File) throws {
    var source = SourceDescription(id: "data", files: [SharedData.path(file.path)])
    source.numbers = .number(.name(file.number))
    source.spelling.region = file.country.flatMap { RegionCode($0) }
    let sorted = try DirectoryReader(sources: [source], options: ReadingOptions()).read()
    var numbers: [Int: Int64] = [:]
    for row in try sorted.rows() { numbers[row.line] = row.number }
    // The oracle counts the phones of a file, not its lines.
    let lines = try NaiveReader.cells(of: file.number, in: source).filter { !$0.text.isEmpty }.map(\.line)
    let oracle = try String(contentsOfFile: SharedData.path("oracle/phone_normalisation.tsv"), encoding: .utf8)
    var compared = 0
    for line in oracle.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields[0] == file.path, fields[5] == "parse", fields[7] == "1", let ordinal = Int(fields[1]) else {
        continue
      }
      #expect(numbers[lines[ordinal - 1]] == Int64(fields[4]), "\(line)")
      compared += 1
    }
    #expect(compared > 10)
  }

  @Test("The Swiss list reads with its separator: every row accounted for, every number the oracle's")
  func swissList() throws {
    let path = "spam/ch_labelled.txt"
    var source = SourceDescription(id: "ch", files: [SharedData.path(path)])
    source.format = .csv
    source.separator = .semicolon
    source.hasHeader = false
    source.numbers = .number(.position(1))
    source.label = .column(.position(2))
    source.spelling.region = RegionCode("CH")
    let sorted = try DirectoryReader(sources: [source], options: ReadingOptions()).read()
    let counts = sorted.report.total
    #expect(counts.rows == 5_818)
    let rows = try sorted.rows()
    #expect(rows.count == counts.acceptedRows)
    let numbers = Dictionary(rows.map { ($0.line, $0.number) }, uniquingKeysWith: { first, _ in first })
    let oracle = try String(contentsOfFile: SharedData.path("oracle/phone_normalisation.tsv"), encoding: .utf8)
    // The oracle counts the phones of a file, not its lines, some of which are blank.
    let text = try String(contentsOfFile: SharedData.path(path), encoding: .ascii)
    let lines = text.components(separatedBy: "\r\n").enumerated().filter { !$0.element.isEmpty }.map { $0.offset + 1 }
    var refused = 0
    for line in oracle.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields[0] == path, fields[5] == "parse", fields[7] == "1", let ordinal = Int(fields[1]) else { continue }
      guard let number = numbers[lines[ordinal - 1]] else {
        refused += 1
        continue
      }
      #expect(number == Int64(fields[4]), "\(line)")
    }
    // The oracle takes numbers of 16 digits for valid ones; E.164 ends at 15.
    #expect(refused <= 7)
  }
}
