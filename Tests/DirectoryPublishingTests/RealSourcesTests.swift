import DirectoryPublishing
import DirectorySources
import Foundation
import PlanFile
import ShardPlanning
import TestSupport
import Testing

/// Every list of real numbers there is, each through a plan.
///
/// The figures of `used`, `merged` and of the refusals were counted from the files with libphonenumber's own Python
/// package, not taken from this program; where the two call a refusal differently, a comment says how they meet.
@Suite("Real lists through plans", .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
struct RealSourcesTests {
  struct List: Sendable, CustomTestStringConvertible {
    /// Below the folder of data; of several files a pattern.
    var path: String
    /// The members of each source behind `id` and `file`; the ids are `1`, `2` ….
    var sources: [String]
    /// Members of the plan.
    var plan = #""country": "US""#
    /// Other files, one for each source, where they differ.
    var paths: [String] = []
    /// What each source comes to; see `outcome`.
    var outcomes: [String]
    var testDescription: String { path }
  }

  private static func russian(_ column: Int) -> String {
    #""number": "Телефон \#(column)", "label": "Наименование", "area": "Регион", "numberRemarks": "strip""#
  }

  private static let chains = #""number": "phone", "label": "{brand}, {city}", "area": "state""#
  private static let samara = #""number": "Phone", "label": "Name", "area": "City""#
  private static let restaurants = #""number": "phone", "label": "name", "area": "city""#

  static let lists = [
    // 4,809 phones in three columns of 4,017 rows, 249 of them with a remark; one is 410081, without its area code.
    List(
      path: "business/ru_2gis_tattoo_salons.csv", sources: (1...3).map(russian), plan: #""country": "RU""#,
      outcomes: [
        "rows 4017, read 4017, used 3682, merged 77, refused 258: empty 258; remarkStripped 158",
        "rows 4017, read 4017, used 892, merged 30, refused 3095: empty 3094, shortCode 1; remarkStripped 69",
        "rows 4017, read 4017, used 122, merged 5, refused 3890: empty 3890; remarkStripped 22",
      ]),
    // 20,556 distinct texts, one of them 636, which is no number; 56 phones are 0; 5 numbers are in both lists.
    List(
      path: "business/us_chains_*.csv", sources: [chains, chains],
      paths: ["business/us_chains_1.csv", "business/us_chains_2.csv"],
      outcomes: [
        "rows 27545, read 27545, used 20555, merged 6989, refused 1: shortCode 1",
        "rows 27546, read 27546, used 27425, merged 65, refused 56: tooShort 56; unassigned 9",
      ]),
    // 109 numbers, in 111 rows with the repeats of the second list, are in both: the first one names them.
    List(
      path: "business/us_restaurants_*.csv", sources: [restaurants, restaurants],
      paths: ["business/us_restaurants_fodors.csv", "business/us_restaurants_zagats.csv"],
      outcomes: [
        "rows 533, read 533, used 527, merged 5, refused 1: shortCode 1",
        "rows 331, read 331, used 220, merged 111; unassigned 1",
      ]),
    List(
      path: "business/kr_hospitals.csv",
      sources: [#""number": "응급실전화", "label": "{지역(구)}, {기관명}", "area": "지역(시)""#],
      plan: #""country": "KR""#, outcomes: ["rows 1000, read 1000, used 62, refused 938: empty 938"]),
    List(
      path: "business/tw_pharmacies_2020-03-06.csv", sources: [#""number": "醫事機構電話", "label": "醫事機構名稱""#],
      plan: #""country": "TW""#, outcomes: ["rows 6421, read 6421, used 6404, merged 17; unassigned 4"]),
    List(
      path: "business/ca_vancouver_osm.csv", sources: [#""number": "phone", "label": "name", "area": "amenity""#],
      plan: #""country": "CA""#,
      outcomes: [
        "rows 1562, read 1562, used 1538, merged 20, refused 4: remark 2, severalNumbers 1, symbol 1; extensionDropped 1"
      ]),
    // 8 phones are the word None.
    List(
      path: "business/ru_samara_*_utf16.csv", sources: [samara, samara], plan: #""country": "RU""#,
      paths: ["business/ru_samara_sport_utf16.csv", "business/ru_samara_cafes_utf16.csv"],
      outcomes: [
        "rows 295, read 295, used 191, merged 97, refused 7: noDigits 7; file.separatorFound 1, extensionDropped 2",
        "rows 101, read 101, used 99, merged 1, refused 1: noDigits 1; file.separatorFound 1, extensionDropped 1",
      ]),
    // 260 phones are the words for "no phone"; ten numbers are in ranges that nobody has.
    List(
      path: "business/ru_moscow_coffee_cp1251.json",
      sources: [
        #""number": "PublicPhone.PublicPhone", "label": "Name", "area": "AdmArea", "encoding": "windows-1251""#
      ],
      plan: #""country": "RU""#,
      outcomes: ["rows 968, read 974, used 610, merged 104, refused 260: noDigits 260; unassigned 10"]),
    List(
      path: "business/ru_cdek_points.json",
      sources: [#""number": "phones.number", "label": "name", "area": "location.region""#], plan: #""country": "RU""#,
      outcomes: ["rows 141, read 160, used 157, merged 3"]),
    // 15 of the 29 texts in all eight days that are no numbers: 828support, 619448xxxx, ?180568936 …
    List(
      path: "spam/us_dnc_2021-04-*.json", sources: [#""number": "$value", "expectFiles": 4, "action": "block""#],
      outcomes: [
        "files 4, rows 50117, read 50117, used 42877, merged 7225, refused 15: letters 12, noDigits 1, symbol 2; unassigned 378"
      ]),
    // 574 numbers: 185 are short codes, taken as dialled.
    List(
      path: "business/cn_yellow_pages.vcf", sources: [#""label": "{ORG}", "shortCodes": true"#],
      plan: #""country": "CN""#,
      outcomes: ["rows 312, read 574, used 566, refused 8: tooLong 7, tooShort 1; keptShortCode 185, unassigned 48"]),
    // Two families each. libphonenumber takes 12 of the 25 that are longer than E.164 allows.
    List(
      path: "spam/de_tellows.vcf", sources: [#""action": "both""#], plan: #""country": "DE""#,
      outcomes: [
        "rows 991, read 19800, used 19694, merged 16, refused 90: localOnly 2, notPossible 5, tooLong 25, tooShort 12, unknownCallingCode 1; unassigned 126"
      ]),
    List(
      path: "spam/il_junk.vcf", sources: [#""action": "block""#], plan: #""country": "IL""#,
      outcomes: ["rows 1, read 708, used 356, merged 342, refused 10: shortCode 8, symbol 2; unassigned 120"]),
    // libphonenumber takes 16 that are longer than 15 digits, and refuses 12 that lack their +. 8 numbers have no label.
    List(
      path: "spam/ch_labelled.txt",
      sources: [#""format": "csv", "separator": ";", "header": false, "number": 1, "label": 2"#],
      plan: #""country": "CH""#,
      outcomes: [
        "rows 5818, read 5818, used 5026, merged 57, refused 735: localOnly 44, notPossible 158, tooLong 301, tooShort 182, unknownCallingCode 42, label.none 8; missingPlus 12, spuriousTrunkPrefix 22, unassigned 523"
      ]),
    // 11 numbers have a comment behind #, 2 a remark behind a dash.
    List(
      path: "spam/bg_spam.txt", sources: [#""action": "block", "numberRemarks": "strip""#], plan: #""country": "BG""#,
      outcomes: ["rows 32, read 32, used 32; remarkStripped 13, unassigned 1"]),
    // 631 patterns of 1,000 numbers; the 172 of more are refused with their price, and so is the short code 3950.
    List(
      path: "spam/fr_block_patterns.json",
      sources: [
        #"""
        "pattern": "pattern", "numbersAre": "international", "maxPatternNumbers": 1000, "action": "block"
        """#
      ],
      plan: #""country": "FR""#,
      outcomes: [
        "rows 804, read 631173, used 631000, refused 173: shortCode 1, pattern.tooManyNumbers 172; unassigned 12"
      ]),
    List(
      path: "spam/tr_spam.csv", sources: [#""number": "number", "action": "block""#], plan: #""country": "TR""#,
      outcomes: ["rows 199, read 199, used 199"]),
  ]

  @Test("Every row of a real list ends as its page and libphonenumber say", arguments: lists)
  func accounts(of list: List) throws {
    let report = try Self.preview(list)
    #expect(report.accounts.sources.map { Self.outcome($0.id, report) } == list.outcomes)
    // One provider takes all: an entry for each number used.
    #expect(report.entries == report.accounts.total.used)
  }

  @Test("The stores of 73 countries, each country's rows in its own national form: all 25,600 rows accounted for")
  func coffeeStores() throws {
    let stores = Self.stores.split(separator: "; ").map { $0.split(separator: " ") }
    try #require(stores.count == 73)
    let list = List(
      path: "business/world_coffee_stores.csv",
      sources: stores.map { store in
        #"""
        "number": "Phone Number", "label": "Store Name", "area": "Country", "country": "\#(store[0])",
        "where": {"column": "Country", "equals": "\#(store[0])"}, "allowEmpty": true
        """#
      }, outcomes: [])
    let report = try Self.preview(list)
    for ((store, source), counts) in zip(zip(stores, report.accounts.sources), report.reading.sources.map(\.counts)) {
      let accounts = source.occurrences
      let found = [counts.rows, accounts.used, accounts.merged, accounts.refused].map(String.init)
      #expect(found == store.dropFirst().map(String.init), "\(store[0]): \(found)")
      #expect(counts.rows + counts.filteredRows == 25_600 && accounts.read == counts.rows)
    }
    // libphonenumber names the reasons otherwise, with the same sums: 252 too long or local, 77 too short, one of
    // a length between. It refuses one that is only good as an international number without its +.
    #expect(
      Self.words(report.refusals.map(Self.name))
        == "empty 6861, localOnly 234, noDigits 2, notPossible 1, severalNumbers 12, shortCode 2, tooLong 6, tooShort 75"
    )
    #expect(
      Self.words(report.reading.notes.map(Self.name)) == "missingPlus 1, spuriousTrunkPrefix 6, unassigned 228")
  }

  @Test(
    "A file without phones, or in a format that is none of those read, is an error that says so",
    arguments: [
      ("business/ru_2gis_rubrics.txt", #""action": "block""#, "all 1653 rows are refused; 1650: no digits"),
      (
        "business/ru_ob_pharmacies_labels_only.psv", #""number": "Адрес", "label": "Название""#,
        "expected a file ending in .tsv"
      ),
      (
        "business/ru_ob_pharmacies_labels_only.psv",
        #""format": "csv", "country": "RU", "number": "Адрес", "label": "Название""#,
        "all 917 rows are refused; 914: letters inside the number"
      ),
      (
        "business/cn_yellow_pages.yaml", #""number": "cellPhone", "label": "organization""#,
        "expected a file ending in .tsv"
      ),
      (
        "business/cn_yellow_pages.yaml", #""format": "json", "number": "cellPhone", "label": "organization""#,
        "expected a value, found '# 云服务' (offset 0)"
      ),
    ])
  func withoutPhones(path: String, members: String, what: String) throws {
    let error = #expect(throws: (any Error).self) {
      _ = try Self.preview(List(path: path, sources: [members], plan: #""comment": "no country""#, outcomes: []))
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(what), "\(text)")
  }

  /// Country, rows, used, merged, refused.
  private static let stores = """
    AD 1 1 0 0; AE 144 78 0 66; AR 108 0 0 108; AT 18 17 0 1; AU 22 0 0 22; AW 3 3 0 0; AZ 4 4 0 0; BE 19 1 0 18; BG \
    5 0 0 5; BH 21 13 0 8; BN 5 0 0 5; BO 4 0 0 4; BR 102 43 0 59; BS 10 0 0 10; CA 1468 1297 17 154; CH 61 54 1 6; \
    CL 96 0 0 96; CN 2734 1334 3 1397; CO 11 1 0 10; CR 11 0 0 11; CW 3 1 0 2; CY 10 0 0 10; CZ 28 26 1 1; DE 160 \
    151 1 8; DK 21 2 0 19; EG 31 14 0 17; ES 101 63 0 38; FI 8 1 0 7; FR 132 82 0 50; GB 901 633 25 243; GR 28 10 0 \
    18; GT 7 0 0 7; HU 16 12 0 4; ID 268 65 0 203; IE 73 63 0 10; IN 88 0 0 88; JO 17 8 0 9; JP 1237 136 1 1100; KH \
    4 1 0 3; KR 993 216 0 777; KW 106 57 1 48; KZ 8 0 0 8; LB 29 13 0 16; LU 2 0 0 2; MA 9 0 0 9; MC 2 0 0 2; MX 579 \
    0 0 579; MY 234 141 0 93; NL 59 10 0 49; NO 17 3 0 14; NZ 24 23 1 0; OM 12 6 0 6; PA 5 0 0 5; PE 89 0 0 89; PH \
    298 82 1 215; PL 53 43 2 8; PR 24 0 0 24; PT 11 0 0 11; QA 18 8 0 10; RO 27 0 0 27; RU 109 30 0 79; SA 102 1 0 \
    101; SE 18 3 0 15; SG 130 1 0 129; SK 3 0 0 3; SV 11 0 0 11; TH 289 287 1 1; TR 326 143 1 182; TT 3 0 0 3; TW \
    394 35 0 359; US 13608 12982 128 498; VN 25 23 0 2; ZA 3 2 0 1
    """

  private static func preview(_ list: List) throws -> PlanReport {
    let folder = try TemporaryFolder()
    let sources = list.sources.enumerated().map { index, members in
      let path = SharedData.path(list.paths.isEmpty ? list.path : list.paths[index])
      return #"{"id": "\#(index + 1)", "file": "\#(path)", \#(members)}"#
    }
    let path = try folder.write(
      """
      {"schema": 1, "name": "real", \(list.plan),
       "sources": [\(sources.joined(separator: ",\n"))],
       "providers": [{"id": "all", "rest": true}]}
      """, to: "plan.json")
    return try DirectoryPublisher(try Plan.load(path: path).resolvingPaths()).preview()
  }

  /// `files 2, rows 9, filtered 1, read 9, used 6, merged 1, refused 2: empty 2; remarkStripped 1`: one file, nothing
  /// filtered and no refusals or notes are left out. Anything dropped, removed or unclaimed would show.
  private static func outcome(_ id: String, _ report: PlanReport) -> String {
    guard let source = report.reading.sources.first(where: { $0.id == id }),
      let accounts = report.accounts.sources.first(where: { $0.id == id })?.occurrences
    else { return "no such source" }
    let figures = [
      ("files", source.counts.files == 1 ? 0 : source.counts.files), ("rows", source.counts.rows),
      ("filtered", source.counts.filteredRows), ("read", accounts.read), ("used", accounts.used),
      ("merged", accounts.merged), ("removed", accounts.removed), ("dropped", accounts.dropped),
      ("unclaimed", accounts.unclaimed), ("refused", accounts.refused),
    ]
    let unlabelled = accounts.refused - source.counts.refused
    let refusals = words(source.refusals.map(name) + [("label.none", unlabelled)])
    let notes = words(source.notes.map(name))
    return words(figures) + (refusals.isEmpty ? "" : ": \(refusals)") + (notes.isEmpty ? "" : "; \(notes)")
  }

  private static func words(_ groups: [(String, Int)]) -> String {
    groups.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  private static func name(_ group: FindingGroup) -> (String, Int) {
    let name = group.finding.rawValue
    return (name.hasPrefix("number.") ? String(name.dropFirst("number.".count)) : name, group.count)
  }
}
