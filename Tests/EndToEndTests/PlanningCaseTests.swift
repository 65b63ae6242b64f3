import Foundation
import TestSupport
import Testing

/// Troubles that others had with order, exceptions and contacts, from plan to phone.
@Suite struct PlanningCaseTests {
  @Test("B-078: equal places in the settings order are an error, whichever command states them")
  func equalPlaces() throws {
    let world = try World.small()
    try world.succeed("apply")
    let state = try world.state()
    try world.run("order", "russia", "russia").expect(64, "twice")
    try world.run("lookup", "+78121234567", "--order", "russia,russia").expect(64, "twice")
    #expect(try world.state() == state)
  }

  @Test(
    "B-080: the plan's allow rows take the plan's blocks away, and a block of one's own holds all the same, in every order"
  )
  func personalBlock() throws {
    let world = try World.withFaulty(#"{"behaviour": "script", "script": "b74951234567"}"#)
    try world.folder.write(
      String(contentsOfFile: world.folder.path("plan.json"), encoding: .utf8).replacingOccurrences(
        of: #""sources": ["#, with: #""sources": [{"id": "ours", "file": "ours.txt", "action": "allow"},"#),
      to: "plan.json")
    try world.folder.write("8 495 123-45-67\n", to: "ours.txt")
    try world.succeed("apply")
    let ids = ["moscow", "russia", "abroad", "faulty"]
    for first in ids {
      let upper = first == "russia" ? "russia" : "moscow"
      #expect(try world.words("+74951234567", "--order", first) == "blocked by faulty, Alpha from \(upper)")
    }
    #expect(try world.words("+74951234567", "--without", "faulty") == "identified, Alpha from moscow")
    let text = try world.succeed("lookup", "+74951234567").output
    #expect(text.contains("BLOCKED by faulty") && text.contains("any provider's block wins"), "\(text)")
  }

  @Test("B-082, B-083: a contact inside a blocked range rings, and the trace names the rule")
  func contactInRange() throws {
    let plan = """
      {"schema": 1, "name": "test", "country": "US", "phone": {"contacts": "contacts.tsv"},
       "sources": [{"id": "ranges", "file": "ranges.txt", "format": "patterns", "action": "block"}],
       "providers": [{"id": "spam", "rest": true}]}
      """
    let world = try World(plan: plan, ["ranges.txt": "+120255501##\n", "contacts.tsv": "+12025550123\tMum\n"])
    let report = try world.succeed("apply", "--json").json()
    let providers = try #require(report["providers"] as? [[String: Any]])
    #expect(providers.map { $0["blocking"] as? Int } == [100])
    #expect(try world.words("+12025550123") == "contact, Mum")
    #expect(try world.words("+12025550124") == "blocked by spam")
    let text = try world.succeed("lookup", "+12025550123").output
    #expect(text.contains("contacts are exempt from blocks"), "\(text)")
  }
}
