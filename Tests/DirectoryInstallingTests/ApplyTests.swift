import CallDirectory
import DirectoryInstalling
import DirectoryPublishing
import DirectoryStore
import Foundation
import PlanFile
import TestSupport
import Testing

@Suite(.enabled(if: Installation.isBuilt, Comment(rawValue: Installation.absence))) struct ApplyTests {
  @Test func `A first apply loads every provider that is on, and stores links to the shards`() throws {
    let phone = try Installation.twoPlanned()
    phone.providers.append(("c", "\"areas\": [\"a\"], \"enabled\": false"))
    let application = try phone.apply()
    #expect(application.release == 1 && application.isSwitched && application.removed.isEmpty)
    #expect(application.loads.map(\.id.rawValue) == ["a", "b"])
    #expect(application.loads.allSatisfy { $0.isAccepted })
    for id in ["a", "b"] {
      guard case .link(let path, _)? = try phone.stored(id)?.active?.content else {
        Issue.record("\(id) is no link")
        continue
      }
      #expect(path.hasPrefix("shards/"), "relative to the plan's folder")
    }
    #expect(try phone.entries("a").first == "74950011000 A 0")
    #expect(try phone.stored("c")?.storedState == .offEmpty)
    #expect(try phone.isWhole())
  }

  @Test func `An apply with nothing new loads nothing and changes no byte`() throws {
    let phone = try Installation.twoPlanned()
    try phone.apply()
    let before = try phone.files()
    let application = try phone.apply()
    #expect(application.release == 1 && !application.isSwitched && application.loads.isEmpty)
    #expect(try phone.files() == before)
  }

  @Test(arguments: [
    "shard", "library", "options", "title", "container", "memory limit", "profile", "failed last load",
    "releases elsewhere", "own shard gone",
  ])
  func `A provider is loaded when what it was loaded from has changed`(change: String) throws {
    let phone = try Installation.twoPlanned()
    try phone.drop("libShardProvider.so", as: "libOwn.so")
    phone.providers[0].members += ", \"library\": \"libOwn.so\""
    phone.providers.append(("own", try Installation.faulty("{\"script\": \"i5 i9\"}")))
    #expect(try phone.loaded() == ["a", "b", "own"])
    #expect(try phone.loaded() == [])
    var expected = ["a"]
    switch change {
    case "shard": phone.labels["a"] = "Changed"
    case "library":
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: phone.folder.path("Plugins/libOwn.so")))
      try file.seekToEnd()
      try file.write(contentsOf: [0])
    case "options": phone.providers[0].members += ", \"options\": {\"x\": 1}"
    case "title": phone.providers[0].members += ", \"title\": \"Another\""
    case "container": phone.providers[0].members += ", \"container\": \"shared\""
    case "memory limit":
      phone.more = "\"phone\": {\"memoryLimit\": 10000000},"
      expected = ["a", "b", "own"]
    case "profile":
      phone.more = "\"phone\": {\"profile\": \"ios10\"},"
      expected = ["a", "b", "own"]
    case "failed last load":
      phone.providers[2].members = try Installation.faulty("{\"script\": \"i5 i4\"}")
      #expect(try phone.apply(keepGoing: true).isSwitched)
      expected = ["own"]
      #expect(try phone.loaded(keepGoing: true) == expected)
      phone.providers[2].members = try Installation.faulty("{\"script\": \"i5 i9\"}")
    case "releases elsewhere":
      phone.more = "\"paths\": {\"shards\": \"elsewhere\"},"
      expected = ["a", "b"]
    default:
      for name in try FileManager.default.contentsOfDirectory(atPath: phone.folder.path(".shardctl/generations")) {
        try FileManager.default.removeItem(atPath: phone.folder.path(".shardctl/generations/\(name)"))
      }
      expected = ["own"]
    }
    #expect(try phone.loaded() == expected)
    #expect(try phone.loaded() == [], "and not again")
    #expect(try phone.opened().providers.allSatisfy { $0.problem == nil })
  }

  @Test func `A plan whose text alone has changed is a release that loads nothing`() throws {
    let phone = try Installation.twoPlanned()
    try phone.apply()
    phone.more = "\"comment\": \"only the plan's text is another\","
    let application = try phone.apply()
    #expect(application.release == 2 && application.loads.isEmpty && application.isSwitched)
  }

  @Test(arguments: [
    "{\"script\": \"i5 i4\"}", "{\"script\": \"b5 b5\"}", "{\"behaviour\": \"crash in create\"}",
    "{\"behaviour\": \"refuse in create\"}",
  ])
  func `An apply in which one provider is refused changes nothing`(options: String) throws {
    let phone = try Installation.twoPlanned()
    phone.providers.append(("own", try Installation.faulty("{\"script\": \"i5 i9\"}")))
    try phone.apply()
    let before = try phone.files()
    phone.labels = ["a": "New", "b": "News"]
    phone.providers[2].members = try Installation.faulty(options)
    let application = try phone.apply()
    #expect(!application.isSwitched && application.release == 1)
    #expect(application.loads.map(\.isAccepted) == [true, true, false])
    #expect(application.loads[2].phoneError != nil && application.loads[2].problem != nil)
    #expect(try phone.files() == before)
    #expect(try phone.isWhole())
  }

  @Test func `A first apply that is refused leaves no release and no store`() throws {
    let phone = try Installation.twoPlanned()
    phone.providers.append(("own", try Installation.faulty("{\"script\": \"i5 i4\"}")))
    let application = try phone.apply()
    #expect(!application.isSwitched && application.release == 0)
    #expect(try phone.files().isEmpty)
  }

  @Test func `With keepGoing the accepted ones are switched and the others keep what they have`() throws {
    let phone = try Installation.twoPlanned()
    phone.providers[1].members += ", " + (try Installation.faulty("{\"script\": \"i5 i9\"}"))
    try phone.apply()
    phone.labels["a"] = "New"
    phone.providers[1].members = "\"areas\": [\"b\"], " + (try Installation.faulty("{\"script\": \"i9 i5\"}"))
    let application = try phone.apply(keepGoing: true)
    #expect(application.isSwitched && application.release == 2)
    #expect(application.loads.map(\.isAccepted) == [true, false])
    #expect(try phone.entries("a").first == "74950011000 New 0")
    #expect(try phone.entries("b") == ["5 label", "9 label"])
    let failed = try #require(try phone.stored("b"))
    #expect(failed.isOn && failed.lastFailure?.error.code == 3)
    #expect(try phone.isWhole())
  }

  @Test func `A provider that left the plan goes with its data, one that was dropped in stays`() throws {
    let phone = try Installation.twoPlanned()
    try phone.drop("libSpamList.so")
    try phone.apply()
    _ = try phone.begin().order([Installation.id("SpamList")])
    phone.providers.removeLast()
    let application = try phone.apply()
    #expect(application.removed.map(\.rawValue) == ["b"])
    #expect(try phone.opened().providers.map(\.stored.id.rawValue) == ["SpamList", "a"])
  }

  @Test func `A library that is missing is named, with those that are there`() throws {
    let phone = try Installation.twoPlanned()
    try phone.drop("libSpamList.so")
    phone.providers.append(("crm", "\"library\": \"libCRM.so\""))
    let load = try #require(try phone.apply().loads.last)
    guard case .notStarted(let reason) = load.outcome else {
      Issue.record("\(load)")
      return
    }
    #expect(reason.error == PhoneError(.noExtensionFound))
    #expect(reason.what.contains("libCRM.so") && reason.what.contains(phone.folder.path("Plugins")))
    #expect(reason.hint.contains("libSpamList.so") && reason.hint.contains("libShardProvider.so"))
  }

  @Test func `A file that is no library is not run`() throws {
    let phone = try Installation.twoPlanned()
    try phone.folder.write("text", to: "Plugins/libCRM.so")
    phone.providers.append(("crm", "\"library\": \"libCRM.so\""))
    let load = try #require(try phone.apply().loads.last)
    #expect(load.result == nil && load.phoneError == PhoneError(.noExtensionFound) && load.outcomeName == "notStarted")
  }

  @Test func `Each provider has a container of its own, or the one it names`() throws {
    let phone = try Installation.twoPlanned()
    phone.providers[1].members += ", \"container\": \"shared\""
    try phone.apply()
    let names = try FileManager.default.contentsOfDirectory(atPath: phone.folder.path(".shardctl/containers"))
    #expect(names.sorted() == ["a", "shared"])
    #expect(try phone.installer().containerPath("shared") == phone.folder.path(".shardctl/containers/shared"))
  }

  @Test func `The phone's contacts go into the store, and an equal list changes nothing`() throws {
    let phone = try Installation.twoPlanned()
    try phone.folder.write("8 495 123-45-67,Anna\n+74951234568,\n", to: "contacts.csv")
    phone.more = "\"phone\": {\"contacts\": \"contacts.csv\"},"
    try phone.apply()
    let contacts = try #require(try phone.opened().contacts)
    #expect(contacts.counts.identification == 2)
    var names: [String] = []
    contacts.forEachLabel(of: PhoneNumber(74_951_234_567)) { names.append(String(decoding: $0, as: UTF8.self)) }
    #expect(names == ["Anna"])
    #expect(try !phone.apply().isSwitched)
    try phone.folder.write("8 495 123-45-67,Anna B.\n", to: "contacts.csv")
    #expect(try phone.apply().isSwitched)
    #expect(try phone.opened().contacts?.counts.identification == 1)
  }

  @Test func `Contacts that cannot be read stop an apply before it changes anything`() throws {
    let phone = try Installation.twoPlanned()
    try phone.apply()
    let before = try phone.files()
    phone.labels["a"] = "New"
    phone.more = "\"phone\": {\"contacts\": \"contacts.csv\"},"
    #expect(throws: (any Error).self) { try phone.apply() }
    try phone.folder.write("no number,Anna\n", to: "contacts.csv")
    #expect(throws: (any Error).self) { try phone.apply() }
    #expect(try phone.files() == before)
  }

  @Test func `Rolling back loads what differs and gives the earlier answers`() throws {
    let phone = try Installation.twoPlanned()
    try phone.apply()
    phone.labels["a"] = "New"
    #expect(try phone.loaded() == ["a"])
    let session = try phone.begin()
    let application = try session.apply(phone.shards.candidate(rollingBackTo: nil))
    #expect(application.release == 3 && application.loads.map(\.id.rawValue) == ["a"])
    #expect(try phone.entries("a").first == "74950011000 A 0")
    #expect(try phone.shards.current()?.release == 3)
  }

  @Test func `A shard that an installed generation links outlives the releases that are kept`() throws {
    let phone = try Installation.twoPlanned()
    phone.more = "\"keepReleases\": 1,"
    try phone.apply()
    try phone.begin().disable([Installation.id("b")])
    for round in 1...3 {
      phone.labels["b"] = "Round \(round)"
      #expect(try phone.loaded() == [])
    }
    #expect(try phone.shards.releases().count == 1)
    #expect(try phone.entries("b").first == "74950021000 B 0")
    #expect(try phone.begin().enable([Installation.id("b")]).isEmpty, "R-LIFE-3")
    #expect(try phone.loaded() == ["b"])
    #expect(try phone.entries("b").first == "74950021000 Round 3 0")
  }
}
