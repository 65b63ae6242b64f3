import Foundation
import TestSupport
import Testing

/// Mistakes of users and operators that must not lose anything without a word.
@Suite struct GuardedMistakeTests {
  @Test(
    "A rollback gives the last other content, and going back again goes on from there; repeats cost no kept content",
    arguments: [
      // Letters build that content, `<` goes back; then the content in force, or nil where there is none to go to.
      ("ABC<", "B"), ("ABC<<", "A"), ("ABC<<<", nil), ("AB<", "A"), ("AB<B<", "A"), ("ABA<", "B"), ("AB<C<", "A"),
      ("ABC<D<", "B"), ("A<", nil),
    ] as [(String, String?)])
  func rollback(steps: String, expected: String?) throws {
    let world = try World.small()
    var last: ToolRun?
    for step in steps {
      if step == "<" {
        last = try world.run("rollback")
      } else {
        try world.folder.write(World.companies + "+79161112231\t\(step)\tMoscow\n", to: "companies.tsv")
        last = try world.succeed("apply")
      }
    }
    if let expected {
      #expect(last?.status == 0)
      #expect(try world.words("+79161112231") == "identified, \(expected) from moscow")
    } else {
      last?.expect(66, "no earlier release")
    }
    try world.succeed("verify")
  }

  @Test("A rollback to the content in force says that it is")
  func rollbackToTheSame() throws {
    let world = try World.small()
    try world.succeed("apply")
    #expect(try world.succeed("rollback", "1").output == "release 1 is in force and has this content already\n")
  }

  @Test("A rollback to a release of other providers is refused: entries of one that is gone would be lost")
  func rollbackOverProviders() throws {
    let world = try World.small()
    try world.succeed("apply")
    let plan = try String(contentsOfFile: world.folder.path("plan.json"), encoding: .utf8)
    try world.folder.write(
      plan.replacingOccurrences(of: #""id": "moscow", "#, with: #""id": "capital", "#), to: "plan.json")
    try world.succeed("apply")
    let before = try world.state()
    try world.run("rollback").expect(65, "it lacks capital and has moscow")
    #expect(try world.state() == before)
  }

  @Test("B-104: a shard that the disk damaged is not loaded again, and the provider keeps what it has")
  func damagedReload() throws {
    let world = try World.small()
    try world.succeed("apply")
    let shard = try #require(world.shards()["moscow"])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: world.folder.path(shard)))
    bytes[72] ^= 1
    try world.folder.write(Array(bytes), to: shard)
    let store = try world.state()[".shardctl/store.json"]
    try world.run("reload", "moscow").expect(69, "is not the file that was published")
    #expect(try world.status("moscow")["identification"] as? Int ?? 0 > 0)
    #expect(store != nil)
    try world.run("export", shard).expect(65, "checksum")
    try world.succeed("apply")
    try world.succeed("verify")
  }

  @Test("A library that delivers other entries than its planned shard is accepted with a warning that names it")
  func ownEntries() throws {
    let world = try World.small()
    try world.succeed("apply")
    try world.link("\(ToolRun.products)/libSpamList.so", as: "Plugins/libShardProvider.so")
    for id in ["moscow", "russia", "abroad"] {
      try world.folder.write("+79990000001\n", to: ".shardctl/containers/\(id)/blocklist.txt")
    }
    let run = try world.succeed("apply")
    #expect(run.output.contains("warning: the entries are not those of the planned shard"))
    #expect(run.output.contains("libShardProvider.so delivers its own"))
  }

  @Test("A dropped-in library that is gone stops nobody's apply; forget takes the provider off the phone")
  func uninstalled() throws {
    let world = try World.small()
    try world.succeed("apply")
    try world.link("\(ToolRun.products)/libSpamList.so", as: "Plugins/libDropped.so")
    try world.folder.write("+79990000001\n", to: ".shardctl/containers/Dropped/blocklist.txt")
    try world.succeed("enable", "Dropped")
    #expect(try world.words("+79990000001").hasPrefix("blocked by Dropped"))
    try FileManager.default.removeItem(atPath: world.folder.path("Plugins/libDropped.so"))
    try world.folder.write(World.companies + "+79161112231\tOne\tMoscow\n", to: "companies.tsv")
    try world.succeed("apply")
    #expect(try world.status("Dropped")["state"] as? String == "unavailable")
    try world.succeed("forget", "Dropped")
    let left = try world.succeed("status", "--json").json()["providers"] as? [[String: Any]]
    #expect(left?.map { $0["id"] as? String } == ["moscow", "russia", "abroad"])
    try world.run("forget", "Dropped").expect(64, "there is no provider \"Dropped\"")
  }

  @Test("A file in the folder that cannot be run does not become a provider")
  func neverRun() throws {
    let world = try World.small()
    try world.succeed("apply")
    try world.folder.write("no library", to: "Plugins/libText.so")
    let before = try world.state()[".shardctl/store.json"]
    try world.run("enable", "Text").expect(69, "is not a shared library")
    let providers = try world.succeed("status", "--json").json()["providers"] as? [[String: Any]]
    #expect(providers?.contains { $0["id"] as? String == "Text" } == false)
    #expect(before != nil)
  }

  @Test("export never writes over the shard it reads, and replaces a file only as a whole")
  func exportTargets() throws {
    let world = try World.small()
    try world.succeed("apply")
    let shard = try #require(world.shards()["moscow"])
    try world.run("export", shard, "-o", shard).expect(73, "this is the shard itself")
    try world.succeed("verify")
    try world.folder.write("old", to: "out.tsv")
    try world.succeed("export", shard, "-o", "out.tsv")
    let direct = try world.succeed("export", shard).output
    #expect(try String(contentsOfFile: world.folder.path("out.tsv"), encoding: .utf8) == direct)
    #expect(!direct.isEmpty)
  }

  @Test("B-045 control characters of rows never reach a terminal: they are shown escaped, on one line")
  func controlCharacters() throws {
    let world = try World.small()
    try world.folder.write(World.companies + "12\u{1B}[2J\u{7}\tEvil\tMoscow\n", to: "companies.tsv")
    let run = try world.succeed("plan")
    #expect(run.output.contains("12\\u{1B}[2J\\u{7}"))
    #expect(!run.output.contains("\u{1B}"))
  }

  @Test("A batch takes no option that its lines could not honour", arguments: ["--json", "--exit-status"])
  func batchOptions(option: String) throws {
    let world = try World.small()
    try world.succeed("apply")
    try world.run("lookup", "--batch", "-", option, input: "+79161112231\n").expect(64, option, "--batch")
  }

  @Test("The id of a planned provider is the plan's, also where a library was dropped in under it")
  func idTakenOver() throws {
    let world = try World.small()
    try world.succeed("apply")
    try world.link("\(ToolRun.products)/libSpamList.so", as: "Plugins/libcapital.so")
    try world.run("enable", "capital").expect(69, "blocklist.txt")
    let plan = try String(contentsOfFile: world.folder.path("plan.json"), encoding: .utf8)
    try world.folder.write(
      plan.replacingOccurrences(of: #""id": "moscow", "#, with: #""id": "capital", "#), to: "plan.json")
    try world.succeed("apply")
    #expect(try world.status("capital")["state"] as? String == "on")
    #expect(try world.words("+74991234568") == "identified, Beta from capital")
    // A planned provider that the user switched off is named: its entries are not on the phone.
    try world.succeed("disable", "capital")
    #expect(try world.succeed("apply").errors.contains("capital is off"))
  }

  @Test("Every refused occurrence stands in the report, rows without label included", arguments: [true, false])
  func refusalsInJSON(isApply: Bool) throws {
    let world = try World.small()
    try world.folder.write(World.companies + "+79161112231\t\tMoscow\nabc\tX\tMoscow\n", to: "companies.tsv")
    let report = try world.succeed(isApply ? "apply" : "plan", "--json").json()
    let accounts = try #require(report["accounts"] as? [String: Any])
    let refusals = try #require(report["refusals"] as? [[String: Any]])
    #expect(accounts["refused"] as? Int == 2)
    #expect(refusals.map { $0["reason"] as? String } == ["number.noDigits", "label.none"])
    #expect(refusals.map { $0["count"] as? Int } == [1, 1])
  }

  @Test("--quiet keeps remarks away, --json makes objects of them")
  func remarks() throws {
    let world = try World.small()
    try world.succeed("apply")
    try world.succeed("disable", "moscow")
    #expect(try world.succeed("apply").errors.contains("moscow is off"))
    #expect(try world.succeed("apply", "--quiet").errors == "")
    let note = try world.succeed("apply", "--json").errors
    let object = try JSONSerialization.jsonObject(with: Data(note.utf8)) as? [String: Any]
    #expect(object?["schema"] as? String == "shardctl.note/1")
    #expect((object?["message"] as? String)?.hasPrefix("moscow is off") == true)
  }

  @Test("A provider that the plan no longer names is not loaded with half a configuration, and keeps what it has")
  func leftThePlan() throws {
    let world = try World.small()
    try world.succeed("apply")
    let plan = try String(contentsOfFile: world.folder.path("plan.json"), encoding: .utf8)
    try world.folder.write(
      plan.replacingOccurrences(of: #"{"id": "moscow", "areas": ["Moscow"]}, "#, with: ""), to: "plan.json")
    try world.run("reload").expect(69, "moscow", "the plan no longer names it")
    #expect(try world.status("moscow")["identification"] as? Int == 2)
  }

  @Test("verify tells about every file it was given, also when one is not there")
  func verifySeveral() throws {
    let world = try World.small()
    try world.succeed("apply")
    try world.folder.write("no shard", to: "bad.shard")
    let shard = try #require(world.shards()["moscow"])
    try world.run("verify", "bad.shard", "gone.shard", shard).expect(1, "bad.shard", "gone.shard")
  }

  @Test("Where standard output is closed, no file of the run gets what is meant for it", arguments: ["build", "apply"])
  func closedOutput(command: String) throws {
    let world = try World.small()
    try ToolRun(shell: "shardctl \(command) >&-", in: world.folder.path).expect(74, "cannot write")
    for name in try FileManager.default.subpathsOfDirectory(atPath: world.folder.path) where name.contains(".lock") {
      // One line that names who holds the lock.
      let text = try String(contentsOfFile: world.folder.path(name), encoding: .utf8)
      #expect(text.filter(\.isNewline).count <= 1 && !text.contains("entries"), "\(name): \(text)")
    }
  }
}
