import Foundation
import TestSupport
import Testing

/// What `plan` and `verify` answer besides who gets what: providers filled by score, what a phone pays, what if the settings were
/// others, and proofs.
@Suite struct PlanAnswersTests {
  private static func scored(_ more: String = "") throws -> World {
    let plan = """
      {"schema": 1, "name": "calls", "country": "RU",
       "sources": [{"id": "rows", "file": "rows.tsv", "number": "phone", "label": "name", "score": "calls"}],
       "providers": [{"id": "g", "rest": true, "count": 2, "limit": 3, "fillBy": "score"\(more)}]}
      """
    let world = try World(plan: plan)
    try write(world, [0: 5, 1: 90, 2: 70, 3: 1, 4: 80])
    return world
  }

  private static func write(_ world: World, _ calls: [Int: Int?]) throws {
    let lines = calls.sorted { $0.key < $1.key }.map { number, calls in
      "+7495100000\(number)\tlabel \(number)\t\(calls.map(String.init) ?? "")\n"
    }
    try world.folder.write("phone\tname\tcalls\n" + lines.joined(), to: "rows.tsv")
  }

  private static func holder(_ world: World, _ number: Int) throws -> String {
    String(try world.words("+7495100000\(number)").split(separator: " ").last ?? "")
  }

  @Test("copies are filled by score, an entry yields only to one higher by the margin, and explain says how it stands")
  func score() throws {
    let world = try Self.scored()
    try world.succeed("apply")
    #expect(try (0..<5).map { try Self.holder(world, $0) } == ["g-2", "g-1", "g-1", "g-2", "g-1"])
    let first = try world.succeed("explain", "+74951000001").output
    #expect(
      first.contains("in g-1: it was there in the release before, and need not move; score 90, the least there is 70"))
    // 76 is less than a tenth above 70, 78 is more.
    try Self.write(world, [0: 5, 1: 90, 2: 70, 3: 1, 4: 80, 5: 76])
    let steady = try world.succeed("apply", "--json").json()
    #expect(steady["moved"] as? Int == 0 && steady["reloads"] as? [String] == ["g-2"])
    let below = try world.succeed("explain", "+74951000003").output
    #expect(below.contains("in g-2"), "\(below)")
    try Self.write(world, [0: 5, 1: 90, 2: 70, 3: 1, 4: 80, 6: 78])
    let preview = try world.succeed("explain", "+74951000006", "+74951000002").output
    #expect(
      preview.contains("label: in g-1: it claims the entry, is filled by score, and the score is high enough; score 78")
    )
    #expect(
      preview.contains("label: in g-2: places before it are filled by score, with higher ones; score 70"), "\(preview)")
    let moved = try world.succeed("apply", "--json").json()
    #expect(moved["moved"] as? Int == 1)
    #expect(try [2, 6].map { try Self.holder(world, $0) } == ["g-2", "g-1"])
    try world.succeed("verify")
    let json = try world.succeed("explain", "--json", "+74951000002").output
    #expect(json.contains(#""reason": "kept""#) && json.contains(#""score": 70"#), "\(json)")
  }

  @Test(
    "explain tells the least score of all that have the place, before and after, and a margin only where somebody was there"
  )
  func leastScore() throws {
    let plan = """
      {"schema": 1, "name": "calls", "country": "RU",
       "sources": [
         {"id": "rows", "file": "rows.tsv", "number": "phone", "label": "name", "score": "calls", "area": "city"}],
       "providers": [
         {"id": "g", "countries": ["RU"], "limit": 3, "fillBy": "score", "spillsTo": ["r"]},
         {"id": "m", "areas": ["Moscow"]}, {"id": "r", "rest": true}]}
      """
    // Those of Moscow may go to other places than the others, and so are counted by themselves.
    let calls = [(99, "Moscow"), (16, "Tver"), (20, "Tver"), (15, "Tver"), (14, "Moscow")]
    let rows = calls.enumerated().map { "+7495100000\($0)\tlabel \($0)\t\($1.0)\t\($1.1)\n" }
    let world = try World(plan: plan, ["rows.tsv": "phone\tname\tcalls\tcity\n" + rows.joined()])
    for isApplied in [false, true] {
      let text = try world.succeed("explain", "+74951000000", "+74951000003", "+74951000004").output
      #expect(text.contains("score 99, the least there is 16\n"), "\(text)")
      let margin = isApplied ? ", and one that was there yields only to more than 10 % higher" : ""
      #expect(text.contains("score 15, the least in g is 16\(margin)\n"), "\(text)")
      #expect(text.contains("score 14, the least in g is 16\(margin)\n"), "\(text)")
      #expect(try !world.succeed("explain", "--fresh", "+74951000003").output.contains("yields"))
      try world.succeed("apply")
    }
  }

  @Test("explain tells of a dropped label its score and below which none like it has a place")
  func droppedScore() throws {
    let plan = """
      {"schema": 1, "name": "calls", "country": "RU",
       "sources": [{"id": "rows", "file": "rows.tsv", "number": "phone", "label": "name", "score": "calls"}],
       "providers": [{"id": "g", "rest": true, "limit": 2, "excess": "dropLowestScore"}]}
      """
    let world = try World(plan: plan)
    try Self.write(world, [0: 99, 1: 20, 2: 15, 3: 20, 4: nil])
    let text = try world.succeed("explain", "+74951000002", "+74951000003", "+74951000004").output
    let dropped = "not installed: there is no room, and others have a higher score; "
    #expect(text.contains(dropped + "score 15, of those like it none below 20 has a place\n"), "\(text)")
    #expect(
      text.contains(dropped + "score 20, of those like it none below 20 has a place, and of equal ones the lower"))
    #expect(text.contains(dropped + "no score, of those like it none below 20 has a place\n"), "\(text)")
    let json = try world.succeed("explain", "--json", "+74951000002").output
    #expect(json.contains(#""score": 15.0,"#) && json.contains(#""noneBelow": 20.0"#), "\(json)")
  }

  @Test("copies filled by score are full by design: warned of when all are")
  func warnings() throws {
    let world = try Self.scored()
    #expect(try !world.succeed("plan").errors.contains("nearly full"))
    try Self.write(world, [0: 5, 1: 90, 2: 70, 3: 1, 4: 80, 5: 2])
    #expect(try world.succeed("plan").errors.contains("g-1 is nearly full"))
  }

  @Test("plan shows what a phone pays, by provider and in all, and what an update comes to")
  func phoneCost() throws {
    let world = try World.small()
    let first = try world.succeed("plan").output
    #expect(first.contains("on a phone  download  update about  disk peak   load  incremental"), "\(first)")
    #expect(!first.contains("measured on devices"), "it stands in the help: \(first)")
    #expect(try world.succeed("plan", "--help").output.contains("measured on"))
    try world.succeed("apply")
    try world.folder.write(World.companies + "+79161112231\tOne\tMoscow\n", to: "companies.tsv")
    let cost = try #require(world.succeed("plan", "--json").json()["phoneCost"] as? [String: Any])
    let providers = try #require(cost["providers"] as? [[String: Any]])
    #expect(providers.map { ($0["changes"] as? [String: Int])?["added"] } == [1, 1, 0])
    #expect(providers.last?["updateBytes"] as? Int == 0)
    let written = try #require(world.succeed("apply", "--json").json()["phoneCost"] as? [String: Any])
    #expect(cost["bytesAreEstimates"] as? Bool == true && written["bytesAreEstimates"] as? Bool == false)
  }

  @Test("plan --without and --order tell what is lost or changes, and change nothing")
  func whatIf() throws {
    let world = try World.small()
    try world.succeed("apply")
    try world.folder.write(
      World.companies + "+74951234567\tAlpha again\tMoscow\n+74951234560\tDelta\tMoscow\n", to: "companies.tsv")
    let state = try world.state()
    let text = try world.succeed("plan", "--without", "russia").output
    #expect(text.contains("without russia: of 5 numbers 1 lose their label, 0 get another, 1 lose their block"))
    #expect(text.contains("label lost: +78121234567  \"Gamma\" from russia"), "\(text)")
    #expect(text.contains("block lost: +74951234567 from russia"), "\(text)")
    let effect = try #require(
      world.succeed("plan", "--json", "--without", "moscow", "--without", "russia").json()["whatIf"] as? [String: Any])
    #expect(effect["without"] as? [String] == ["moscow", "russia"])
    #expect((effect["lostLabels"] as? [String: Any])?["count"] as? Int == 4)
    #expect((effect["lostBlocks"] as? [String: Any])?["count"] as? Int == 1)
    let order = try world.succeed("plan", "--order", "abroad,russia").output
    #expect(order.contains("abroad, russia first: of 5 numbers none changes"), "\(order)")
    #expect(try world.state() == state)
    try world.run("plan", "--without", "nobody").expect(
      64, "--without: names a provider that is not there: nobody", "providers: moscow, russia, abroad")
    try world.run("plan", "--order", "russia,russia").expect(64, "--order", "twice")
    try world.run("plan", "--order", "").expect(64)
    try world.run("plan", "--suggest", "--without", "russia").expect(64, "--suggest", "neither")
  }

  @Test(
    "verify proves the release from the sources, lists the labels that the order decides, and exits with 1 on a fault")
  func proofs() throws {
    let world = try World.small()
    try world.folder.write("+74951234567\n+79161112231\n", to: "spam.txt")
    try world.succeed("apply")
    let good = try world.succeed("verify")
    #expect(good.output.contains("holds: every number is in just the providers that the rules give it"), "\(good)")
    #expect(good.output.contains("holds: no label and no block depends on the settings order"), "\(good)")
    let json = try world.succeed("verify", "--json").json()
    #expect(json["ok"] as? Bool == true && json["differences"] as? Int == 0)
    #expect(
      (json["checks"] as? [[String: Any]])?.map { $0["outcome"] as? String } == ["holds", "holds", "holds", "holds"])
    #expect((json["dependOnOrder"] as? [String: Any])?["blocks"] as? Int == 0)
    #expect(try world.succeed("verify", "--release-only").output.contains("not checked: whether every number is where"))
    // A source that changed and claims to be older than the release.
    try world.folder.write(World.companies.replacingOccurrences(of: "Gamma", with: "Delta"), to: "companies.tsv")
    #expect(try world.succeed("verify").output.contains("not checked: whether every number"))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: world.folder.path("companies.tsv"))
    let bad = try world.run("verify")
    bad.expect(
      1, "1 number is elsewhere or different\n", "build the release anew if a source has changed since")
    #expect(
      bad.output.contains("fails: 1 number is elsewhere or different\n  +78121234567: the rules give it to"), "\(bad)")
    let told = try world.run("verify", "--json")
    #expect(told.status == 1)
    #expect(try told.json()["ok"] as? Bool == false && told.json()["differences"] as? Int == 1)
    try world.run("verify", "--release-only", "x.shard").expect(64)
  }

  @Test("verify lists what a check found below it, five of each and how many more")
  func samples() throws {
    let plan = """
      {"schema": 1, "name": "two", "country": "RU", "overlaps": "keep",
       "sources": [
         {"id": "a", "file": "a.tsv", "number": "phone", "label": "name"},
         {"id": "b", "file": "b.tsv", "number": "phone", "label": "name"}],
       "providers": [{"id": "a", "sources": ["a"]}, {"id": "b", "sources": ["b"]}]}
      """
    func rows(_ word: String) -> String {
      "phone\tname\n" + (0..<7).map { "+7495100000\($0)\t\(word)\n" }.joined()
    }
    let world = try World(plan: plan, ["a.tsv": rows("one"), "b.tsv": rows("two")])
    try world.succeed("apply")
    try world.folder.write(rows("three"), to: "a.tsv")
    let lines = try world.succeed("verify").output.split(separator: "\n").map(String.init)
    let order = try #require(lines.firstIndex(of: "holds: 7 labels depend on the settings order, 0 blocks"))
    #expect(lines[order + 1] == #"  +74951000000  "one" from a, "two" from b"#)
    #expect(lines[order + 6] == "  and 2 more")
    #expect(lines[order + 7].hasSuffix("a.tsv is newer than the release; 7 numbers are elsewhere or different"))
    #expect(lines[order + 8].hasPrefix("  +74951000000: the rules give it to a (label \"three\")"))
    #expect(lines[order + 13] == "  and 2 more" && lines.count == order + 14, "\(lines)")
    let json = try world.succeed("verify", "--json").json()
    #expect((json["differenceSamples"] as? [String])?.count == 5)
  }
}
