import CallDirectory
import DirectoryPublishing
import DirectorySources
import Foundation
import PlanFile
import PositionedJSON
import ShardPlanning
import TestSupport
import Testing

/// No key of a source is accepted and ignored: each makes a run come to something else.
@Suite struct SourceKeyEffectTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The key that makes the difference.
    var key: String
    /// The file that the sources read.
    var name: String
    /// Its bytes.
    var bytes: [UInt8]
    /// The members of the source behind `id` and `file`, without the key and with it.
    var without: String
    var with: String
    /// What a run with the key comes to: see `outcome`.
    var outcome: String

    var testDescription: String { key }

    init(_ key: String, _ name: String, _ text: String, _ without: String, _ with: String, _ outcome: String) {
      self.init(key, name, Array(text.utf8), without, with, outcome)
    }

    init(_ key: String, _ name: String, _ bytes: [UInt8], _ without: String, _ with: String, _ outcome: String) {
      (self.key, self.name, self.bytes, self.without, self.with, self.outcome) = (
        key, name, bytes, without, with, outcome
      )
    }
  }

  private static let table = "phone\tname\tcity\tcalls\n+74950000001\tAlpha\tnorth\t1\n"
  private static let columns = #""number": "phone", "label": "name""#
  private static let block = #""action": "block""#

  static let cases: [Case] = [
    Case("expectFiles", "a.txt", "+74950000001\n", block, block + #", "expectFiles": 2"#, "error"),
    Case("format", "a.dat", "+74950000001\n", block, block + #", "format": "numbers""#, "74950000001"),
    Case(
      "encoding", "a.tsv", Array("phone\tname\n+74950000001\t".utf8) + [0xC0, 0xEF, 0x0A], columns,
      columns + #", "encoding": "windows-1251""#, "74950000001=Ап"),
    Case(
      "separator", "a.csv", "phone;name\n+74950000001;A\n", columns + #", "separator": ";""#,
      columns + #", "separator": ",""#, "error"),
    Case(
      "header", "a.tsv", "+74950000001\tAlpha\n", columns, #""number": 1, "label": 2, "header": false"#,
      "74950000001=Alpha"),
    Case(
      "records", "a.json", #"{"data": {"rows": [{"phone": "+74950000001", "name": "Alpha"}]}}"#, columns,
      columns + #", "records": "data.rows""#, "74950000001=Alpha"),
    Case("number", "a.vcf", card, "", #""number": "X-OTHER""#, "74950000002=Alpha"),
    Case(
      "pattern", "a.csv", "phone\n+7495000000#\n", #""number": "phone", "# + block, #""pattern": "phone", "# + block,
      (0...9).map { "7495000000\($0)" }.joined(separator: " ")),
    Case(
      "from", "a.csv", "a,b\n+74950000001,+74950000003\n", #""number": "a", "# + block,
      #""from": "a", "to": "b", "# + block, "74950000001 74950000002 74950000003"),
    Case(
      "to", "a.csv", "a,b\n+74950000001,+74950000003\n", #""number": "b", "# + block,
      #""from": "a", "to": "b", "# + block, "74950000001 74950000002 74950000003"),
    Case(
      "label", "a.tsv", table, columns, #""number": "phone", "label": "{name}, {city}""#, "74950000001=Alpha, north"),
    Case("area", "a.tsv", table, columns, columns + #", "area": "city""#, "north:74950000001=Alpha"),
    Case(
      "score", "a.tsv", table + "+74950000001\tBeta\tnorth\tx\n", columns, columns + #", "score": "calls""#,
      "74950000001=Alpha, refused 1"),
    Case("action", "a.tsv", table, columns, columns + #", "action": "both""#, "74950000001 74950000001=Alpha"),
    Case(
      "where", "a.tsv", table + "+74950000002\tBeta\tsouth\t1\n", columns,
      columns + #", "where": {"column": "city", "equals": "south"}"#, "74950000002=Beta"),
    Case("country", "a.txt", "01 99 00 00 01\n", block, block + #", "country": "FR""#, "33199000001"),
    Case(
      "numbersAre", "a.txt", "4950000001\n", block, block + #", "numbersAre": "international""#, "4950000001, noted 1"),
    Case(
      "internationalPrefixes", "a.txt", "9911 39 06 1234 5678\n", block,
      block + #", "internationalPrefixes": ["9911"]"#, "390612345678"),
    Case(
      "extension", "a.txt", "+74950000001 ext. 12\n+74950000002\n", block, block + #", "extension": "refuse""#,
      "74950000002, refused 1"),
    Case(
      "numberRemarks", "a.txt", "+74950000001 (справочная)\n", block, block + #", "numberRemarks": "strip""#,
      "74950000001, noted 1"),
    Case(
      "numberSeparator", "a.txt", "+74950000001; +74950000002\n", block, block + #", "numberSeparator": ";""#,
      "74950000001 74950000002"),
    Case("shortCodes", "a.txt", "2468\n", block, block + #", "shortCodes": true"#, "2468, noted 1"),
    Case(
      "aliases", "a.txt", "+525512345678\n", block, block + #", "aliases": true"#, "525512345678 5215512345678, noted 1"
    ),
    Case(
      "maxPatternNumbers", "a.csv", "phone\n+7495000000#\n+74950000010\n", #""pattern": "phone", "# + block,
      #""pattern": "phone", "maxPatternNumbers": 9, "# + block, "74950000010, refused 1"),
    Case(
      "maxLabelBytes", "a.tsv", "phone\tname\n+74950000001\tAlpha and Beta\n", columns,
      columns + #", "maxLabelBytes": 8"#, "74950000001=Alpha…, noted 1"),
    Case(
      "areaMap", "a.tsv", table.replacingOccurrences(of: "north", with: "x"), columns + #", "area": "city""#,
      columns + #", "area": "city", "areaMap": "areas.tsv""#, "north:74950000001=Alpha"),
    Case(
      "repeats", "a.tsv", table + "+74950000001\tBeta\tnorth\t5\n", columns + #", "score": "calls""#,
      columns + #", "score": "calls", "repeats": "highestScore""#, "74950000001=Beta"),
    Case("guard", "a.txt", "+74950000001\nabc\n", block, block + #", "guard": {"rejected": 0.1}"#, "error"),
    Case("onBadRow", "a.txt", "+74950000001\nabc\n", block, block + #", "onBadRow": "fail""#, "error"),
    Case("allowEmpty", "a.txt", "# none\n", block, block + #", "allowEmpty": true"#, ""),
  ]

  private static let card = """
    BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Alpha\r\nTEL:+74950000001\r\nX-OTHER:+74950000002\r\nEND:VCARD\r\n
    """

  /// What a run comes to: its entries, ascending, blocks before labels, those of the provider of the area north with its
  /// name; then the refused and noted occurrences. `error` for a run that is stopped.
  private static func outcome(_ test: Case, _ members: String) throws -> String {
    let world = try World()
    try Data(test.bytes).write(to: URL(fileURLWithPath: world.folder.path(test.name)))
    try world.folder.write("x\tnorth\n", to: "areas.tsv")
    try world.folder.write(
      """
      {"schema": 1, "name": "world", "country": "RU",
       "sources": [{"id": "a", "file": "\(test.name)"\(members.isEmpty ? "" : ", ")\(members)}],
       "providers": [{"id": "north", "areas": ["north"], "mayBeEmpty": true}, {"id": "rest", "rest": true}]}
      """, to: "plan.json")
    let candidate: ReleaseCandidate
    let report: PlanReport
    do {
      (candidate, report) = try world.publish()
    } catch {
      return "error"
    }
    var entries: [(number: Int64, text: String)] = []
    for (provider, content) in try world.contents(candidate.manifest) {
      let place = provider.rawValue == "north" ? "north:" : ""
      for (number, entry) in content {
        if entry.families.contains(.blocked) { entries.append((number, "\(place)\(number)")) }
        if entry.families.contains(.identified) { entries.append((number, "\(place)\(number)=\(entry.label)")) }
      }
    }
    let sorted = entries.sorted { ($0.number, $0.text) < ($1.number, $1.text) }.map(\.text).joined(separator: " ")
    let refused = report.accounts.total.refused
    let noted = report.reading.notes.reduce(0) { $0 + $1.count }
    return [sorted, refused > 0 ? "refused \(refused)" : "", noted > 0 ? "noted \(noted)" : ""]
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }

  @Test(arguments: cases)
  func `A key of a source makes a run come to something else`(of test: Case) throws {
    let with = try Self.outcome(test, test.with)
    #expect(with == test.outcome)
    #expect(try Self.outcome(test, test.without) != with)
  }

  @Test func `Every key that the plan's language knows has a case`() throws {
    let schema = try JSONDocument(PlanSchema.document(), file: nil).root
    let known = try #require(schema["$defs"]?["source"]?["properties"]).members.map(\.key)
    #expect(Set(known) == Set(Self.cases.map(\.key) + ["id", "file", "$schema", "comment"]))
  }
}
