import Foundation
import TestSupport
import Testing

/// `plan --suggest`, from rows to a plan that can be applied.
@Suite struct SuggestionTests {
  private static func world() throws -> World {
    let world = try World(plan: "")
    try world.succeed("sample", "--rows", "20000", "--seed", "3", "--output", ".", "--force")
    return world
  }

  private static func plan(_ world: World) throws -> String {
    try String(contentsOfFile: world.folder.path("plan.json"), encoding: .utf8)
  }

  @Test("the suggestion for a sample has the fewest providers, keeps areas whole, and can be applied as it is printed")
  func sample() throws {
    for (limit, overlaps) in [(1_999_999, "collapse"), (9_000, "collapse"), (4_000, "keep"), (4_000, "collapse")] {
      let world = try Self.world()
      let plan = try Self.plan(world)
      let answer = try world.succeed("plan", "--suggest", "--limit", "\(limit)", "--json").json()
      let bound = try #require(answer["lowerBound"] as? Int)
      let placed = try #require(answer["placed"] as? [[String: Any]])
      #expect(placed.count <= bound + 1 && answer["schema"] as? String == "shardctl.suggestion/1")
      #expect(placed.allSatisfy { ($0["entries"] as? Int ?? .max) <= limit })
      let again = try world.succeed("plan", "--suggest", "--limit", "\(limit)", "--json").json()
      #expect(answer as NSDictionary == again as NSDictionary)
      #expect(try Self.plan(world) == plan)
      // What is printed stands in the plan's place.
      let fragment = try world.succeed("plan", "--suggest", "--limit", "\(limit)", "--quiet").output
      let head = try #require(plan.range(of: "\"providers\": ["))
      var changed = plan[..<head.lowerBound] + fragment + "}"
      if !plan.contains("\"overlaps\"") { changed = "{ \"overlaps\": \"\(overlaps)\", " + changed.dropFirst() }
      try world.folder.write(String(changed), to: "plan.json")
      let report = try world.succeed("apply", "--json").json()
      let providers = try #require(report["providers"] as? [[String: Any]])
      #expect(providers.map { $0["id"] as? String } == placed.map { $0["id"] as? String })
      try world.succeed("verify")
    }
  }

  @Test("providers with data of their own stay as they are, and their ids are not used again")
  func ownData() throws {
    let plan = """
      {"schema": 1, "name": "test", "country": "RU",
       "sources": [{"id": "companies", "file": "companies.tsv", "number": "phone", "label": "name", "area": "city"}],
       "providers": [{ "id": "part-1", "library": "libCRM.so", "options": {"file": "a b"} }, {"id": "all", "rest": true},
                     {"id": "Rest", "library": "libCRM.so"}]}
      """
    let world = try World(plan: plan, ["companies.tsv": World.companies])
    let run = try world.succeed("plan", "--suggest", "--limit", "2")
    #expect(run.output.contains("{ \"id\": \"part-1\", \"library\": \"libCRM.so\", \"options\": {\"file\": \"a b\"} }"))
    let answer = try world.succeed("plan", "--suggest", "--limit", "2", "--json").json()
    let ids = try #require(answer["providers"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    #expect(ids == ["part-1", "share-1", "share-rest", "Rest"], "\(run)")
    #expect(run.output.contains("4 entries of 3 areas, 0 without area: 2 providers of 2 at most, the fewest"), "\(run)")
  }

  @Test("an area larger than the limit gets copies, and what they cannot hold spills into the room of others")
  func largeArea() throws {
    let rows = (0..<5).map { "+7495123450\($0)\tlabel\tMoscow\n" } + (0..<2).map { "+7812123450\($0)\tlabel\tOmsk\n" }
    let plan = """
      {"schema": 1, "name": "test", "country": "RU",
       "sources": [{"id": "companies", "file": "companies.tsv", "number": "phone", "label": "name", "area": "city"}],
       "providers": [{"id": "all", "rest": true}]}
      """
    let world = try World(plan: plan, ["companies.tsv": "phone\tname\tcity\n" + rows.joined()])
    let answer = try world.succeed("plan", "--suggest", "--limit", "4", "--json").json()
    let providers = try #require(answer["providers"] as? [[String: Any]])
    #expect(providers.map { $0["spillsTo"] as? [String] } == [["rest"], nil])
    let placed = try #require(answer["placed"] as? [[String: Any]])
    #expect(placed.map { $0["entries"] as? Int } == [4, 3])
  }

  @Test("options without effect beside --suggest are refused, and so is a limit that needs more than a plan can hold")
  func refusals() throws {
    let world = try World.small()
    for words in [["--fresh"], ["--base", "shards"], ["--rejects", "r"], ["--conflicts", "c"]] {
      let run = try ToolRun(["plan", "--suggest"] + words, in: world.folder.path)
      run.expect(64, "--suggest")
    }
    try world.run("plan", "--limit", "5").expect(64, "--suggest")
    let rows = (0..<300).map { "+7495123\(4000 + $0)\tlabel\tarea \($0)\n" }
    try world.folder.write("phone\tname\tcity\n" + rows.joined(), to: "companies.tsv")
    try world.run("plan", "--suggest", "--limit", "1").expect(65, "--limit")
  }
}
