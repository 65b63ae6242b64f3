import CallDirectory
import Foundation
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Real vCards", .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
struct SharedCardTests {
  struct File: Sendable, CustomTestStringConvertible {
    var path: String
    var country: String
    var cards: Int
    var numbers: Int
    var firstLabel: String
    /// Refused numbers by reason.
    var refusals: [String: Int]
    /// Numbers that the oracle parses and takes for valid.
    var compared: Int
    /// The name of the list in the oracle; the Chinese cards were made from the YAML file, in its order.
    var oracle: String { path.replacingOccurrences(of: "yellow_pages.vcf", with: "yellow_pages.yaml") }
    var testDescription: String { path }
  }

  static let files = [
    File(
      path: "spam/de_tellows.vcf", country: "DE", cards: 991, numbers: 9900,
      firstLabel: "Vermarkter Hotline, Score:8 (1)",
      refusals: ["localOnly": 2, "notPossible": 5, "tooLong": 25, "tooShort": 12, "unknownCallingCode": 1],
      compared: 1107),
    File(
      path: "spam/il_junk.vcf", country: "IL", cards: 1, numbers: 708, firstLabel: "spam junk",
      refusals: ["shortCode": 8, "symbol": 2], compared: 578),
    File(
      path: "business/cn_yellow_pages.vcf", country: "CN", cards: 312, numbers: 574, firstLabel: "Oracle",
      refusals: ["shortCode": 185, "tooLong": 7, "tooShort": 1], compared: 333),
  ]

  @Test(
    "Every card and every number is accounted for as the data's page states, and equals the oracle's", arguments: files)
  func accounts(file: File) throws {
    var source = SourceDescription(id: "cards", files: [SharedData.path(file.path)])
    source.spelling.region = RegionCode(file.country)
    var tuning = ReadingTuning(memory: 0, threads: 2)
    tuning.blockBytes = 3000
    let sorted = try DirectoryReader(sources: [source], options: ReadingOptions(), tuning: tuning).read()
    let rows = try sorted.rows()
    let counts = sorted.report.total
    #expect(counts.rows == file.cards && counts.read == file.numbers)
    #expect(counts.refused == file.refusals.values.reduce(0, +) && rows.count == file.numbers - counts.refused)
    let found = sorted.report.refusals.map { (String($0.finding.rawValue.dropFirst("number.".count)), $0.count) }
    #expect(Dictionary(uniqueKeysWithValues: found) == file.refusals)
    #expect(rows.min { $0.line < $1.line }?.label == file.firstLabel)

    // The oracle counts the telephones of a file; they stand in the order of their lines.
    let text = try String(contentsOfFile: SharedData.path(file.path), encoding: .utf8)
    let places = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.enumerated()
      .filter { $0.element.hasPrefix("TEL") }.map { $0.offset + 1 }
    #expect(places.count == file.numbers)
    let numbers = Dictionary(rows.map { ($0.line, $0.number) }, uniquingKeysWith: { first, _ in first })
    let oracle = try String(contentsOfFile: SharedData.path("oracle/phone_normalisation.tsv"), encoding: .utf8)
    var compared = 0
    for line in oracle.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields[0] == file.oracle, fields[5] == "parse", fields[7] == "1", let ordinal = Int(fields[1]) else {
        continue
      }
      compared += 1
      // The oracle takes German numbers of 16 digits for valid ones; E.164 ends at 15.
      let isTooLong = fields[4].count > 15
      #expect(numbers[places[ordinal - 1]] == (isTooLong ? nil : Int64(fields[4])), "\(line)")
    }
    #expect(compared == file.compared)
  }
}
