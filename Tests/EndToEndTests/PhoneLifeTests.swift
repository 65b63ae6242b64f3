import Foundation
import TestSupport
import Testing

/// The life of a load, with the real tool and real children: R-LIFE-1 … R-LIFE-6 and their cases of SEMANTICS.
@Suite struct PhoneLifeTests {
  private static let good = #"{"behaviour": "good", "count": 5}"#

  @Test(
    "R-LIFE-2: a refused reload leaves the provider on and empty, the others as they were, and restore brings it back")
  func refusedReload() throws {
    let world = try World.withFaulty(Self.good)
    try world.succeed("apply")
    #expect(try world.words("3") == "identified, Организация № 00000003 from faulty")
    try world.setFaulty(#"{"behaviour": "script", "script": "i5 i9 i7"}"#)
    try world.run("reload", "faulty").expect(69, "faulty", "3 entriesOutOfOrder", "7", "9")
    #expect(try world.words("3") == "unknown")
    let status = try world.status("faulty")
    #expect(status["state"] as? String == "on")
    #expect(status["identification"] as? Int == 0)
    #expect(status["canRestore"] as? Bool == true)
    #expect((status["lastError"] as? [String: Any])?["code"] as? Int == 3)
    #expect(try world.words("+74951234567") == "blocked by russia, Alpha from moscow")
    try world.succeed("restore", "faulty")
    #expect(try world.words("3") == "identified, Организация № 00000003 from faulty")
    #expect(try world.status("faulty")["identification"] as? Int == 5)
  }

  @Test("R-LIFE-2: an enable whose first load fails leaves the provider off and empty")
  func refusedFirstLoad() throws {
    let world = try World.withFaulty(Self.good)
    try world.succeed("apply")
    try world.link(FaultyProvider.library(), as: "Plugins/libOther.so")
    // Without options the library does nothing that it knows and says so.
    try world.run("enable", "Other").expect(69, "Other")
    let status = try world.status("Other")
    #expect(status["state"] as? String == "off-empty")
    #expect(status["position"] as? Int == 5)
    #expect(try world.words("3") == "identified, Организация № 00000003 from faulty")
  }

  @Test("R-LIFE-2: an apply with one refused provider changes not one byte of release and store")
  func refusedApply() throws {
    let world = try World.withFaulty(Self.good)
    try world.succeed("apply")
    let before = try world.state()
    try world.folder.write(World.companies + "+79161112233\tNew\tMoscow\n", to: "companies.tsv")
    try world.setFaulty(#"{"behaviour": "script", "script": "b5 b9 b9"}"#)
    try world.run("apply").expect(69, "faulty", "4 duplicateEntries", "nothing changed: release 1 is still in force")
    #expect(try world.state() == before)
    #expect(try world.words("+79161112233") == "unknown")
    // Twice, since the first may have left something for the second to stumble over.
    try world.run("apply").expect(69, "faulty", "4 duplicateEntries")
    #expect(try world.state() == before)
    try world.setFaulty(Self.good)
    try world.succeed("apply")
    #expect(try world.words("+79161112233") == "identified, New from moscow")
    #expect(try world.manifest()["release"] as? Int == 2)
    try world.succeed("verify")
  }

  @Test("a first apply that is refused leaves no release and no store")
  func refusedFirstApply() throws {
    let world = try World.withFaulty(#"{"behaviour": "fails", "count": 3}"#)
    try world.run("apply").expect(69, "nothing changed: no release is in force yet")
    #expect(try world.state() == [:])
    try world.run("lookup", "+74951234567").expect(66, "there is no store yet", "apply")
  }

  @Test("--keep-going switches the accepted providers and leaves the refused one what it had")
  func keepGoing() throws {
    let world = try World.withFaulty(Self.good)
    try world.succeed("apply")
    try world.folder.write(World.companies + "+79161112233\tNew\tMoscow\n", to: "companies.tsv")
    try world.setFaulty(#"{"behaviour": "null write", "count": 2}"#)
    try world.run("apply", "--keep-going").expect(69, "faulty", "2 loadingInterrupted")
    #expect(try world.words("+79161112233") == "identified, New from moscow")
    #expect(try world.words("3") == "identified, Организация № 00000003 from faulty")
    #expect((try world.status("faulty")["lastError"] as? [String: Any])?["code"] as? Int == 2)
    // The library took its process down: it is not run again until it changes or is forgiven.
    try world.setFaulty(Self.good)
    try world.run("apply").expect(69, "not run again", "provider forgive faulty")
    try world.succeed("provider", "forgive", "faulty")
    try world.succeed("apply")
    #expect(try world.status("faulty")["lastError"] == nil)
  }

  @Test("R-LIFE-3, SEMANTICS case 10: off hides the data, and on again does not launch the provider")
  func offAndOn() throws {
    let world = try World.withFaulty(Self.good)
    try world.succeed("apply")
    try world.succeed("disable", "faulty")
    #expect(try world.words("3") == "unknown")
    #expect(try world.status("faulty")["state"] as? String == "off-with-data")
    // It would crash if it were launched.
    try world.setFaulty(#"{"behaviour": "null write"}"#)
    let run = try world.succeed("enable", "faulty", "--json")
    #expect(try run.json()["loads"] as? [AnyHashable] == [])
    #expect(run.errors.contains("not launched"))
    #expect(try world.words("3") == "identified, Организация № 00000003 from faulty")
  }

  @Test("R-LIFE-3, SEMANTICS case 10: in profile ios10 switching on runs a full load")
  func strictProfile() throws {
    let strict = #""phone": {"profile": "ios10"},"#
    let world = try World.withFaulty(Self.good, more: strict)
    try world.succeed("apply")
    try world.succeed("disable", "faulty")
    try world.setFaulty(#"{"behaviour": "good", "count": 2}"#, more: strict)
    let loads = try #require(world.succeed("enable", "faulty", "--json").json()["loads"] as? [[String: Any]])
    #expect(loads.map { $0["outcome"] as? String } == ["accepted"])
    #expect(try world.words("3") == "unknown")
    #expect(try world.words("2") == "identified, Организация № 00000002 from faulty")
    try world.succeed("disable", "faulty")
    try world.setFaulty(#"{"behaviour": "script", "script": "i2 i2"}"#, more: strict)
    try world.run("enable", "faulty").expect(69, "4 duplicateEntries")
    #expect(try world.status("faulty")["state"] as? String == "off-empty")
  }

  @Test("R-LIFE-4: reload of a provider that is off is 6, of one that is unknown 1, and neither changes anything")
  func reloadErrors() throws {
    let world = try World.withFaulty(Self.good)
    try world.succeed("apply")
    try world.succeed("disable", "faulty")
    let before = try world.state()
    try world.run("reload", "faulty").expect(69, "faulty is off", "error 6 extensionDisabled", "enable faulty")
    try world.run("reload", "nobody").expect(
      64, "\"nobody\"", "error 1 noExtensionFound", "moscow, russia, abroad, faulty")
    try world.run("reload", "moscow", "faulty").expect(69, "error 6 extensionDisabled")
    #expect(try world.state() == before)
  }

  @Test("R-LIFE-4, R-LIFE-1: while a provider loads, a reload of it is 7, other writers get 75, and look-ups go on")
  func whileLoading() throws {
    let world = try World.withFaulty(Self.good)
    try world.succeed("apply")
    try world.setFaulty(#"{"behaviour": "sleep"}"#)
    let running = try ToolProcess(["reload", "faulty"], in: world.folder.path)
    defer { running.kill() }
    try waitUntil { (try world.status("faulty")["state"] as? String) == "loading" }
    try world.run("reload", "faulty").expect(75, "shardctl reload", "\(running.pid)", "error 7 currentlyLoading")
    let other = try world.run("reload", "moscow")
    other.expect(75, "shardctl reload", "\(running.pid)", "wait until it has finished")
    #expect(other.errors.contains("for faulty a phone reports error 7 currentlyLoading"))
    for command in ["apply", "build", "disable moscow", "order abroad", "rollback", "restore faulty"] {
      let run = try ToolRun(command.split(separator: " ").map(String.init), in: world.folder.path)
      run.expect(75, "\(running.pid)")
    }
    let lookup = try world.run("lookup", "3")
    lookup.expect(0, "a run is going on", "\(running.pid)")
    #expect(lookup.output.contains("Организация № 00000003"))
    running.kill()
    #expect(try running.wait().signal == SIGKILL)
    // The lock went with its holder, and so did the provider's process; the old state is in force.
    #expect(try world.words("3") == "identified, Организация № 00000003 from faulty")
    try world.setFaulty(Self.good)
    try world.succeed("reload", "faulty")
  }

  @Test("SEMANTICS case 6: a reload that adds nothing succeeds and leaves the provider empty")
  func emptyReload() throws {
    let world = try World.withFaulty(Self.good)
    try world.succeed("apply")
    try world.setFaulty(#"{"behaviour": "good", "count": 0}"#)
    try world.succeed("reload", "faulty")
    let status = try world.status("faulty")
    #expect(status["state"] as? String == "on")
    #expect(status["identification"] as? Int == 0)
    #expect(status["lastError"] == nil)
    #expect(try world.words("3") == "unknown")
    try world.succeed("restore", "faulty")
    #expect(try world.words("3") == "identified, Организация № 00000003 from faulty")
  }

  @Test("SEMANTICS case 13, R-LIFE-6: a provider that cancels with its own error is empty, the error unchanged")
  func ownError() throws {
    let world = try World.withFaulty(Self.good)
    try world.succeed("apply")
    try world.setFaulty(#"{"behaviour": "reports an error and fails", "count": 3}"#)
    let run = try world.run("reload", "--json")
    run.expect(69, "com.example.crm", "1234", "no contract")
    let loads = try #require(run.json()["loads"] as? [[String: Any]])
    let errors = loads.compactMap { $0["error"] as? [String: Any] }
    #expect(errors.map { $0["domain"] as? String } == ["com.example.crm"])
    #expect(errors.map { $0["code"] as? Int } == [1234])
    #expect(try world.words("3") == "unknown")
    #expect(try world.words("+78121234567") == "identified, Gamma from russia")
    let stored = try #require(world.status("faulty")["lastError"] as? [String: Any])
    #expect(stored["domain"] as? String == "com.example.crm")
    #expect(stored["code"] as? Int == 1234)
    // Its own refusal is no reason not to run it again.
    try world.setFaulty(Self.good)
    try world.succeed("reload", "faulty")
    #expect(try world.words("3") == "identified, Организация № 00000003 from faulty")
  }

  @Test("SEMANTICS case 14, R-LIFE-5: a provider killed in the middle is empty, the others intact, and restorable")
  func killed() throws {
    let world = try World.withFaulty(Self.good)
    try world.succeed("apply")
    try world.setFaulty(#"{"behaviour": "kill", "count": 30000}"#)
    try world.run("reload").expect(69, "faulty", "2 loadingInterrupted")
    #expect(try world.words("3") == "unknown")
    #expect(try world.words("+78121234567") == "identified, Gamma from russia")
    #expect(try world.words("+390612345678") == "identified, Roma from abroad")
    try world.succeed("restore", "faulty")
    #expect(try world.words("3") == "identified, Организация № 00000003 from faulty")
    try world.run("reload", "faulty").expect(69, "not run again", "provider forgive faulty")
    try world.succeed("provider", "forgive", "faulty")
    try world.setFaulty(Self.good)
    try world.succeed("reload", "faulty")
  }

  @Test(
    "whatever a provider does, apply survives it, names it and changes nothing",
    arguments: [
      (#"{"behaviour": "null write", "count": 20000}"#, "crashed", 2),
      (#"{"behaviour": "abort"}"#, "crashed", 2),
      (#"{"behaviour": "exit", "count": 3}"#, "exitedWithoutResult", 2),
      (#"{"behaviour": "_exit", "count": 3}"#, "exitedWithoutResult", 2),
      (#"{"behaviour": "sleep", "count": 3}"#, "timedOut", 2),
      (#"{"behaviour": "spin", "count": 3}"#, "timedOut", 2),
      (#"{"behaviour": "leak"}"#, "overMemoryBudget", 2),
      (#"{"behaviour": "script", "script": "b0"}"#, "rejected", 4),
      (#"{"behaviour": "script", "script": "b-1"}"#, "rejected", 3),
      (#"{"behaviour": "script", "script": "i5 b9 i9 b9"}"#, "rejected", 4),
      (#"{"behaviour": "ignores verdicts", "count": 30000}"#, "rejected", 4),
      (#"{"behaviour": "says 4"}"#, "failed", nil),
      (#"{"behaviour": "crash in create"}"#, "crashed", 2),
      (#"{"behaviour": "refuse in create"}"#, "failed", 7),
      (#"{"behaviour": "garbage on 3", "count": 3}"#, "brokeProtocol", 2),
      (#"{"behaviour": "success forged on 3", "count": 3}"#, nil, 2),
    ] as [(String, String?, Int?)])
  func hostile(options: String, outcome: String?, code: Int?) throws {
    let world = try World.withFaulty(Self.good)
    try world.succeed("apply")
    let before = try world.state()
    try world.setFaulty(options)
    let run = try world.run("apply", "--json", "--timeout", "3")
    run.expect(69, "faulty")
    let json = try run.json()
    #expect(json["switched"] as? Bool == false)
    let load = try #require((json["loads"] as? [[String: Any]])?.first { $0["id"] as? String == "faulty" })
    if let outcome { #expect(load["outcome"] as? String == outcome, "\(run)") }
    if let code { #expect((load["error"] as? [String: Any])?["code"] as? Int == code, "\(run)") }
    #expect(try world.state() == before)
    #expect(try world.words("3") == "identified, Организация № 00000003 from faulty")
  }

  @Test(
    "a file that is no provider library is told apart before anything runs",
    arguments: [("text", "#!/bin/sh\n"), ("empty", "")])
  func noLibrary(name: String, content: String) throws {
    let world = try World.withFaulty(Self.good)
    try world.succeed("apply")
    let before = try world.state()
    try world.folder.write(content, to: "Plugins/libFaulty.so")
    try world.run("apply").expect(69, "libFaulty.so")
    #expect(try world.state() == before)
    try FileManager.default.removeItem(atPath: world.folder.path("Plugins/libFaulty.so"))
    try world.run("apply").expect(69, "there is no library libFaulty.so")
    #expect(try world.state() == before)
    let lookup = try world.run("lookup", "3")
    lookup.expect(0, "faulty is unavailable", "libFaulty.so")
    #expect(lookup.output.contains("unavailable"))
    #expect(try world.words("+78121234567") == "identified, Gamma from russia")
  }

  private func waitUntil(_ condition: () throws -> Bool) throws {
    for _ in 0..<600 {
      if try condition() { return }
      usleep(50_000)
    }
    Issue.record("it did not come about within 30 s")
  }
}
