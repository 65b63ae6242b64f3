import Foundation
import TestSupport
import Testing

/// Providers with copies, from the plan to the phone.
@Suite struct CopiesTests {
  private static func world(_ count: String, limit: Int = 4) throws -> World {
    let plan = """
      {"schema": 1, "name": "copies", "country": "RU",
       "sources": [{"id": "rows", "file": "rows.tsv", "number": "phone", "label": "name"}],
       "providers": [{"id": "g", "title": "Group", "rest": true, "count": \(count), "limit": \(limit)}]}
      """
    let world = try World(plan: plan)
    try write(world, 0..<6)
    return world
  }

  private static func write(_ world: World, _ numbers: some Sequence<Int>) throws {
    let lines = numbers.map { "+7495100000\($0)\tlabel \($0)\n" }
    try world.folder.write("phone\tname\n" + lines.joined(), to: "rows.tsv")
  }

  @Test("copies are loaded, looked up, ordered and switched as providers")
  func onThePhone() throws {
    for count in ["2", "\"auto\""] {
      let world = try Self.world(count)
      let text = try world.succeed("apply").output
      #expect(text.contains("\"count\": 2 would pin that") == (count != "2"), "\(text)")
      #expect(try world.words("+74951000001") == "identified, label 1 from g-1")
      #expect(try world.words("+74951000005") == "identified, label 5 from g-2")
      try world.succeed("disable", "g-2")
      #expect(try world.words("+74951000005") == "unknown")
      try world.succeed("enable", "g-2")
      #expect(try world.words("+74951000005") == "identified, label 5 from g-2")
      try world.succeed("order", "g-2", "g-1")
      try world.succeed("reload", "g-1")
      #expect(try world.status("g-2")["title"] as? String == "Group 2")
      let list = try world.succeed("provider", "list").output
      #expect(list.contains("g-1") && list.contains("g-2") && !list.contains("g-3"), "\(list)")
      try world.succeed("verify")
      let explained = try world.succeed("explain", "+74951000005").output
      #expect(explained.contains("in g-2"), "\(explained)")
    }
  }

  @Test("the id of a provider with copies stands for them, in settings commands, in look-ups and in hints")
  func groupIDs() throws {
    let world = try Self.world("2")
    try world.run("enable", "g").expect(66)
    try world.succeed("apply")
    #expect(try world.words("+74951000005", "--without", "g") == "unknown")
    try world.succeed("order", "g-2", "g-1")
    #expect(try world.succeed("order", "g").output == "1  g-1\n2  g-2\n")
    try world.succeed("disable", "g")
    #expect(try world.words("+74951000001") == "unknown" && world.words("+74951000005") == "unknown")
    try world.succeed("enable", "g").expect(0, "g-1: on, with the data it has", "g-2: on, with the data it has")
    #expect(try world.words("+74951000005", "--order", "g") == "identified, label 5 from g-2")
    let reloaded = try world.succeed("reload", "g").output
    #expect(reloaded.contains("g-1: accepted") && reloaded.contains("g-2: accepted"), "\(reloaded)")
    try Self.write(world, 1..<5)
    try world.succeed("apply")
    try world.succeed("restore", "g").expect(0, "g-1: 3 entries are back", "g-2: 3 entries are back")
    try world.run("disable", "nope").expect(64, "\"nope\"", "providers: g-1, g-2; g for all its copies")
    try world.run("plan", "--without", "nope").expect(64, "nope", "providers: g-1, g-2; g for all its copies")
    try world.run("order", "g", "g-1").expect(64, "twice")
    let number = "+74951000005"
    try world.run("lookup", number, "--without", "nope").expect(
      64, "--without: names a provider that is not there: nope", "g-1, g-2; g for all its copies")
    try world.run("lookup", number, "--order", "nope").expect(64, "--order: names a provider that is not there: nope")
    try world.run("lookup", number, "--order", "g,g-1").expect(64, "--order: names a provider twice: g-1")
    try world.succeed("forget", "g")
    #expect(try world.words(number) == "unknown")
  }

  @Test("an auto group grows by a copy that apply loads, with nothing moved, and rolls back to fewer")
  func grows() throws {
    let world = try Self.world("\"auto\"")
    try world.succeed("apply")
    try Self.write(world, 0..<9)
    let report = try world.succeed("apply", "--json").json()
    #expect(report["moved"] as? Int == 0)
    #expect(try world.words("+74951000008").hasPrefix("identified, label 8 from g-"))
    #expect(try world.manifest()["groups"] as? [[String: Any]] != nil)
    #expect(try world.shards().keys.sorted() == ["g-1", "g-2", "g-3"])
    #expect(try world.status("g-3")["counts"] != nil || world.status("g-3")["id"] as? String == "g-3")
    try world.succeed("rollback")
    #expect(try world.words("+74951000008") == "unknown")
    #expect(try world.words("+74951000005") == "identified, label 5 from g-2")
  }

  @Test("a warning on standard error tells of a provider that is nearly full")
  func warnAt() throws {
    let world = try Self.world("2", limit: 3)
    let quiet = try world.succeed("plan", "--quiet")
    #expect(quiet.errors == "" && quiet.output.hasSuffix(", 2 providers nearly full\n"), "\(quiet)")
    let run = try world.run("plan")
    run.expect(0, "warning: g-1 is nearly full: 3 of 3 entries (100.0 %, warnAt 90.0 %)", "warning: g-2 is nearly full")
    let roomy = try Self.world("2", limit: 4).succeed("plan")
    #expect(roomy.errors == "" && !roomy.output.contains("nearly full"), "\(roomy)")
  }

  @Test("base and fresh contradict each other, and a base needs a release")
  func baseOptions() throws {
    let world = try Self.world("2")
    try world.run("plan", "--fresh", "--base", "shards").expect(64, "contradicts")
    try world.run("plan", "--base", "nowhere").expect(66, "there is no release")
    try world.succeed("build")
    try world.succeed("plan", "--base", "shards")
    try world.succeed("build", "--fresh")
  }
}
