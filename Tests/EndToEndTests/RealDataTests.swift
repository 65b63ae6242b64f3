import CallDirectory
import Foundation
import TestSupport
import Testing

/// Plans over real rows, where they lie, through the tool. The accounts of every file, in whatever format, are held to
/// counts by libphonenumber in `RealSourcesTests`.
@Suite("Real rows end to end", .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
struct RealDataTests {
  struct File: Sendable, CustomTestStringConvertible {
    var path: String
    var number: String?
    var label: String?
    var country: String
    /// Whether it is a list of `number;label` without header.
    var isSwissList = false
    var testDescription: String { path }
  }

  static let files = [
    File(path: "business/ru_2gis_tattoo_salons.csv", number: "Телефон 1", label: "Наименование", country: "RU"),
    File(path: "business/us_chains_1.csv", number: "phone", label: "brand", country: "US"),
    File(path: "business/us_chains_2.csv", number: "phone", label: "brand", country: "US"),
    File(path: "business/us_restaurants_fodors.csv", number: "phone", label: "name", country: "US"),
    File(path: "business/us_restaurants_zagats.csv", number: "phone", label: "name", country: "US"),
    File(path: "business/ca_vancouver_osm.csv", number: "phone", label: "name", country: "CA"),
    File(path: "business/tw_pharmacies_2020-03-06.csv", number: "醫事機構電話", label: "醫事機構名稱", country: "TW"),
    File(path: "business/world_coffee_stores.csv", number: "Phone Number", label: "Store Name", country: "US"),
    File(path: "spam/ch_labelled.txt", number: nil, label: "2", country: "CH", isSwissList: true),
    File(path: "spam/tr_spam.csv", number: "number", label: nil, country: "TR"),
    File(path: "spam/bg_spam.txt", number: nil, label: nil, country: "BG"),
  ]

  @Test(
    "a plan over a real file: exact accounts, and every number that the oracle is sure of is found", arguments: files)
  func file(_ file: File) throws {
    var source: [String: Any] = [
      "id": "data", "file": SharedData.path(file.path), "country": file.country,
      "action": file.label == nil ? "block" : "identify",
    ]
    if let number = file.number { source["number"] = number }
    if let label = file.label { source["label"] = label }
    if file.isSwissList {
      source.merge(["format": "csv", "separator": ";", "header": false, "number": 1, "label": 2]) { $1 }
    }
    let plan: [String: Any] = [
      "schema": 1, "name": "real", "sources": [source], "providers": [["id": "all", "rest": true]],
    ]
    let text = String(decoding: try JSONSerialization.data(withJSONObject: plan), as: UTF8.self)
    let world = try World(plan: text)
    let run = try world.succeed("apply", "--json")
    let report = try run.json()
    let accounts = try #require(report["accounts"] as? [String: Any])
    func count(_ key: String) -> Int { accounts[key] as? Int ?? -1 }
    #expect(
      count("read") == count("used") + count("merged") + count("removed") + count("dropped") + count("unclaimed")
        + count("refused"))
    let installed = try #require(world.exported().first)
    #expect(count("used") == installed.blocked.count + installed.labels.count)
    #expect(count("removed") + count("dropped") + count("unclaimed") == 0)
    #expect(count("read") == (try occurrences(file)))
    try world.succeed("verify")

    let wanted = try oracle(file)
    #expect(!wanted.isEmpty)
    let found = try world.lookup(wanted.map { "+\($0)" })
    let missing = zip(wanted, found).filter { $1.kind == "unknown" }.map(\.0)
    #expect(missing.isEmpty, "\(missing.count) of \(wanted.count), first \(missing.prefix(3))")
  }

  /// Rows, counted without a reader of tables: records end where quotes are even.
  private func occurrences(_ file: File) throws -> Int {
    let text = try String(contentsOfFile: SharedData.path(file.path), encoding: .utf8)
    let lines = text.unicodeScalars.split { $0 == "\n" }.map { String($0).trimmingCharacters(in: ["\r", " ", "\t"]) }
    if file.number == nil { return lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.count }
    var rows = 0
    var quotes = 0
    for line in lines {
      quotes += line.count { $0 == "\"" }
      if quotes % 2 == 0, !line.isEmpty { rows += 1 }
    }
    return rows - 1
  }

  /// Numbers of the rows that libphonenumber parsed as they stand and holds to be valid, and that this plan has to read
  /// alike: those whose default region is the plan's, of the first phone of a row.
  private func oracle(_ file: File) throws -> [Int64] {
    let table = try String(contentsOfFile: SharedData.path("oracle/phone_normalisation.tsv"), encoding: .utf8)
    // The salons have three columns of phones and the plan reads one; a row of the Swiss list without label is no entry.
    let cells: Set<String>? =
      file.path.contains("salons") ? try firstPhones(file) : file.isSwissList ? try labelledPhones(file) : nil
    return table.split(separator: "\n").compactMap { line -> Int64? in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields[0] == file.path, fields[3] == file.country, fields[5] == "parse", fields[7] == "1" else {
        return nil
      }
      if let cells, !cells.contains(fields[2]) { return nil }
      return Int64(fields[4])
    }
  }

  private func labelledPhones(_ file: File) throws -> Set<String> {
    let text = try String(contentsOfFile: SharedData.path(file.path), encoding: .utf8)
    let rows = text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map { String($0).split(separator: ";") }
    return Set(rows.filter { $0.count == 2 }.map { String($0[0]) })
  }

  /// Eleven-digit cells in the salons' first phone column, found by their place from the row's end.
  private func firstPhones(_ file: File) throws -> Set<String> {
    let text = try String(contentsOfFile: SharedData.path(file.path), encoding: .utf8)
    var phones: Set<String> = []
    for line in text.unicodeScalars.split(separator: "\n") {
      let fields = String(line).trimmingCharacters(in: ["\r"]).split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count >= 14 else { continue }
      let cell = String(fields[fields.count - 5])
      if cell.count == 11, cell.allSatisfy(\.isNumber) { phones.insert(cell) }
    }
    return phones
  }
}
