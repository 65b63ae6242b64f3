import CallDirectory
import DirectoryPublishing
import DirectorySources
import PhoneNumbering
import PlanFile
import ShardPlanning
import TestSupport
import Testing

@testable import PlanDrafting

@Suite("First plans for real files", .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
struct SharedDraftTests {
  struct File: Sendable, CustomTestStringConvertible {
    var path: String
    var numbers: [String]
    var label: String?
    var area: String?
    var country: String?
    /// The share of the file's phones that the plan must read as numbers.
    var least: Int
    var testDescription: String { path }
  }

  static let files = [
    File(path: "business/ca_vancouver_osm.csv", numbers: ["phone"], label: "name", country: "CA", least: 1500),
    File(path: "business/cn_yellow_pages.vcf", numbers: [], country: "CN", least: 380),
    File(
      path: "business/kr_hospitals.csv", numbers: ["응급실전화"], label: "기관명", area: "지역(시)", country: "KR", least: 62),
    File(
      path: "business/ru_2gis_tattoo_salons.csv", numbers: ["Телефон 1", "Телефон 2", "Телефон 3"],
      label: "Наименование", area: "Регион", country: "RU", least: 4690),
    File(path: "business/ru_cdek_points.json", numbers: ["phones.number"], label: "name", least: 150),
    File(
      path: "business/ru_moscow_coffee_cp1251.json", numbers: ["PublicPhone.PublicPhone"], label: "Name",
      area: "AdmArea", country: "RU", least: 610),
    File(path: "business/ru_samara_cafes_utf16.csv", numbers: ["Phone"], label: "Name", least: 80),
    File(
      path: "business/ru_samara_sport_utf16.csv", numbers: ["Phone"], label: "Name", area: "City", country: "RU",
      least: 190),
    File(
      path: "business/tw_pharmacies_2020-03-06.csv", numbers: ["醫事機構電話"], label: "醫事機構名稱", country: "TW", least: 6400),
    File(
      path: "business/us_chains_1.csv", numbers: ["phone"], label: "brand", area: "state", country: "US", least: 20_000),
    File(
      path: "business/us_chains_2.csv", numbers: ["phone"], label: "brand", area: "state", country: "US", least: 27_000),
    File(
      path: "business/us_restaurants_fodors.csv", numbers: ["phone"], label: "name", area: "city", country: "US",
      least: 520),
    File(
      path: "business/us_restaurants_zagats.csv", numbers: ["phone"], label: "name", area: "city", country: "US",
      least: 320),
    File(path: "spam/bg_spam.txt", numbers: [], country: "BG", least: 20),
    File(path: "spam/ch_labelled.txt", numbers: ["1"], label: "2", country: "CH", least: 5_000),
    File(path: "spam/de_tellows.vcf", numbers: [], country: "DE", least: 19_000),
    File(path: "spam/il_junk.vcf", numbers: [], country: "IL", least: 700),
    File(path: "spam/tr_spam.csv", numbers: ["number"], least: 199),
    File(path: "spam/us_dnc_2021-04-14.json", numbers: ["$value"], country: "US", least: 13_000),
    File(path: "spam/us_dnc_2021-04-17.json", numbers: ["$value"], country: "US", least: 4_000),
  ]

  private func text(_ reference: ColumnReference) -> String {
    switch reference {
    case .name(let name): name
    case .position(let position): "\(position)"
    }
  }

  @Test("The columns and the country of each file are found, and its rows can be planned", arguments: files)
  func found(file: File) throws {
    let draft = try Draft([SharedData.path(file.path)], in: try TemporaryFolder())
    let numbers = draft.plan.sources.compactMap { source -> String? in
      if case .number(let reference) = source.numbers { text(reference) } else { nil }
    }
    #expect(numbers == file.numbers)
    if case .column(let reference) = draft.source.label { #expect(text(reference) == file.label) }
    #expect((draft.source.label == nil) == (file.label == nil))
    #expect(draft.source.area.map(text) == file.area)
    #expect(draft.source.spelling.region?.rawValue == file.country)
    let used = try draft.preview().accounts.total.used
    #expect(used >= file.least)
  }

  @Test(
    "Files without telephone numbers are refused with their columns",
    arguments: [
      "business/ru_2gis_rubrics.txt", "business/ru_ob_pharmacies_labels_only.psv", "business/cn_yellow_pages.yaml",
    ])
  func withoutNumbers(path: String) throws {
    let error = try #require(throws: DraftError.self) {
      try Draft([SharedData.path(path)], in: try TemporaryFolder())
    }
    #expect(error.what == "holds no column of telephone numbers that can be recognised")
  }
}
