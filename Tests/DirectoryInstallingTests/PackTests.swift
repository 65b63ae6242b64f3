import CallDirectory
import DirectoryInstalling
import DirectoryPublishing
import DirectoryStore
import Foundation
import ShardPacks
import TestSupport
import Testing

/// Packs on the phone.
@Suite(.enabled(if: Installation.isBuilt, Comment(rawValue: Installation.absence))) struct PackTests {
  private static func phone(_ members: String = "") throws -> Installation {
    try Installation([("p", "\"rest\": true, \"packs\": \"area\"\(members)")])
  }

  private static func choose(_ phone: Installation, _ text: String) throws {
    let folder = phone.folder.path(".shardctl/containers/p")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try phone.folder.write(text, to: ".shardctl/containers/p/installed.json")
  }

  @Test func `apply stores what the installed packs deliver, and loads again when choice or packs change`() throws {
    let phone = try Self.phone()
    let application = try phone.apply()
    #expect(application.isSwitched && application.loads.allSatisfy { $0.isAccepted && $0.warnings.isEmpty })
    #expect(try phone.entries("p").count == 40)
    guard case .own? = try phone.stored("p")?.active?.content else {
      Issue.record("what is delivered is no file of the release")
      return
    }
    #expect(try phone.loaded() == [])
    try Self.choose(phone, #"{"packs": ["b"]}"#)
    #expect(try phone.loaded() == ["p"])
    #expect(try phone.entries("p").count == 20 && phone.entries("p").first == "74950021000 B 0")
    #expect(try phone.loaded() == [])
    // Another content of a pack that is not installed is another index all the same.
    phone.labels["a"] = "New"
    #expect(try phone.loaded() == ["p"])
    #expect(try phone.entries("p").count == 20)
    try Self.choose(phone, #"{"packs": []}"#)
    #expect(try phone.loaded() == ["p"])
    #expect(try phone.entries("p") == [])
    try FileManager.default.removeItem(atPath: phone.folder.path(".shardctl/containers/p/installed.json"))
    #expect(try phone.loaded() == ["p"])
    #expect(try phone.entries("p").count == 40 && phone.entries("p").first == "74950011000 New 0")
    #expect(try phone.isWhole())
  }

  @Test func `reload follows the choice, and rollback brings earlier packs back`() throws {
    let phone = try Self.phone()
    try phone.apply()
    try Self.choose(phone, #"{"packs": ["a"]}"#)
    let loads = try phone.begin().reload([Installation.id("p")])
    #expect(loads.allSatisfy { $0.isAccepted })
    #expect(try phone.entries("p").first == "74950011000 A 0")
    phone.labels["a"] = "New"
    try phone.apply()
    #expect(try phone.entries("p").first == "74950011000 New 0")
    let session = try phone.begin()
    let application = try session.apply(phone.shards.candidate(rollingBackTo: nil))
    #expect(application.isSwitched && application.release == 3)
    #expect(try phone.entries("p").first == "74950011000 A 0" && phone.entries("p").count == 20)
    #expect(try phone.isWhole())
  }

  @Test(arguments: [#"{"packs": ["c"]}"#, #"{"packs": ["a", "a"]}"#, "{"])
  func `A choice that is none is refused, changes nothing and is told`(text: String) throws {
    let phone = try Self.phone()
    try phone.apply()
    let before = try phone.files()
    try Self.choose(phone, text)
    let application = try phone.apply()
    #expect(!application.isSwitched && application.release == 1)
    #expect(application.loads.first?.problem?.contains("installed.json:1:") == true)
    #expect(try phone.files() == before)
    // The phone's own reload loses the entries, as any that fails (R-LIFE-2).
    #expect(try phone.begin().reload([Installation.id("p")]).allSatisfy { !$0.isAccepted })
    #expect(try phone.entries("p") == [])
    try Self.choose(phone, #"{"packs": ["a"]}"#)
    #expect(try phone.loaded() == ["p"])
    #expect(try phone.entries("p").count == 20)
  }

  @Test func `R-CAP-1: a set that the plan does not list is checked by the provider`() throws {
    let phone = try Self.phone(", \"limit\": 20, \"packSets\": [[\"a\"], [\"b\"]]")
    #expect(try phone.apply().isSwitched)
    #expect(try phone.entries("p").count == 20)
    try Self.choose(phone, #"{"packs": ["b", "base"]}"#)
    #expect(try phone.loaded() == ["p"])
    try Self.choose(phone, #"{"packs": ["a", "b"]}"#)
    let load = try #require(try phone.apply().loads.first)
    #expect(load.phoneError == PhoneError(.maximumEntriesExceeded))
    #expect(load.problem?.contains("come to 40 entries") == true, "\(load.problem ?? "")")
  }

  @Test func `A damaged pack is told before anything is loaded, a pack that is gone by the provider`() throws {
    let phone = try Self.phone()
    try phone.apply()
    try Self.choose(phone, #"{"packs": ["a"]}"#)
    let index = try #require(try phone.shards.current()?.providers[0].packs?.index)
    for (name, isInstalled) in [("b", false), ("a", true)] {
      let url = URL(fileURLWithPath: phone.shards.shardPath(try #require(index.pack(name)?.file)))
      let bytes = try Data(contentsOf: url)
      var changed = bytes
      changed[changed.count / 3] ^= 1
      try changed.write(to: url)
      let load = try #require(try phone.begin().reload([Installation.id("p")]).first)
      #expect(load.isAccepted == !isInstalled)
      if isInstalled {
        #expect(load.problem == "p: \(url.path) is not the file that was published")
        try FileManager.default.removeItem(at: url)
        let gone = try #require(try phone.begin().reload([Installation.id("p")]).first)
        #expect(gone.problem?.contains("the pack \"a\" is not there") == true, "\(gone.problem ?? "")")
      }
      try bytes.write(to: url)
    }
  }
}
