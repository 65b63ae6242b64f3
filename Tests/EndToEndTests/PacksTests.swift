import Foundation
import TestSupport
import Testing

/// Packs from the plan to the phone, as a user runs them.
@Suite struct PacksTests {
  private static let rows = """
    phone\tname\tcity
    +74951000001\tAlpha\tMoscow
    +74951000002\tBeta\tMoscow
    +74951000002\tBeta\tKazan
    +78431000003\tGamma\tKazan
    +74951000004\tDelta\t

    """

  private static func world(_ members: String = "") throws -> World {
    try World(
      plan: """
        {"schema": 1, "name": "packs", "country": "RU",
         "sources": [
           {"id": "companies", "file": "companies.tsv", "number": "phone", "label": "name", "area": "city"},
           {"id": "spam", "file": "spam.txt", "action": "block"}],
         "providers": [{"id": "russia", "rest": true, "packs": "area"\(members)}]}
        """, ["companies.tsv": rows, "spam.txt": "+74951000001\n"])
  }

  private static func choose(_ world: World, _ text: String) throws {
    try FileManager.default.createDirectory(
      atPath: world.folder.path(".shardctl/containers/russia"), withIntermediateDirectories: true)
    try world.folder.write(text, to: ".shardctl/containers/russia/installed.json")
  }

  private static func index(_ world: World) throws -> String {
    let files = try FileManager.default.contentsOfDirectory(atPath: world.folder.path("shards"))
    return "shards/" + (files.first { $0.hasSuffix(".packs") } ?? "none")
  }

  @Test("packs are planned, applied, looked up, explained, inspected, verified, exported and rolled back")
  func life() throws {
    let world = try Self.world(#", "packSets": [["Moscow", "base"], "all"]"#)
    let plan = try world.succeed("plan").output
    #expect(plan.contains("packs: russia has 3: Kazan 2 (1 kB), Moscow 2 (1 kB), base 2 (1 kB)"), "\(plan)")
    #expect(plan.contains("packs: russia: Moscow + base: 4 of 1,999,999 entries (0.0 %)"), "\(plan)")
    let report = try world.succeed("apply", "--json").json()
    let provider = try #require((report["providers"] as? [[String: Any]])?.first)
    #expect(
      (provider["packs"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["Kazan", "Moscow", "base"])
    #expect((provider["packSets"] as? [[String: Any]])?.compactMap { $0["entries"] as? Int } == [4, 5])
    // Without a choice the first set is delivered.
    #expect(try world.words("+74951000002") == "identified, Beta from russia")
    #expect(try world.words("+78431000003") == "unknown")
    #expect(try world.words("+74951000001").hasPrefix("blocked"))
    #expect(
      try world.succeed("status").output.contains("packs installed: Moscow, base (of 3; there is no installed.json)"))

    try Self.choose(world, #"{"packs": ["Kazan"]}"#)
    try world.succeed("reload", "russia")
    #expect(try world.words("+74951000002") == "identified, Beta from russia")
    #expect(try world.words("+74951000001") == "unknown")
    #expect(try world.words("+78431000003") == "identified, Gamma from russia")
    #expect(try world.succeed("status").output.contains("russia: packs installed: Kazan (of 3)"))
    let explained = try world.succeed("explain", "+74951000002", "+74951000001").output
    #expect(explained.contains("label: packs of russia: Kazan, Moscow"), "\(explained)")
    #expect(explained.contains("block: packs of russia: base"), "\(explained)")

    let index = try Self.index(world)
    #expect(
      try world.succeed("inspect", index).output.contains(
        "3 packs of russia, limit 1,999,999, rows without an area in base"))
    #expect(try world.succeed("inspect", index, "--json").json()["provider"] as? String == "russia")
    #expect(
      try world.succeed("export", index).output == """
        74951000001\tAlpha\tboth
        74951000002\tBeta\tidentify
        74951000004\tDelta\tidentify
        78431000003\tGamma\tidentify

        """)
    try world.succeed("verify")
    try world.succeed("verify", index)

    try world.folder.write(Self.rows + "+78431000005\tEpsilon\tKazan\n", to: "companies.tsv")
    try world.succeed("apply")
    #expect(try world.words("+78431000005") == "identified, Epsilon from russia")
    try world.succeed("rollback")
    #expect(try world.words("+78431000005") == "unknown")
    #expect(try world.words("+78431000003") == "identified, Gamma from russia")
    try world.succeed("verify")
  }

  @Test("what is wrong with a choice, a set or a pack is told with its place and what to do")
  func mistakes() throws {
    let world = try Self.world()
    try world.succeed("apply")
    try Self.choose(world, #"{"packs": ["Kasan"]}"#)
    let refused = try world.run("apply")
    #expect(refused.status == 69)
    #expect(
      refused.errors.contains("installed.json:1:12: packs[0]: there is no pack \"Kasan\" of russia"),
      "\(refused.errors)")
    #expect(refused.errors.contains("did you mean \"Kazan\"?"), "\(refused.errors)")
    #expect(try world.succeed("status").output.contains("installed.json:1:12"))
    #expect(try world.words("+78431000003") == "identified, Gamma from russia", "nothing has changed")

    let index = try Self.index(world)
    let files = try FileManager.default.contentsOfDirectory(atPath: world.folder.path("shards"))
    let pack = try #require(files.first { $0.hasSuffix(".shard") })
    try FileManager.default.removeItem(atPath: world.folder.path("shards/\(pack)"))
    let verified = try world.run("verify")
    #expect(verified.status == 1 && verified.errors.contains("\(pack): pack \""), "\(verified.errors)")
    #expect(try world.run("verify", index).status == 1)
    #expect(try world.run("export", index).status == 65)

    let sets = try Self.world(#", "limit": 3, "packSets": [["Moscow", "base"]]"#)
    let over = try sets.run("apply")
    #expect(over.status == 65)
    #expect(
      over.errors.contains(
        "providers[0].packSets: \"Moscow\" + \"base\" come to 4 entries (1 blocking, 3 identification), 1 over the limit of 3"
      ),
      "\(over.errors)")
    try sets.folder.write("no index", to: "x.packs")
    #expect(try sets.run("inspect", "x.packs").status == 65)
    #expect(try sets.run("verify", "x.packs").status == 1)
    #expect(try sets.run("inspect", "none.packs").status == 66)
  }
}
