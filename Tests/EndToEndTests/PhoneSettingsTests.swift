import Foundation
import TestSupport
import Testing

/// Order, switches, libraries dropped in, contacts and callers, with the real tool.
@Suite struct PhoneSettingsTests {
  @Test("SEMANTICS case 9, R-WIN-1, R-WIN-2: the upper label is shown, and a block of the lower holds in both orders")
  func swap() throws {
    let world = try World.withFaulty(#"{"behaviour": "script", "script": "i78121234567 i390612345678 b390612345678"}"#)
    try world.succeed("apply")
    #expect(try world.words("+78121234567") == "identified, Gamma from russia")
    #expect(try world.words("+390612345678") == "blocked by faulty, Roma from abroad")
    try world.succeed("order", "faulty")
    #expect(try world.words("+78121234567") == "identified, label from faulty")
    #expect(try world.words("+390612345678") == "blocked by faulty, label from faulty")
    #expect(try world.words("+78121234567", "--order", "russia") == "identified, Gamma from russia")
    #expect(try world.words("+78121234567", "--without", "faulty") == "identified, Gamma from russia")
    #expect(try world.words("+390612345678", "--without", "faulty") == "identified, Roma from abroad")
    try world.succeed("order", "--reset")
    #expect(try world.words("+78121234567") == "identified, Gamma from russia")
  }

  @Test("SEMANTICS case 12, R-MAT-2: on a Turkish line 0212 000 00 01 is 902120000001")
  func turkishLine() throws {
    let world = try World.withFaulty(#"{"behaviour": "script", "script": "i902120000001"}"#)
    try world.succeed("apply")
    let answer = try world.succeed("lookup", "0212 000 00 01", "--country", "TR", "--json").json()
    #expect(answer["decision"] as? String == "identified")
    #expect(answer["labelFrom"] as? String == "faulty")
    #expect(answer["number"] as? String == "+902120000001")
    #expect(try world.words("0212 000 00 01\tTR") == "identified, label from faulty")
    #expect(try world.words("0212 000 00 01") == "unknown")
  }

  @Test("R-WIN-4: a library dropped in is off and last; enabled, it blocks in every order")
  func droppedIn() throws {
    let world = try World.small()
    try world.succeed("apply")
    try world.link("\(ToolRun.products)/libSpamList.so", as: "Plugins/libSpamList.so")
    let listed = try #require(world.succeed("provider", "list", "--json").json()["providers"] as? [[String: Any]])
    #expect(listed.map { $0["id"] as? String } == ["moscow", "russia", "abroad", "SpamList"])
    #expect(listed.last?["state"] as? String == "off-empty")
    #expect(try world.words("+390612345678") == "identified, Roma from abroad")
    let container = try #require(listed.last?["container"] as? String)
    // It has no data yet and says so; it is still off.
    try world.run("enable", "SpamList").expect(69, "blocklist.txt")
    #expect(try world.status("SpamList")["state"] as? String == "off-empty")
    try world.folder.write("390612345678\n78121234567\n", to: "\(container)/blocklist.txt")
    try world.succeed("enable", "SpamList")
    #expect(try world.status("SpamList")["position"] as? Int == 4)
    for order in ["SpamList", "abroad", "russia,SpamList", "abroad,russia,moscow"] {
      #expect(try world.words("+390612345678", "--order", order) == "blocked by SpamList, Roma from abroad")
    }
    // It is no part of the plan: an apply leaves it alone.
    try world.succeed("apply")
    #expect(try world.words("+78121234567") == "blocked by SpamList, Gamma from russia")
    try world.succeed("disable", "SpamList")
    #expect(try world.words("+78121234567") == "identified, Gamma from russia")
  }

  @Test(
    "R-WIN-3: contacts are exempt from blocks in profile ios18, not in ios10, and their name is shown",
    arguments: [
      ("ios18", "", "contact, Mum"), ("ios10", "", "blocked by russia, Mum"),
      ("ios18", #", "contactsOverrideBlocks": false"#, "blocked by russia, Mum"),
      ("ios10", #", "contactsOverrideBlocks": true"#, "contact, Mum"),
    ])
  func contacts(profile: String, more: String, expected: String) throws {
    let phone = #""phone": {"profile": "\#(profile)", "contacts": "contacts.tsv"\#(more)},"#
    let world = try World.small(more: phone)
    try world.folder.write("8 495 123-45-67\tMum\n", to: "contacts.tsv")
    try world.succeed("apply")
    #expect(try world.words("+74951234567") == expected)
    #expect(try world.words("+78121234567") == "identified, Gamma from russia")
    try world.folder.write("", to: "contacts.tsv")
    try world.succeed("apply")
    #expect(try world.words("+74951234567") == "blocked by russia, Alpha from moscow")
  }

  @Test("a library named by a path is meant from the plan's folder, wherever the tool is run")
  func libraryByPath() throws {
    let entry = #", {"id": "own", "library": "libraries/libMine.so", "options": {"behaviour": "good", "count": 3}}"#
    let world = try World.small(providers: entry)
    try world.link(FaultyProvider.library(), as: "libraries/libMine.so")
    try world.succeed("apply")
    #expect(try world.words("2") == "identified, Организация № 00000002 from own")
    let absolute = world.folder.path("plan.json")
    for (folder, plan) in [
      ("/", absolute), (world.folder.path("libraries"), "../plan.json"), (world.folder.path("libraries"), absolute),
    ] {
      for command in [["apply"], ["status"]] {
        let run = try ToolRun(command + ["--plan", plan], in: folder)
        run.expect(0)
        #expect(!run.output.contains("unavailable"), "\(run)")
      }
    }
    #expect(try world.words("2") == "identified, Организация № 00000002 from own")
  }

  @Test("plan and store can be moved together to another folder")
  func moved() throws {
    let world = try World.small()
    try world.succeed("apply")
    let elsewhere = try TemporaryFolder()
    let target = elsewhere.path("новый дом")
    try FileManager.default.copyItem(atPath: world.folder.path, toPath: target)
    try FileManager.default.removeItem(atPath: world.folder.path("shards"))
    let run = try ToolRun(["lookup", "+78121234567"], in: target)
    run.expect(0)
    #expect(run.output.contains("Gamma"))
    try ToolRun(["apply"], in: target).expect(0)
    try ToolRun(["verify"], in: target).expect(0)
  }
}
