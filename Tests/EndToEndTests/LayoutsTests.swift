import Foundation
import TestSupport
import Testing

/// Layouts from the plan to several phones, as a user runs them.
@Suite struct LayoutsTests {
  private static func world() throws -> World {
    try World(
      plan: """
        {"schema": 1, "name": "layouts", "country": "RU",
         "sources": [{"id": "companies", "file": "companies.tsv", "number": "phone", "label": "name", "area": "city"}],
         "providers": [
           {"id": "moscow", "areas": ["Moscow"]}, {"id": "kazan", "areas": ["Kazan"]}, {"id": "rest", "rest": true}],
         "layouts": {
           "two": {"providers": [{"id": "moscow", "areas": ["Moscow"]}, {"id": "rest", "rest": true}]},
           "one": {"providers": [{"id": "rest", "rest": true}]}}}
        """,
      [
        "companies.tsv": """
        phone\tname\tcity
        +74951000001\tAlpha\tMoscow
        +78431000002\tBeta\tKazan
        +78431000003\tGamma\tKazan
        +78121000004\tDelta\t

        """
      ])
  }

  @Test("a plan shows each layout and what starts off, and each phone is applied, asked and switched by itself")
  func life() throws {
    let world = try Self.world()
    let plan = try world.succeed("plan").output
    #expect(plan.contains("layout two: 2 shards, 1 of them shared\n"), "\(plan)")
    #expect(
      plan.contains(
        "  starts off: 2 entries move into kazan, which phones that are updated from the layout two do not have: "
          + "it is off there until it is turned on (+78431000002, +78431000003)"), "\(plan)")
    #expect(plan.contains("  starts off: 1 entry moves into moscow, which phones that are updated from the layout one"))
    let json = try world.succeed("plan", "--json").json()
    let layouts = try #require(json["layouts"] as? [[String: Any]])
    #expect(layouts.compactMap { $0["layout"] as? String } == ["two", "one"])
    #expect(layouts.compactMap { $0["sharedShards"] as? Int } == [1, 0])
    let toPlan = try #require((layouts[0]["toPlan"] as? [String: Any])?["startingOff"] as? [[String: Any]])
    #expect(
      toPlan.count == 1 && toPlan[0]["provider"] as? String == "kazan" && toPlan[0]["identification"] as? Int == 2)

    try world.succeed("apply")
    #expect(try world.words("+78431000002") == "identified, Beta from kazan")
    try world.run("lookup", "+78431000002", "--layout", "two").expect(66, "there is no store yet")
    try world.succeed("apply", "--layout", "two")
    #expect(try world.words("+78431000002", "--layout", "two") == "identified, Beta from rest")
    #expect(try world.words("+78431000002") == "identified, Beta from kazan")
    let status = try world.succeed("status", "--layout", "two").output
    #expect(
      status.contains("release in force: 1") && status.contains("moscow") && !status.contains("kazan"), "\(status)")
    try world.succeed("disable", "rest", "--layout", "two")
    #expect(try world.words("+78431000002", "--layout", "two") == "unknown")
    #expect(try world.words("+78121000004") == "identified, Delta from rest")
    try world.succeed("enable", "rest", "--layout", "two")
    try world.succeed("reload", "--layout", "two")
    try world.succeed("order", "rest", "moscow", "--layout", "two")
    #expect(try world.succeed("explain", "+78431000002", "--layout", "two").output.contains("label: in rest"))
    #expect(try world.succeed("explain", "+78431000002").output.contains("label: in kazan"))
    #expect(!(try world.succeed("provider", "list", "--layout", "one").output.contains("moscow")))
    try world.succeed("verify")
    let manifest = try world.manifest()
    #expect((manifest["layouts"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["two", "one"])
  }

  @Test("a layout that the plan does not have is named with the nearest one")
  func unknown() throws {
    let world = try Self.world()
    try world.run("apply", "--layout", "tow").expect(64, "the plan has no layout \"tow\"", "did you mean \"two\"?")
    try world.run("lookup", "1", "--layout", "xyzzy").expect(64, "layouts: two, one")
  }
}
