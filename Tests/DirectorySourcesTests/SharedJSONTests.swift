import CallDirectory
import Foundation
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Real JSON files", .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
struct SharedJSONTests {
  private func read(
    _ path: String, _ change: (inout SourceDescription) -> Void
  ) throws -> (rows: [ReadRow], report: SourceReport) {
    var source = SourceDescription(id: "data", files: [SharedData.path(path)])
    change(&source)
    let sorted = try DirectoryReader(sources: [source], options: ReadingOptions()).read()
    return (try sorted.rows(), sorted.report.sources[0])
  }

  @Test(
    "Complaint lists: one line with an array of strings; each is accepted or refused by what it is",
    arguments: [("14", 15_179), ("15", 15_923), ("16", 14_247), ("17", 4768)])
  func complaints(day: String, count: Int) throws {
    let path = "spam/us_dnc_2021-04-\(day).json"
    let (rows, report) = try read(path) {
      $0.numbers = .number(.name("$value"))
      $0.spelling.region = RegionCode("US")
      $0.action = .fixed(.block)
    }
    let texts = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: SharedData.path(path)))) as? [String]
    )
    let normaliser = PhoneNormaliser(NormalisationOptions(region: RegionCode("US")))
    let accepted = texts.compactMap { text in
      Array(text.utf8).withUnsafeBytes { try? normaliser.outcome(of: $0).get().number.rawValue }
    }
    #expect(report.counts.rows == count && report.counts.read == count && texts.count == count)
    #expect(report.counts.lines == 1 && rows.allSatisfy { $0.line == 1 })
    #expect(rows.map(\.number) == accepted.sorted())
    #expect(report.counts.refused == count - accepted.count && report.counts.refusedRows == report.counts.refused)
  }

  @Test("Delivery points: nested numbers and places; 141 points have 160 numbers, all of them good")
  func points() throws {
    let (rows, report) = try read("business/ru_cdek_points.json") {
      $0.numbers = .number(.name("phones.number"))
      $0.label = .column(.name("name"))
      $0.area = .name("location.city")
      $0.spelling.region = RegionCode("RU")
    }
    #expect(report.counts.rows == 141 && report.counts.read == 160 && report.counts.refused == 0)
    #expect(Set(rows.map(\.number)).count == 157 && Set(rows.map(\.area)) == ["Москва"])
    let first = try #require(rows.first { $0.number == 79_856_185_001 })
    #expect(!first.label.isEmpty && first.line == 2)
  }

  @Test("Prefix blocks as plain columns: 804 rows, of which one is a short number")
  func blocks() throws {
    let (rows, report) = try read("spam/fr_block_patterns.json") {
      $0.numbers = .number(.name("start"))
      $0.label = .column(.name("operator_name"))
      $0.spelling.interpretation = .international
    }
    #expect(report.counts.rows == 804 && report.counts.refused == 1 && rows.count == 803)
    let refused = try #require(report.refusals.first?.examples.first)
    #expect(refused.raw == "3950" && refused.reason.hasSuffix("(start)"))
    #expect(rows.contains { $0.number == 33_162_000_000 && $0.label == "ARCEP" && $0.line == 2 })
  }
}
