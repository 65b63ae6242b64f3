import CallDirectory
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

/// The kinds of spelling of CASES, through a source from the file to the row and its accounts.
@Suite("Spellings of numbers in sources")
struct NumberSpellingTests {
  private func read(
    _ numbers: [String], _ action: EntryAction = .block, change: (inout SourceDescription) -> Void = { _ in }
  ) throws -> (rows: [ReadRow], report: SourceReport) {
    let folder = try TemporaryFolder()
    let lines = numbers.map { "\($0)\tName" }
    let file = try folder.write("phone\tname\n" + lines.joined(separator: "\n"), to: "a.tsv")
    var source = SourceDescription.table(file) {
      $0.spelling = NormalisationOptions()
      $0.action = .fixed(action)
      $0.allowEmpty = true
      change(&$0)
    }
    if action == .block { source.label = nil }
    let sorted = try DirectoryReader(sources: [source], options: ReadingOptions()).read()
    return (try sorted.rows(), sorted.report.sources[0])
  }

  private func inCountry(_ country: String) -> (inout SourceDescription) -> Void {
    { $0.spelling.region = RegionCode(country) }
  }

  /// One cell: the number it gives or the name of its refusal, and the notes.
  private func one(_ text: String, _ change: (inout SourceDescription) -> Void) throws -> (String, [String]) {
    let (rows, report) = try read([text], .identify, change: change)
    let outcome = report.refusals.first?.finding.rawValue ?? rows.map { "\($0.number)" }.joined(separator: " ")
    #expect(report.counts.refusedRows == report.refusals.count)
    #expect(report.counts.read == max(1, rows.count))
    return (outcome, report.notes.map(\.finding.rawValue))
  }

  @Test(
    "NORM: each spelling gives the one number or the stated refusal",
    arguments: [
      ("B-001", "IT", "+39 06 0000 0001", "390600000001"), ("B-002", "IT", "+39 6 0000 0001", "39600000001"),
      ("B-003", "IT", "+39 333 000 0001", "393330000001"), ("B-003", "IT", "333 000 0001", "393330000001"),
      ("B-006", "", "+992 007 000 001", "992007000001"), ("B-007", "", "+20 0100 000 0001", "201000000001"),
      ("B-009", "GB", "44 0161 4960001", "441614960001"), ("B-009", "GB", "(44) 0161 4960001", "441614960001"),
      ("B-009", "", "+44 (0)161 4960001", "441614960001"), ("B-010", "", "0044 20 7946 0001", "442079460001"),
      ("B-010", "US", "011 44 20 7946 0001", "442079460001"), ("B-010", "RU", "8~10 44 20 7946 0001", "442079460001"),
      ("B-010", "AU", "0011 44 20 7946 0001", "442079460001"), ("B-011", "", "0039 06 0000 0001", "390600000001"),
      ("B-014", "FR", "01 99 00 00 01", "33199000001"), ("B-014", "FR", "+33 1 99 00 00 01", "33199000001"),
      ("B-014", "", "01 99 00 00 01", "number.nationalWithoutCountry"),
      ("B-015", "", "03023125001", "number.nationalWithoutCountry"), ("B-015", "DE", "03023125001", "493023125001"),
      ("B-016", "US", "12025550123", "12025550123"), ("B-017", "US", "(202) 555-0123", "12025550123"),
      ("B-018", "CH", "031 000 00 01", "41310000001"), ("B-018", "CH", "+41 31 000 00 01", "41310000001"),
      ("B-019", "DE", "0171 3920001", "491713920001"), ("B-034", "DE", "030", "number.tooShort"),
      ("B-034", "", "0031 6 0000 0000 0000 0000 1", "number.tooLong"), ("B-035", "US", "0", "number.tooShort"),
      ("B-035", "US", "0000", "number.tooShort"), ("B-038", "NO", "911 00 001", "4791100001"),
      ("B-039", "US", "2468", "number.shortCode"), ("B-040", "US", "3", "number.tooShort"),
      ("B-041", "US", "202\u{A0}555-0123", "12025550123"), ("B-041", "US", "202\u{2007}555\u{3000}0123", "12025550123"),
      ("B-043", "", "\u{202A}+12025550123\u{202C}", "12025550123"),
      ("B-046", "", "+٤٤ ٧٧٠٠ ٩٠٠٠٠١", "447700900001"), ("B-046", "", "＋４４７７００９００００１", "447700900001"),
      ("B-048", "PK", "92300ab0000001", "number.letters"),
    ])
  func spelling(id: String, country: String, text: String, expected: String) throws {
    #expect(try one(text, inCountry(country)).0 == expected, "\(id)")
  }

  @Test("B-010: the exit codes of a source are its own, also instead of its country's")
  func internationalPrefixes() throws {
    func prefixes(_ list: [String], _ country: String = "") -> (inout SourceDescription) -> Void {
      {
        $0.spelling.region = RegionCode(country)
        $0.spelling.internationalPrefixes = list
      }
    }
    #expect(try one("0011 44 20 7946 0001", prefixes(["0011", "810"])).0 == "442079460001")
    #expect(try one("810 44 20 7946 0001", prefixes(["0011", "810"])).0 == "442079460001")
    #expect(try one("0044 20 7946 0001", prefixes(["810"])).0 == "number.nationalWithoutCountry")
    #expect(try one("99 44 20 7946 0001", prefixes(["99"], "GB")).0 == "442079460001")
    #expect(try one("0044 20 7946 0001", prefixes(["99"], "GB")).0 != "442079460001")
  }

  @Test("B-011, B-054: two spellings are one number with two occurrences")
  func spellings() throws {
    let (rows, report) = try read(["+39 06 0000 0001", "0039 06 0000 0001"])
    #expect(rows.map(\.number) == [390_600_000_001, 390_600_000_001])
    #expect(report.counts.read == 2)
  }

  @Test(
    "EXT B-028, B-030, B-031, B-032: drop, append and refuse an extension, however it is written",
    arguments: [
      ("+1 202 555 0123 x136", "12025550123", "12025550123136"), ("+4930231250 x01", "4930231250", "493023125001"),
      ("+4930231250;ext=01", "4930231250", "493023125001"), ("tel:+4930231250;ext=01", "4930231250", "493023125001"),
      ("+44-20-7946-0001,12", "442079460001", "44207946000112"),
      ("+7 495 1234567 доб. 9", "74951234567", "749512345679"),
    ])
  func extensions(text: String, dropped: String, appended: String) throws {
    func handling(_ handling: NormalisationOptions.ExtensionHandling) -> (inout SourceDescription) -> Void {
      { $0.spelling.extensionHandling = handling }
    }
    let drop = try one(text, handling(.drop))
    #expect(drop.0 == dropped)
    #expect(drop.1 == ["number.extensionDropped"])
    let append = try one(text, handling(.append))
    #expect(append.0 == appended)
    #expect(append.1.contains("number.extensionAppended"))
    #expect(try one(text, handling(.refuse)).0 == "number.extensionRefused")
  }

  @Test("EXT B-030: append obeys 15 digits")
  func longExtension() throws {
    let append: (inout SourceDescription) -> Void = { $0.spelling.extensionHandling = .append }
    #expect(try one("+44-20-7946-0001,123", append).0 == "442079460001123")
    #expect(try one("+44-20-7946-0001,1234", append).0 == "number.extensionTooLong")
  }

  @Test("Remarks behind a number: refused with what to state, or left out and noted")
  func remarks() throws {
    let text = "+7 495 1234567 (справочная)"
    let (_, report) = try read([text])
    #expect(report.refusals[0].finding == .number(.remark))
    #expect(report.refusals[0].finding.text.contains(#""numberRemarks": "strip""#))
    let stripped = try one(text) { $0.spelling.remarkHandling = .strip }
    #expect(stripped == ("74951234567", ["number.remarkStripped"]))
    // As lists have it; behind # digits are an extension.
    for comment in ["# asks for codes", "#\"free\" trips", "# - asks 2 times"] {
      #expect(try one("+7 495 1234567 " + comment) { _ in }.0 == "number.remark")
      let stripped = try one("+7 495 1234567 " + comment) { $0.spelling.remarkHandling = .strip }
      #expect(stripped == ("74951234567", ["number.remarkStripped"]))
    }
    #expect(try one("+7 495 1234567 #12") { _ in }.1 == ["number.extensionDropped"])
  }

  // MARK: Short codes and emergency numbers

  @Test("B-037, B-039: a short code is refused unless the source allows them, then kept and noted")
  func shortCodes() throws {
    let (none, refused) = try read(["2468", "112"], change: inCountry("RU"))
    #expect(none.isEmpty)
    #expect(refused.refusals.map(\.finding) == [.number(.shortCode)])
    let (rows, report) = try read(["2468", "112"], .identify) {
      $0.spelling.region = RegionCode("RU")
      $0.spelling.shortCodes = true
    }
    #expect(rows.map(\.number) == [112, 2468])
    #expect(report.notes.map(\.finding.rawValue) == ["number.keptShortCode"])
    #expect(report.notes[0].count == 2)
  }

  @Test(
    "B-037: an emergency number is never blocked; with both it is still identified; the accounts are exact",
    arguments: EntryAction.allCases, [false, true])
  func emergency(action: EntryAction, aliases: Bool) throws {
    let (rows, report) = try read(["112", "2468", "911 00 001"], action) {
      $0.spelling.region = RegionCode("NO")
      $0.spelling.shortCodes = true
      $0.aliases = aliases
      $0.score = nil
    }
    let isBlocking = action == .block || action == .both
    // B-038: eight digits that begin with 911 are an ordinary number.
    var expected = [ReadRow(number: 2468, line: 3, label: ""), ReadRow(number: 4_791_100_001, line: 4, label: "")]
    for index in expected.indices { expected[index].action = action }
    if action != .block { expected.insert(ReadRow(number: 112, action: action, line: 2, label: ""), at: 0) }
    if action == .both { expected[0].action = .identify }
    if action != .block { for index in expected.indices { expected[index].label = "Name" } }
    #expect(rows == expected)
    #expect(report.counts.rows == 3)
    #expect(report.counts.read == (action == .both ? 6 : 3))
    #expect(report.counts.refused == (isBlocking ? 1 : 0))
    #expect(report.counts.refusedRows == (action == .block ? 1 : 0))
    #expect(report.refusals.map(\.finding) == (isBlocking ? [.emergencyNumber] : []))
  }

  @Test("B-037: among several numbers of a row only the emergency number is refused")
  func emergencyAmongSeveral() throws {
    let (rows, report) = try read(["112; 2468; call", "911"], .block) {
      $0.spelling.region = RegionCode("US")
      $0.spelling.shortCodes = true
      $0.numberSeparator = ";"
    }
    #expect(rows.map(\.number) == [2468])
    #expect(report.counts.read == 4)
    #expect(report.counts.refused == 3)
    #expect(report.counts.refusedRows == 1)
    #expect(report.refusals.map(\.count) == [2, 1])
  }

  // MARK: Aliases

  private let mexico = ["+52 55 1234 5678", "+52 1 55 1234 5678"]

  @Test("PLAN B-022, B-023: Mexico's old form is folded and that is noted; with aliases both forms are added")
  func mexicanAliases() throws {
    let (plain, report) = try read(mexico)
    #expect(plain.map(\.number) == [525_512_345_678, 525_512_345_678])
    #expect(report.notes.map(\.finding.rawValue) == ["number.aliasFolded"])
    let (rows, aliased) = try read(mexico) { $0.aliases = true }
    #expect(rows.map(\.number) == [525_512_345_678, 525_512_345_678, 5_215_512_345_678, 5_215_512_345_678])
    #expect(aliased.counts.rows == 2)
    #expect(aliased.counts.read == 4)
    #expect(aliased.notes.map(\.finding.rawValue) == ["number.aliasAdded", "number.aliasFolded"])
  }

  @Test(
    "PLAN B-024, B-026, B-027: Argentine and Brazilian forms stay apart unless aliases add the other",
    arguments: [
      ("+54 9 11 4321 0001", 5_491_143_210_001, 541_143_210_001),
      ("+54 11 4321 0001", 541_143_210_001, 5_491_143_210_001),
      ("+55 31 9 8000 0001", 5_531_980_000_001, 553_180_000_001),
      ("+55 31 8000 0001", 553_180_000_001, 5_531_980_000_001),
    ] as [(String, Int64, Int64)])
  func otherAliases(text: String, number: Int64, other: Int64) throws {
    #expect(try read([text]).rows.map(\.number) == [number])
    for action in EntryAction.allCases {
      let (rows, report) = try read([text], action) { $0.aliases = true }
      #expect(rows.map(\.number) == [number, other].sorted())
      #expect(Set(rows.map(\.action)) == [action])
      #expect(report.counts.rows == 1)
      #expect(report.counts.read == (action == .both ? 4 : 2))
      #expect(report.notes.first { $0.finding == .aliasAdded }?.count == 1)
    }
  }

  @Test("Numbers of other countries and refused ones have no second form")
  func withoutAliases() throws {
    let (rows, report) = try read(["+7 495 1234567", "call", "+54 11"]) { $0.aliases = true }
    #expect(rows.count == 1)
    #expect(report.counts.read == 3)
    #expect(report.counts.refused == 2)
  }
}
