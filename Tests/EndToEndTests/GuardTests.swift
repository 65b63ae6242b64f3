import Foundation
import TestSupport
import Testing

/// Guards against sources that changed too much, and runs that nobody watches.
@Suite struct GuardTests {
  /// The small world with a guard on the companies, applied.
  private static func applied() throws -> World {
    let world = try World.small()
    let plan = try String(contentsOfFile: world.folder.path("plan.json"), encoding: .utf8)
    try world.folder.write(
      plan.replacingOccurrences(
        of: #""area": "city"}"#, with: #""area": "city", "guard": {"shrink": 0.3, "growth": 0.3, "rejected": 0.2}}"#),
      to: "plan.json")
    try world.succeed("apply")
    return world
  }

  private static let fewer = "phone\tname\tcity\n+7 495 123-45-67\tAlpha\tMoscow\n+390612345678\tRoma\tRome\n"

  @Test(
    "B-056: beyond a guard apply and build stop with 65 and change nothing; --accept-change goes on",
    arguments: ["apply", "build"])
  func stops(command: String) throws {
    let world = try Self.applied()
    try world.folder.write(Self.fewer, to: "companies.tsv")
    let before = try world.state()
    let run = try world.run(command)
    run.expect(
      65, #"plan.json:3:"#, #"source "companies": 2 used, 4 in release 1: 50 % fewer, and its guard allows 30 %"#,
      "hint: look at the sources; --accept-change accepts what they are now")
    #expect(run.output == "")
    #expect(try world.state() == before)
    let accepted = try world.succeed(command, "--accept-change")
    #expect(accepted.errors.contains("accepted: plan.json:3:"))
    #expect(accepted.output.contains("release 2"))
    #expect(try world.succeed(command).errors == "")
  }

  @Test(
    "An accepted share of refused rows is said to stop the next run too; a run's JSON error names the guard's place")
  func rejectedAgain() throws {
    let world = try Self.applied()
    try world.folder.write(World.companies + "abc\tX\tY\ndef\tX\tY\n", to: "companies.tsv")
    try world.run("apply").expect(65, "refused", "the next run stops again unless \"rejected\" is raised")
    let error = try world.run("apply", "--json").errors
    #expect(error.contains(#""where":"plan.json:3:"#) && error.contains(#""message":"source "#), "\(error)")
    #expect(try world.succeed("apply", "--accept-change").errors.contains("stops again unless \"rejected\" is raised"))
    try world.run("apply").expect(65, "refused")
  }

  @Test("plan shows the same as a warning, says what apply would do, and succeeds")
  func warns() throws {
    let world = try Self.applied()
    try world.folder.write(Self.fewer + "abc\tX\tY\n", to: "companies.tsv")
    let run = try world.succeed("plan")
    #expect(run.errors.contains(#"source "companies": 2 used, 4 in release 1: 50 % fewer, and its guard allows 30 %"#))
    #expect(run.errors.contains(#"source "companies": 1 of 3 refused: 33.33 %, and its guard allows 20 %"#))
    #expect(run.errors.contains("apply and build would stop here with exit code 65"))
    let guards = try #require(world.succeed("plan", "--json").json()["guards"] as? [[String: Any]])
    #expect(guards.map { $0["limit"] as? String } == ["shrink", "rejected"])
  }

  @Test("B-056: every run against a base shows old and new counts, in all and by source")
  func changes() throws {
    let world = try World.small()
    #expect(try !world.succeed("apply").output.contains("before"))
    try world.folder.write(World.companies + "+79161112231\tOne\tMoscow\nabc\tX\tY\n", to: "companies.tsv")
    for command in ["plan", "build"] {
      let lines = try world.succeed(command).output.split(separator: "\n")
      #expect(
        lines.contains { $0.hasPrefix("against release 1: 9 entries, before 7 (+28.6 %); 0 moved") }, "\(lines)")
      let table = lines.map { $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init) }
      #expect(table.contains(["source", "used", "before", "change", "refused", "before"]), "\(lines)")
      #expect(table.contains(["companies", "5", "4", "+25.0", "%", "1", "0"]), "\(lines)")
      #expect(table.contains(["spam", "1", "1", "=", "0", "0"]), "\(lines)")
    }
  }

  @Test("--quiet leaves one line of a run that went well and nothing on standard error")
  func quiet() throws {
    let world = try World.small()
    func line(_ arguments: String...) throws -> String {
      let run = try ToolRun(arguments + ["--quiet"], in: world.folder.path)
      run.expect(0)
      #expect(run.errors == "", "\(run)")
      return run.output
    }
    try world.folder.write(World.companies + "abc\tX\tY\n", to: "companies.tsv")
    #expect(try line("plan") == "plan test: 7 entries, 1 refused\n")
    #expect(try line("apply") == "release 1 is in force: 7 entries, 1 refused, 3 providers loaded\n")
    #expect(
      try line("apply")
        == "release 1 is in force, unchanged: 7 entries (= against release 1), 1 refused, 0 moved, 0 providers changed, "
        + "0 providers loaded\n")
    try world.folder.write(Self.fewer, to: "companies.tsv")
    #expect(
      try line("plan")
        == "plan test: 4 entries (-42.9 % against release 1), 0 refused, 0 moved, 2 providers changed\n")
    #expect(
      try line("build")
        == "release 2 published: 4 entries (-42.9 % against release 1), 0 refused, 0 moved, 2 providers changed\n")
    #expect(
      try line("build")
        == "release 2 is current and has the same content: 4 entries (= against release 2), 0 refused, 0 moved, "
        + "0 providers changed\n")
  }

  @Test("--quiet shows errors, and no report beside them")
  func quietFailure() throws {
    let world = try Self.applied()
    try world.folder.write(Self.fewer, to: "companies.tsv")
    let stopped = try world.run("apply", "--quiet")
    stopped.expect(65, "50 % fewer")
    #expect(stopped.output == "")
    #expect(try world.succeed("plan", "--quiet").output.hasSuffix(", 1 guard exceeded\n"))
    let refused = try World.withFaulty(#"{"behaviour": "fails", "count": 3}"#).run("apply", "--quiet")
    refused.expect(69, "faulty")
    #expect(refused.output == "")
  }
}
