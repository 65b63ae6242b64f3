import CallDirectory
import Foundation
import TestSupport
import Testing

/// Numbers as people and networks spell them, from the file of a source to the answer of a look-up.
@Suite("Spellings from file to look-up") struct SpellingCaseTests {
  /// A plan without a country, whose sources each state their own.
  private static let plan = """
    {"schema": 1, "name": "spellings",
     "sources": [
       {"id": "us", "file": "us.tsv", "number": "phone", "label": "name", "country": "US"},
       {"id": "ch", "file": "ch.tsv", "number": "phone", "label": "name", "country": "CH"},
       {"id": "plus", "file": "plus.tsv", "number": "phone", "label": "name"},
       {"id": "german", "file": "german.txt", "action": "block", "country": "DE"},
       {"id": "ours", "file": "ours.txt", "action": "allow", "country": "DE"},
       {"id": "norway", "file": "norway.txt", "action": "block", "country": "NO", "shortCodes": true},
       {"id": "latin", "file": "latin.tsv", "number": "phone", "label": "name", "aliases": true}],
     "providers": [{"id": "all", "rest": true}]}
    """

  private static let files = [
    "us.tsv": "phone\tname\n(202) 555-0123\tShop\n+1 202 555 0124 x7\tDesk\n202\u{A0}555-0125\tSpace\n",
    "ch.tsv": "phone\tname\n031 000 00 01\tBern\n",
    "plus.tsv": """
    phone\tname
    0033 1 99 00 00 01\tParis
    +81 120 000 001\tTokyo
    +39 06 0000 0001\tRoma
    0039 06 0000 0001\tRoma
    +20 0100 000 0001\tCairo
    +٤٤ ٧٧٠٠ ٩٠٠٠٠١\tLondon
    0199000002\tNobody

    """,
    "german.txt": "+49 171 3920001\n030/23125001\n", "ours.txt": "0171 3920001\n",
    "norway.txt": "911 00 001\n112\n2468\n",
    "latin.tsv": """
    phone\tname
    +54 9 11 2345 0001\tBuenos Aires
    +52 1 55 5000 0001\tMéxico
    +55 31 9 8000 0001\tMinas

    """,
  ]

  private func applied() throws -> World {
    let world = try World(plan: Self.plan, Self.files)
    try world.succeed("apply")
    return world
  }

  @Test("NORM, PLAN, EXT, SHORT, CHAR: a row and a call meet however the two are spelled")
  func meet() throws {
    let world = try applied()
    let cases: [(id: String, call: String, country: String, words: String)] = [
      ("B-014", "01 99 00 00 01", "FR", "identified, Paris from all"),
      ("B-014", "+33 1 99 00 00 01", "FR", "identified, Paris from all"),
      ("B-014", "+33 1 99 00 00 01", "", "identified, Paris from all"), ("B-014", "01 99 00 00 01", "", "unknown"),
      ("B-016", "+12025550123", "", "identified, Shop from all"),
      ("B-016", "12025550123", "US", "identified, Shop from all"),
      ("B-017", "(202) 555-0123", "US", "identified, Shop from all"),
      ("B-018", "+41 31 000 00 01", "", "identified, Bern from all"),
      ("B-018", "031 000 00 01", "CH", "identified, Bern from all"),
      ("B-019", "+49 171 3920001", "IT", "unknown"), ("B-019", "0171 3920001", "DE", "unknown"),
      ("B-019", "+49 30 23125001", "IT", "blocked by all"),
      ("B-021", "+81 120 000 001", "US", "identified, Tokyo from all"),
      ("B-021", "0120 000 001", "JP", "identified, Tokyo from all"), ("B-021", "0120 000 001", "US", "unknown"),
      ("B-032", "+12025550124", "", "identified, Desk from all"),
      ("B-041", "+1 202 555 0125", "", "identified, Space from all"),
      ("B-045", "+1\u{A0}202\u{2007}555 0125", "", "identified, Space from all"),
      ("B-043", "\u{202A}+12025550123\u{202C}", "", "identified, Shop from all"),
      ("B-046", "+44 7700 900001", "", "identified, London from all"),
      ("B-007", "+20 100 000 0001", "", "identified, Cairo from all"),
      ("B-037", "112", "NO", "unknown"), ("B-038", "91 10 00 01", "NO", "blocked by all"),
      ("B-039", "2468", "NO", "blocked by all"),
      ("B-024", "+54 9 11 2345 0001", "", "identified, Buenos Aires from all"),
      ("B-024", "+54 11 2345 0001", "", "identified, Buenos Aires from all"),
      ("B-022", "+52 55 5000 0001", "", "identified, México from all"),
      ("B-023", "+52 1 55 5000 0001", "", "identified, México from all"),
      ("B-026", "+55 31 8000 0001", "", "identified, Minas from all"),
    ]
    let found = try world.lookup(cases.map { "\($0.call)\t\($0.country)" })
    for (test, answer) in zip(cases, found) { #expect(answer.words == test.words, "\(test)") }
  }

  @Test("B-014, B-021: a look-up shows the integers that are compared, and says when it knows no country")
  func compared() throws {
    let world = try applied()
    func last(_ arguments: String...) throws -> String? {
      try ToolRun(["lookup"] + arguments, in: world.folder.path).output.split(separator: "\n").last.map(String.init)
    }
    #expect(try last("01 99 00 00 01") == "compared: 199000001; no country is known, see --country")
    #expect(
      try last("01 99 00 00 01", "--country", "FR") == "compared: labels 33199000001; blocks 199000001, 33199000001")
    #expect(try last("+81 120 000 001", "--country", "US") == "compared: 81120000001")
    #expect(
      try last("0120 000 001", "--country", "JP") == "compared: labels 81120000001; blocks 120000001, 81120000001")
  }

  @Test(
    "B-007, B-011, B-015, B-023, B-028, B-037: repairs are counted with the raw text, spellings of one number merge")
  func report() throws {
    let world = try World(plan: Self.plan, Self.files)
    let report = try world.succeed("plan", "--json").json()
    func groups(_ key: String) throws -> [String: (count: Int, raw: String)] {
      let groups = try #require(report[key] as? [[String: Any]])
      return Dictionary(
        groups.map { group in
          let examples = group["examples"] as? [[String: Any]] ?? []
          return (
            group["reason"] as? String ?? "", (group["count"] as? Int ?? 0, examples.first?["raw"] as? String ?? "")
          )
        }, uniquingKeysWith: { first, _ in first })
    }
    let notes = try groups("notes")
    #expect(notes["number.spuriousTrunkPrefix"] ?? (0, "") == (1, "+20 0100 000 0001"))
    #expect(notes["number.extensionDropped"] ?? (0, "") == (1, "+1 202 555 0124 x7"))
    #expect(notes["number.aliasFolded"] ?? (0, "") == (1, "+52 1 55 5000 0001"))
    #expect(notes["number.aliasAdded"]?.count == 3)
    let refusals = try groups("refusals")
    #expect(refusals["number.nationalWithoutCountry"] ?? (0, "") == (1, "0199000002"))
    #expect(refusals["number.emergency"] ?? (0, "") == (1, "112"))
    let accounts = try #require(report["accounts"] as? [String: Any])
    let plus = try #require((accounts["sources"] as? [[String: Any]])?.first { $0["id"] as? String == "plus" })
    #expect(["read", "used", "merged", "refused"].map { plus[$0] as? Int } == [7, 5, 1, 1])
    // An allowed number that a block named: the one cut, the other removed.
    #expect(accounts["removed"] as? Int == 1)
  }

  @Test("B-032: appended extensions are installed with the warning that no caller will match them")
  func appended() throws {
    let world = try World(
      plan: """
        {"schema": 1, "name": "append", "country": "US",
         "sources": [{"id": "a", "file": "a.txt", "action": "block", "extension": "append"}],
         "providers": [{"id": "all", "rest": true}]}
        """, ["a.txt": "+12025550123 x7\n"])
    #expect(try world.succeed("apply").output.contains("extension appended, will not match a caller"))
    #expect(try world.words("+12025550123") == "unknown")
    #expect(try world.exported().first?.blocked.map(\.rawValue) == [120_255_501_237])
  }

  @Test("B-024: a row of either form of a number is found by explaining the other")
  func aliases() throws {
    let world = try applied()
    for number in ["+54 9 11 2345 0001", "+54 11 2345 0001"] {
      let text = try world.succeed("explain", number).output
      #expect(text.contains("latin.tsv:2") && text.contains("Buenos Aires"), "\(text)")
    }
  }
}
