import Foundation
import TestSupport
import Testing

/// The day after: a directory that changed a little, over the release of the day before.
@Suite struct SecondDayTests {
  private static func world() throws -> World {
    let world = try World(plan: "")
    try world.succeed("sample", "--rows", "20000", "--seed", "3", "--output", ".", "--force")
    return world
  }

  private static func nextDay(_ world: World) throws {
    try world.succeed("sample", "--rows", "20000", "--seed", "3", "--day", "2", "--output", ".", "--force")
  }

  /// One plan over the three tables: collapse, copies, spilling.
  private static func plan(limit: Int) -> String {
    let source = { (id: String, area: String) in
      """
      {"id": "\(id)", "file": "companies-\(id).tsv", "number": "phone", "label": "name", "area": "\(area)",
       "score": "calls",
       "action": {"column": "kind", "values": {"company": "identify", "spam": "both", "hidden": "block"}}}
      """
    }
    return """
      {"schema": 1, "name": "days", "country": "RU",
       "sources": [\(source("moscow-spb", "city")), \(source("russia", "city")), \(source("abroad", "country")),
         {"id": "spam", "file": "spam.txt", "action": "block"}, {"id": "ours", "file": "never-block.txt", "action": "allow"}],
       "providers": [
         {"id": "moscow", "sources": ["moscow-spb"], "limit": \(limit), "spillsTo": ["rest"]},
         {"id": "rest", "rest": true, "count": 3}]}
      """
  }

  @Test("providers that are filled by score keep what they have, and what is new finds its place by value")
  func byScore() throws {
    let fill = #""fillBy": "score""#
    for (name, plan) in [
      (
        "copies",
        Self.plan(limit: 4_000).replacingOccurrences(
          of: #""count": 3}"#, with: #""count": 3, "limit": 6000, \#(fill)}"#)
      ),
      ("spill", Self.plan(limit: 4_000).replacingOccurrences(of: #""spillsTo""#, with: #"\#(fill), "spillsTo""#)),
    ] {
      let world = try Self.world()
      try world.folder.write(plan, to: "plan.json")
      try world.succeed("apply")
      try Self.nextDay(world)
      try world.folder.write(plan, to: "plan.json")
      let report = try world.succeed("apply", "--json").json()
      #expect(report["moved"] as? Int == 0, "\(name)")
      let again = try world.succeed("apply", "--json").json()
      #expect(again["reloads"] as? [String] == [] && again["moved"] as? Int == 0, "\(name)")
      try world.succeed("verify")
    }
  }

  @Test("while every claimant has room nothing moves, and only what changed is loaded")
  func room() throws {
    for limit in [1_999_999, 4_000] {
      let world = try Self.world()
      try world.folder.write(Self.plan(limit: limit), to: "plan.json")
      try world.succeed("apply")
      try Self.nextDay(world)
      try world.folder.write(Self.plan(limit: limit), to: "plan.json")
      let report = try world.succeed("apply", "--json").json()
      #expect(report["moved"] as? Int == 0, "limit \(limit)")
      #expect((report["reloads"] as? [String])?.sorted() == ["moscow", "rest-1", "rest-2", "rest-3"])
      let again = try world.succeed("apply", "--json").json()
      #expect(again["reloads"] as? [String] == [] && again["moved"] as? Int == 0)
      try world.succeed("verify")
    }
  }
}
