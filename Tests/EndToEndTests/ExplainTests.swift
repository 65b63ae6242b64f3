import CallDirectory
import Foundation
import TestSupport
import Testing

/// `explain` and the lists that a run over the rows can write, with the real tool.
@Suite struct ExplainTests {
  @Test("explain goes from file and line over merge and claims to the phone")
  func text() throws {
    let world = try World.small()
    let before = try world.succeed("explain", "8 495 123-45-67").output
    #expect(before.hasSuffix("on the phone:\n  nothing has been applied yet\n"))
    try world.succeed("apply")
    let text = try world.succeed("explain", "8 495 123-45-67").output
    // The README shows this very answer.
    let readme = try String(contentsOfFile: "\(ToolRun.package)/README.md", encoding: .utf8)
    let shown = try #require(readme.components(separatedBy: "$ shardctl explain '8 495 123-45-67'\n").dropFirst().first)
    #expect(text == shown.components(separatedBy: "```")[0])
    let lookup = try world.succeed("lookup", "8 495 123-45-67").output
    #expect(text.hasSuffix(lookup.split(separator: "\n").map { "  \($0)\n" }.joined()))
  }

  @Test("What is not installed has its reason: removed, allowed, without label, unclaimed, refused")
  func absences() throws {
    let world = try World(
      plan: """
        {"schema": 1, "name": "test", "country": "RU", "unclaimed": "drop",
         "sources": [{"id": "a", "file": "a.tsv", "number": "phone", "label": "name",
           "action": {"column": "kind", "values": {"block": "block", "allow": "allow", "remove": "remove"}}}],
         "providers": [{"id": "p", "prefixes": ["+7495"]}]}
        """,
      [
        "a.tsv": """
        phone\tname\tkind
        84951234560\tA\t
        84951234560\t\tremove
        84951234561\t\tblock
        84951234561\t\tallow
        84951234562\t\t
        88121234563\tD\t
        8 495 123-45-64x\tE\t
        84951234565\t\tblock

        """
      ])
    let cases: [(String, String)] = [
      ("84951234560", "label: not installed: a row removes the number, a.tsv:3"),
      ("84951234561", "block: not installed: a row allows the number, a.tsv:5"),
      ("84951234562", "label: not installed: no row has a label"),
      ("88121234563", "label: not installed: no provider claims it"),
      ("84951234564", "  a.tsv:8:1  a  "),
      ("84951234564", "no row names +74951234564"),
      ("84951234565", "block: in p: it claims the entry and has room"),
    ]
    for (number, line) in cases {
      #expect(try world.succeed("explain", number).output.contains("\n\(line)"), "\(number)")
    }
    try world.run("explain", "nothing").expect(65, "this is not a number")
  }

  @Test(
    "In random worlds explain, the shards and the store agree about every number",
    arguments: [(51, false), (52, true), (53, false), (54, true)] as [(UInt64, Bool)])
  func agreement(seed: UInt64, limits: Bool) throws {
    let world = try RandomWorld(seed: seed, providers: 4, limits: limits).make()
    guard try world.run("apply").status == 0 else { return }
    let exported = try world.exported()
    let queries = RandomWorld.numbers.map { "+\($0)" }
    let run = try ToolRun(["explain", "--json"] + queries, in: world.folder.path)
    let answers = try #require(run.json()["numbers"] as? [[String: Any]])
    #expect(answers.count == queries.count)
    let looked = try world.lookup(queries)
    for ((answer, number), decision) in zip(zip(answers, RandomWorld.numbers), looked) {
      let lookup = try #require(answer["lookup"] as? [String: Any])
      #expect(lookup["decision"] as? String == decision.kind)
      let histories = try #require(answer["histories"] as? [[String: Any]])
      let history = try #require(histories.first { $0["number"] as? String == "+\(number)" })
      let rows = try #require(history["rows"] as? [[String: Any]])
      var blocked: Set<String> = []
      var labels: [String: String] = [:]
      for family in try #require(history["families"] as? [[String: Any]]) {
        let places = try #require(family["places"] as? [[String: Any]])
        #expect(places.isEmpty == (family["absence"] as? String != nil), "seed \(seed), \(number)")
        for place in places where place["reason"] as? String != "heldByOther" {
          let id = try #require(place["id"] as? String)
          if family["family"] as? String == "blocking" {
            blocked.insert(id)
          } else {
            labels[id] = rows[try #require(place["labelRow"] as? Int)]["label"] as? String
          }
        }
      }
      for provider in exported {
        let id = provider.id.rawValue
        #expect(
          provider.blocked.contains(PhoneNumber(number)) == blocked.contains(id), "seed \(seed), \(number), \(id)")
        #expect(provider.labels[PhoneNumber(number)]?.first == labels[id], "seed \(seed), \(number), \(id)")
      }
    }
  }

  @Test("REPORT: --rejects and --conflicts write files beside the result, and a folder that is missing exits 73")
  func lists() throws {
    let world = try World.small()
    try world.folder.write(World.companies + "foo\tBar\t\n+7 495 123-45-67\tOmega\tMoscow\n", to: "companies.tsv")
    try world.succeed("plan", "--rejects", "bad.tsv", "--conflicts", "labels.tsv")
    func text(_ name: String) -> String? {
      FileManager.default.contents(atPath: world.folder.path(name)).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(text("bad.tsv") == "foo\tBar\t\n")
    #expect(text("bad.tsv.reasons.tsv") == "companies.tsv\t6\t1\tno digits\n")
    #expect(
      text("labels.tsv")
        == "74951234567\tAlpha\tcompanies.tsv\t2\tmoscow,russia\n74951234567\tOmega\tcompanies.tsv\t7\t\n")
    let report = try world.succeed("build", "--json", "--rejects", "again.tsv").json()
    #expect(report["conflictingLabels"] as? Int == 1 && report["repeatedLabels"] as? Int == 0)
    #expect(text("again.tsv") == text("bad.tsv"))
    try world.run("plan", "--rejects", "no/bad.tsv").expect(73, "cannot be written")
  }
}
