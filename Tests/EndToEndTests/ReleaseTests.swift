import Foundation
import TestSupport
import Testing

/// Releases from one to the next: build, apply, rollback, limits.
@Suite struct ReleaseTests {
  private static let more = World.companies + "+79161112233\tNew\tMoscow\n"

  @Test("build publishes without the phone, and apply then loads what was built")
  func buildThenApply() throws {
    let world = try World.small()
    try world.succeed("build")
    try world.run("lookup", "+78121234567").expect(66, "there is no store yet")
    try world.succeed("verify")
    let built = try world.state()
    try world.succeed("apply")
    #expect(try world.manifest()["release"] as? Int == 1)
    for (file, bytes) in built { #expect(try world.state()[file] == bytes, "\(file)") }
    #expect(try world.words("+78121234567") == "identified, Gamma from russia")
    try world.folder.write(Self.more, to: "companies.tsv")
    try world.succeed("build")
    #expect(try world.manifest()["release"] as? Int == 2)
    #expect(try world.words("+79161112233") == "unknown")
    #expect(try world.status("moscow")["current"] as? Bool == false)
    try world.succeed("apply")
    #expect(try world.words("+79161112233") == "identified, New from moscow")
    #expect(try world.status("moscow")["current"] as? Bool == true)
  }

  @Test("the same rows and plan give the same bytes, in another folder too")
  func sameBytes() throws {
    let first = try World.small()
    let second = try World.small()
    try first.succeed("build")
    try second.succeed("build")
    #expect(try first.state() == second.state())
  }

  @Test("an apply without a change loads nobody and changes nothing")
  func noChange() throws {
    let world = try World.small()
    try world.succeed("apply")
    let before = try world.state()
    let loads = try world.succeed("apply", "--json").json()["loads"] as? [AnyHashable]
    #expect(loads == [])
    #expect(try world.state() == before)
  }

  @Test("apply loads only the providers whose shard changed")
  func onlyChanged() throws {
    let world = try World.small()
    try world.succeed("apply")
    try world.folder.write(World.companies + "+390655555555\tMilano\tRome\n", to: "companies.tsv")
    let loads = try #require(world.succeed("apply", "--json").json()["loads"] as? [[String: Any]])
    #expect(loads.map { $0["id"] as? String } == ["abroad"])
  }

  @Test("rollback publishes an earlier content under a new number and loads it")
  func rollback() throws {
    let world = try World.small()
    try world.succeed("apply")
    let first = try world.shards()
    try world.folder.write(Self.more, to: "companies.tsv")
    try world.succeed("apply")
    #expect(try world.words("+79161112233") == "identified, New from moscow")
    let text = try world.succeed("rollback").output
    #expect(text.hasSuffix("release 3 is in force, with the content of release 1\n"), "\(text)")
    try world.run("rollback").expect(
      66, "there is no earlier release to go back to: release 3 has the content of release 1",
      "releases kept here: 1, 2, 3 (with the content of 1)")
    #expect(
      try world.succeed("rollback", "1").output == "release 3 is in force and has the content of release 1 already\n")
    #expect(try world.manifest()["release"] as? Int == 3)
    #expect(try world.shards() == first)
    #expect(try world.words("+79161112233") == "unknown")
    try world.succeed("rollback", "2")
    #expect(try world.words("+79161112233") == "identified, New from moscow")
    try world.run("rollback", "99").expect(66, "there is no release 99", "releases kept here: ")
    try world.succeed("verify")
  }

  @Test("a rollback to a damaged release is refused and changes nothing")
  func damagedRollback() throws {
    let world = try World.small()
    try world.succeed("apply")
    let first = try #require(world.shards()["moscow"])
    try world.folder.write(Self.more, to: "companies.tsv")
    try world.succeed("apply")
    try world.folder.write("not a shard", to: first)
    let before = try world.state()
    try world.run("rollback").expect(65, first)
    #expect(try world.state() == before)
  }

  @Test("keepReleases bounds what stays on the disk")
  func keptReleases() throws {
    let world = try World.small(more: #""keepReleases": 2,"#)
    for release in 1...5 {
      try world.folder.write(World.companies + "+7916111223\(release)\tNew\tMoscow\n", to: "companies.tsv")
      try world.succeed("apply")
    }
    let state = try world.state()
    #expect(
      state.keys.filter { $0.hasPrefix("shards/releases/") }.sorted() == [
        "shards/releases/4.json", "shards/releases/5.json",
      ])
    #expect(state.keys.filter { $0.hasPrefix("shards/moscow-") }.count == 2)
    #expect(state.keys.filter { $0.hasPrefix("shards/abroad-") }.count == 1)
  }

  @Test("R-CAP-1: a group over its limit with nowhere to spill fails with 65, says by how many, and changes nothing")
  func overLimit() throws {
    let limited = World.plan().replacingOccurrences(
      of: #"{"id": "moscow", "#, with: #"{"id": "moscow", "limit": 3, "#
    ).replacingOccurrences(of: #""overlaps": "keep","#, with: "")
      .replacingOccurrences(of: #""countries": ["RU"]"#, with: #""prefixes": ["+7812"]"#)
    let world = try World(plan: limited, ["companies.tsv": World.companies, "spam.txt": "+78121234567\n"])
    try world.succeed("apply")
    let before = try world.state()
    // Two are there; two more make one too many.
    try world.folder.write(
      World.companies + "+79161112233\tNew\tMoscow\n+79161112234\tNewer\tMoscow\n", to: "companies.tsv")
    for command in ["plan", "build", "apply"] {
      let run = try world.run(command)
      run.expect(65, "moscow", "1", "3", "4")
      #expect(run.errors.contains("hint"), "\(run)")
      #expect(try world.state() == before)
    }
    #expect(try world.words("+79161112233") == "unknown")
    try world.folder.write(
      limited.replacingOccurrences(of: #""limit": 3"#, with: #""limit": 3, "spillsTo": ["abroad"]"#), to: "plan.json")
    try world.succeed("apply")
    let shown = try world.lookup(["+79161112233", "+79161112234"]).map(\.label)
    #expect(shown == ["New", "Newer"])
  }

  @Test("a provider that leaves the plan goes with its data, and a store without it goes on")
  func removedProvider() throws {
    let world = try World.withFaulty(#"{"behaviour": "good", "count": 5}"#)
    try world.succeed("apply")
    #expect(try world.words("3") == "identified, Организация № 00000003 from faulty")
    try world.folder.write(World.plan(), to: "plan.json")
    let run = try world.succeed("apply")
    #expect(run.output.contains("faulty: no longer in the plan"))
    #expect(try world.words("3") == "unknown")
    try world.run("lookup", "3", "--without", "faulty").expect(64, "moscow, russia, abroad")
  }
}
